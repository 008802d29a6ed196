package grpcweb

import (
	"fmt"
	"net/http"
	"strings"
	"time"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/lib/types"
	"go.k6.io/k6/v2/metrics"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// defaultInvokeTimeout is what k6/net/grpc has in its code; its documentation says 60 s.
const defaultInvokeTimeout = 2 * time.Minute

// responseType says what a script gets of an answer's message.
type responseType string

const (
	responseJSON   responseType = "json"
	responseBinary responseType = "binary"
	responseNone   responseType = "none"
)

// callParams are the parameters of one call.
type callParams struct {
	metadata wire.Metadata
	timeout  time.Duration
	response responseType
	tags     metrics.TagsAndMeta
}

// callParams reads the parameters of invoke and of streams. Tags are added to those of the moment.
func (i *instance) callParams(value sobek.Value, timeout time.Duration) (callParams, error) {
	params := callParams{
		timeout:  timeout,
		response: responseJSON,
		tags:     i.vu.State().Tags.GetCurrentValues(),
	}
	err := i.eachParam(value, func(key string, value sobek.Value) error {
		return i.setCallParam(&params, key, value)
	})
	return params, err
}

func (i *instance) setCallParam(params *callParams, key string, value sobek.Value) (err error) {
	switch key {
	case "metadata":
		params.metadata, err = i.metadata(key, value)
	case "tags":
		if err = common.ApplyCustomUserTags(i.vu.Runtime(), &params.tags, value); err != nil {
			err = fmt.Errorf("metric tags: %w", err)
		}
	case "timeout":
		params.timeout, err = duration(key, value)
	case "discardResponseMessage":
		if value.ToBoolean() {
			params.response = responseNone
		}
	case "responseType":
		params.response, err = oneOf(key, value, responseJSON, responseBinary, responseNone)
	default:
		err = fmt.Errorf("unknown param: %q", key)
	}
	return err
}

// eachParam visits the entries of a parameter object.
func (i *instance) eachParam(value sobek.Value, visit func(key string, value sobek.Value) error) error {
	if common.IsNullish(value) {
		return nil
	}
	object := value.ToObject(i.vu.Runtime())
	for _, key := range object.Keys() {
		if err := visit(key, object.Get(key)); err != nil {
			return err
		}
	}
	return nil
}

// metadata reads an object of strings and, under keys that end in -bin, of bytes.
func (i *instance) metadata(param string, value sobek.Value) (wire.Metadata, error) {
	if common.IsNullish(value) {
		return nil, nil
	}
	if _, ok := value.Export().(map[string]any); !ok {
		return nil, fmt.Errorf("%s must be an object with key-value pairs, not %v", param, value)
	}
	metadata := make(wire.Metadata)
	err := i.eachParam(value, func(key string, value sobek.Value) error {
		if !strings.HasSuffix(key, "-bin") {
			text, ok := value.Export().(string)
			if !ok {
				return fmt.Errorf("%s %q value must be a string", param, key)
			}
			metadata[key] = []string{text}
			return nil
		}
		content, ok := binary(value)
		if !ok {
			return fmt.Errorf("%s %q value must be binary", param, key)
		}
		metadata[key] = []string{string(content)}
		return nil
	})
	if err != nil {
		return nil, err
	}
	// Names and values that no header can carry are better refused here than at each call.
	if err := metadata.AddTo(make(http.Header)); err != nil {
		return nil, fmt.Errorf("%s: %w", param, err)
	}
	return metadata, nil
}

// binary returns a copy of the bytes of a Uint8Array or an ArrayBuffer.
func binary(value sobek.Value) ([]byte, bool) {
	switch content := value.Export().(type) {
	case []byte:
		return append([]byte{}, content...), true
	case sobek.ArrayBuffer:
		return append([]byte{}, content.Bytes()...), true
	default:
		return nil, false
	}
}

func duration(param string, value sobek.Value) (time.Duration, error) {
	timeout, err := types.GetDurationValue(value.Export())
	if err != nil {
		return 0, fmt.Errorf("invalid %s value: %w", param, err)
	}
	if timeout < 0 {
		return 0, fmt.Errorf("invalid %s value: %v is negative", param, value)
	}
	return timeout, nil
}

func boolean(param string, value sobek.Value) (bool, error) {
	set, ok := value.Export().(bool)
	if !ok {
		return false, fmt.Errorf("invalid %s value: '%v', it needs to be boolean", param, value)
	}
	return set, nil
}

func text(param string, value sobek.Value) (string, error) {
	content, ok := value.Export().(string)
	if !ok {
		return "", fmt.Errorf("invalid %s value: '%v', it needs to be a string", param, value)
	}
	return content, nil
}

func size(param string, value sobek.Value) (int, error) {
	bytes, ok := value.Export().(int64)
	if !ok {
		return 0, fmt.Errorf("invalid %s value: '%v', it needs to be an integer", param, value)
	}
	if bytes < 0 {
		return 0, fmt.Errorf("invalid %s value: '%v', it needs to be a positive integer", param, value)
	}
	return int(bytes), nil
}

func oneOf[T ~string](param string, value sobek.Value, choices ...T) (T, error) {
	for _, choice := range choices {
		if value.Export() == any(string(choice)) {
			return choice, nil
		}
	}
	return "", fmt.Errorf("invalid %s value: '%v', it needs to be one of %q", param, value, choices)
}
