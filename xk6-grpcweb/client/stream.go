package client

import (
	"context"
	"sync"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// Stream is a server-streaming call. One goroutine calls Next; Close may be called from any.
type Stream struct {
	mu       sync.Mutex
	exchange *exchange
}

// OpenStream sends the request of a server-streaming call and waits for the answer's headers. The
// error is not nil only for a call that is wrong by itself. The stream must be read to its end or
// closed.
func (c *Client) OpenStream(ctx context.Context, call *Call) (*Stream, error) {
	x, err := c.start(ctx, call)
	if err != nil {
		return nil, err
	}
	return &Stream{exchange: x}, nil
}

// Next waits for the next message. The message is only valid until the next call. It returns false
// at the end of the stream; Status then tells how it ended.
func (s *Stream) Next() ([]byte, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exchange.next()
}

// Close cancels a stream that has not ended: its status becomes CANCELLED, and over HTTP/1.1 its
// connection is dropped. It waits for a running Next to notice. Closing twice does no harm.
func (s *Stream) Close() {
	s.exchange.cancel()
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.exchange.done {
		s.exchange.finish(faultStatus(s.exchange.ctx, context.Canceled))
	}
}

// Status returns how the stream ended, and false while it has not.
func (s *Stream) Status() (wire.Status, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exchange.status, s.exchange.done
}

// Headers returns the metadata that came before the first message. It is empty for an answer whose
// headers hold a status: such headers are trailers. It waits for a running Next.
func (s *Stream) Headers() wire.Metadata {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.exchange.done && wire.HeaderTrailer(s.exchange.header).HasStatus {
		return wire.Metadata{}
	}
	return s.exchange.Headers()
}

// Trailers returns the metadata that came with the status, once the stream has ended.
func (s *Stream) Trailers() wire.Metadata {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.exchange.Trailers()
}
