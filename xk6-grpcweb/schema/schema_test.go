package schema_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/known/anypb"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"

	"github.com/bookstore-bench/xk6-grpcweb/schema"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// files is a file system in memory.
type files map[string]string

func (f files) Open(path string) (io.ReadCloser, error) {
	text, ok := f[filepath.ToSlash(path)]
	if !ok {
		return nil, os.ErrNotExist
	}
	return io.NopCloser(strings.NewReader(text)), nil
}

func load(t *testing.T, sources files, names ...string) *schema.Schema {
	t.Helper()
	types := schema.New()
	if _, err := types.Load(context.Background(), schema.Source{Open: sources.Open}, names...); err != nil {
		t.Fatal(err)
	}
	return types
}

var shop = files{
	"shop.proto": `syntax = "proto3";
package shop;
import "google/protobuf/any.proto";
import "google/protobuf/timestamp.proto";
import "parts/item.proto";
enum Size { SMALL = 0; LARGE = 1; }
message Order {
  string order_id = 1;
  int64 total_cents = 2;
  Size size = 3;
  bytes blob = 4;
  double weight = 5;
  repeated Item items = 6;
  google.protobuf.Any extra = 7;
  google.protobuf.Timestamp placed_at = 8;
  optional int32 rank = 9;
  oneof pay { string card = 10; bool cash = 11; }
  map<string, int32> counts = 12;
}
service Shop {
  rpc Place(Order) returns (Order);
  rpc Watch(Order) returns (stream Order);
  rpc Upload(stream Order) returns (Order);
  rpc Chat(stream Order) returns (stream Order);
}`,
	"parts/item.proto": `syntax = "proto3"; package shop; message Item { string isbn = 1; }`,
}

func method(t *testing.T, types *schema.Schema, path string) *schema.Method {
	t.Helper()
	found, err := types.Method(path)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func TestMethodLookup(t *testing.T) {
	types := load(t, shop, "shop.proto")
	for _, path := range []string{"shop.Shop/Place", "/shop.Shop/Place"} {
		m := method(t, types, path)
		if m.Path() != "/shop.Shop/Place" || m.Service() != "shop.Shop" || m.Name() != "Place" || m.Package() != "shop" {
			t.Errorf("%s is path %s, service %s, name %s, package %s", path, m.Path(), m.Service(), m.Name(), m.Package())
		}
	}
	if _, err := types.Method("shop.Shop/Nope"); !errors.Is(err, schema.ErrMethodNotFound) || !strings.Contains(err.Error(), "/shop.Shop/Nope") {
		t.Errorf("error %v", err)
	}
}

func TestStreamingKinds(t *testing.T) {
	types := load(t, shop, "shop.proto")
	tests := map[string]struct{ unary, serverStream bool }{
		"Place": {true, false}, "Watch": {false, true}, "Upload": {false, false}, "Chat": {false, false},
	}
	for name, want := range tests {
		m := method(t, types, "shop.Shop/"+name)
		for kind, check := range map[string]struct {
			err error
			ok  bool
		}{"unary": {m.CheckUnary(), want.unary}, "server stream": {m.CheckServerStream(), want.serverStream}} {
			if (check.err == nil) != check.ok || check.err != nil && (!errors.Is(check.err, schema.ErrStreamingKind) || !strings.Contains(check.err.Error(), name)) {
				t.Errorf("%s as %s: error %v", name, kind, check.err)
			}
		}
	}
}

func TestJSONMapping(t *testing.T) {
	m := method(t, load(t, shop, "shop.proto"), "shop.Shop/Place")
	tests := map[string]struct{ in, out string }{
		"unset": {
			`{}`,
			`{"orderId":"","totalCents":"0","size":"SMALL","blob":"","weight":0,"items":[],"extra":null,"placedAt":null,"counts":{}}`,
		},
		"set, by either name": {
			`{"order_id":"a","totalCents":9007199254740993,"size":1,"blob":"AQI=","weight":"NaN","items":[{"isbn":"x"}],"placedAt":"2026-01-02T03:04:05Z","rank":0,"cash":false,"counts":{"__proto__":1}}`,
			`{"orderId":"a","totalCents":"9007199254740993","size":"LARGE","blob":"AQI=","weight":"NaN","items":[{"isbn":"x"}],"extra":null,"placedAt":"2026-01-02T03:04:05Z","rank":0,"cash":false,"counts":{"__proto__":1}}`,
		},
		"any of a loaded type": {
			`{"extra":{"@type":"type.googleapis.com/shop.Item","isbn":"x"}}`,
			`{"orderId":"","totalCents":"0","size":"SMALL","blob":"","weight":0,"items":[],"extra":{"@type":"type.googleapis.com/shop.Item","isbn":"x"},"placedAt":null,"counts":{}}`,
		},
		"any of a well-known type": {
			`{"extra":{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"5"}}`,
			`{"orderId":"","totalCents":"0","size":"SMALL","blob":"","weight":0,"items":[],"extra":{"@type":"type.googleapis.com/google.protobuf.Int64Value","value":"5"},"placedAt":null,"counts":{}}`,
		},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			encoded, err := m.EncodeJSON([]byte(test.in))
			if err != nil {
				t.Fatal(err)
			}
			got, err := m.DecodeJSON(encoded)
			if err != nil {
				t.Fatal(err)
			}
			sameJSON(t, got, test.out)
		})
	}
}

