package client

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"strings"
	"time"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// ErrCall is wrapped by every Go error that a call returns.
var ErrCall = errors.New("invalid call")

// Call is one request.
type Call struct {
	// Path is "/package.Service/Method"; the leading slash may be left out.
	Path string
	// Message is the encoded request. It must not be changed afterwards, also not after the call
	// returned: the transport may still hold it.
	Message []byte
	// Metadata is sent as headers. Keys ending in "-bin" carry raw bytes.
	Metadata wire.Metadata
	// Timeout bounds the whole call, streams included, and is told to the server. Zero means none
	// but the context's deadline.
	Timeout time.Duration
}

// request turns a call into an HTTP request.
func (c *Client) request(ctx context.Context, call *Call, limit timeLimit) (*http.Request, error) {
	path, err := c.path(call.Path)
	if err != nil {
		return nil, err
	}
	header, err := c.callHeader(call, limit)
	if err != nil {
		return nil, err
	}
	body, err := c.body(call.Message)
	if err != nil {
		return nil, err
	}
	request := c.base.WithContext(ctx)
	target := *c.base.URL
	target.Path = path
	request.URL = &target
	request.Header = header
	request.Body = body
	request.ContentLength = body.size()
	request.GetBody = body.again
	return request, nil
}

func (c *Client) path(path string) (string, error) {
	service, method, found := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	if !found || service == "" || method == "" || strings.ContainsRune(method, '/') {
		return "", fmt.Errorf("%w: method %q is not of the form /package.Service/Method", ErrCall, path)
	}
	if path[0] == '/' && c.options.BasePath == "" {
		return path, nil
	}
	return c.options.BasePath + "/" + service + "/" + method, nil
}

func (c *Client) callHeader(call *Call, limit timeLimit) (http.Header, error) {
	if !limit.bounded && len(call.Metadata) == 0 {
		return c.header, nil
	}
	header := maps.Clone(c.header)
	if err := call.Metadata.AddTo(header); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCall, err)
	}
	if limit.bounded {
		value, err := wire.EncodeTimeout(limit.left)
		if err != nil {
			return nil, fmt.Errorf("nothing was sent: %w", err)
		}
		header["Grpc-Timeout"] = []string{value}
	}
	return header, nil
}

// timeLimit is the time that a call has, if it is bounded.
type timeLimit struct {
	left    time.Duration
	bounded bool
}

// limitOf returns the call's own time-out or what its context leaves, whichever is shorter.
func limitOf(ctx context.Context, call *Call) (timeLimit, error) {
	if call.Timeout < 0 {
		return timeLimit{}, fmt.Errorf("%w: time-out %s is negative", ErrCall, call.Timeout)
	}
	deadline, ok := ctx.Deadline()
	if !ok {
		return timeLimit{left: call.Timeout, bounded: call.Timeout > 0}, nil
	}
	left := time.Until(deadline)
	if call.Timeout > 0 {
		left = min(left, call.Timeout)
	}
	return timeLimit{left: left, bounded: true}, nil
}
