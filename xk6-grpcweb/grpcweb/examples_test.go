package grpcweb_test

import (
	"testing"

	"github.com/bookstore-bench/xk6-grpcweb/grpcweb"
	"github.com/bookstore-bench/xk6-grpcweb/internal/vutest"
)

func TestSmoke(t *testing.T) {
	u := vutest.New(t, grpcweb.New(), "..")
	u.RunFile(t, "../smoke.js")
	u.Start()
	u.Iterate(t, `iteration()`)
	if len(u.Checks.Failed) > 0 || len(u.Checks.Passed) != 2 {
		t.Errorf("checks %+v", u.Checks)
	}
}
