package peers_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"testing"
	"time"

	"connectrpc.com/connect"
	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/schema"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

const callTimeout = 2 * time.Minute

func protoName(name string) protoreflect.Name     { return protoreflect.Name(name) }
func protoString(value string) protoreflect.Value { return protoreflect.ValueOfString(value) }
func protoInt64(value int64) protoreflect.Value   { return protoreflect.ValueOfInt64(value) }

// unaryCall makes one call with a dynamic message and decodes the answer into another.
type unaryCall func(ctx context.Context) (proto.Message, error)

// BenchmarkUnary compares clients on the bookstore's ReserveStock. Every client encodes the same
// dynamic message, sets the same time-out and decodes the same answer; the server is another process,
// so that cpu-ns/op is the client's alone.
func BenchmarkUnary(b *testing.B) {
	address := startServer(b)
	method, err := reserveStock(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	clients := []struct {
		name string
		make func(b *testing.B, address string, method *schema.Method, request *dynamicpb.Message) unaryCall
	}{
		{"http=1.1/client=xk6-grpcweb", ownClient(client.HTTP1)},
		{"http=1.1/client=connect-go", connectClient(false)},
		{"http=2/client=xk6-grpcweb", ownClient(client.HTTP2)},
		{"http=2/client=connect-go", connectClient(true)},
		{"http=2/client=grpc-go", grpcClient},
	}
	for _, lines := range []int{2, 50} {
		request := order(b, method, lines)
		for _, c := range clients {
			b.Run(fmt.Sprintf("lines=%d/%s", lines, c.name), func(b *testing.B) {
				measure(b, c.make(b, address, method, request))
			})
		}
	}
}

func measure(b *testing.B, call unaryCall) {
	b.Helper()
	if _, err := call(b.Context()); err != nil { // opens the connection
		b.Fatal(err)
	}
	b.ReportAllocs()
	before := cpuTime(b)
	for b.Loop() {
		answer, err := call(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if !answer.ProtoReflect().IsValid() {
			b.Fatal("no answer")
		}
	}
	b.ReportMetric(float64(cpuTime(b)-before)/float64(b.N), "cpu-ns/op")
}

func order(b *testing.B, method *schema.Method, lines int) *dynamicpb.Message {
	b.Helper()
	message, ok := method.NewRequest().(*dynamicpb.Message)
	if !ok {
		b.Fatal("request is not a dynamic message")
	}
	fields := message.Descriptor().Fields()
	message.Set(fields.ByName("order_id"), protoString("order-000001"))
	list := message.Mutable(fields.ByName("lines")).List()
	for i := range lines {
		line := list.AppendMutable().Message()
		lineFields := line.Descriptor().Fields()
		line.Set(lineFields.ByName("isbn"), protoString(fmt.Sprintf("97800000%05d", i)))
		line.Set(lineFields.ByName("quantity"), protoreflect.ValueOfInt32(int32(i%5+1)))
	}
	return message
}

func ownClient(version client.HTTPVersion) func(*testing.B, string, *schema.Method, *dynamicpb.Message) unaryCall {
	return func(b *testing.B, address string, method *schema.Method, request *dynamicpb.Message) unaryCall {
		b.Helper()
		transport, err := client.NewTransport(client.TransportOptions{Plaintext: true, HTTPVersion: version})
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(transport.Close)
		c, err := client.New(transport, address, client.Options{})
		if err != nil {
			b.Fatal(err)
		}
		return func(ctx context.Context) (proto.Message, error) {
			encoded, err := method.Encode(request)
			if err != nil {
				return nil, err
			}
			response, err := c.Invoke(ctx, &client.Call{Path: method.Path(), Message: encoded, Timeout: callTimeout})
			if err != nil {
				return nil, err
			}
			if response.Status.Code != wire.OK {
				return nil, fmt.Errorf("status %s: %s", response.Status.Code, response.Status.Message)
			}
			return method.Decode(response.Message)
		}
	}
}

func connectClient(http2 bool) func(*testing.B, string, *schema.Method, *dynamicpb.Message) unaryCall {
	return func(b *testing.B, address string, method *schema.Method, request *dynamicpb.Message) unaryCall {
		b.Helper()
		transport := &http.Transport{MaxIdleConnsPerHost: math.MaxInt, Protocols: new(http.Protocols)}
		transport.Protocols.SetHTTP1(!http2)
		transport.Protocols.SetUnencryptedHTTP2(http2)
		b.Cleanup(transport.CloseIdleConnections)
		output := answerType(b, method)
		c := connect.NewClient[dynamicpb.Message, dynamicpb.Message](
			&http.Client{Transport: transport}, "http://"+address+method.Path(),
			connect.WithGRPCWeb(),
			// Offering gzip adds a header that this client does not send either.
			connect.WithAcceptCompression("gzip", nil, nil),
			connect.WithResponseInitializer(func(_ connect.Spec, message any) error {
				*message.(*dynamicpb.Message) = *dynamicpb.NewMessage(output)
				return nil
			}),
		)
		return func(ctx context.Context) (proto.Message, error) {
			ctx, cancel := context.WithTimeout(ctx, callTimeout)
			defer cancel()
			response, err := c.CallUnary(ctx, connect.NewRequest(request))
			if err != nil {
				return nil, err
			}
			return response.Msg, nil
		}
	}
}

func grpcClient(b *testing.B, address string, method *schema.Method, request *dynamicpb.Message) unaryCall {
	b.Helper()
	connection, err := grpc.NewClient("passthrough:///"+address, grpc.WithTransportCredentials(insecure.NewCredentials()))
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { _ = connection.Close() })
	output := answerType(b, method)
	return func(ctx context.Context) (proto.Message, error) {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		answer := dynamicpb.NewMessage(output)
		if err := connection.Invoke(ctx, method.Path(), request, answer); err != nil {
			return nil, err
		}
		return answer, nil
	}
}

func answerType(b *testing.B, method *schema.Method) protoreflect.MessageDescriptor {
	b.Helper()
	answer, err := method.Decode(nil)
	if err != nil {
		b.Fatal(err)
	}
	return answer.ProtoReflect().Descriptor()
}
