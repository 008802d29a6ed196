package grpcweb

import (
	"context"
	"fmt"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/schema"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// messagesAhead is how many messages of a stream may wait for the script's handlers. Past it, the
// server is held back by the connection.
const messagesAhead = 64

// Stream is the script's grpcweb.Stream. Its exported methods are the script's. The request goes out
// with the first write; a stream that sends none does not keep the iteration alive.
type Stream struct {
	instance  *instance
	client    *Client
	method    *schema.Method
	params    callParams
	listeners listeners
	observer  *observer

	connection *connection
	iteration  context.Context // the stream ends with the iteration that it was made in
	written    bool
	ended      bool
}

func (i *instance) newStream(call sobek.ConstructorCall) *sobek.Object {
	rt := i.vu.Runtime()
	stream, err := i.stream(call)
	if err != nil {
		common.Throw(rt, err)
	}
	return rt.ToValue(stream).ToObject(rt)
}

func (i *instance) stream(call sobek.ConstructorCall) (*Stream, error) {
	if i.vu.State() == nil {
		return nil, errStreamInInit
	}
	client, err := clientOf(call.Argument(0))
	if err != nil {
		return nil, fmt.Errorf("invalid GRPC Stream's client: %w", err)
	}
	path := ""
	if name := call.Argument(1); !common.IsNullish(name) {
		path = name.String()
	}
	method, err := client.method(path)
	if err != nil {
		return nil, fmt.Errorf("invalid GRPC Stream's method: %w", err)
	}
	params, err := i.callParams(call.Argument(2), 0)
	if err != nil {
		return nil, fmt.Errorf("invalid GRPC Stream's parameters: %w", err)
	}
	stream := &Stream{
		instance:   i,
		client:     client,
		method:     method,
		params:     params,
		listeners:  make(listeners),
		observer:   i.observe(params.tags, client.connection.target, method),
		connection: client.connection,
		iteration:  i.vu.Context(),
	}
	stream.observer.count(i.instruments.streams)
	return stream, nil
}

func clientOf(value sobek.Value) (*Client, error) {
	if common.IsNullish(value) {
		return nil, errNoClient
	}
	client, ok := value.Export().(*Client)
	if !ok {
		return nil, errNotAClient
	}
	if client.connection == nil {
		return nil, errNotConnected
	}
	return client, nil
}

// On adds a handler. Handlers of one event run in the order in which they were added.
func (s *Stream) On(event string, handler sobek.Value) error {
	callable, ok := sobek.AssertFunction(handler)
	if !ok {
		return fmt.Errorf("handler of the event %q must be a function, not %v", event, handler)
	}
	if !s.listeners.add(event, callable) {
		s.instance.vu.State().Logger.Warnf("unknown stream event %q has no effect; the events are %s", event, eventNames)
	}
	return nil
}

// Write sends the request. gRPC-Web carries one for each stream. After end it has no effect.
func (s *Stream) Write(message sobek.Value) error {
	switch {
	case s.ended:
		return nil
	case common.IsNullish(message):
		s.instance.vu.State().Logger.Warn("can't send empty message")
		return nil
	case s.written:
		return errOneRequest
	}
	s.written = true
	encoded, err := s.instance.values.encode(s.method, message)
	if err != nil {
		s.fail(wire.Status{Code: wire.Internal, Message: err.Error()})
		return nil
	}
	s.start(encoded)
	return nil
}

// End says that nothing more will be written. The answers still come.
func (s *Stream) End() {
	if !s.ended && !s.written {
		s.fail(wire.Status{Code: wire.Internal, Message: "the stream ended before its request was written"})
	}
	s.ended = true
}

// fail ends a stream that never reached the server.
func (s *Stream) fail(status wire.Status) {
	s.ended = true
	s.observer.ended(status.Code, time.Now(), time.Now())
	queue := newTaskQueue(s.instance.vu)
	s.finish(queue, status, wire.Metadata{})
	queue.close()
}

func (s *Stream) start(message []byte) {
	ctx, cancel := s.connection.during(s.iteration)
	reader := &streamReader{
		stream:  s,
		queue:   newTaskQueue(s.instance.vu),
		waiting: make(chan struct{}, messagesAhead),
		cancel:  cancel,
	}
	request := &client.Call{Path: s.method.Path(), Message: message, Metadata: s.params.metadata, Timeout: s.params.timeout}
	go reader.run(ctx, request)
}

// streamReader reads a stream on a goroutine of its own and hands what comes to the event loop.
type streamReader struct {
	stream  *Stream
	queue   *taskQueue
	waiting chan struct{}
	cancel  context.CancelFunc
}

func (r *streamReader) run(ctx context.Context, request *client.Call) {
	defer r.queue.close()
	defer r.cancel()
	s := r.stream
	started := time.Now()
	stream, err := s.connection.client.OpenStream(s.observer.trace(ctx), request)
	if err != nil {
		r.finish(wire.Status{Code: wire.Unknown, Message: err.Error()}, started, wire.Metadata{})
		return
	}
	defer stream.Close()
	s.observer.count(s.instance.instruments.messagesSent)
	if _, failed := stream.Status(); !failed {
		headers := stream.Headers()
		r.push(func() error { return s.emitMetadata(headers) })
	}
	status, ok := r.readAll(ctx, stream)
	if !ok {
		stream.Close()
		status, _ = stream.Status()
	}
	r.finish(status, started, stream.Trailers())
}

// readAll reads to the end, and returns false when the call is over before.
func (r *streamReader) readAll(ctx context.Context, stream *client.Stream) (wire.Status, bool) {
	for encoded, ok := stream.Next(); ok; encoded, ok = stream.Next() {
		r.stream.observer.count(r.stream.instance.instruments.messagesReceived)
		message, err := r.stream.decode(encoded)
		if err != nil {
			return wire.Status{Code: wire.Internal, Message: err.Error()}, true
		}
		if !r.wait(ctx) {
			return wire.Status{}, false
		}
		r.push(func() error {
			<-r.waiting
			return r.stream.emitData(message)
		})
	}
	return stream.Status()
}

// streamMessage is a message as the script wants it; none of the two when it wants nothing of it.
type streamMessage struct {
	message protoreflect.Message
	binary  []byte
}

// decode reads a message, whose bytes are only valid until the next one.
func (s *Stream) decode(encoded []byte) (streamMessage, error) {
	switch s.params.response {
	case responseJSON:
		message, err := s.method.Decode(encoded)
		if err != nil {
			return streamMessage{}, err
		}
		return streamMessage{message: message.ProtoReflect()}, nil
	case responseBinary:
		return streamMessage{binary: append([]byte{}, encoded...)}, nil
	default:
		return streamMessage{}, nil
	}
}

// wait waits until the script has room for another message. It returns false when the call is over.
func (r *streamReader) wait(ctx context.Context) bool {
	select {
	case r.waiting <- struct{}{}:
		return true
	case <-ctx.Done():
		return false
	}
}

// push runs a handler on the event loop, unless the iteration is over. A handler that throws ends
// the stream.
func (r *streamReader) push(emit func() error) {
	r.queue.push(func() error {
		if r.stream.iteration.Err() != nil {
			return nil
		}
		err := emit()
		if err != nil {
			r.cancel()
		}
		return err
	})
}

func (r *streamReader) finish(status wire.Status, started time.Time, trailers wire.Metadata) {
	s := r.stream
	s.observer.ended(status.Code, started, time.Now())
	if s.connection.closing.Err() != nil && status.Code == wire.Canceled {
		status.Message = "canceled by client (k6)"
	}
	s.finish(r.queue, status, trailers)
}

// finish queues the last events.
func (s *Stream) finish(queue *taskQueue, status wire.Status, trailers wire.Metadata) {
	queue.push(func() error {
		s.ended = true
		if s.iteration.Err() != nil {
			return nil
		}
		return s.emitEnd(status, trailers)
	})
}
