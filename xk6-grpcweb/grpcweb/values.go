package grpcweb

import (
	"fmt"

	"github.com/grafana/sobek"

	"github.com/bookstore-bench/xk6-grpcweb/schema"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// values turns JavaScript values into messages and back, on one virtual user's event loop.
type values struct {
	rt      *sobek.Runtime
	plans   *plans
	parse   sobek.Callable
	isArray sobek.Callable
}

func newValues(rt *sobek.Runtime, plans *plans) *values {
	return &values{rt: rt, plans: plans, parse: builtin(rt, "JSON", "parse"), isArray: builtin(rt, "Array", "isArray")}
}

func builtin(rt *sobek.Runtime, object, name string) sobek.Callable {
	function, ok := sobek.AssertFunction(rt.GlobalObject().Get(object).ToObject(rt).Get(name))
	if !ok {
		panic(rt.NewTypeError("%s.%s is not a function", object, name))
	}
	return function
}

// encode turns a request into message bytes. An ArrayBuffer or Uint8Array holds them already.
func (v *values) encode(method *schema.Method, request sobek.Value) ([]byte, error) {
	if isBinary(request) {
		message, _ := binary(request)
		return message, nil
	}
	if message, ok := v.encodeDirectly(method, request); ok {
		return message, nil
	}
	writer := jsonWriter{values: v}
	if err := writer.value(request); err != nil {
		return nil, err
	}
	message, err := method.EncodeJSON(writer.out)
	if err != nil {
		return nil, fmt.Errorf("unable to serialise request object to protocol buffer: %w", err)
	}
	return message, nil
}

func (v *values) fromJSON(json []byte) (sobek.Value, error) {
	return v.parse(sobek.Undefined(), v.rt.ToValue(string(json)))
}

// response builds the answer of invoke.
func (v *values) response(call *unaryCall, result outcome) (*sobek.Object, error) {
	message := sobek.Null()
	failure := sobek.Null()
	var err error
	switch {
	case result.message != nil:
		message, err = v.decoder(call.types).message(result.message)
	case call.response == responseBinary && result.Message != nil:
		message = v.rt.ToValue(v.rt.NewArrayBuffer(result.Message))
	}
	if err != nil {
		return nil, err
	}
	if result.Status.Code != wire.OK {
		if failure, err = v.status(call.types, result.Status); err != nil {
			return nil, err
		}
	}
	return v.rt.NewDynamicObject(&answer{
		values:  v,
		result:  result,
		status:  v.rt.ToValue(uint32(result.Status.Code)),
		message: message,
		failure: failure,
	}), nil
}

// encodeDirectly leaves JSON out, where the request and its type allow that.
func (v *values) encodeDirectly(method *schema.Method, request sobek.Value) ([]byte, bool) {
	input := method.Input()
	if method.InputRequires() || isWellKnownMessage(input) {
		return nil, false
	}
	var direct encoder
	if err := direct.message(v.plans.of(input), request); err != nil {
		return nil, false
	}
	return direct.out, true
}

func (v *values) decoder(types *typeSet) decoder {
	return decoder{values: v, types: types.schema}
}

// status builds google.rpc.Status in its JSON form.
func (v *values) status(types *typeSet, status wire.Status) (sobek.Value, error) {
	json, err := types.schema.StatusJSON(status)
	if err != nil {
		return nil, err
	}
	return v.fromJSON(json)
}

// metadata builds an object of arrays. Each character of a -bin value is one byte.
func (v *values) metadata(metadata wire.Metadata) sobek.Value {
	object := v.rt.NewObject()
	for key, texts := range metadata {
		entries := make([]any, len(texts))
		for i, text := range texts {
			entries[i] = bytesAsText(text)
		}
		_ = put(object, key, v.rt.NewArray(entries...)) // a fresh object refuses no key
	}
	return object
}

// bytesAsText gives every byte its own character: as UTF-8, bytes that are not would be lost.
func bytesAsText(bytes string) string {
	ascii := true
	for i := range len(bytes) {
		ascii = ascii && bytes[i] < 0x80
	}
	if ascii {
		return bytes
	}
	characters := make([]rune, len(bytes))
	for i := range len(bytes) {
		characters[i] = rune(bytes[i])
	}
	return string(characters)
}
