package client

import (
	"bytes"
	"context"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// Invoke makes a unary call. The error is not nil only for a call that is wrong by itself.
func (c *Client) Invoke(ctx context.Context, call *Call) (*Response, error) {
	x, err := c.start(ctx, call)
	if err != nil {
		return nil, err
	}
	message := x.only()
	return &Response{Status: x.status, Message: message, answer: x.answer}, nil
}

// only reads to the end of an answer that must hold exactly one message.
func (x *exchange) only() []byte {
	received, ok := x.next()
	if !ok {
		if x.status.Code == wire.OK {
			x.fail(wire.Errorf(wire.Unimplemented, "the server answered a unary call with status OK and no message"))
		}
		return nil
	}
	message := bytes.Clone(received)
	if message == nil {
		message = []byte{}
	}
	if _, more := x.next(); more {
		x.fail(wire.Errorf(wire.Unimplemented, "the server answered a unary call with more than one message"))
	}
	if x.status.Code != wire.OK {
		return nil
	}
	return message
}
