package grpcweb

import (
	"cmp"
	"encoding/base64"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/grafana/sobek"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/bookstore-bench/xk6-grpcweb/schema"
)

// decoder turns messages straight into the JavaScript values that parsing their JSON would give, with
// unset fields present. Well-known types, which have a JSON form of their own, go through JSON one by one.
type decoder struct {
	values *values
	types  *schema.Schema
}

// message turns a message of any type into a value.
func (d decoder) message(message protoreflect.Message) (sobek.Value, error) {
	descriptor := message.Descriptor()
	if isWellKnownMessage(descriptor) || descriptor.ExtensionRanges().Len() > 0 {
		return d.throughJSON(message)
	}
	return d.object(d.values.plans.of(descriptor), message)
}

func (d decoder) throughJSON(message protoreflect.Message) (sobek.Value, error) {
	json, err := protojson.MarshalOptions{EmitUnpopulated: true, Resolver: d.types}.Marshal(message.Interface())
	if err != nil {
		return nil, fmt.Errorf("unable to convert response object to JSON: %w", err)
	}
	return d.values.fromJSON(json)
}

func (d decoder) object(plan *messagePlan, message protoreflect.Message) (sobek.Value, error) {
	object := d.values.rt.NewObject()
	for _, field := range plan.fields {
		has := message.Has(field.FieldDescriptor)
		if !has && field.optional {
			continue
		}
		value := sobek.Null()
		if has || !field.present {
			var err error
			if value, err = d.field(field, message.Get(field.FieldDescriptor)); err != nil {
				return nil, err
			}
		}
		if err := put(object, field.name, value); err != nil {
			return nil, err
		}
	}
	return object, nil
}

func (d decoder) field(field *fieldPlan, value protoreflect.Value) (sobek.Value, error) {
	switch {
	case field.isMap:
		return d.entries(field, value.Map())
	case field.list:
		return d.elements(field, value.List())
	default:
		return d.single(field, value)
	}
}

func (d decoder) elements(field *fieldPlan, list protoreflect.List) (sobek.Value, error) {
	elements := make([]any, list.Len())
	for i := range elements {
		element, err := d.single(field, list.Get(i))
		if err != nil {
			return nil, err
		}
		elements[i] = element
	}
	return d.values.rt.NewArray(elements...), nil
}

func (d decoder) entries(field *fieldPlan, entries protoreflect.Map) (sobek.Value, error) {
	byKey := make(map[string]protoreflect.Value, entries.Len())
	entries.Range(func(key protoreflect.MapKey, value protoreflect.Value) bool {
		byKey[key.String()] = value
		return true
	})
	object := d.values.rt.NewObject()
	for _, key := range sortedKeys(byKey, field.message.fields[0].kind) {
		value, err := d.single(field.message.fields[1], byKey[key])
		if err != nil {
			return nil, err
		}
		if err := put(object, key, value); err != nil {
			return nil, err
		}
	}
	return object, nil
}

// sortedKeys sorts keys as their JSON is: numbers by value.
func sortedKeys(byKey map[string]protoreflect.Value, kind protoreflect.Kind) []string {
	keys := slices.Collect(maps.Keys(byKey))
	if kind == protoreflect.StringKind || kind == protoreflect.BoolKind {
		slices.Sort(keys)
		return keys
	}
	slices.SortFunc(keys, func(a, b string) int {
		negativeA, negativeB := a[0] == '-', b[0] == '-'
		switch {
		case negativeA && negativeB:
			a, b = b, a
		case negativeA != negativeB:
			return cmp.Compare(a[:1], b[:1]) // '-' comes before digits
		}
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return keys
}

// single turns one value, not a list or map, into JavaScript's.
func (d decoder) single(field *fieldPlan, value protoreflect.Value) (sobek.Value, error) {
	rt := d.values.rt
	switch field.kind {
	case protoreflect.MessageKind, protoreflect.GroupKind:
		if field.message == nil || field.indirect {
			return d.throughJSON(value.Message())
		}
		return d.object(field.message, value.Message())
	case protoreflect.EnumKind:
		return d.enum(field, value.Enum()), nil
	case protoreflect.BytesKind:
		return rt.ToValue(base64.StdEncoding.EncodeToString(value.Bytes())), nil
	case protoreflect.FloatKind:
		return d.float(value.Float(), 32)
	case protoreflect.DoubleKind:
		return d.float(value.Float(), 64)
	case protoreflect.Int64Kind, protoreflect.Sint64Kind, protoreflect.Sfixed64Kind,
		protoreflect.Uint64Kind, protoreflect.Fixed64Kind:
		return rt.ToValue(value.String()), nil // more digits than a JavaScript number has
	default:
		return rt.ToValue(value.Interface()), nil
	}
}

func (d decoder) enum(field *fieldPlan, number protoreflect.EnumNumber) sobek.Value {
	if field.indirect {
		return sobek.Null() // google.protobuf.NullValue
	}
	if known := field.Enum().Values().ByNumber(number); known != nil {
		return d.values.rt.ToValue(string(known.Name()))
	}
	return d.values.rt.ToValue(int64(number))
}

func (d decoder) float(number float64, bits int) (sobek.Value, error) {
	switch {
	case math.IsNaN(number):
		return d.values.rt.ToValue("NaN"), nil
	case math.IsInf(number, 1):
		return d.values.rt.ToValue("Infinity"), nil
	case math.IsInf(number, -1):
		return d.values.rt.ToValue("-Infinity"), nil
	case bits == 64:
		return d.values.rt.ToValue(number), nil
	}
	// 0.1 as a float is 0.1 in JSON, and not the double that is nearest to it.
	shortest, err := strconv.ParseFloat(strconv.FormatFloat(number, 'g', -1, 32), 64)
	if err != nil {
		return nil, fmt.Errorf("float %v: %w", number, err)
	}
	return d.values.rt.ToValue(shortest), nil
}

// put sets a property of a fresh object, also one that would otherwise change its prototype.
func put(object *sobek.Object, name string, value sobek.Value) error {
	if name == "__proto__" {
		return object.DefineDataProperty(name, value, sobek.FLAG_TRUE, sobek.FLAG_TRUE, sobek.FLAG_TRUE)
	}
	return object.Set(name, value)
}
