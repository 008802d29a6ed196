package grpcweb

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/grafana/sobek"
	"google.golang.org/protobuf/proto"

	"github.com/bookstore-bench/xk6-grpcweb/schema"
)

// echoMethod is a method whose request and answer have fields of every kind.
func echoMethod(t testing.TB, file, path string) *schema.Method {
	t.Helper()
	types := schema.New()
	if _, err := types.Load(t.Context(), schema.Source{ImportPaths: []string{"testdata/proto", "testdata"}}, file); err != nil {
		t.Fatal(err)
	}
	method, err := types.Method(path)
	if err != nil {
		t.Fatal(err)
	}
	return method
}

// requests are JavaScript expressions; direct tells whether the direct way must take them.
var requests = []struct {
	code   string
	direct bool
}{
	{`({})`, true},
	{`({ b: true, i32: -1, i64: -9007199254740991, u32: 4294967295, u64: 9007199254740991 })`, true},
	{`({ s32: -2147483648, s64: -1, f32: 1, f64: 2, sf32: -1, sf64: -2 })`, true},
	{`({ fl: 0.1, d: 0.1, s: 'Å𝕏\u0000', by: new Uint8Array([0, 255]) })`, true},
	{`({ fl: -0, d: -0, s: '', b: false, i32: 0, by: new Uint8Array([]), e: 'ZERO' })`, true},
	{`({ fl: NaN, d: -Infinity })`, true},
	{`({ e: 'ONE', m: {}, om: 0, os: '', ob: false })`, true},
	{`({ e: -1, m: { m: { i32: 3 } } })`, true},
	{`({ li: [1, 0, -1], ls: ['a', ''], lm: [{ i32: 1 }, {}], le: ['ONE', 0], lu: [1, 0], ld: [0, 1.5], lb: [true, false] })`, true},
	{`({ li: [], ls: [], lm: [], ms: {}, mm: {} })`, true},
	{`({ ms: { a: 1, '': 0 }, mm: { x: {}, y: { i32: 7 } } })`, true},
	{`({ one: '' })`, true},
	{`({ two: 0 })`, true},
	{`({ longName: 1 })`, true},
	{`({ long_name: 1 })`, true},
	{`({ b: null, m: null, li: null, ms: undefined, two: undefined })`, true},
	{`({ s: 'x'.repeat(200), m: { s: 'y'.repeat(20000) } })`, true},
	{`new (class { constructor() { this.i32 = 1; } })()`, true},

	{`({ at: '2026-01-01T00:00:00Z' })`, false},
	{`({ at: new Date(0) })`, false},
	{`({ at: null })`, false},
	{`({ nv: null })`, false},
	{`({ i64: '9007199254740993', by: 'AAE=' })`, false},
	{`({ i32: 1.0e0, i64: 1e15, u64: 1n })`, false},
	{`({ mi: { 1: 'x' } })`, false},
	{`({ s: new String('x') })`, false},
	{`({ m: { toJSON() { return { i32: 9 }; } } })`, false},
	{`new Proxy({ i32: 1 }, {})`, false},
	{`({ lm: new Proxy([{}], {}) })`, false},

	{`({ one: 'a', two: 1 })`, false},
	{`({ longName: 1, long_name: 2 })`, false},
	{`({ nosuch: 1 })`, false},
	{`({ i32: 2147483648 })`, false},
	{`({ u32: -1 })`, false},
	{`({ u64: -1 })`, false},
	{`({ fl: 1e300 })`, false},
	{`({ i32: 1.5 })`, false},
	{`({ e: 'NOSUCH' })`, false},
	{`({ li: [null] })`, false},
	{`({ li: [undefined] })`, false},
	{`({ li: 1 })`, false},
	{`({ lm: [1] })`, false},
	{`({ ms: { a: null } })`, false},
	{`({ ms: [] })`, false},
	{`({ m: 'text' })`, false},
	{`({ b: 1 })`, false},
	{`({ s: 1 })`, false},
	{`'text'`, false},
	{`[]`, false},
	{`(() => { const o = {}; o.m = o; return o; })()`, false},
}

// bothWays encodes a request directly and through JSON.
func bothWays(t testing.TB, rt *sobek.Runtime, method *schema.Method, code string) (direct, throughJSON []byte, taken bool, err error) {
	t.Helper()
	values := newValues(rt, newPlans())
	request, fault := rt.RunString(code)
	if fault != nil {
		t.Fatal(fault)
	}
	direct, taken = values.encodeDirectly(method, request)
	writer := jsonWriter{values: values}
	if err = writer.value(request); err == nil {
		throughJSON, err = method.EncodeJSON(writer.out)
	}
	return direct, throughJSON, taken, err
}

// canonical decodes a request and encodes it in a fixed order.
func canonical(t testing.TB, method *schema.Method, encoded []byte) []byte {
	t.Helper()
	message := method.NewRequest()
	if err := proto.Unmarshal(encoded, message); err != nil {
		t.Fatal(err)
	}
	ordered, err := proto.MarshalOptions{Deterministic: true}.Marshal(message)
	if err != nil {
		t.Fatal(err)
	}
	return ordered
}

func TestDirectRequestsMeanWhatJSONMeans(t *testing.T) {
	method := echoMethod(t, "kinds.proto", "test.kinds.Kinds/Echo")
	for _, request := range requests {
		t.Run(request.code, func(t *testing.T) {
			direct, throughJSON, taken, err := bothWays(t, sobek.New(), method, request.code)
			if taken != request.direct {
				t.Fatalf("taken by the direct way: %t", taken)
			}
			if !taken {
				return
			}
			if err != nil {
				t.Fatalf("the direct way took what JSON refuses: %v", err)
			}
			if !bytes.Equal(canonical(t, method, direct), canonical(t, method, throughJSON)) || len(direct) != len(throughJSON) {
				t.Errorf("directly % x, through JSON % x", direct, throughJSON)
			}
		})
	}
}

