package grpcweb

import (
	"fmt"
	"testing"

	"github.com/grafana/sobek"

	"github.com/bookstore-bench/xk6-grpcweb/schema"
)

// order is a method with a request as in scenario a of the Bookstore: an id and lines.
func order(t testing.TB) *schema.Method {
	t.Helper()
	const proto = `syntax = "proto3";
		message Line { string isbn = 1; int32 quantity = 2; }
		message Order { string order_id = 1; repeated Line lines = 2; }
		service Shop { rpc Reserve(Order) returns (Order); }`
	f := &folder{files: map[string]string{"one/main.proto": proto}}
	types, err := newTypeSet().with(load(t, newSources(), f))
	if err != nil {
		t.Fatal(err)
	}
	method, err := types.schema.Method("Shop/Reserve")
	if err != nil {
		t.Fatal(err)
	}
	return method
}

func orderObject(t testing.TB, rt *sobek.Runtime, lines int) sobek.Value {
	t.Helper()
	object, err := rt.RunString(fmt.Sprintf(`({
		orderId: 'ord-1',
		lines: Array.from({ length: %d }, (_, n) => ({ isbn: '9780000000001', quantity: n %% 9 + 1 })),
	})`, lines))
	if err != nil {
		t.Fatal(err)
	}
	return object
}

// BenchmarkRequest is the way of a request from a JavaScript object to message bytes.
func BenchmarkRequest(b *testing.B) {
	method := order(b)
	for _, lines := range []int{2, 50} {
		rt := sobek.New()
		values := newValues(rt, newPlans())
		object := orderObject(b, rt, lines)
		b.Run(fmt.Sprintf("lines=%d/path=json", lines), func(b *testing.B) {
			stringify := builtin(rt, "JSON", "stringify")
			b.ReportAllocs()
			for b.Loop() {
				json, err := stringify(sobek.Undefined(), object)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := method.EncodeJSON([]byte(json.String())); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("lines=%d/path=direct", lines), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if _, err := values.encode(method, object); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkAnswer is the way of an answer from message bytes to a JavaScript object.
func BenchmarkAnswer(b *testing.B) {
	method := order(b)
	for _, lines := range []int{2, 50} {
		rt := sobek.New()
		values := newValues(rt, newPlans())
		encoded, err := values.encode(method, orderObject(b, rt, lines))
		if err != nil {
			b.Fatal(err)
		}
		b.Run(fmt.Sprintf("lines=%d/path=json", lines), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				json, err := method.DecodeJSON(encoded)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := values.fromJSON(json); err != nil {
					b.Fatal(err)
				}
			}
		})
		b.Run(fmt.Sprintf("lines=%d/path=direct", lines), func(b *testing.B) {
			decoder := values.decoder(newTypeSet())
			b.ReportAllocs()
			for b.Loop() {
				message, err := method.Decode(encoded)
				if err != nil {
					b.Fatal(err)
				}
				if _, err := decoder.message(message.ProtoReflect()); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
