package client_test

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

func TestCallsAreChecked(t *testing.T) {
	p := newPeer(t, false, http.HandlerFunc(echo))
	c := newClient(t, p, client.HTTP1, client.Options{})
	calls := map[string]client.Call{
		"empty path":        {},
		"no method":         {Path: "/test.Test"},
		"empty method":      {Path: "/test.Test/"},
		"too many parts":    {Path: "/a/b/c"},
		"negative time-out": {Path: echoPath, Timeout: -1},
		"reserved metadata": {Path: echoPath, Metadata: wire.Metadata{"grpc-status": {"0"}}},
	}
	for name, call := range calls {
		if _, err := c.Invoke(t.Context(), &call); !errors.Is(err, client.ErrCall) {
			t.Errorf("invoke with %s: error %v", name, err)
		}
		if _, err := c.OpenStream(t.Context(), &call); !errors.Is(err, client.ErrCall) {
			t.Errorf("stream with %s: error %v", name, err)
		}
	}
	if got := p.connections.Load(); got != 0 {
		t.Errorf("%d connections for calls that must not be sent", got)
	}
}

func TestPathAndHeaders(t *testing.T) {
	var got *http.Request
	p := newPeer(t, false, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r
		echo(w, r)
	}))
	c := newClient(t, p, client.HTTP1, client.Options{
		BasePath:   "api/v1/",
		Authority:  "bookstore.test",
		UserAgent:  "k6/2",
		Headers:    wire.Metadata{"x-tenant": {"default"}, "x-key-bin": {"\x00"}},
		AcceptGzip: true,
	})
	for _, path := range []string{"test.Test/Echo", "/test.Test/Echo"} {
		response, err := c.Invoke(t.Context(), &client.Call{Path: path, Metadata: wire.Metadata{"X-Tenant": {"a", "b"}}})
		if err != nil || response.Status.Code != wire.OK {
			t.Fatalf("error %v, status %+v", err, response)
		}
		if got.URL.Path != "/api/v1/test.Test/Echo" || got.Host != "bookstore.test" || got.Method != http.MethodPost {
			t.Errorf("%s %s at host %s", got.Method, got.URL.Path, got.Host)
		}
		want := map[string]string{
			"Content-Type": "application/grpc-web+proto", "X-Grpc-Web": "1", "User-Agent": "k6/2", "X-User-Agent": "k6/2",
			"X-Tenant": "a|b", "X-Key-Bin": "AA", "Grpc-Accept-Encoding": "gzip", "Te": "", "Accept-Encoding": "",
		}
		for name, value := range want {
			if joined := strings.Join(got.Header.Values(name), "|"); joined != value {
				t.Errorf("header %s is %q, want %q", name, joined, value)
			}
		}
	}
	invoke(t, c, nil)
	if tenant := got.Header.Get("X-Tenant"); tenant != "default" {
		t.Errorf("a call's metadata stayed with the client: %q", tenant)
	}
}

func TestSendLimit(t *testing.T) {
	p := newPeer(t, false, http.HandlerFunc(echo))
	c := newClient(t, p, client.HTTP1, client.Options{MaxSendBytes: 5})
	wantEcho(t, invoke(t, c, []byte("12345")), []byte("12345"))
	if status := invoke(t, c, []byte("123456")).Status; status.Code != wire.ResourceExhausted {
		t.Errorf("status %s (%s), want RESOURCE_EXHAUSTED", status.Code, status.Message)
	}
}

func TestDefaultReceiveLimit(t *testing.T) {
	p := newPeer(t, false, http.HandlerFunc(echo))
	message := make([]byte, client.DefaultMaxReceiveBytes+1)
	c := newClient(t, p, client.HTTP1, client.Options{})
	wantEcho(t, invoke(t, c, message[1:]), message[1:])
	if status := invoke(t, c, message).Status; status.Code != wire.ResourceExhausted {
		t.Errorf("status %s (%s), want RESOURCE_EXHAUSTED", status.Code, status.Message)
	}
	larger := newClient(t, p, client.HTTP1, client.Options{MaxReceiveBytes: len(message)})
	wantEcho(t, invoke(t, larger, message), message)
}

func TestCompressedRequest(t *testing.T) {
	p := newPeer(t, false, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Grpc-Encoding", r.Header.Get("Grpc-Encoding"))
		echo(w, r)
	}))
	message := []byte(strings.Repeat("bookstore ", 10_000))
	for range 3 {
		wantEcho(t, invoke(t, newClient(t, p, client.HTTP1, client.Options{CompressRequests: true}), message), message)
	}
}

