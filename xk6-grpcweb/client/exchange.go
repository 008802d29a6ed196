package client

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// maxDrainBytes bounds what is read of a body that says nothing, so that its connection can be used
// again. Past it, closing the connection is cheaper.
const maxDrainBytes = 64 << 10

// exchange is one request and its answer, up to the status. It is not safe for concurrent use, but
// for its cancel.
type exchange struct {
	answer

	ctx      context.Context // an exchange lives exactly as long as its call
	cancel   context.CancelFunc
	receiver *receiver
	messages int
	done     bool
	status   wire.Status
}

// start sends the request and waits for the answer's headers. A call that failed by then is done.
// The error is not nil only for a call that is wrong by itself.
func (c *Client) start(ctx context.Context, call *Call) (*exchange, error) {
	limit, err := limitOf(ctx, call)
	if err != nil {
		return nil, err
	}
	x := new(exchange)
	if call.Timeout > 0 {
		x.ctx, x.cancel = context.WithTimeout(ctx, call.Timeout)
	} else {
		x.ctx, x.cancel = context.WithCancel(ctx)
	}
	request, err := c.request(x.ctx, call, limit)
	if err != nil {
		x.cancel()
		if status := localStatus(err); status != nil && !errors.Is(err, ErrCall) {
			x.finish(*status)
			return x, nil
		}
		return nil, err
	}
	response, err := c.transport.http.RoundTrip(request)
	if err != nil {
		x.finish(faultStatus(x.ctx, fmt.Errorf("%s: %w%s", c.base.URL.Host, err, hint(err))))
		return x, nil
	}
	x.header = response.Header
	x.open(response, c.options.MaxReceiveBytes)
	return x, nil
}

// open judges the answer's headers.
func (x *exchange) open(response *http.Response, limit int) {
	if response.StatusCode != http.StatusOK {
		x.refuse(response, wire.Status{
			Code:    wire.CodeFromHTTP(response.StatusCode),
			Message: "the server answered HTTP " + response.Status,
		})
		return
	}
	receiver, err := receive(response, limit)
	if err != nil {
		x.refuse(response, faultStatus(x.ctx, err))
		return
	}
	x.receiver = receiver
}

// refuse ends a call whose answer has no gRPC-Web body. An error status in its headers tells more
// than what is wrong with the answer, whatever the HTTP status is.
func (x *exchange) refuse(response *http.Response, status wire.Status) {
	page := readPage(response.Body)
	if kind := response.Header.Get("Content-Type"); page != "" && (kind == "" || strings.HasPrefix(kind, "text/plain")) {
		status.Message += ": " + page
	}
	if trailer := wire.HeaderTrailer(response.Header); trailer.HasStatus && trailer.Status.Code != wire.OK {
		x.headersOnly = true
		status = trailer.Status
	}
	x.finish(status)
}

// next returns the next message, valid until the call after, and false at the end of the call.
func (x *exchange) next() ([]byte, bool) {
	if x.done {
		return nil, false
	}
	message, ok, err := x.receiver.next()
	switch {
	case err == io.EOF: // as it is: a fault may wrap the end of something else
		x.finishWithoutTrailer()
	case err != nil:
		x.finish(faultStatus(x.ctx, err))
	case ok:
		x.messages++
		return message, true
	default:
		x.finishWith(x.receiver.trailer)
	}
	return nil, false
}

// finishWith takes the status of the trailer frame, or the headers' when a gateway put an empty
// trailer frame behind an answer that was nothing but a status.
func (x *exchange) finishWith(trailer wire.Trailer) {
	if !trailer.HasStatus && x.messages == 0 {
		if fromHeader := wire.HeaderTrailer(x.header); fromHeader.HasStatus {
			x.headersOnly = true
			x.finish(fromHeader.Status)
			return
		}
	}
	x.trailer = trailer.Metadata
	x.finish(trailer.Status)
}

func (x *exchange) finishWithoutTrailer() {
	fromHeader := wire.HeaderTrailer(x.header)
	if fromHeader.HasStatus && x.messages == 0 {
		x.headersOnly = true
		x.finish(fromHeader.Status)
		return
	}
	x.finish(wire.Status{Code: wire.Internal, Message: "the body ended without a trailer, so the call's status is unknown"})
}

// fail ends the call with a fault that this side found in its messages.
func (x *exchange) fail(err *wire.Error) {
	x.finish(wire.Status{Code: err.Code, Message: err.Error()})
}

func (x *exchange) finish(status wire.Status) {
	x.done = true
	x.status = status
	if x.receiver != nil {
		x.receiver.release()
		x.receiver = nil
	}
	x.cancel()
}

// readPage reads a body that is not gRPC-Web and returns its beginning, on one line.
func readPage(body io.ReadCloser) string {
	const shownBytes = 200
	var shown strings.Builder
	_, _ = io.CopyN(&shown, body, shownBytes)        // a page that breaks off is shown as far as it came
	_, _ = io.CopyN(io.Discard, body, maxDrainBytes) // only for the connection's sake
	_ = body.Close()
	return strings.Join(strings.Fields(strings.ToValidUTF8(shown.String(), "\uFFFD")), " ")
}
