package grpcweb

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strconv"

	"github.com/grafana/sobek"
)

// jsonWriter writes a JavaScript value as JSON.stringify would, but for what the protobuf mapping has
// and JSON has not: NaN and the infinities become strings, bytes become base64, and a BigInt becomes
// its digits.
type jsonWriter struct {
	values *values
	out    []byte
	// path holds the objects that are being written, to find one that contains itself.
	path []*sobek.Object
}

var (
	bytesType       = reflect.TypeFor[[]byte]()
	arrayBufferType = reflect.TypeFor[sobek.ArrayBuffer]()
	proxyType       = reflect.TypeFor[sobek.Proxy]()
)

// isBinary reports whether a value is an ArrayBuffer or a Uint8Array.
func isBinary(value sobek.Value) bool {
	kind := value.ExportType()
	return kind == bytesType || kind == arrayBufferType
}

func (w *jsonWriter) value(value sobek.Value) error {
	if object, ok := value.(*sobek.Object); ok {
		return w.object(object)
	}
	switch {
	case !writable(value):
		w.out = append(w.out, "null"...)
	case sobek.IsString(value):
		return w.text(value.String())
	case sobek.IsBigInt(value):
		return w.text(value.String())
	case sobek.IsNumber(value):
		w.number(value)
	default:
		w.out = strconv.AppendBool(w.out, value.ToBoolean())
	}
	return nil
}

// writable reports whether JSON has the value. Entries without such a value are left out of objects.
func writable(value sobek.Value) bool {
	if value == nil || sobek.IsUndefined(value) {
		return false
	}
	if _, symbol := value.(*sobek.Symbol); symbol {
		return false
	}
	_, function := sobek.AssertFunction(value)
	return !function && !sobek.IsNull(value)
}

func (w *jsonWriter) number(value sobek.Value) {
	if integer, ok := value.Export().(int64); ok {
		w.out = strconv.AppendInt(w.out, integer, 10)
		return
	}
	switch float := value.ToFloat(); {
	case float == 0:
		w.out = append(w.out, '0') // also for the negative zero
	case math.IsNaN(float):
		w.out = append(w.out, `"NaN"`...)
	case math.IsInf(float, 1):
		w.out = append(w.out, `"Infinity"`...)
	case math.IsInf(float, -1):
		w.out = append(w.out, `"-Infinity"`...)
	default:
		w.out = strconv.AppendFloat(w.out, float, 'g', -1, 64)
	}
}

func (w *jsonWriter) text(text string) error {
	encoded, err := json.Marshal(text)
	if err != nil {
		return fmt.Errorf("unable to serialise request object: %w", err)
	}
	w.out = append(w.out, encoded...)
	return nil
}

func (w *jsonWriter) object(object *sobek.Object) error {
	if isBinary(object) {
		content, _ := binary(object)
		return w.text(base64.StdEncoding.EncodeToString(content))
	}
	if slices.Contains(w.path, object) {
		return fmt.Errorf("unable to normalize number strings: %w", errContainsItself)
	}
	w.path = append(w.path, object)
	defer func() { w.path = w.path[:len(w.path)-1] }()

	if toJSON, ok := sobek.AssertFunction(object.Get("toJSON")); ok {
		replacement, err := toJSON(object)
		if err != nil {
			return fmt.Errorf("unable to serialise request object: %w", err)
		}
		return w.value(replacement)
	}
	switch array, err := w.isArray(object); {
	case err != nil:
		return err
	case array:
		return w.array(object)
	}
	switch object.ClassName() {
	case "Number":
		w.number(object.ToNumber())
		return nil
	case "String":
		return w.text(object.String())
	case "Boolean":
		w.out = strconv.AppendBool(w.out, object.String() == "true")
		return nil
	case "Function":
		w.out = append(w.out, "null"...)
		return nil
	}
	return w.entries(object)
}

func (w *jsonWriter) isArray(object *sobek.Object) (bool, error) {
	if object.ExportType() != proxyType {
		return object.ClassName() == "Array", nil
	}
	answer, err := w.values.isArray(sobek.Undefined(), object)
	if err != nil {
		return false, fmt.Errorf("unable to serialise request object: %w", err)
	}
	return answer.ToBoolean(), nil
}

func (w *jsonWriter) array(array *sobek.Object) error {
	w.out = append(w.out, '[')
	for i := range array.Get("length").ToInteger() {
		if i > 0 {
			w.out = append(w.out, ',')
		}
		if err := w.value(array.Get(strconv.FormatInt(i, 10))); err != nil {
			return err
		}
	}
	w.out = append(w.out, ']')
	return nil
}

func (w *jsonWriter) entries(object *sobek.Object) error {
	w.out = append(w.out, '{')
	first := true
	for _, key := range object.Keys() {
		value := object.Get(key)
		if !writable(value) && (value == nil || !sobek.IsNull(value)) {
			continue
		}
		if !first {
			w.out = append(w.out, ',')
		}
		first = false
		if err := w.text(key); err != nil {
			return err
		}
		w.out = append(w.out, ':')
		if err := w.value(value); err != nil {
			return err
		}
	}
	w.out = append(w.out, '}')
	return nil
}
