package client_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

func TestConnectOpensTheConnectionOfTheFirstCall(t *testing.T) {
	for name, secured := range map[string]bool{"plaintext": false, "TLS": true} {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t, secured, http.HandlerFunc(echo))
			transport := newTransport(t, p, client.HTTPAuto)
			if err := transport.Connect(t.Context(), p.address); err != nil {
				t.Fatal(err)
			}
			wantEcho(t, invoke(t, newClientOn(t, transport, p, client.Options{}), []byte("hello")), []byte("hello"))
			if got := p.connections.Load(); got != 1 {
				t.Errorf("%d connections", got)
			}
		})
	}
}

func TestConnectTellsWhyNot(t *testing.T) {
	plain, secured := newPeer(t, false, http.HandlerFunc(echo)), newPeer(t, true, http.HandlerFunc(echo))
	tests := map[string]struct {
		address string
		options client.TransportOptions
		want    string
	}{
		"plaintext server": {plain.address, client.TransportOptions{}, "seems to speak plaintext"},
		"unknown roots":    {secured.address, client.TransportOptions{}, "certificate"},
		"scheme":           {"http://" + plain.address, client.TransportOptions{Plaintext: true}, "has a scheme"},
		"nobody there":     {"127.0.0.1:1", client.TransportOptions{Plaintext: true}, "127.0.0.1:1"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			transport, err := client.NewTransport(test.options)
			if err != nil {
				t.Fatal(err)
			}
			if err := transport.Connect(t.Context(), test.address); err == nil || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one that says %q", err, test.want)
			}
		})
	}
}

func TestAbortFailsCallsInFlight(t *testing.T) {
	for version, number := range map[string]client.HTTPVersion{"http1": client.HTTP1, "h2c": client.HTTP2} {
		t.Run(version, func(t *testing.T) {
			p := newPeer(t, false, http.HandlerFunc(endless))
			transport := newTransport(t, p, number)
			stream, err := newClientOn(t, transport, p, client.Options{}).OpenStream(t.Context(), &client.Call{Path: countPath})
			if err != nil {
				t.Fatal(err)
			}
			transport.Abort()
			for ok := true; ok; {
				_, ok = stream.Next()
			}
			if status, _ := stream.Status(); status.Code != wire.Unavailable {
				t.Errorf("status %+v, want UNAVAILABLE", status)
			}
			eventually(t, func() bool { return p.open.Load() == 0 }, "the connection closes")
		})
	}
}