// TestRandomDirectRequests puts values into fields that may not take them: whatever the direct way takes
// must be what JSON makes of it.
func TestRandomDirectRequests(t *testing.T) {
	method := echoMethod(t, "kinds.proto", "test.kinds.Kinds/Echo")
	names := fieldNames(t)
	contents := []string{
		`0`, `1`, `-1`, `2147483647`, `-2147483649`, `4294967296`, `0.5`, `-0`, `NaN`, `1e30`, `''`, `'ONE'`, `'12'`,
		`true`, `false`, `null`, `undefined`, `{}`, `{ i32: 1 }`, `{ m: { s: 'x' } }`, `[]`, `[1]`, `['a']`, `[{}]`, `[true]`,
		`{ a: 1 }`, `{ a: {} }`, `new Uint8Array([1])`, `new Uint8Array([2]).buffer`, `5n`,
	}
	random := rand.New(rand.NewPCG(1, 2))
	rt := sobek.New()
	values := newValues(rt, newPlans())
	taken := 0
	for range 20_000 {
		var code strings.Builder
		code.WriteString(`({`)
		for range 1 + random.IntN(3) {
			fmt.Fprintf(&code, `%s: %s,`, names[random.IntN(len(names))], contents[random.IntN(len(contents))])
		}
		code.WriteString(`})`)
		direct, throughJSON, ok, err := bothWays(t, rt, method, code.String())
		if !ok {
			continue
		}
		taken++
		if err != nil {
			t.Fatalf("%s: the direct way took what JSON refuses: %v", code.String(), err)
		}
		if !bytes.Equal(canonical(t, method, direct), canonical(t, method, throughJSON)) {
			t.Fatalf("%s: directly % x, through JSON % x", code.String(), direct, throughJSON)
		}
		wantSameAnswer(t, values, method, direct)
	}
	if taken < 1000 {
		t.Errorf("only %d requests went the direct way", taken)
	}
}

func fieldNames(t testing.TB) []string {
	t.Helper()
	method := echoMethod(t, "kinds.proto", "test.kinds.Kinds/Echo")
	var names []string
	for i := range method.Input().Fields().Len() {
		names = append(names, method.Input().Fields().Get(i).JSONName())
	}
	return names
}

func TestRequiredFieldsGoThroughJSON(t *testing.T) {
	method := echoMethod(t, "required.proto", "test.required.Old/Echo")
	_, _, taken, err := bothWays(t, sobek.New(), method, `({})`)
	if taken || err == nil {
		t.Errorf("taken by the direct way: %t; error %v for a missing field", taken, err)
	}
}

// answers are requests in JSON that come back as answers.
var answers = []string{
	`{}`,
	`{"b":true,"i32":-5,"i64":"-9007199254740993","u32":4294967295,"u64":"18446744073709551615","s":"Å𝕏"}`,
	`{"s32":-1,"s64":"-2","f32":3,"f64":"4","sf32":-5,"sf64":"-6"}`,
	`{"fl":0.1,"d":0.1}`, `{"fl":"NaN","d":"-Infinity"}`, `{"fl":3.4e38,"d":1e300}`, `{"fl":-0.0,"d":-0.0}`, `{"fl":16777216,"d":5}`,
	`{"by":"AAH/","e":"ONE"}`, `{"e":77}`, `{"e":-1}`,
	`{"m":{"m":{"s":"deep"}}}`,
	`{"li":[1,-2],"ls":["a",""],"lm":[{},{"i32":1}],"le":["ONE",5],"lu":[1],"ld":[0.5],"lb":[true]}`,
	`{"ms":{"b":1,"a":2,"__proto__":3},"mm":{"x":{"i32":1}},"mi":{"10":"ten","9":"nine","-1":"a","-10":"b","0":""}}`,
	`{"om":0,"os":"","ob":false}`,
	`{"one":""}`, `{"two":0}`,
	`{"at":"2026-01-01T00:00:00.5Z","nv":null,"longName":1}`,
}

func TestDirectAnswersAreWhatJSONGives(t *testing.T) {
	method := echoMethod(t, "kinds.proto", "test.kinds.Kinds/Echo")
	values := newValues(sobek.New(), newPlans())
	for _, answer := range answers {
		t.Run(answer, func(t *testing.T) {
			encoded, err := method.EncodeJSON([]byte(answer))
			if err != nil {
				t.Fatal(err)
			}
			wantSameAnswer(t, values, method, encoded)
		})
	}
}

// wantSameAnswer fails unless message bytes become the same value directly and through JSON.
func wantSameAnswer(t *testing.T, values *values, method *schema.Method, encoded []byte) {
	t.Helper()
	json, err := method.DecodeJSON(encoded)
	if err != nil {
		t.Fatal(err)
	}
	want, err := values.fromJSON(json)
	if err != nil {
		t.Fatal(err)
	}
	message, err := method.Decode(encoded)
	if err != nil {
		t.Fatal(err)
	}
	got, err := values.decoder(newTypeSet()).message(message.ProtoReflect())
	if err != nil {
		t.Fatal(err)
	}
	stringify := builtin(values.rt, "JSON", "stringify")
	gotText, _ := stringify(sobek.Undefined(), got)
	wantText, _ := stringify(sobek.Undefined(), want)
	if gotText.String() != wantText.String() {
		t.Errorf("directly:\n%s\nthrough JSON:\n%s", gotText, wantText)
	}
}
