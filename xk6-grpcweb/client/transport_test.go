package client_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"net"
	"net/http"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

func trusting(p *peer) *tls.Config {
	roots := x509.NewCertPool()
	roots.AddCert(p.tls.Certificate())
	return &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
}

func TestHTTPVersions(t *testing.T) {
	tests := map[string]struct {
		tls     bool
		version client.HTTPVersion
		want    string
	}{
		"plain, automatic": {false, client.HTTPAuto, "HTTP/1.1"},
		"plain, 1.1":       {false, client.HTTP1, "HTTP/1.1"},
		"plain, 2":         {false, client.HTTP2, "HTTP/2.0"},
		"TLS, automatic":   {true, client.HTTPAuto, "HTTP/2.0"},
		"TLS, 1.1":         {true, client.HTTP1, "HTTP/1.1"},
		"TLS, 2":           {true, client.HTTP2, "HTTP/2.0"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t, test.tls, http.HandlerFunc(echo))
			c := newClient(t, p, test.version, client.Options{})
			const calls = 20
			for range calls {
				response := invoke(t, c, []byte("hello"))
				wantEcho(t, response, []byte("hello"))
				if got := response.Headers()["x-proto"]; len(got) != 1 || got[0] != test.want {
					t.Fatalf("spoke %q, want %s", got, test.want)
				}
			}
			if got := p.connections.Load(); got != 1 {
				t.Errorf("%d connections for %d calls in a row, want 1", got, calls)
			}
		})
	}
}

func TestConnectionIsReusedAfterEveryOutcome(t *testing.T) {
	bodies := map[string]http.HandlerFunc{
		"error status": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", wire.ContentTypeProto)
			_, _ = w.Write([]byte("\x80\x00\x00\x00\x0fgrpc-status:5\r\n"))
		},
		"headers only": func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", wire.ContentTypeProto)
			w.Header().Set("Grpc-Status", "5")
		},
		"gateway's page": func(w http.ResponseWriter, _ *http.Request) {
			http.Error(w, strings.Repeat("not here ", 100), http.StatusNotFound)
		},
		"late end": func(w http.ResponseWriter, r *http.Request) {
			echo(w, r)
			_ = http.NewResponseController(w).Flush() // the end of the body comes in a chunk of its own
		},
	}
	for name, handler := range bodies {
		t.Run(name, func(t *testing.T) {
			p := newPeer(t, false, handler)
			c := newClient(t, p, client.HTTP1, client.Options{})
			for range 10 {
				invoke(t, c, []byte("hello"))
			}
			if got := p.connections.Load(); got != 1 {
				t.Errorf("%d connections for 10 calls in a row, want 1", got)
			}
		})
	}
}

func TestClientCertificate(t *testing.T) {
	p := newPeer(t, true, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if len(r.TLS.PeerCertificates) != 1 {
			http.Error(w, "no certificate", http.StatusUnauthorized)
			return
		}
		echo(w, r)
	}))
	p.tls.TLS.ClientAuth = tls.RequestClientCert
	if got := invoke(t, newClient(t, p, client.HTTPAuto, client.Options{}), nil).Status.Code; got != wire.Unauthenticated {
		t.Errorf("status %s without a certificate, want UNAUTHENTICATED", got)
	}
	config := trusting(p)
	config.Certificates = p.tls.TLS.Certificates
	transport, err := client.NewTransport(client.TransportOptions{TLS: config})
	if err != nil {
		t.Fatal(err)
	}
	defer transport.Close()
	wantEcho(t, invoke(t, newClientOn(t, transport, p, client.Options{}), []byte("hello")), []byte("hello"))
}

func TestUntrustedCertificate(t *testing.T) {
	p := newPeer(t, true, http.HandlerFunc(echo))
	transport, err := client.NewTransport(client.TransportOptions{})
	if err != nil {
		t.Fatal(err)
	}
	defer transport.Close()
	status := invoke(t, newClientOn(t, transport, p, client.Options{}), nil).Status
	if status.Code != wire.Unavailable || !strings.Contains(status.Message, "certificate") {
		t.Errorf("status %s (%s), want UNAVAILABLE with the reason", status.Code, status.Message)
	}
}

