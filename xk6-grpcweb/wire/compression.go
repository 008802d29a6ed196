package wire

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"sync"
)

// The encodings that the package knows, as grpc-encoding names them.
const (
	EncodingIdentity = "identity"
	EncodingGzip     = "gzip"
)

type inflater struct {
	source bytes.Reader
	gzip   gzip.Reader
}

var (
	gzipWriters = sync.Pool{New: func() any { return gzip.NewWriter(io.Discard) }}
	inflaters   = sync.Pool{New: func() any { return new(inflater) }}
)

// AppendGzip appends the gzip form of src to dst.
func AppendGzip(dst, src []byte) ([]byte, error) {
	out := bytes.NewBuffer(dst)
	writer, _ := gzipWriters.Get().(*gzip.Writer)
	defer gzipWriters.Put(writer)
	writer.Reset(out)
	if _, err := writer.Write(src); err != nil {
		return nil, fmt.Errorf("compress message: %w", err)
	}
	if err := writer.Close(); err != nil {
		return nil, fmt.Errorf("compress message: %w", err)
	}
	writer.Reset(io.Discard)
	return out.Bytes(), nil
}

// AppendInflated appends the inflated form of a compressed payload to dst. The limit counts inflated
// bytes, so that a small payload cannot fill the memory. An empty payload is an empty message
// whatever the encoding.
func AppendInflated(dst, payload []byte, encoding string, limit int) ([]byte, error) {
	if encoding == "" || encoding == EncodingIdentity {
		return nil, Errorf(Internal, "frame is marked as compressed but the answer names no grpc-encoding")
	}
	if encoding != EncodingGzip {
		return nil, Errorf(Internal, "answer uses grpc-encoding %q; only gzip is supported", encoding)
	}
	if len(payload) == 0 {
		return dst, nil
	}
	in, _ := inflaters.Get().(*inflater)
	defer inflaters.Put(in)
	in.source.Reset(payload)
	defer in.source.Reset(nil)
	if err := in.gzip.Reset(&in.source); err != nil {
		return nil, Errorf(Internal, "inflate payload of %d bytes: %w", len(payload), err)
	}
	return inflate(dst, &in.gzip, limit)
}

func inflate(dst []byte, src io.Reader, limit int) ([]byte, error) {
	start := len(dst)
	for {
		if len(dst) == cap(dst) {
			dst = append(dst, 0)[:len(dst)]
		}
		n, err := src.Read(dst[len(dst):cap(dst)])
		dst = dst[:len(dst)+n]
		if len(dst)-start > limit {
			return nil, Errorf(ResourceExhausted, "inflated message is larger than the receive limit of %d bytes", limit)
		}
		if errors.Is(err, io.EOF) {
			return dst, nil
		}
		if err != nil {
			return nil, Errorf(Internal, "inflate payload: %w", err)
		}
	}
}
