package client_test

import (
	"fmt"
	"net/http"
	"sync"
	"testing"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// Pooled buffers must never let one call see another's bytes.
func TestConcurrentCallsKeepApart(t *testing.T) {
	p := newPeer(t, false, http.HandlerFunc(echo))
	for version, number := range map[string]client.HTTPVersion{"http1": client.HTTP1, "h2c": client.HTTP2} {
		t.Run(version, func(t *testing.T) {
			c := newClient(t, p, number, client.Options{Headers: wire.Metadata{"x-shared": {"1"}}})
			var workers sync.WaitGroup
			for worker := range 8 {
				workers.Go(func() {
					for i := range 100 {
						want := fmt.Sprintf("%d/%d/%0*d", worker, i, i*100, 0)
						response, err := c.Invoke(t.Context(), &client.Call{
							Path: echoPath, Message: []byte(want), Metadata: wire.Metadata{"x-own": {want[:3]}},
						})
						if err != nil || response.Status.Code != wire.OK || string(response.Message) != want {
							t.Errorf("error %v, response %.200v; want %.20q", err, response, want)
							return
						}
					}
				})
			}
			workers.Wait()
		})
	}
}
