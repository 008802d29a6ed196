package client

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	// Message is the encoded request. The call copies it.
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
	request.Body = io.NopCloser(&body.Reader)
	request.ContentLength = body.Size()
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
	if len(call.Metadata) == 0 && limit.left == call.Timeout {
		return c.timedHeader(limit.left)
	}
	header := maps.Clone(c.header)
	if err := call.Metadata.AddTo(header); err != nil {
		return nil, fmt.Errorf("%w: %w", ErrCall, err)
	}
	if limit.bounded {
		if err := setTimeout(header, limit.left); err != nil {
			return nil, err
		}
	}
	return header, nil
}

func setTimeout(header http.Header, left time.Duration) error {
	value, err := wire.EncodeTimeout(left)
	if err != nil {
		return fmt.Errorf("nothing was sent: %w", err)
	}
	header["Grpc-Timeout"] = []string{value}
	return nil
}

// timedHeader is the shared header with a time-out. A call tends to have that of the call before, unless
// it is what a deadline leaves.
type timedHeader struct {
	left   time.Duration
	header http.Header
}

func (c *Client) timedHeader(left time.Duration) (http.Header, error) {
	if last := c.timed.Load(); last != nil && last.left == left {
		return last.header, nil
	}
	header := maps.Clone(c.header)
	if err := setTimeout(header, left); err != nil {
		return nil, err
	}
	c.timed.Store(&timedHeader{left: left, header: header})
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
