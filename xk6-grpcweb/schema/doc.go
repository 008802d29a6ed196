// Package schema knows message types at run time: it loads them from .proto files, from descriptor
// sets or from a server's reflection, finds methods by name, and turns JSON into message bytes and
// back by the protobuf JSON mapping, as k6/net/grpc maps them.
package schema
