package grpcweb

import "errors"

// The texts are those of k6/net/grpc where it has the same error.
var (
	errLoadOutsideInit = errors.New("load must be called in the init context")
	errConnectInInit   = errors.New("connecting to a gRPC server in the init context is not supported")
	errInvokeInInit    = errors.New("invoking RPC methods in the init context is not supported")
	errNotConnected    = errors.New("no gRPC connection, you must call connect first")
	errNoMethod        = errors.New("method to invoke cannot be empty")
	errNoRequest       = errors.New("request cannot be nil")
	errStreamInInit    = errors.New("creating a stream in the init context is not supported")
	errNoClient        = errors.New("empty gRPC client")
	errNotAClient      = errors.New("not a gRPC client")
	errOneRequest      = errors.New("gRPC-Web carries one request message for each stream, and this stream has sent it; open another stream")
	errContainsItself  = errors.New("the object contains itself")
	errNoFileSystem    = errors.New(`the init context has no file system "file"`)
)
