package client_test

import (
	"bytes"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

const (
	echoPath  = "/test.Test/Echo"
	countPath = "/test.Test/Count"
)

// peer is a server that echoes the body of a call, counts connections, or does what a test wants.
type peer struct {
	address     string
	tls         *httptest.Server
	connections atomic.Int64
	open        atomic.Int64
}

func newPeer(t testing.TB, tls bool, handler http.Handler) *peer {
	t.Helper()
	p := new(peer)
	server := httptest.NewUnstartedServer(handler)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetHTTP2(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Config.ConnState = p.count
	server.Config.ErrorLog = log.New(io.Discard, "", 0) // some tests break connections on purpose
	if tls {
		server.EnableHTTP2 = true
		server.StartTLS()
		p.tls = server
	} else {
		server.Start()
	}
	t.Cleanup(server.Close)
	p.address = server.Listener.Addr().String()
	return p
}

func (p *peer) count(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		p.connections.Add(1)
		p.open.Add(1)
	case http.StateClosed, http.StateHijacked:
		p.open.Add(-1)
	default:
	}
}

// echo answers with the request's frame and status OK.
func echo(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	w.Header().Set("Content-Type", wire.ContentTypeProto)
	w.Header().Set("X-Proto", r.Proto)
	_, _ = w.Write(body)
	_, _ = w.Write(okTrailer)
}

var okTrailer = []byte("\x80\x00\x00\x00\x0fgrpc-status:0\r\n")

// endless streams one-byte messages until the client goes away.
func endless(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", wire.ContentTypeProto)
	for r.Context().Err() == nil {
		if _, err := w.Write([]byte{0, 0, 0, 0, 1, 'x'}); err != nil {
			return
		}
		if err := http.NewResponseController(w).Flush(); err != nil {
			return
		}
	}
}

// halfway streams one message, and then nothing until the client goes away.
func halfway(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", wire.ContentTypeProto)
	_, _ = w.Write([]byte{0, 0, 0, 0, 1, 'x'})
	_ = http.NewResponseController(w).Flush()
	<-r.Context().Done()
}

// silent sends headers, perhaps, and then nothing until the client goes away.
func silent(withHeaders bool) http.HandlerFunc {
	return func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		if withHeaders {
			w.Header().Set("Content-Type", wire.ContentTypeProto)
			_ = http.NewResponseController(w).Flush()
		}
		<-r.Context().Done()
	}
}

func newClient(t testing.TB, p *peer, version client.HTTPVersion, options client.Options) *client.Client {
	t.Helper()
	return newClientOn(t, newTransport(t, p, version), p, options)
}

func newClientOn(t testing.TB, transport *client.Transport, p *peer, options client.Options) *client.Client {
	t.Helper()
	c, err := client.New(transport, p.address, options)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func newTransport(t testing.TB, p *peer, version client.HTTPVersion) *client.Transport {
	t.Helper()
	options := client.TransportOptions{Plaintext: p.tls == nil, HTTPVersion: version}
	if p.tls != nil {
		options.TLS = trusting(p)
	}
	transport, err := client.NewTransport(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.Close)
	return transport
}

func invoke(t testing.TB, c *client.Client, message []byte) *client.Response {
	t.Helper()
	response, err := c.Invoke(t.Context(), &client.Call{Path: echoPath, Message: message})
	if err != nil {
		t.Fatal(err)
	}
	return response
}

func wantEcho(t testing.TB, response *client.Response, message []byte) {
	t.Helper()
	if response.Status.Code != wire.OK || !bytes.Equal(response.Message, message) {
		t.Fatalf("status %s (%s), message %q; want OK and %q", response.Status.Code, response.Status.Message, response.Message, message)
	}
}

// eventually waits for what another goroutine or the kernel does soon; it fails only when that never
// happens.
func eventually(t testing.TB, condition func() bool, what string) {
	t.Helper()
	for range 3000 {
		if condition() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatalf("never happened: %s", what)
}
