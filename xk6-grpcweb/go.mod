module github.com/bookstore-bench/xk6-grpcweb

go 1.25.0

require (
	github.com/bufbuild/protocompile v0.14.1
	google.golang.org/genproto/googleapis/rpc v0.0.0-20250804133106-a7a43d27e69b
	google.golang.org/protobuf v1.36.11
)

require golang.org/x/sync v0.8.0 // indirect
