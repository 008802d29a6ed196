package client_test

import (
	"bytes"
	"context"
	"net"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

func TestEachCallTellsItsOwnTimeout(t *testing.T) {
	var told []string
	p := newPeer(t, false, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		told = append(told, r.Header.Get("Grpc-Timeout"))
		echo(w, r)
	}))
	c := newClient(t, p, client.HTTP1, client.Options{})
	for _, timeout := range []time.Duration{time.Minute, time.Minute, time.Hour, 0, time.Minute} {
		for _, metadata := range []wire.Metadata{nil, {"x-own": {"1"}}} {
			call := &client.Call{Path: echoPath, Message: []byte("hello"), Timeout: timeout, Metadata: metadata}
			response, err := c.Invoke(t.Context(), call)
			if err != nil || response.Status.Code != wire.OK {
				t.Fatalf("error %v, response %+v", err, response)
			}
		}
	}
	want := []string{"60000000u", "60000000u", "60000000u", "60000000u", "3600000m", "3600000m", "", "", "60000000u", "60000000u"}
	if !slices.Equal(told, want) {
		t.Errorf("the server was told %q, want %q", told, want)
	}
}

type countingConn struct {
	net.Conn

	writes *atomic.Int64
}

func (c countingConn) Write(b []byte) (int, error) {
	c.writes.Add(1)
	return c.Conn.Write(b)
}

// A second packet for the body would cost both sides.
func TestARequestIsOneWrite(t *testing.T) {
	const calls = 10
	for name, options := range map[string]client.Options{"binary": {}, "text": {Text: true}, "gzip": {CompressRequests: true}} {
		t.Run(name, func(t *testing.T) {
			var writes atomic.Int64
			p := newPeer(t, false, http.HandlerFunc(echo))
			dial := func(ctx context.Context, network, address string) (net.Conn, error) {
				conn, err := new(net.Dialer).DialContext(ctx, network, address)
				return countingConn{conn, &writes}, err
			}
			transport, err := client.NewTransport(client.TransportOptions{Plaintext: true, DialContext: dial})
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(transport.Close)
			c := newClientOn(t, transport, p, options)
			for range calls {
				if _, err := c.Invoke(t.Context(), &client.Call{Path: echoPath, Message: bytes.Repeat([]byte("x"), 1000)}); err != nil {
					t.Fatal(err)
				}
			}
			if got := writes.Load(); got != calls {
				t.Errorf("%d writes for %d requests", got, calls)
			}
		})
	}
}
