package peers_test

import (
	"context"
	"net/http"
	"os"
	"strings"
	"testing"

	"connectrpc.com/connect"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/bookstore-bench/xk6-grpcweb/grpcweb"
	"github.com/bookstore-bench/xk6-grpcweb/internal/vutest"
	"github.com/bookstore-bench/xk6-grpcweb/schema"
)

// bookstore serves what examples/reserve.js calls, with connect-go and messages of its own making.
type bookstore struct {
	files protoreflect.FileDescriptor
}

const reviewsPath = "/bookstore.bench.v1.CatalogService/ListReviews"

func newBookstore(t *testing.T) *bookstore {
	t.Helper()
	types := schema.New()
	if _, err := types.Load(t.Context(), schema.Source{ImportPaths: []string{"../../../proto"}}, "bookstore/bench/v1/bench.proto"); err != nil {
		t.Fatal(err)
	}
	method, err := types.Method(reservePath)
	if err != nil {
		t.Fatal(err)
	}
	return &bookstore{files: method.NewRequest().ProtoReflect().Descriptor().ParentFile()}
}

func (b *bookstore) message(name protoreflect.Name) *dynamicpb.Message {
	return dynamicpb.NewMessage(b.files.Messages().ByName(name))
}

func field(message proto.Message, name protoreflect.Name) protoreflect.FieldDescriptor {
	return message.ProtoReflect().Descriptor().Fields().ByName(name)
}

func (b *bookstore) reserve(_ context.Context, request *connect.Request[dynamicpb.Message]) (*connect.Response[dynamicpb.Message], error) {
	id := request.Msg.Get(field(request.Msg, "order_id"))
	lines := request.Msg.Get(field(request.Msg, "lines")).List()
	if id.String() == "" || lines.Len() != 1 {
		return nil, connect.NewError(connect.CodeInvalidArgument, nil)
	}
	answer := b.message("ReserveStockResponse")
	answer.Set(field(answer, "order_id"), id)
	return connect.NewResponse(answer), nil
}

func (b *bookstore) reviews(_ context.Context, request *connect.Request[dynamicpb.Message], stream *connect.ServerStream[dynamicpb.Message]) error {
	for range request.Msg.Get(field(request.Msg, "limit")).Int() {
		if err := stream.Send(b.message("Review")); err != nil {
			return err
		}
	}
	return nil
}

// register adds the handlers; requests are made of the types that the methods name.
func (b *bookstore) register(mux *http.ServeMux) {
	typed := connect.WithRequestInitializer(func(spec connect.Spec, message any) error {
		names := map[string]protoreflect.Name{reservePath: "ReserveStockRequest", reviewsPath: "ListReviewsRequest"}
		if dynamic, ok := message.(*dynamicpb.Message); ok {
			*dynamic = *b.message(names[spec.Procedure])
		}
		return nil
	})
	mux.Handle(reservePath, connect.NewUnaryHandler(reservePath, b.reserve, typed))
	mux.Handle(reviewsPath, connect.NewServerStreamHandler(reviewsPath, b.reviews, typed))
}

// TestExample runs the example against connect-go, or against the server at BOOKSTORE_URL.
func TestExample(t *testing.T) {
	address := strings.TrimPrefix(os.Getenv("BOOKSTORE_URL"), "http://")
	if address == "" {
		address = newServer(t, newBookstore(t).register)
	}
	u := vutest.New(t, grpcweb.New(), "../../examples")
	u.Set(t, "__ENV", map[string]string{"GRPCWEB_ADDR": address})
	u.Set(t, "__ITER", 0)
	u.RunFile(t, "../../examples/reserve.js")
	u.Start()
	for iteration := range 3 {
		u.Set(t, "__ITER", iteration)
		u.Iterate(t, `iteration()`)
	}
	if len(u.Checks.Failed) > 0 || len(u.Checks.Passed) != 3*3 {
		t.Errorf("checks %+v", u.Checks)
	}
}
