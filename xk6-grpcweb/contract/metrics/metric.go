// Package metrics describes what the extension uses of k6's metrics.
package metrics

import (
	"fmt"
	"sync"
)

// MetricType says how samples are summed up.
type MetricType int

// The metric types.
const (
	Counter MetricType = iota
	Gauge
	Trend
	Rate
)

// ValueType says what samples measure.
type ValueType int

// The value types: a plain number, milliseconds, bytes.
const (
	Default ValueType = iota
	Time
	Data
)

// Metric is a named measure.
type Metric struct {
	Name     string
	Type     MetricType
	Contains ValueType
}

// Registry knows all metrics of a test run. It is safe for concurrent use.
type Registry struct {
	mu      sync.Mutex
	metrics map[string]*Metric
}

// NewRegistry returns an empty registry.
func NewRegistry() *Registry {
	return &Registry{metrics: make(map[string]*Metric)}
}

// NewMetric registers a metric, or returns the one that is there under this name with the same
// types. A metric with other types is an error.
func (r *Registry) NewMetric(name string, kind MetricType, contains ...ValueType) (*Metric, error) {
	metric := &Metric{Name: name, Type: kind}
	if len(contains) > 0 {
		metric.Contains = contains[0]
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.metrics[name]
	if !ok {
		r.metrics[name] = metric
		return metric, nil
	}
	if *known != *metric {
		return nil, fmt.Errorf("metric %q exists with other types", name)
	}
	return known, nil
}

// RootTagSet returns the empty set of tags, which all others grow from.
func (r *Registry) RootTagSet() *TagSet { return new(TagSet) }
