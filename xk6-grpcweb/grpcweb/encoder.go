package grpcweb

import (
	"errors"
	"math"
	"reflect"
	"strconv"

	"github.com/grafana/sobek"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// errIndirect says that a request has something that the direct way leaves to JSON: a well-known type,
// a value of another type than its field, or an error, which JSON's own texts explain best.
var errIndirect = errors.New("not on the direct way")

// encoder turns a JavaScript object straight into message bytes. It knows the plain values that make up
// nearly all requests; for anything else it gives up, and the request goes through JSON as a whole.
// What it does encode has the meaning that JSON would have given it.
type encoder struct {
	out   []byte
	depth int
}

const maxDepth = 100 // past it, an object may contain itself

var (
	objectType = reflect.TypeFor[map[string]any]()
	arrayType  = reflect.TypeFor[[]any]()
)

// plain returns a value that is an object of the given kind and nothing more: no proxy, no Go value, and
// nobody's toJSON.
func plain(value sobek.Value, kind reflect.Type, class string) (*sobek.Object, error) {
	object, ok := value.(*sobek.Object)
	if !ok || object.ExportType() != kind || object.ClassName() != class {
		return nil, errIndirect
	}
	if _, ok := sobek.AssertFunction(object.Get("toJSON")); ok {
		return nil, errIndirect
	}
	return object, nil
}

func (e *encoder) message(plan *messagePlan, value sobek.Value) error {
	object, err := plain(value, objectType, "Object")
	if err != nil {
		return err
	}
	if e.depth++; e.depth > maxDepth {
		return errIndirect
	}
	var seen, oneofs fieldSet
	for _, key := range object.Keys() {
		field, ok := plan.byName[key]
		if !ok {
			return errIndirect
		}
		entry := object.Get(key)
		if entry == nil || sobek.IsUndefined(entry) || sobek.IsNull(entry) && !field.indirect {
			continue
		}
		if field.indirect || !seen.add(field.index) || field.oneof >= 0 && !oneofs.add(field.oneof) {
			return errIndirect
		}
		if err := e.field(field, entry); err != nil {
			return err
		}
	}
	e.depth--
	return nil
}

// fieldSet holds small numbers.
type fieldSet uint64

// add returns false for a number that is there already, and for one that is too large to tell.
func (s *fieldSet) add(n int) bool {
	if n >= 64 || *s&(1<<n) != 0 {
		return false
	}
	*s |= 1 << n
	return true
}

func (e *encoder) field(field *fieldPlan, value sobek.Value) error {
	switch {
	case field.isMap:
		return e.entries(field, value)
	case field.list:
		return e.elements(field, value)
	default:
		return e.single(field, value, field.present)
	}
}

// single appends a value behind its tag. A zero of a field that does not tell unset from zero is not sent.
func (e *encoder) single(field *fieldPlan, value sobek.Value, sendZero bool) error {
	start := len(e.out)
	e.out = protowire.AppendVarint(e.out, field.tag)
	content := len(e.out)
	if err := e.value(field, value); err != nil {
		return err
	}
	if !sendZero && isZero(e.out[content:]) {
		e.out = e.out[:start]
	}
	return nil
}

// isZero reports whether an encoded scalar is zero: all of its bytes are. A length of 0 is an empty string.
func isZero(encoded []byte) bool {
	for _, b := range encoded {
		if b != 0 {
			return false
		}
	}
	return true
}

func (e *encoder) elements(field *fieldPlan, value sobek.Value) error {
	array, err := plain(value, arrayType, "Array")
	if err != nil {
		return err
	}
	length := array.Get("length").ToInteger()
	if length == 0 {
		return nil
	}
	start := 0
	if field.packed {
		start = e.open(field.tag)
	}
	for i := range length {
		element := array.Get(strconv.FormatInt(i, 10))
		if field.packed {
			err = e.value(field, element)
		} else {
			err = e.single(field, element, true)
		}
		if err != nil {
			return err
		}
	}
	if field.packed {
		e.close(start)
	}
	return nil
}

func (e *encoder) entries(field *fieldPlan, value sobek.Value) error {
	object, err := plain(value, objectType, "Object")
	if err != nil {
		return err
	}
	keys, values := field.message.fields[0], field.message.fields[1]
	if keys.kind != protoreflect.StringKind || values.indirect {
		return errIndirect
	}
	for _, key := range object.Keys() {
		start := e.open(field.tag)
		e.out = protowire.AppendVarint(e.out, keys.tag)
		e.out = protowire.AppendString(e.out, key)
		if err := e.single(values, object.Get(key), true); err != nil {
			return err
		}
		e.close(start)
	}
	return nil
}

// open begins a field whose length is not known yet, and returns where its content starts.
func (e *encoder) open(tag uint64) int {
	e.out = protowire.AppendVarint(e.out, tag)
	e.out = append(e.out, 0)
	return len(e.out)
}

// close writes the length of the field whose content starts there.
func (e *encoder) close(start int) {
	size := len(e.out) - start
	extra := protowire.SizeVarint(uint64(size)) - 1 // #nosec G115 -- a length is not negative
	for range extra {
		e.out = append(e.out, 0)
	}
	if extra > 0 {
		copy(e.out[start+extra:], e.out[start:start+size])
	}
	protowire.AppendVarint(e.out[:start-1], uint64(size)) // #nosec G115 -- a length is not negative
}

// value appends a value without its tag.
func (e *encoder) value(field *fieldPlan, value sobek.Value) error {
	if value == nil {
		return errIndirect
	}
	switch field.kind {
	case protoreflect.MessageKind:
		e.out = append(e.out, 0)
		start := len(e.out)
		if err := e.message(field.message, value); err != nil {
			return err
		}
		e.close(start)
		return nil
	case protoreflect.StringKind:
		if !sobek.IsString(value) {
			return errIndirect
		}
		if _, object := value.(*sobek.Object); object {
			return errIndirect
		}
		e.out = protowire.AppendString(e.out, value.String())
		return nil
	case protoreflect.BytesKind:
		if !isBinary(value) {
			return errIndirect
		}
		content, _ := binary(value)
		e.out = protowire.AppendBytes(e.out, content)
		return nil
	case protoreflect.BoolKind:
		set, ok := value.Export().(bool)
		if !ok || isObject(value) {
			return errIndirect
		}
		e.out = protowire.AppendVarint(e.out, protowire.EncodeBool(set))
		return nil
	case protoreflect.EnumKind:
		return e.enum(field, value)
	case protoreflect.FloatKind, protoreflect.DoubleKind:
		return e.float(field, value)
	default:
		return e.integer(field, value)
	}
}

func isObject(value sobek.Value) bool {
	_, ok := value.(*sobek.Object)
	return ok
}

func (e *encoder) enum(field *fieldPlan, value sobek.Value) error {
	var number int64
	switch content := value.Export().(type) {
	case string:
		known := field.Enum().Values().ByName(protoreflect.Name(content))
		if known == nil {
			return errIndirect
		}
		number = int64(known.Number())
	case int64:
		number = content
	default:
		return errIndirect
	}
	if isObject(value) || number < math.MinInt32 || number > math.MaxInt32 {
		return errIndirect
	}
	e.out = protowire.AppendVarint(e.out, uint64(number)) // #nosec G115 -- negative enums are sent like that
	return nil
}

func (e *encoder) float(field *fieldPlan, value sobek.Value) error {
	if !sobek.IsNumber(value) || isObject(value) {
		return errIndirect
	}
	number := value.ToFloat()
	if number == 0 {
		number = 0 // JSON has no negative zero
	}
	if field.kind == protoreflect.DoubleKind {
		e.out = protowire.AppendFixed64(e.out, math.Float64bits(number))
		return nil
	}
	if math.Abs(number) > math.MaxFloat32 && !math.IsInf(number, 0) {
		return errIndirect
	}
	e.out = protowire.AppendFixed32(e.out, math.Float32bits(float32(number)))
	return nil
}

func (e *encoder) integer(field *fieldPlan, value sobek.Value) error {
	number, ok := value.Export().(int64)
	if !ok || isObject(value) {
		return errIndirect
	}
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	switch field.kind {
	case protoreflect.Int32Kind, protoreflect.Sint32Kind, protoreflect.Sfixed32Kind:
		low, high = math.MinInt32, math.MaxInt32
	case protoreflect.Uint32Kind, protoreflect.Fixed32Kind:
		low, high = 0, math.MaxUint32
	case protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		low = 0
	}
	if number < low || number > high {
		return errIndirect
	}
	switch field.kind {
	case protoreflect.Sint32Kind, protoreflect.Sint64Kind:
		e.out = protowire.AppendVarint(e.out, protowire.EncodeZigZag(number))
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind:
		e.out = protowire.AppendFixed32(e.out, uint32(number)) // #nosec G115 -- its range was checked
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind:
		e.out = protowire.AppendFixed64(e.out, uint64(number)) // #nosec G115 -- two's complement is meant
	default:
		e.out = protowire.AppendVarint(e.out, uint64(number)) // #nosec G115 -- two's complement is meant
	}
	return nil
}
