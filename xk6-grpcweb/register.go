// Package xk6grpcweb registers the extension with k6 under its import name.
package xk6grpcweb

import (
	"go.k6.io/k6/v2/js/modules"

	"github.com/bookstore-bench/xk6-grpcweb/grpcweb"
)

func init() {
	modules.Register("k6/x/grpcweb", grpcweb.New())
}
