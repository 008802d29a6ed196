package peers_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/grpcreflect"
	"google.golang.org/genproto/googleapis/rpc/errdetails"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/reflection"
	"github.com/bookstore-bench/xk6-grpcweb/schema"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

const (
	sayPath  = "/peers.Echo/Say"
	manyPath = "/peers.Echo/Many"
)

type text = wrapperspb.StringValue

// say echoes its text; "fail" and "wait" are commands.
func say(ctx context.Context, request *connect.Request[text]) (*connect.Response[text], error) {
	switch request.Msg.GetValue() {
	case "fail":
		return nil, failure(request.Header())
	case "wait":
		<-ctx.Done()
		return nil, ctx.Err()
	}
	response := connect.NewResponse(wrapperspb.String(request.Msg.GetValue()))
	response.Header()["X-Head"] = request.Header()["X-Key"]
	response.Header().Set("X-Timeout", request.Header().Get("Grpc-Timeout"))
	response.Trailer()["X-Tail-Bin"] = request.Header()["X-Key-Bin"]
	return response, nil
}

func failure(header http.Header) error {
	fault := connect.NewError(connect.CodeFailedPrecondition, errors.New("caf\u00e9: 100% short"))
	detail, err := connect.NewErrorDetail(&errdetails.ErrorInfo{Reason: "STOCK", Domain: "peers"})
	if err != nil {
		return err
	}
	fault.AddDetail(detail)
	fault.Meta()["X-Tail"] = header["X-Key"]
	return fault
}

// many sends the text's letters, and fails at an "x".
func many(_ context.Context, request *connect.Request[text], stream *connect.ServerStream[text]) error {
	for _, letter := range request.Msg.GetValue() {
		if letter == 'x' {
			return failure(request.Header())
		}
		if err := stream.Send(wrapperspb.String(string(letter))); err != nil {
			return err
		}
	}
	return nil
}

