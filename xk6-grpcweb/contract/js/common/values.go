// Package common describes what the extension uses of k6's bridge between Go and JavaScript.
package common

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"unicode"

	"github.com/grafana/sobek"

	"go.k6.io/k6/v2/metrics"
)

// Events is part of [go.k6.io/k6/v2/js/modules.VU]; the extension does not use it.
type Events struct{}

// Throw raises an error as a JavaScript exception. An exception that Go code caught is raised as it
// was.
func Throw(rt *sobek.Runtime, err error) {
	var exception *sobek.Exception
	if errors.As(err, &exception) {
		panic(exception)
	}
	panic(rt.NewGoError(err))
}

// IsNullish reports whether a value is missing, undefined or null.
func IsNullish(v sobek.Value) bool {
	return v == nil || sobek.IsUndefined(v) || sobek.IsNull(v)
}

// ApplyCustomUserTags adds the tags of a script's object.
func ApplyCustomUserTags(rt *sobek.Runtime, tags *metrics.TagsAndMeta, value sobek.Value) error {
	if IsNullish(value) {
		return nil
	}
	object := value.ToObject(rt)
	for _, key := range object.Keys() {
		switch v := object.Get(key); v.Export().(type) {
		case string, bool, int64, float64:
			tags.SetTag(key, v.String())
		default:
			return fmt.Errorf("tag %q is %v: only String, Boolean and Number types are accepted", key, v)
		}
	}
	return nil
}

// FieldNameMapper gives Go's fields and methods their JavaScript names: fields by their js tag or in
// snake case, methods with a small first letter. The contract knows none of k6's special cases.
type FieldNameMapper struct{}

// FieldName implements [sobek.FieldNameMapper].
func (FieldNameMapper) FieldName(_ reflect.Type, field reflect.StructField) string {
	switch tag, tagged := field.Tag.Lookup("js"); {
	case tag == "-" || !field.IsExported():
		return ""
	case tagged:
		return tag
	}
	var name strings.Builder
	for i, r := range field.Name {
		if unicode.IsUpper(r) && i > 0 {
			name.WriteByte('_')
		}
		name.WriteRune(unicode.ToLower(r))
	}
	return name.String()
}

// MethodName implements [sobek.FieldNameMapper].
func (FieldNameMapper) MethodName(_ reflect.Type, method reflect.Method) string {
	return strings.ToLower(method.Name[:1]) + method.Name[1:]
}
