package grpcweb

import (
	"context"
	"fmt"
	"net"
	"net/http/httptrace"
	"strconv"
	"sync/atomic"
	"time"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"

	"github.com/bookstore-bench/xk6-grpcweb/schema"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// instruments are the module's metrics. data_sent and data_received are k6's own: it counts the bytes
// of all connections that its dialer opened.
type instruments struct {
	duration         *metrics.Metric
	requests         *metrics.Metric
	failed           *metrics.Metric
	streams          *metrics.Metric
	messagesSent     *metrics.Metric
	messagesReceived *metrics.Metric
}

func newInstruments(registry *metrics.Registry) (*instruments, error) {
	made := new(instruments)
	for _, metric := range []struct {
		place **metrics.Metric
		name  string
		kind  metrics.MetricType
		unit  metrics.ValueType
	}{
		{&made.duration, "grpcweb_req_duration", metrics.Trend, metrics.Time},
		{&made.requests, "grpcweb_reqs", metrics.Counter, metrics.Default},
		{&made.failed, "grpcweb_req_failed", metrics.Rate, metrics.Default},
		{&made.streams, "grpcweb_streams", metrics.Counter, metrics.Default},
		{&made.messagesSent, "grpcweb_streams_msgs_sent", metrics.Counter, metrics.Default},
		{&made.messagesReceived, "grpcweb_streams_msgs_received", metrics.Counter, metrics.Default},
	} {
		registered, err := registry.NewMetric(metric.name, metric.kind, metric.unit)
		if err != nil {
			return nil, fmt.Errorf("metric %s: %w", metric.name, err)
		}
		*metric.place = registered
	}
	return made, nil
}

// observer emits the samples of one call. It may be used from any goroutine.
type observer struct {
	instruments *instruments
	iteration   context.Context // samples of an iteration that is over are dropped
	state       *lib.State
	tags        metrics.TagsAndMeta
	remote      atomic.Pointer[string]
}

// observe prepares a call's tags. A tag that the script has set itself stays.
func (i *instance) observe(tags metrics.TagsAndMeta, target string, method *schema.Method) *observer {
	state := i.vu.State()
	if method != nil {
		enabled := state.Options.SystemTags
		tags.SetSystemTagOrMetaIfEnabled(enabled, metrics.TagURL, target+method.Path())
		tags.SetSystemTagOrMetaIfEnabled(enabled, metrics.TagService, method.Service())
		tags.SetSystemTagOrMetaIfEnabled(enabled, metrics.TagMethod, method.Name())
		if _, named := tags.Tags.Get(metrics.TagName.String()); !named {
			tags.SetSystemTagOrMetaIfEnabled(enabled, metrics.TagName, method.Path())
		}
	}
	return &observer{instruments: i.instruments, iteration: i.vu.Context(), state: state, tags: tags}
}

// trace makes a call note the server's address, if the tag ip is enabled.
func (o *observer) trace(ctx context.Context) context.Context {
	if !o.state.Options.SystemTags.Has(metrics.TagIP) {
		return ctx
	}
	return httptrace.WithClientTrace(ctx, &httptrace.ClientTrace{GotConn: func(got httptrace.GotConnInfo) {
		if host, _, err := net.SplitHostPort(got.Conn.RemoteAddr().String()); err == nil {
			o.remote.Store(&host)
		}
	}})
}

// ended counts a call.
func (o *observer) ended(code wire.Code, started, ended time.Time) {
	tags := o.tags.Clone()
	enabled := o.state.Options.SystemTags
	tags.SetSystemTagOrMetaIfEnabled(enabled, metrics.TagStatus, strconv.FormatUint(uint64(code), 10))
	if remote := o.remote.Load(); remote != nil {
		tags.SetSystemTagOrMetaIfEnabled(enabled, metrics.TagIP, *remote)
	}
	failed := 0.0
	if code != wire.OK {
		failed = 1
	}
	sample := func(metric *metrics.Metric, value float64) metrics.Sample {
		return sampleOf(metric, tags, ended, value)
	}
	metrics.PushIfNotDone(o.iteration, o.state.Samples, metrics.ConnectedSamples{
		Samples: []metrics.Sample{
			sample(o.instruments.duration, metrics.D(ended.Sub(started))),
			sample(o.instruments.requests, 1),
			sample(o.instruments.failed, failed),
		},
		Tags: tags.Tags,
		Time: ended,
	})
}

// count adds one to a counter.
func (o *observer) count(metric *metrics.Metric) {
	metrics.PushIfNotDone(o.iteration, o.state.Samples, metrics.Samples{sampleOf(metric, o.tags, time.Now(), 1)})
}

func sampleOf(metric *metrics.Metric, tags metrics.TagsAndMeta, at time.Time, value float64) metrics.Sample {
	return metrics.Sample{
		TimeSeries: metrics.TimeSeries{Metric: metric, Tags: tags.Tags},
		Time:       at,
		Value:      value,
		Metadata:   tags.Metadata,
	}
}
