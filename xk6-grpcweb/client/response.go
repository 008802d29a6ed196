package client

import (
	"net/http"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// Response is the outcome of a unary call.
type Response struct {
	// Status tells how the call ended, also when it never reached the server.
	Status wire.Status
	// Message is the encoded answer; nil unless the status is OK. An empty answer is empty, not nil.
	Message []byte

	answer
}

// answer holds the metadata of an HTTP answer until somebody asks for it.
type answer struct {
	header      http.Header
	trailer     wire.Metadata
	headersOnly bool
}

// Headers returns the metadata that came before the first message. It is empty for an answer that
// was nothing but a status, as in other gRPC clients: such headers are trailers.
func (a *answer) Headers() wire.Metadata {
	if a.headersOnly {
		return wire.Metadata{}
	}
	return wire.HeaderMetadata(a.header, "grpc-encoding", "grpc-accept-encoding")
}

// Trailers returns the metadata that came with the status.
func (a *answer) Trailers() wire.Metadata {
	if a.headersOnly {
		return wire.HeaderMetadata(a.header, "content-type", "grpc-encoding", "grpc-accept-encoding")
	}
	if a.trailer == nil {
		return wire.Metadata{}
	}
	return a.trailer
}