func newServer(t *testing.T, extra func(*http.ServeMux)) string {
	t.Helper()
	mux := http.NewServeMux()
	mux.Handle(sayPath, connect.NewUnaryHandler(sayPath, say))
	mux.Handle(manyPath, connect.NewServerStreamHandler(manyPath, many))
	if extra != nil {
		extra(mux)
	}
	server := httptest.NewUnstartedServer(mux)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

func newClient(t *testing.T, address string, version client.HTTPVersion, options client.Options) *client.Client {
	t.Helper()
	transport, err := client.NewTransport(client.TransportOptions{Plaintext: true, HTTPVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.Close)
	c, err := client.New(transport, address, options)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// eachWay runs a test over both HTTP versions, with and without compression.
func eachWay(t *testing.T, test func(t *testing.T, c *client.Client)) {
	t.Helper()
	address := newServer(t, nil)
	for _, version := range []client.HTTPVersion{client.HTTP1, client.HTTP2} {
		for _, compressed := range []bool{false, true} {
			t.Run(fmt.Sprintf("version %d, gzip %t", version, compressed), func(t *testing.T) {
				test(t, newClient(t, address, version, client.Options{CompressRequests: compressed, AcceptGzip: compressed}))
			})
		}
	}
}

func encode(t *testing.T, value string) []byte {
	t.Helper()
	encoded, err := proto.Marshal(wrapperspb.String(value))
	if err != nil {
		t.Fatal(err)
	}
	return encoded
}

func decode(t *testing.T, encoded []byte) string {
	t.Helper()
	message := new(text)
	if err := proto.Unmarshal(encoded, message); err != nil {
		t.Fatal(err)
	}
	return message.GetValue()
}

var metadata = wire.Metadata{"x-key": {"a", "b"}, "x-key-bin": {"\x00\xff\x10"}}

func TestUnary(t *testing.T) {
	eachWay(t, func(t *testing.T, c *client.Client) {
		for _, value := range []string{"", "hello", strings.Repeat("long ", 100_000)} {
			response, err := c.Invoke(t.Context(), &client.Call{
				Path: sayPath, Message: encode(t, value), Metadata: metadata, Timeout: time.Minute,
			})
			if err != nil {
				t.Fatal(err)
			}
			if response.Status.Code != wire.OK || decode(t, response.Message) != value {
				t.Fatalf("status %s (%s) to a text of %d bytes", response.Status.Code, response.Status.Message, len(value))
			}
			if got := response.Headers()["x-head"]; !slices.Equal(got, metadata["x-key"]) {
				t.Errorf("header x-head is %q", got)
			}
			if got := response.Headers()["x-timeout"]; !slices.Equal(got, []string{"60000000u"}) {
				t.Errorf("grpc-timeout arrived as %q", got)
			}
			if got := response.Trailers()["x-tail-bin"]; !slices.Equal(got, metadata["x-key-bin"]) {
				t.Errorf("trailer x-tail-bin is %q", got)
			}
		}
	})
}

func TestError(t *testing.T) {
	eachWay(t, func(t *testing.T, c *client.Client) {
		response, err := c.Invoke(t.Context(), &client.Call{Path: sayPath, Message: encode(t, "fail"), Metadata: metadata})
		if err != nil {
			t.Fatal(err)
		}
		checkFailure(t, response.Status, response.Trailers())
		response, err = c.Invoke(t.Context(), &client.Call{Path: "/peers.Echo/Nope"})
		if err != nil || response.Status.Code != wire.Unimplemented {
			t.Errorf("unknown method: error %v, response %+v", err, response)
		}
	})
}

func checkFailure(t *testing.T, status wire.Status, trailers wire.Metadata) {
	t.Helper()
	if status.Code != wire.FailedPrecondition || status.Message != "caf\u00e9: 100% short" {
		t.Errorf("status %s %q", status.Code, status.Message)
	}
	if got := trailers["x-tail"]; !slices.Equal(got, metadata["x-key"]) {
		t.Errorf("trailer x-tail is %q", got)
	}
	details, err := schema.New().StatusJSON(status)
	if err != nil || !strings.Contains(string(details), `"STOCK"`) {
		t.Errorf("details %s, error %v", details, err)
	}
}

func TestServerStream(t *testing.T) {
	eachWay(t, func(t *testing.T, c *client.Client) {
		for value, want := range map[string]string{"": "", "abc": "abc", "abxc": "ab", strings.Repeat("z", 5000): strings.Repeat("z", 5000)} {
			stream, err := c.OpenStream(t.Context(), &client.Call{Path: manyPath, Message: encode(t, value), Metadata: metadata})
			if err != nil {
				t.Fatal(err)
			}
			var got strings.Builder
			for message, ok := stream.Next(); ok; message, ok = stream.Next() {
				got.WriteString(decode(t, message))
			}
			if got.String() != want {
				t.Errorf("received %q, want %q", got.String(), want)
			}
			status, ended := stream.Status()
			if !ended {
				t.Fatal("no status at the end")
			}
			if strings.Contains(value, "x") {
				checkFailure(t, status, stream.Trailers())
			} else if status.Code != wire.OK {
				t.Errorf("status %s (%s)", status.Code, status.Message)
			}
		}
	})
}

func TestDeadlineOfASlowMethod(t *testing.T) {
	eachWay(t, func(t *testing.T, c *client.Client) {
		response, err := c.Invoke(t.Context(), &client.Call{Path: sayPath, Message: encode(t, "wait"), Timeout: 20 * time.Millisecond})
		if err != nil || response.Status.Code != wire.DeadlineExceeded {
			t.Errorf("error %v, response %+v; want DEADLINE_EXCEEDED", err, response)
		}
	})
}

func TestReflection(t *testing.T) {
	reflector := grpcreflect.NewStaticReflector("grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection")
	services := map[string]func(*http.ServeMux){
		"v1":      func(mux *http.ServeMux) { mux.Handle(grpcreflect.NewHandlerV1(reflector)) },
		"v1alpha": func(mux *http.ServeMux) { mux.Handle(grpcreflect.NewHandlerV1Alpha(reflector)) },
	}
	for name, register := range services {
		t.Run(name, func(t *testing.T) {
			c := newClient(t, newServer(t, register), client.HTTP2, client.Options{})
			types := schema.New()
			methods, err := reflection.Load(t.Context(), c, types, nil)
			if err != nil {
				t.Fatal(err)
			}
			if len(methods) != 2 {
				t.Errorf("%d methods, want 2", len(methods))
			}
			method, err := types.Method("grpc.reflection.v1.ServerReflection/ServerReflectionInfo")
			if err != nil {
				t.Fatal(err)
			}
			if _, err := method.EncodeJSON([]byte(`{"fileByFilename":"x.proto"}`)); err != nil {
				t.Error(err)
			}
		})
	}
}

// connect-go serves bidirectional methods over HTTP/2 only; the error has to show it.
func TestReflectionOverHTTP1(t *testing.T) {
	reflector := grpcreflect.NewStaticReflector("grpc.reflection.v1.ServerReflection")
	address := newServer(t, func(mux *http.ServeMux) { mux.Handle(grpcreflect.NewHandlerV1(reflector)) })
	c := newClient(t, address, client.HTTP1, client.Options{})
	if _, err := reflection.Load(t.Context(), c, schema.New(), nil); err == nil || !strings.Contains(err.Error(), "HTTP 505") {
		t.Errorf("error %v", err)
	}
}
