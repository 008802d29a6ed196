package metrics

import (
	"context"
	"time"
)

// TimeSeries is a metric with one set of tags.
type TimeSeries struct {
	Metric *Metric
	Tags   *TagSet
}

// Sample is one value of a time series.
type Sample struct {
	TimeSeries
	Time     time.Time
	Value    float64
	Metadata map[string]string
}

// SampleContainer is what goes to k6's outputs.
type SampleContainer interface {
	GetSamples() []Sample
}

// Samples are samples that have nothing in common.
type Samples []Sample

// GetSamples implements [SampleContainer].
func (s Samples) GetSamples() []Sample { return s }

// ConnectedSamples are samples of one event.
type ConnectedSamples struct {
	Samples []Sample
	Tags    *TagSet
	Time    time.Time
}

// GetSamples implements [SampleContainer].
func (s ConnectedSamples) GetSamples() []Sample { return s.Samples }

// PushIfNotDone sends samples unless the context has ended.
func PushIfNotDone(ctx context.Context, output chan<- SampleContainer, samples SampleContainer) bool {
	if ctx.Err() != nil {
		return false
	}
	output <- samples
	return true
}

// D turns a duration into the milliseconds that time metrics hold.
func D(d time.Duration) float64 {
	return float64(d) / float64(time.Millisecond)
}
