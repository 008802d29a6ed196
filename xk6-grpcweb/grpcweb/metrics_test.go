package grpcweb_test

import (
	"maps"
	"testing"

	"go.k6.io/k6/v2/metrics"

	"github.com/bookstore-bench/xk6-grpcweb/grpcweb"
)

// labTags are the tags of a call to a method of the lab, beside url and status.
func labTags(method string, more ...string) map[string]string {
	tags := map[string]string{
		"group": "", "scenario": "default",
		"service": "test.v1.Lab", "method": method, "name": "/test.v1.Lab/" + method,
	}
	for i := 0; i < len(more); i += 2 {
		tags[more[i]] = more[i+1]
	}
	return tags
}

// want fails unless the samples are exactly these metrics, each with these tags.
func want(t *testing.T, samples []metrics.Sample, tags map[string]string, names ...string) map[string]float64 {
	t.Helper()
	values := make(map[string]float64)
	for _, sample := range samples {
		values[sample.Metric.Name] += sample.Value
		if got := sample.Tags.Map(); !maps.Equal(got, tags) {
			t.Errorf("tags of %s: %v, want %v", sample.Metric.Name, got, tags)
		}
		if sample.Time.IsZero() {
			t.Errorf("%s has no time", sample.Metric.Name)
		}
	}
	if len(values) != len(names) {
		t.Errorf("metrics %v, want %v", values, names)
	}
	for _, name := range names {
		if _, ok := values[name]; !ok {
			t.Errorf("no %s among %v", name, values)
		}
	}
	return values
}

var callMetrics = []string{"grpcweb_req_duration", "grpcweb_reqs", "grpcweb_req_failed"}

func TestCallMetrics(t *testing.T) {
	l := newLab(t, labOptions{})
	u := connected(t, l, `{ plaintext: true, basePath: '/base' }`)
	if samples := u.Drain(); len(samples) != 0 {
		t.Fatalf("connecting emitted %v", samples)
	}
	url := l.address() + "/base/test.v1.Lab/"
	tests := map[string]struct {
		code   string
		tags   map[string]string
		failed float64
	}{
		"ok":       {`client.invoke('test.v1.Lab/Echo', {})`, labTags("Echo", "url", url+"Echo", "status", "0"), 0},
		"failed":   {`client.invoke('test.v1.Lab/Fail', {code: 5})`, labTags("Fail", "url", url+"Fail", "status", "5"), 1},
		"async":    {`client.asyncInvoke('test.v1.Lab/Echo', {})`, labTags("Echo", "url", url+"Echo", "status", "0"), 0},
		"own tags": {`client.invoke('test.v1.Lab/Echo', {}, { tags: { a: 1, name: 'mine' } })`, labTags("Echo", "url", url+"Echo", "status", "0", "a", "1", "name", "mine"), 0},
		"damaged":  {`client.invoke('test.v1.Lab/Damage', {})`, labTags("Damage", "url", url+"Damage", "status", "13"), 1},
		"health":   {`client.healthCheck()`, map[string]string{"group": "", "scenario": "default", "status": "0"}, 0},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			u.Iterate(t, test.code)
			values := want(t, u.Drain(), test.tags, callMetrics...)
			if values["grpcweb_reqs"] != 1 || values["grpcweb_req_failed"] != test.failed || values["grpcweb_req_duration"] <= 0 {
				t.Errorf("values %v", values)
			}
		})
	}
}

func TestStreamMetrics(t *testing.T) {
	l := newLab(t, labOptions{})
	u := connected(t, l, `{ plaintext: true }`)
	u.Iterate(t, `new grpcweb.Stream(client, 'test.v1.Lab/Count', { tags: { a: 'b' } }).write({ to: 3 })`)
	tags := labTags("Count", "url", l.address()+"/test.v1.Lab/Count", "a", "b")
	var counts, ends []metrics.Sample
	for _, sample := range u.Drain() {
		if _, ok := sample.Tags.Get("status"); ok {
			ends = append(ends, sample)
		} else {
			counts = append(counts, sample)
		}
	}
	values := want(t, counts, tags, "grpcweb_streams", "grpcweb_streams_msgs_sent", "grpcweb_streams_msgs_received")
	if values["grpcweb_streams"] != 1 || values["grpcweb_streams_msgs_sent"] != 1 || values["grpcweb_streams_msgs_received"] != 3 {
		t.Errorf("values %v", values)
	}
	tags["status"] = "0"
	want(t, ends, tags, callMetrics...)
}

func TestVirtualUsersTagsAreOfTheMoment(t *testing.T) {
	l := newLab(t, labOptions{})
	u := connected(t, l, `{ plaintext: true }`)
	u.State.Tags.Modify(func(tags *metrics.TagsAndMeta) { tags.SetTag("group", "::checkout") })
	u.Iterate(t, `client.invoke('test.v1.Lab/Echo', {})`)
	want(t, u.Drain(), labTags("Echo", "url", l.address()+"/test.v1.Lab/Echo", "status", "0", "group", "::checkout"), callMetrics...)
}

func TestSystemTagsAreTheUsersChoice(t *testing.T) {
	l := newLab(t, labOptions{})
	u := connected(t, l, `{ plaintext: true }`)
	u.State.Options.SystemTags = metrics.ToSystemTagSet([]string{"ip"})
	u.Iterate(t, `client.invoke('test.v1.Lab/Echo', {})`)
	want(t, u.Drain(), map[string]string{"group": "", "scenario": "default", "ip": "127.0.0.1"}, callMetrics...)
}

func TestMetricsOfTwoUsersAreTheSame(t *testing.T) {
	u := newUser(t, grpcweb.New())
	u.Run(t, `require('k6/x/grpcweb')`)
	registry := u.VU.InitEnvField.Registry
	again, err := registry.NewMetric("grpcweb_req_duration", metrics.Trend, metrics.Time)
	if err != nil || again.Name != "grpcweb_req_duration" {
		t.Errorf("metric %v, error %v", again, err)
	}
	other := newUser(t, grpcweb.New())
	if _, err := other.VU.InitEnvField.Registry.NewMetric("grpcweb_reqs", metrics.Trend); err != nil {
		t.Fatal(err)
	}
	if _, err := other.RunOnEventLoop(`require('k6/x/grpcweb')`); err == nil {
		t.Error("a metric of another type under the same name was accepted")
	}
}