func sameJSON(t *testing.T, got []byte, want string) {
	t.Helper()
	var gotValue, wantValue any
	if err := errors.Join(json.Unmarshal(got, &gotValue), json.Unmarshal([]byte(want), &wantValue)); err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(gotValue, wantValue) {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestWrongMessages(t *testing.T) {
	m := method(t, load(t, shop, "shop.proto"), "shop.Shop/Place")
	for _, request := range []string{``, `[]`, `null`, `{"nope":1}`, `{"size":"HUGE"}`, `{"totalCents":"x"}`} {
		if _, err := m.EncodeJSON([]byte(request)); err == nil || !strings.Contains(err.Error(), "shop.Order") {
			t.Errorf("request %q: error %v", request, err)
		}
	}
	var fault *wire.Error
	if _, err := m.DecodeJSON([]byte{0x0a, 0x05, 'x'}); !errors.As(err, &fault) || fault.Code != wire.Internal {
		t.Errorf("damaged answer: error %v, want INTERNAL", err)
	}
}

func TestRequiredFields(t *testing.T) {
	types := load(t, files{"old.proto": `syntax = "proto2"; package old;
message Inner { required string name = 1; optional Outer loop = 2; }
message Outer { repeated Inner inner = 1; optional Outer self = 2; }
message Open { extensions 100 to 200; }
extend Open { optional Inner late = 100; }
service Old { rpc Get(Outer) returns (Outer); rpc GetOpen(Open) returns (Open); }`}, "old.proto")
	m := method(t, types, "old.Old/Get")
	if _, err := m.EncodeJSON([]byte(`{"inner":[{}]}`)); err == nil || !strings.Contains(err.Error(), "name") {
		t.Errorf("request without a required field: error %v", err)
	}
	if _, err := m.EncodeJSON([]byte(`{"inner":[{"name":"x"}]}`)); err != nil {
		t.Error(err)
	}
	for path, answer := range map[string]string{"old.Old/Get": "\x0a\x00", "old.Old/GetOpen": "\xa2\x06\x00"} {
		if _, err := method(t, types, path).Decode([]byte(answer)); err == nil || !strings.Contains(err.Error(), "required") {
			t.Errorf("%s without a required field: error %v", path, err)
		}
	}
}

func TestLoadsAccumulate(t *testing.T) {
	types := load(t, shop, "shop.proto")
	more := files{"parts/item.proto": shop["parts/item.proto"], "more.proto": `syntax = "proto3"; package more;
import "parts/item.proto"; service More { rpc Get(shop.Item) returns (shop.Item); }`}
	added, err := types.Load(t.Context(), schema.Source{Open: more.Open}, "more.proto")
	if err != nil || len(added) != 1 || added[0].Path() != "/more.More/Get" {
		t.Fatalf("added %v, error %v", added, err)
	}
	if again, err := types.Load(t.Context(), schema.Source{Open: more.Open}, "more.proto"); err != nil || len(again) != 0 {
		t.Errorf("loaded twice: added %v, error %v", again, err)
	}
	method(t, types, "shop.Shop/Place")
	clash := files{"clash.proto": `syntax = "proto3"; package shop; message Order {}`}
	if _, err := types.Load(t.Context(), schema.Source{Open: clash.Open}, "clash.proto"); !errors.Is(err, schema.ErrConflict) || !strings.Contains(err.Error(), "clash.proto") {
		t.Errorf("clash: error %v", err)
	}
}

func TestWrongSources(t *testing.T) {
	sources := files{
		"syntax.proto": `syntax = "proto3"; message {`,
		"import.proto": `syntax = "proto3"; import "missing.proto";`,
	}
	for _, name := range []string{"syntax.proto", "import.proto", "absent.proto"} {
		if _, err := schema.New().Load(t.Context(), schema.Source{Open: sources.Open}, name); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: error %v", name, err)
		}
	}
	if _, err := schema.New().Load(t.Context(), schema.Source{}); err == nil {
		t.Error("no file: no error")
	}
}

func TestProtoset(t *testing.T) {
	service := &descriptorpb.FileDescriptorProto{
		Name: proto.String("clock.proto"), Package: proto.String("clock"), Syntax: proto.String("proto3"),
		Dependency: []string{"google/protobuf/timestamp.proto"},
		Service: []*descriptorpb.ServiceDescriptorProto{{
			Name: proto.String("Clock"),
			Method: []*descriptorpb.MethodDescriptorProto{{
				Name: proto.String("Now"), InputType: proto.String(".google.protobuf.Timestamp"), OutputType: proto.String(".google.protobuf.Timestamp"),
			}},
		}},
	}
	timestamp := protodesc.ToFileDescriptorProto(timestamppb.File_google_protobuf_timestamp_proto)
	sets := map[string][]*descriptorpb.FileDescriptorProto{
		"imports last": {service, timestamp}, "repeated": {timestamp, service, timestamp, service}, "no imports": {service},
	}
	for name, set := range sets {
		t.Run(name, func(t *testing.T) {
			encoded, err := proto.Marshal(&descriptorpb.FileDescriptorSet{File: set})
			if err != nil {
				t.Fatal(err)
			}
			types := schema.New()
			if added, err := types.AddSet(encoded); err != nil || len(added) != 1 {
				t.Fatalf("added %v, error %v", added, err)
			}
			answer, err := method(t, types, "clock.Clock/Now").DecodeJSON(nil)
			if err != nil {
				t.Fatal(err)
			}
			sameJSON(t, answer, `"1970-01-01T00:00:00Z"`)
		})
	}
	service.Dependency = []string{"missing.proto"}
	if _, err := schema.New().AddFiles(&descriptorpb.FileDescriptorSet{File: sets["no imports"]}); err == nil || !strings.Contains(err.Error(), "missing.proto") {
		t.Errorf("missing import: error %v", err)
	}
	if _, err := schema.New().AddSet([]byte("no protoset")); err == nil {
		t.Error("damaged protoset: no error")
	}
}

func TestStatusJSON(t *testing.T) {
	types := load(t, shop, "shop.proto")
	detail := func(message proto.Message) *anypb.Any {
		packed, err := anypb.New(message)
		if err != nil {
			t.Fatal(err)
		}
		return packed
	}
	details, err := proto.Marshal(&rpcstatus.Status{Code: 9, Message: "ignored", Details: []*anypb.Any{
		detail(&errdetails.ErrorInfo{Reason: "STOCK", Domain: "shop"}),
		{TypeUrl: "type.googleapis.com/shop.Item", Value: []byte("\x0a\x01x")},
		{TypeUrl: "type.googleapis.com/other.Unknown", Value: []byte{1, 2}},
		detail(wrapperspb.String("s")),
	}})
	if err != nil {
		t.Fatal(err)
	}
	got, err := types.StatusJSON(wire.Status{Code: wire.FailedPrecondition, Message: "short", Details: details})
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, got, `{"code":9,"message":"short","details":[
		{"@type":"type.googleapis.com/google.rpc.ErrorInfo","reason":"STOCK","domain":"shop","metadata":{}},
		{"@type":"type.googleapis.com/shop.Item","isbn":"x"},
		{"@type":"type.googleapis.com/other.Unknown","value":"AQI="},
		{"@type":"type.googleapis.com/google.protobuf.StringValue","value":"s"}]}`)
	got, err = types.StatusJSON(wire.Status{Code: wire.Internal, Message: "x", Details: []byte{0xff}})
	if err != nil {
		t.Fatal(err)
	}
	sameJSON(t, got, `{"code":13,"message":"x","details":[]}`)
}
