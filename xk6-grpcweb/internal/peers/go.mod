module github.com/bookstore-bench/xk6-grpcweb/internal/peers

go 1.26.0

// Other implementations, to test against and to compare with; the extension depends on none of them.
replace github.com/bookstore-bench/xk6-grpcweb => ../..

// The extension asks for k6, which is never fetched here.
replace go.k6.io/k6/v2 => ../../contract

require (
	connectrpc.com/connect v1.21.1
	connectrpc.com/grpcreflect v1.3.1
	github.com/bookstore-bench/xk6-grpcweb v0.0.0-00010101000000-000000000000
	google.golang.org/genproto/googleapis/rpc v0.0.0-20260817212433-ac3dfec99bb1
	google.golang.org/grpc v1.85.0
	google.golang.org/protobuf v1.36.12
)

require (
	github.com/bufbuild/protocompile v0.14.1 // indirect
	github.com/dlclark/regexp2/v2 v2.5.2 // indirect
	github.com/go-sourcemap/sourcemap v2.1.4+incompatible // indirect
	github.com/google/pprof v0.0.0-20230207041349-798e818bf904 // indirect
	github.com/grafana/sobek v0.0.0-20260727154728-7781506a890f // indirect
	github.com/sirupsen/logrus v1.9.3 // indirect
	go.k6.io/k6/v2 v2.2.0 // indirect
	golang.org/x/net v0.60.0 // indirect
	golang.org/x/sync v0.23.0 // indirect
	golang.org/x/sys v0.48.0 // indirect
	golang.org/x/text v0.42.0 // indirect
)
