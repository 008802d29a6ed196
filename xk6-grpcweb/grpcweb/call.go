package grpcweb

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/schema"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// unaryCall is a call that is ready to be made.
type unaryCall struct {
	instance   *instance
	connection *connection
	types      *typeSet
	method     *schema.Method
	request    client.Call
	response   responseType
	observer   *observer
}

// prepare reads a script's arguments. It runs on the event loop.
func (c *Client) prepare(path string, request, params sobek.Value) (*unaryCall, error) {
	if c.instance.vu.State() == nil {
		return nil, errInvokeInInit
	}
	if c.connection == nil {
		return nil, errNotConnected
	}
	method, err := c.method(path)
	if err != nil {
		return nil, err
	}
	parsed, err := c.instance.callParams(params, defaultInvokeTimeout)
	if err != nil {
		return nil, fmt.Errorf("invalid GRPC's client.invoke() parameters: %w", err)
	}
	if common.IsNullish(request) {
		return nil, errNoRequest
	}
	message, err := c.instance.values.encode(method, request)
	if err != nil {
		return nil, err
	}
	return &unaryCall{
		instance:   c.instance,
		connection: c.connection,
		types:      c.types,
		method:     method,
		request:    client.Call{Path: method.Path(), Message: message, Metadata: parsed.metadata, Timeout: parsed.timeout},
		response:   parsed.response,
		observer:   c.instance.observe(parsed.tags, c.connection.target, method),
	}, nil
}

// method finds a method that gRPC-Web can carry. A method that streams its answers may be invoked,
// too: that works when it answers with one message.
func (c *Client) method(path string) (*schema.Method, error) {
	if path == "" {
		return nil, errNoMethod
	}
	method, err := c.types.schema.Method(path)
	if errors.Is(err, schema.ErrMethodNotFound) {
		if path[0] != '/' {
			path = "/" + path
		}
		return nil, fmt.Errorf("method %q not found in file descriptors", path)
	}
	if err != nil {
		return nil, err
	}
	return method, method.CheckOneRequest()
}

// outcome is how a call ended.
type outcome struct {
	*client.Response
	// message is the answer, if the script wants it as an object.
	message protoreflect.Message
}

// run makes the call. It may run on any goroutine.
func (u *unaryCall) run(ctx context.Context) (outcome, error) {
	started := time.Now()
	response, err := u.connection.client.Invoke(u.observer.trace(ctx), &u.request)
	if err != nil {
		return outcome{}, err
	}
	ended := time.Now()
	result := outcome{Response: response}
	if u.response == responseJSON {
		result.message = u.decode(response)
	}
	u.observer.ended(response.Status.Code, started, ended)
	return result, nil
}

// decode reads the message. Bytes that are no message make the call a failed one. As in the code of
// k6/net/grpc, a failed call has the message of no bytes, with all fields unset; a type with required
// fields has no such message.
func (u *unaryCall) decode(response *client.Response) protoreflect.Message {
	message, err := u.method.Decode(response.Message)
	if err == nil {
		return message.ProtoReflect()
	}
	if response.Status.Code != wire.OK {
		return nil
	}
	response.Status = wire.Status{Code: wire.Internal, Message: err.Error()}
	response.Message = nil
	return u.decode(response)
}

// Invoke makes a unary call and waits for it. A call that fails is an answer with its status; only
// wrong arguments throw.
func (c *Client) Invoke(method string, request, params sobek.Value) (*sobek.Object, error) {
	call, err := c.prepare(method, request, params)
	if err != nil {
		return nil, err
	}
	result, err := call.run(c.instance.vu.Context())
	if err != nil {
		return nil, err
	}
	return c.instance.values.response(call, result)
}

// AsyncInvoke makes a unary call and returns a promise of its answer, which wrong arguments reject.
func (c *Client) AsyncInvoke(method string, request, params sobek.Value) (*sobek.Promise, error) {
	vu := c.instance.vu
	promise, resolve, reject := vu.Runtime().NewPromise()
	var call *unaryCall
	var err error
	thrown := vu.Runtime().Try(func() { call, err = c.prepare(method, request, params) })
	switch {
	case thrown != nil: // by a getter or a toJSON of the request
		return promise, reject(thrown.Value())
	case err != nil:
		return promise, reject(vu.Runtime().NewGoError(err))
	}
	settle := func(result outcome, err error) error {
		if err != nil {
			return reject(vu.Runtime().NewGoError(err))
		}
		object, err := c.instance.values.response(call, result)
		if err != nil {
			return reject(vu.Runtime().NewGoError(err))
		}
		return resolve(object)
	}
	ctx, cancel := call.connection.during(vu.Context())
	enqueue := vu.RegisterCallback()
	go func() {
		defer cancel()
		result, err := call.run(ctx)
		enqueue(func() error { return settle(result, err) })
	}()
	return promise, nil
}

// statusError is a failed call where scripts get an exception instead of an answer.
func statusError(status wire.Status) error {
	return fmt.Errorf("rpc error: code = %s desc = %s", status.Code, status.Message)
}
