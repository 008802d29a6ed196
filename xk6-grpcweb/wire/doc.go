// Package wire reads and writes the bytes of gRPC-Web: frames, trailer blocks, base64 text bodies,
// statuses, metadata, time-outs and compression. It knows nothing of connections and performs no
// network calls, so that every rule of the protocol can be tested with bytes alone.
//
// The rules follow PROTOCOL-WEB.md, PROTOCOL-HTTP2.md, statuscodes.md and
// http-grpc-status-mapping.md of the gRPC project. Where peers are known to stray from them, the
// package sends the strict form and accepts the form that is spoken.
package wire