func TestMixedUpTLS(t *testing.T) {
	plain, secure := newPeer(t, false, http.HandlerFunc(echo)), newPeer(t, true, http.HandlerFunc(echo))
	tests := map[string]struct {
		to      *peer
		options client.TransportOptions
		code    wire.Code
		want    string
	}{
		"TLS to plaintext": {plain, client.TransportOptions{}, wire.Unavailable, "turn TLS off"},
		"plaintext to TLS": {secure, client.TransportOptions{Plaintext: true}, wire.Internal, "HTTP request to an HTTPS server"},
	}
	for name, test := range tests {
		transport, err := client.NewTransport(test.options)
		if err != nil {
			t.Fatal(err)
		}
		defer transport.Close()
		status := invoke(t, newClientOn(t, transport, test.to, client.Options{}), nil).Status
		if status.Code != test.code || !strings.Contains(status.Message, test.want) {
			t.Errorf("%s: status %s (%s), want %s with %q", name, status.Code, status.Message, test.code, test.want)
		}
	}
}

func TestDialerIsUsed(t *testing.T) {
	p := newPeer(t, false, http.HandlerFunc(echo))
	var asked atomic.Value
	transport, err := client.NewTransport(client.TransportOptions{
		Plaintext: true,
		DialContext: func(ctx context.Context, network, address string) (net.Conn, error) {
			asked.Store(address)
			return new(net.Dialer).DialContext(ctx, network, p.address)
		},
	})
	if err != nil {
		t.Fatal(err)
	}
	defer transport.Close()
	c, err := client.New(transport, "bookstore.test:80", client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	wantEcho(t, invoke(t, c, []byte("hello")), []byte("hello"))
	if asked.Load() != "bookstore.test:80" {
		t.Errorf("dialed %v", asked.Load())
	}
}

func TestNoServer(t *testing.T) {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := listener.Addr().String()
	listener.Close()
	status := invoke(t, newClient(t, &peer{address: address}, client.HTTP1, client.Options{}), nil).Status
	if status.Code != wire.Unavailable || !strings.Contains(status.Message, address) {
		t.Errorf("status %s (%s), want UNAVAILABLE that names %s", status.Code, status.Message, address)
	}
}

func TestOptionsAreChecked(t *testing.T) {
	for _, options := range []client.TransportOptions{
		{Plaintext: true, TLS: &tls.Config{MinVersion: tls.VersionTLS12}},
		{HTTPVersion: 9},
		{IdleTimeout: -time.Second},
	} {
		if _, err := client.NewTransport(options); !errors.Is(err, client.ErrTransportOptions) {
			t.Errorf("transport options %+v: error %v", options, err)
		}
	}
	transport := newTransport(t, &peer{}, client.HTTP1)
	tests := map[string]struct {
		address string
		options client.Options
	}{
		"scheme":           {"http://h:1", client.Options{}},
		"no port":          {"h", client.Options{}},
		"empty port":       {"h:", client.Options{}},
		"no host":          {":1", client.Options{}},
		"path":             {"h:1/api", client.Options{}},
		"user":             {"u@h:1", client.Options{}},
		"receive limit":    {"h:1", client.Options{MaxReceiveBytes: -1}},
		"send limit":       {"h:1", client.Options{MaxSendBytes: -1}},
		"query":            {"h:1", client.Options{BasePath: "/a?b"}},
		"reserved header":  {"h:1", client.Options{Headers: wire.Metadata{"te": {"x"}}}},
		"header with CRLF": {"h:1", client.Options{Headers: wire.Metadata{"x": {"a\r\nb"}}}},
	}
	for name, test := range tests {
		if _, err := client.New(transport, test.address, test.options); !errors.Is(err, client.ErrOptions) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := client.New(nil, "h:1", client.Options{}); !errors.Is(err, client.ErrOptions) {
		t.Errorf("no transport: error %v", err)
	}
}
