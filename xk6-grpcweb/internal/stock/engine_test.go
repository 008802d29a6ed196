package stock_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/grafana/sobek"
)

// engine runs ES modules on sobek, with as much of k6 as the client uses.
type engine struct {
	rt      *sobek.Runtime
	modules map[string]sobek.ModuleRecord
	paths   map[sobek.ModuleRecord]string
}

// standIns are k6's modules. The metrics only check that they are used as k6 has it.
var standIns = map[string]string{
	"k6/http": `export default globalThis.k6http;`,
	"k6/metrics": `
class Metric {
  constructor(name) { this.name = name; }
  add(value, tags) {
    for (const tag of Object.values(tags)) if (typeof tag !== 'string') throw new TypeError(this.name);
    if (typeof value !== 'number' && typeof value !== 'boolean') throw new TypeError(this.name);
  }
}
export { Metric as Counter, Metric as Rate, Metric as Trend };`,
}

func newEngine(t *testing.T, entry string) *sobek.Runtime {
	t.Helper()
	e := &engine{rt: sobek.New(), modules: make(map[string]sobek.ModuleRecord), paths: make(map[sobek.ModuleRecord]string)}
	for name, value := range map[string]any{
		"open":        open,
		"k6http":      map[string]any{"post": e.post, "asyncRequest": e.asyncRequest},
		"TextDecoder": e.textDecoder,
		"TextEncoder": e.textEncoder,
		"console":     map[string]any{"warn": func(string) {}},
	} {
		if err := e.rt.Set(name, value); err != nil {
			t.Fatal(err)
		}
	}
	module, err := e.load(entry)
	if err != nil {
		t.Fatal(err)
	}
	if err := module.Link(); err != nil {
		t.Fatal(err)
	}
	promise := module.Evaluate(e.rt)
	if promise.State() != sobek.PromiseStateFulfilled {
		t.Fatalf("%s: %v", entry, promise.Result())
	}
	return e.rt
}

func (e *engine) resolve(referrer any, specifier string) (sobek.ModuleRecord, error) {
	if _, ok := standIns[specifier]; ok {
		return e.load(specifier)
	}
	from, ok := referrer.(sobek.ModuleRecord)
	if !ok {
		return nil, fmt.Errorf("import of %q from no module", specifier)
	}
	return e.load(filepath.Join(filepath.Dir(e.paths[from]), specifier))
}

func (e *engine) load(path string) (sobek.ModuleRecord, error) {
	if module, ok := e.modules[path]; ok {
		return module, nil
	}
	source, ok := standIns[path]
	if !ok {
		text, err := os.ReadFile(path) // #nosec G304 -- files of this repository
		if err != nil {
			return nil, err
		}
		source = string(text)
	}
	module, err := sobek.ParseModule(path, source, e.resolve)
	if err != nil {
		return nil, err
	}
	e.modules[path], e.paths[module] = module, path
	return module, nil
}

func open(path string) (string, error) {
	text, err := os.ReadFile(path) // #nosec G304 -- files of this repository
	return string(text), err
}

// post is that of k6/http: no redirects, names of headers as Go has them, failures in the response.
func (e *engine) post(url string, body, params sobek.Value) (*sobek.Object, error) {
	content, err := contentOf(body)
	if err != nil {
		return nil, err
	}
	request, err := http.NewRequest(http.MethodPost, url, bytes.NewReader(content))
	if err != nil {
		return nil, err
	}
	options := params.ToObject(e.rt)
	headers := options.Get("headers").ToObject(e.rt)
	for _, name := range headers.Keys() {
		request.Header.Set(name, headers.Get(name).String())
	}
	client := http.Client{Timeout: time.Duration(options.Get("timeout").ToFloat() * float64(time.Millisecond))}
	response, err := client.Do(request)
	if err != nil {
		return e.response(map[string]any{"status": 0, "error": err.Error(), "error_code": 1000})
	}
	defer func() { _ = response.Body.Close() }()
	received, err := io.ReadAll(response.Body)
	if err != nil {
		return e.response(map[string]any{"status": 0, "error": err.Error(), "error_code": 1000})
	}
	joined := make(map[string]any)
	for name, values := range response.Header {
		joined[name] = strings.Join(values, ", ")
	}
	return e.response(map[string]any{
		"status": response.StatusCode, "status_text": response.Status, "headers": joined,
		"body": e.rt.NewArrayBuffer(received), "error": "", "error_code": 0,
	})
}

func (e *engine) response(fields map[string]any) (*sobek.Object, error) {
	object := e.rt.NewObject()
	fields["timings"] = map[string]any{"blocked": 0, "duration": 1}
	for name, value := range fields {
		if err := object.Set(name, value); err != nil {
			return nil, err
		}
	}
	return object, nil
}

func (e *engine) asyncRequest(method, url string, body, params sobek.Value) (*sobek.Promise, error) {
	if method != http.MethodPost {
		return nil, fmt.Errorf("method %s", method)
	}
	promise, resolve, reject := e.rt.NewPromise()
	response, err := e.post(url, body, params)
	if err != nil {
		return promise, reject(err)
	}
	return promise, resolve(response)
}

func contentOf(value sobek.Value) ([]byte, error) {
	switch content := value.Export().(type) {
	case string:
		return []byte(content), nil
	case sobek.ArrayBuffer:
		return content.Bytes(), nil
	case []byte:
		return content, nil
	default:
		return nil, fmt.Errorf("body of type %T", content)
	}
}

func (e *engine) textDecoder(call sobek.ConstructorCall) *sobek.Object {
	var options struct{ Fatal, IgnoreBOM bool }
	if given, ok := call.Argument(1).(*sobek.Object); ok {
		options.Fatal = given.Get("fatal") != nil && given.Get("fatal").ToBoolean()
	}
	decode := func(value sobek.Value) (string, error) {
		content, err := contentOf(value)
		text := strings.ToValidUTF8(string(content), "\uFFFD")
		if err == nil && options.Fatal && text != string(content) {
			err = errors.New("the bytes are not UTF-8")
		}
		return text, err
	}
	_ = call.This.Set("decode", decode) // a plain property of a new object
	return nil
}

func (e *engine) textEncoder(call sobek.ConstructorCall) *sobek.Object {
	encode := func(text string) (sobek.Value, error) {
		return e.rt.New(e.rt.Get("Uint8Array"), e.rt.ToValue(e.rt.NewArrayBuffer([]byte(text))))
	}
	_ = call.This.Set("encode", encode) // a plain property of a new object
	return nil
}