func TestWholeBodyCompression(t *testing.T) {
	p := newPeer(t, false, http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		body, err := wire.AppendGzip(nil, append([]byte("\x00\x00\x00\x00\x02hi"), okTrailer...))
		if err != nil {
			t.Error(err)
		}
		w.Header().Set("Content-Type", wire.ContentTypeProto)
		w.Header().Set("Content-Encoding", "gzip")
		_, _ = w.Write(body)
	}))
	wantEcho(t, invoke(t, newClient(t, p, client.HTTP1, client.Options{}), nil), []byte("hi"))
}

func TestDeadline(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{"before headers": silent(false), "after headers": silent(true), "in a stream": endless} {
		for version, number := range map[string]client.HTTPVersion{"http1": client.HTTP1, "h2c": client.HTTP2} {
			t.Run(version+" "+name, func(t *testing.T) {
				c := newClient(t, newPeer(t, false, handler), number, client.Options{})
				stream, err := c.OpenStream(t.Context(), &client.Call{Path: countPath, Timeout: 50 * time.Millisecond})
				if err != nil {
					t.Fatal(err)
				}
				for _, ok := stream.Next(); ok; _, ok = stream.Next() {
				}
				if status, ended := stream.Status(); !ended || status.Code != wire.DeadlineExceeded {
					t.Errorf("status %s (%s), want DEADLINE_EXCEEDED", status.Code, status.Message)
				}
			})
		}
	}
}

func TestPassedDeadlineSendsNothing(t *testing.T) {
	p := newPeer(t, false, http.HandlerFunc(echo))
	ctx, cancel := context.WithDeadline(t.Context(), time.Now().Add(-time.Second))
	defer cancel()
	response, err := newClient(t, p, client.HTTP1, client.Options{}).Invoke(ctx, &client.Call{Path: echoPath})
	if err != nil || response.Status.Code != wire.DeadlineExceeded {
		t.Errorf("error %v, response %+v; want DEADLINE_EXCEEDED", err, response)
	}
	if got := p.connections.Load(); got != 0 {
		t.Errorf("%d connections", got)
	}
}

func TestCancelledContext(t *testing.T) {
	p := newPeer(t, false, silent(true))
	ctx, cancel := context.WithCancel(t.Context())
	stream, err := newClient(t, p, client.HTTP1, client.Options{}).OpenStream(ctx, &client.Call{Path: countPath})
	if err != nil {
		t.Fatal(err)
	}
	cancel()
	if _, ok := stream.Next(); ok {
		t.Error("a message came from a silent server")
	}
	if status, _ := stream.Status(); status.Code != wire.Canceled {
		t.Errorf("status %s (%s), want CANCELLED", status.Code, status.Message)
	}
}

func TestCloseWakesNext(t *testing.T) {
	for version, number := range map[string]client.HTTPVersion{"http1": client.HTTP1, "h2c": client.HTTP2} {
		t.Run(version, func(t *testing.T) {
			c := newClient(t, newPeer(t, false, silent(true)), number, client.Options{})
			stream, err := c.OpenStream(t.Context(), &client.Call{Path: countPath})
			if err != nil {
				t.Fatal(err)
			}
			ended := make(chan bool)
			go func() {
				_, ok := stream.Next()
				ended <- ok
			}()
			stream.Close()
			stream.Close()
			if <-ended {
				t.Error("a message came from a silent server")
			}
			if status, _ := stream.Status(); status.Code != wire.Canceled {
				t.Errorf("status %s (%s), want CANCELLED", status.Code, status.Message)
			}
		})
	}
}

func TestBrokenConnection(t *testing.T) {
	p := newPeer(t, false, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", wire.ContentTypeProto)
		_, _ = w.Write([]byte("\x00\x00\x00\x00\x02hi\x00\x00"))
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	for version, want := range map[client.HTTPVersion]wire.Code{client.HTTP1: wire.Unavailable, client.HTTP2: wire.Internal} {
		stream, err := newClient(t, p, version, client.Options{}).OpenStream(t.Context(), &client.Call{Path: countPath})
		if err != nil {
			t.Fatal(err)
		}
		if message, ok := stream.Next(); !ok || string(message) != "hi" {
			t.Errorf("message %q (%t) before the break, want \"hi\"", message, ok)
		}
		if _, ok := stream.Next(); ok {
			t.Error("half a message was delivered")
		}
		// Over HTTP/2 the connection lives and the server resets the stream with INTERNAL_ERROR.
		if status, _ := stream.Status(); status.Code != want {
			t.Errorf("status %s (%s), want %s", status.Code, status.Message, want)
		}
	}
}
