package schema_test

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"time"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/schema"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// A call from JSON to JSON. The server here returns what it receives.
func Example() {
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", wire.ContentTypeProto)
		_, _ = io.Copy(w, r.Body)
		_, _ = io.WriteString(w, "\x80\x00\x00\x00\x0fgrpc-status:0\r\n")
	}))
	defer server.Close()
	if err := placeOrder(server.Listener.Addr().String()); err != nil {
		fmt.Println(err)
	}
	// Output: OK A1
}

func placeOrder(address string) error {
	types := schema.New()
	if _, err := types.Load(context.Background(), schema.Source{Open: shop.Open}, "shop.proto"); err != nil {
		return err
	}
	method, err := types.Method("shop.Shop/Place")
	if err != nil {
		return err
	}
	transport, err := client.NewTransport(client.TransportOptions{Plaintext: true})
	if err != nil {
		return err
	}
	defer transport.Close()
	c, err := client.New(transport, address, client.Options{})
	if err != nil {
		return err
	}
	message, err := method.EncodeJSON([]byte(`{"orderId":"A1"}`))
	if err != nil {
		return err
	}
	response, err := c.Invoke(context.Background(), &client.Call{Path: method.Path(), Message: message, Timeout: time.Minute})
	if err != nil {
		return err
	}
	answer, err := method.Decode(response.Message)
	if err != nil {
		return err
	}
	orderID := answer.ProtoReflect().Descriptor().Fields().ByName("order_id")
	fmt.Println(response.Status.Code, answer.ProtoReflect().Get(orderID))
	return nil
}
