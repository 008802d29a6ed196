package client

import (
	"bytes"
	"io"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// requestBody is the one frame of a request. [net/http] sends a body of a type that it knows together
// with the headers, in one packet instead of two.
type requestBody struct {
	bytes.Reader

	content []byte
}

func (c *Client) body(message []byte) (*requestBody, error) {
	if len(message) > c.options.MaxSendBytes {
		return nil, wire.Errorf(wire.ResourceExhausted, "message of %d bytes is larger than the send limit of %d bytes", len(message), c.options.MaxSendBytes)
	}
	frame := make([]byte, wire.PrefixBytes, wire.PrefixBytes+len(message))
	var flags byte
	if c.options.CompressRequests {
		var err error
		if frame, err = wire.AppendGzip(frame, message); err != nil {
			return nil, wire.Errorf(wire.Internal, "%w", err)
		}
		flags = wire.FlagCompressed
	} else {
		frame = append(frame, message...)
	}
	prefix, err := wire.Prefix(flags, len(frame)-wire.PrefixBytes)
	if err != nil {
		return nil, err
	}
	copy(frame, prefix[:])
	if c.options.Text {
		frame = wire.AppendText(nil, frame)
	}
	body := &requestBody{content: frame}
	body.Reset(frame)
	return body, nil
}

// again returns the body from its start: [net/http] asks for it when a server closed an idle
// connection before it took the request.
func (b *requestBody) again() (io.ReadCloser, error) {
	return io.NopCloser(bytes.NewReader(b.content)), nil
}
