package stock_test

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"reflect"
	"testing"

	"github.com/grafana/sobek"
	"google.golang.org/protobuf/proto"

	"github.com/bookstore-bench/xk6-grpcweb/schema"
)

const (
	everyKind = "every_kind.proto"
	echo      = "every.kind.v1.EchoService/Echo"
	echoForms = "every.kind.v1.EchoService/EchoForms"
)

// requests are messages in JSON, by method.
var requests = []struct{ name, method, json string }{
	{"empty", echo, `{}`},
	{"numbers", echo, `{"double_value":0.1,"floatValue":0.1,"int32Value":-5,"int64Value":"-9223372036854775808",
		"uint32Value":4294967295,"uint64Value":"18446744073709551615","sint32Value":-2147483648,"sint64Value":12,
		"fixed32Value":7,"fixed64Value":"7","sfixed32Value":-7,"sfixed64Value":"-7"}`},
	{"floats", echo, `{"floatValue":16777216,"doubles":["NaN","Infinity","-Infinity",1e300,5e-324]}`},
	{"small float", echo, `{"floatValue":1.17549435e-38}`},
	{"text and bytes", echo, `{"boolValue":true,"stringValue":"ä\u0000📚","bytesValue":"AQI=","manyBytes":["","_-8"]}`},
	{"enums", echo, `{"colour":"COLOUR_BLUE","colours":["COLOUR_NEGATIVE",1,99],"optionalColour":0}`},
	{"optional", echo, `{"optionalInt32":0,"optionalString":""}`},
	{"lists", echo, `{"sint32s":[1,-1],"bools":[true,false],"strings":["a",""],"list":[{},{"int32Value":3}],"unpacked":[1,2],"fixed64s":["9007199254740993"]}`},
	{"maps", echo, `{"byString":{"a":1,"__proto__":2},"byInt64":{"-9007199254740993":"x","7":"seven"},"byBool":{"true":"COLOUR_RED"},"byUint32":{"1":{"int32Value":3}}}`},
	{"oneof of text", echo, `{"textChoice":""}`},
	{"oneof of a message", echo, `{"messageChoice":{"numberChoice":0}}`},
	{"nested", echo, `{"nested":{"nested":{"stringValue":"deep"}}}`},
	{"times", echo, `{"timestamp":"2026-01-02T03:04:05.5Z","duration":"-1.5s","timestamps":["1969-12-31T23:59:59.000000001Z","1970-01-01T00:00:00Z"]}`},
	{"wrappers", echo, `{"stringWrapper":"","int64Wrapper":"0","boolWrapper":false,"bytesWrapper":"AQ==","doubleWrapper":0.5}`},
	{"json_name", echo, `{"renamed":"a"}`},
	{"no forms", echoForms, `{}`},
	{"any", echoForms, `{"any":{"@type":"type.googleapis.com/every.kind.v1.Everything","stringValue":"inside"}}`},
	{"any of a duration", echoForms, `{"any":{"@type":"type.googleapis.com/google.protobuf.Duration","value":"3s"}}`},
	{"struct", echoForms, `{"struct":{"a":[1,"b",null,{"c":true}]},"value":[1.5],"list":["x"],"structs":[{},{"y":0}]}`},
	{"null", echoForms, `{"value":null,"null":null,"empty":{},"mask":"aB,c"}`},
}

func TestMessagesAreThoseOfTheExtension(t *testing.T) {
	source := schema.Source{ImportPaths: []string{"../../../script/tests/proto"}}
	set, err := schema.Compile(t.Context(), source, everyKind)
	if err != nil {
		t.Fatal(err)
	}
	protoset, err := proto.Marshal(set)
	if err != nil {
		t.Fatal(err)
	}
	types := schema.New()
	if _, err := types.AddFiles(set); err != nil {
		t.Fatal(err)
	}
	rt := newEngine(t, "testdata/calls.js")
	for name, loaded := range map[string]any{"proto": everyKind, "protoset": rt.NewArrayBuffer(protoset)} {
		run(t, rt, "load", name, loaded)
		for _, request := range requests {
			t.Run(name+"/"+request.name, func(t *testing.T) {
				method, err := types.Method(request.method)
				if err != nil {
					t.Fatal(err)
				}
				compare(t, rt, name, method, request.json)
			})
		}
	}
}

// compare encodes and decodes on both sides. Bytes may differ in the order of fields and map entries, so
// what JavaScript encoded is read by Go.
func compare(t *testing.T, rt *sobek.Runtime, name string, method *schema.Method, request string) {
	t.Helper()
	encoded, err := method.EncodeJSON([]byte(request))
	if err != nil {
		t.Fatal(err)
	}
	want, err := method.DecodeJSON(encoded)
	if err != nil {
		t.Fatal(err)
	}
	byScript, err := hex.DecodeString(run(t, rt, "encode", name, method.Path(), request))
	if err != nil {
		t.Fatal(err)
	}
	understood, err := method.DecodeJSON(byScript)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(valueOf(t, understood), valueOf(t, want)) {
		t.Errorf("encoded\n%s\nwant\n%s", understood, want)
	}
	decoded := run(t, rt, "decode", name, method.Path(), rt.NewArrayBuffer(encoded))
	if !reflect.DeepEqual(valueOf(t, []byte(decoded)), valueOf(t, want)) {
		t.Errorf("decoded\n%s\nwant\n%s", decoded, want)
	}
}

func valueOf(t *testing.T, text []byte) any {
	t.Helper()
	decoder := json.NewDecoder(bytes.NewReader(text))
	var value any
	if err := decoder.Decode(&value); err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return value
}

// run calls a function of testdata/calls.js.
func run(t *testing.T, rt *sobek.Runtime, name string, arguments ...any) string {
	t.Helper()
	function, ok := sobek.AssertFunction(rt.Get(name))
	if !ok {
		t.Fatalf("calls.js has no function %s", name)
	}
	values := make([]sobek.Value, 0, len(arguments))
	for _, argument := range arguments {
		values = append(values, rt.ToValue(argument))
	}
	result, err := function(sobek.Undefined(), values...)
	if err != nil {
		t.Fatal(err)
	}
	return result.String()
}
