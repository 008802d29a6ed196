package client

import (
	"io"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// requestBody is the one frame of a request. The message is sent from where the caller has it,
// without a copy behind its prefix.
type requestBody struct {
	prefix  [wire.PrefixBytes]byte
	head    []byte
	payload []byte
	offset  int
}

func (c *Client) body(message []byte) (*requestBody, error) {
	if len(message) > c.options.MaxSendBytes {
		return nil, wire.Errorf(wire.ResourceExhausted, "message of %d bytes is larger than the send limit of %d bytes", len(message), c.options.MaxSendBytes)
	}
	var flags byte
	if c.options.CompressRequests {
		compressed, err := wire.AppendGzip(nil, message)
		if err != nil {
			return nil, wire.Errorf(wire.Internal, "%w", err)
		}
		flags, message = wire.FlagCompressed, compressed
	}
	prefix, err := wire.Prefix(flags, len(message))
	if err != nil {
		return nil, err
	}
	body := &requestBody{prefix: prefix, payload: message}
	body.head = body.prefix[:]
	if c.options.Text {
		frame := append(body.prefix[:len(body.prefix):len(body.prefix)], message...)
		body.head, body.payload = nil, wire.AppendText(nil, frame)
	}
	return body, nil
}

func (b *requestBody) size() int64 { return int64(len(b.head) + len(b.payload)) }

// again returns the body from its start: [net/http] asks for it when a server closed an idle
// connection before it took the request.
func (b *requestBody) again() (io.ReadCloser, error) {
	return &requestBody{head: b.head, payload: b.payload}, nil
}

// Read implements [io.Reader].
func (b *requestBody) Read(p []byte) (int, error) {
	n := 0
	if b.offset < len(b.head) {
		n = copy(p, b.head[b.offset:])
		b.offset += n
	}
	if from := b.offset - len(b.head); from >= 0 {
		copied := copy(p[n:], b.payload[from:])
		b.offset += copied
		n += copied
	}
	if n == 0 && len(p) > 0 {
		return 0, io.EOF
	}
	return n, nil
}

// Close implements [io.Closer].
func (b *requestBody) Close() error { return nil }
