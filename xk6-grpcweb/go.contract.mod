module github.com/bookstore-bench/xk6-grpcweb

go 1.25.0

require (
	github.com/bufbuild/protocompile v0.14.1
	github.com/grafana/sobek v0.0.0-20260727154728-7781506a890f
	github.com/sirupsen/logrus v1.9.3
	go.k6.io/k6/v2 v2.2.0
	google.golang.org/genproto/googleapis/rpc v0.0.0-20250804133106-a7a43d27e69b
	google.golang.org/protobuf v1.36.11
)

require (
	github.com/dlclark/regexp2/v2 v2.5.2 // indirect
	github.com/go-sourcemap/sourcemap v2.1.4+incompatible // indirect
	github.com/google/pprof v0.0.0-20230207041349-798e818bf904 // indirect
	golang.org/x/sync v0.21.0 // indirect
	golang.org/x/sys v0.0.0-20220715151400-c0bba94af5f8 // indirect
	golang.org/x/text v0.39.0 // indirect
)

replace go.k6.io/k6/v2 => ./contract
