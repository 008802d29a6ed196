// Package client calls gRPC-Web servers over [net/http]: unary calls and server streams, on raw
// message bytes. It does not know message types; package schema turns JSON into bytes and back.
//
// A [Transport] owns connections and may be shared by many clients. A [Client] adds an address and
// the options of its calls. All types but [Stream] are safe for concurrent use.
//
// The outcome of a call, also one that never reached the server, is its status: a failed call is not
// a Go error. Methods return a Go error only for a call that is wrong by itself, such as metadata
// that no header can carry.
//
// Client streaming and bidirectional methods are not offered: gRPC-Web peers do not share one way to
// send more than one message on a call.
package client
