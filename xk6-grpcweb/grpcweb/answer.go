package grpcweb

import (
	"slices"

	"github.com/grafana/sobek"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// answer is the object that invoke returns. Few scripts look at headers and trailers, and making two
// objects of arrays costs as much as the rest of an answer: they are made when somebody asks.
type answer struct {
	values                   *values
	result                   outcome
	status, message, failure sobek.Value
	headers, trailers        sobek.Value            // nil until asked for
	own                      map[string]sobek.Value // in use once a script has changed something
	keys                     []string
}

var _ sobek.DynamicObject = (*answer)(nil)

var answerKeys = []string{"status", "message", "error", "headers", "trailers"}

// Get implements [sobek.DynamicObject].
func (a *answer) Get(key string) sobek.Value {
	if a.own != nil {
		return a.own[key]
	}
	switch key {
	case "status":
		return a.status
	case "message":
		return a.message
	case "error":
		return a.failure
	case "headers":
		return a.metadata(&a.headers, a.result.Headers)
	case "trailers":
		return a.metadata(&a.trailers, a.result.Trailers)
	default:
		return nil
	}
}

func (a *answer) metadata(made *sobek.Value, source func() wire.Metadata) sobek.Value {
	if *made == nil {
		*made = a.values.metadata(source())
	}
	return *made
}

// Set implements [sobek.DynamicObject].
func (a *answer) Set(key string, value sobek.Value) bool {
	a.change()
	if _, ok := a.own[key]; !ok {
		a.keys = append(a.keys, key)
	}
	a.own[key] = value
	return true
}

// Has implements [sobek.DynamicObject].
func (a *answer) Has(key string) bool { return slices.Contains(a.Keys(), key) }

// Delete implements [sobek.DynamicObject].
func (a *answer) Delete(key string) bool {
	a.change()
	delete(a.own, key)
	a.keys = slices.DeleteFunc(a.keys, func(known string) bool { return known == key })
	return true
}

// Keys implements [sobek.DynamicObject].
func (a *answer) Keys() []string {
	if a.own != nil {
		return a.keys
	}
	return answerKeys
}

// change makes everything that is lazy, before the first change.
func (a *answer) change() {
	if a.own != nil {
		return
	}
	own := make(map[string]sobek.Value, len(answerKeys)+1)
	for _, key := range answerKeys {
		own[key] = a.Get(key)
	}
	a.own, a.keys = own, slices.Clone(answerKeys)
}
