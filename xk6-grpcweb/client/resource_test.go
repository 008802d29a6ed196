package client_test

import (
	"net/http"
	"runtime"
	"testing"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

func TestClosedTransportsLeaveNoSockets(t *testing.T) {
	const rounds, allowed = 1000, 2
	for version, number := range map[string]client.HTTPVersion{"http1": client.HTTP1, "h2c": client.HTTP2} {
		t.Run(version, func(t *testing.T) {
			p := newPeer(t, false, http.HandlerFunc(echo))
			for range rounds {
				transport, err := client.NewTransport(client.TransportOptions{Plaintext: true, HTTPVersion: number})
				if err != nil {
					t.Fatal(err)
				}
				wantEcho(t, invoke(t, newClientOn(t, transport, p, client.Options{}), []byte("hello")), []byte("hello"))
				transport.Close()
			}
			if got := p.connections.Load(); got != rounds {
				t.Errorf("%d connections for %d transports", got, rounds)
			}
			eventually(t, func() bool { return p.open.Load() <= allowed }, "at most 2 sockets stay open")
		})
	}
}

func TestCancelledStreamsLeaveNoGoroutines(t *testing.T) {
	servers := []struct {
		name    string
		handler http.HandlerFunc
		streams int
	}{
		{"quiet", halfway, 10_000},
		{"sending", endless, 500}, // its buffers are full, which costs much more
	}
	for version, number := range map[string]client.HTTPVersion{"http1": client.HTTP1, "h2c": client.HTTP2} {
		for _, server := range servers {
			t.Run(version+"/"+server.name, func(t *testing.T) {
				p := newPeer(t, false, server.handler)
				transport := newTransport(t, p, number)
				c := newClientOn(t, transport, p, client.Options{})
				before := runtime.NumGoroutine()
				for range server.streams {
					cancelHalfWay(t, c)
				}
				transport.Close()
				const perConnection = 4 // the server's and the client's goroutines of one last connection
				eventually(t, func() bool { return runtime.NumGoroutine() <= before+perConnection }, "the streams' goroutines end")
			})
		}
	}
}

func cancelHalfWay(t *testing.T, c *client.Client) {
	t.Helper()
	stream, err := c.OpenStream(t.Context(), &client.Call{Path: countPath})
	if err != nil {
		t.Fatal(err)
	}
	if message, ok := stream.Next(); !ok || string(message) != "x" {
		status, _ := stream.Status()
		t.Fatalf("no first message: %+v", status)
	}
	stream.Close()
	if status, ended := stream.Status(); !ended || status.Code != wire.Canceled {
		t.Fatalf("status %+v after Close, want CANCELLED", status)
	}
}
