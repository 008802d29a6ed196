// Package peers holds tests of the extension against connect-go, an independent implementation of
// gRPC-Web, and benchmarks beside connect-go's and grpc-go's clients.
package peers
