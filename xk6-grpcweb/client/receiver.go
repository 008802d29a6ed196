package client

import (
	"compress/gzip"
	"io"
	"net/http"
	"strings"
	"sync"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// receiver reads one answer's body: messages first, then the trailer. Receivers are pooled for their
// buffers.
type receiver struct {
	frames   wire.FrameReader
	text     wire.TextReader
	inflated []byte
	encoding string
	limit    int
	body     io.ReadCloser
	trailer  wire.Trailer
}

const retainedInflatedBytes = 64 << 10

var receivers = sync.Pool{New: func() any { return new(receiver) }}

// receive prepares to read the body of a 200 answer by the answer's own content type.
func receive(response *http.Response, limit int) (*receiver, error) {
	text, err := wire.ParseContentType(response.Header.Get("Content-Type"))
	if err != nil {
		return nil, err
	}
	body, err := decodedBody(response)
	if err != nil {
		return nil, err
	}
	r, _ := receivers.Get().(*receiver)
	r.body, r.limit = response.Body, limit
	r.encoding = response.Header.Get("Grpc-Encoding")
	if text {
		r.text.Reset(body)
		body = &r.text
	}
	r.frames.Reset(body, limit)
	return r, nil
}

// decodedBody undoes a compression of the whole body, which gateways may add.
func decodedBody(response *http.Response) (io.Reader, error) {
	switch encoding := strings.ToLower(response.Header.Get("Content-Encoding")); encoding {
	case "", wire.EncodingIdentity:
		return response.Body, nil
	case wire.EncodingGzip:
		body, err := gzip.NewReader(response.Body)
		if err != nil {
			return nil, wire.Errorf(wire.Internal, "inflate body: %w", err)
		}
		return body, nil
	default:
		return nil, wire.Errorf(wire.Internal, "body has content-encoding %q; only gzip is supported", encoding)
	}
}

// next returns the next message, valid until the call after. It returns false at the trailer, which
// it leaves in r.trailer, once the body has ended behind it: a connection whose body was not read to
// its end cannot be used again. A body that ends without a trailer gives [io.EOF].
func (r *receiver) next() ([]byte, bool, error) {
	frame, err := r.frames.Next()
	if err != nil {
		return nil, false, err
	}
	payload := frame.Payload
	if frame.Compressed() {
		r.inflated, err = wire.AppendInflated(r.inflated[:0], payload, r.encoding, r.limit)
		if err != nil {
			return nil, false, err
		}
		payload = r.inflated
	}
	if !frame.Trailer() {
		return payload, true, nil
	}
	if r.trailer, err = wire.ParseTrailer(payload); err != nil {
		return nil, false, err
	}
	if _, err := r.frames.Next(); err != io.EOF {
		if err == nil {
			err = wire.Errorf(wire.Internal, "body goes on after its trailer")
		}
		return nil, false, err
	}
	return nil, false, nil
}

// release closes the body and gives the buffers back. Payloads are no longer valid.
func (r *receiver) release() {
	_ = r.body.Close() // a body that cannot be closed is gone already
	r.body, r.trailer = nil, wire.Trailer{}
	r.frames.Reset(nil, 0)
	r.text.Reset(nil)
	if cap(r.inflated) > retainedInflatedBytes {
		r.inflated = nil
	}
	receivers.Put(r)
}
