package grpcweb_test

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"net"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/sirupsen/logrus"
	logtest "github.com/sirupsen/logrus/hooks/test"
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/js/modulestest"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/fsext"
	"go.k6.io/k6/v2/metrics"

	"github.com/bookstore-bench/xk6-grpcweb/grpcweb"
)

// user is a virtual user that runs scripts. It begins in the init context.
type user struct {
	*modulestest.Runtime

	state   *lib.State
	samples chan metrics.SampleContainer
	logs    *logtest.Hook
	dialer  *countingDialer
}

// countingDialer opens connections as k6's dialer does for a virtual user: it counts their bytes.
type countingDialer struct {
	net.Dialer
	dials, sent, received atomic.Int64
}

func (d *countingDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	d.dials.Add(1)
	conn, err := d.Dialer.DialContext(ctx, network, address)
	return countedConn{conn, d}, err
}

type countedConn struct {
	net.Conn
	dialer *countingDialer
}

func (c countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.dialer.received.Add(int64(n))
	return n, err
}

func (c countedConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.dialer.sent.Add(int64(n))
	return n, err
}

// newUser makes a virtual user that can import module, as k6 does for each user of a test run.
func newUser(t testing.TB, module modules.Module) *user {
	t.Helper()
	logger, logs := logtest.NewNullLogger()
	u := &user{
		Runtime: modulestest.NewRuntime(t),
		samples: make(chan metrics.SampleContainer, 100_000),
		logs:    logs,
		dialer:  new(countingDialer),
	}
	folder, err := filepath.Abs("testdata")
	if err != nil {
		t.Fatal(err)
	}
	environment := u.VU.InitEnvField
	environment.FileSystems = map[string]fsext.Fs{"file": fsext.NewOsFs()}
	environment.CWD = &url.URL{Scheme: "file", Path: folder}
	u.state = &lib.State{
		Logger:    logger,
		Dialer:    u.dialer,
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12},
		Samples:   u.samples,
		Tags:      lib.NewVUStateTags(environment.Registry.RootTagSet().With("group", "").With("scenario", "default")),
	}
	u.state.Options.SystemTags = metrics.ToSystemTagSet([]string{"status", "method", "url", "name", "service", "group", "scenario"})
	if err := u.SetupModuleSystem(map[string]any{"k6/x/grpcweb": module}, nil, nil); err != nil {
		t.Fatal(err)
	}
	u.runFile(t, "prelude.js")
	return u
}

// lab tells the scripts where a server is.
func (u *user) lab(t testing.TB, name string, l *lab) {
	t.Helper()
	if err := u.VU.Runtime().Set(name, map[string]any{"address": l.address(), "roots": l.roots()}); err != nil {
		t.Fatal(err)
	}
}

func (u *user) runFile(t testing.TB, name string) {
	t.Helper()
	code, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	u.run(t, string(code))
}

// run runs code and fails the test when it throws.
func (u *user) run(t testing.TB, code string) {
	t.Helper()
	if _, err := u.RunOnEventLoop(code); err != nil {
		t.Fatal(err)
	}
}

// start leaves the init context.
func (u *user) start() { u.MoveToVUContext(u.state) }

// iterate runs code as an iteration, with a context that ends with it.
func (u *user) iterate(t testing.TB, code string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	u.VU.CtxField = ctx
	u.run(t, code)
}

// connected returns a virtual user with a client that has loaded the lab's types and, with the
// script's first iteration, connected to it.
func connected(t testing.TB, l *lab, params string) *user {
	t.Helper()
	u := newUser(t, grpcweb.New())
	u.lab(t, "LAB", l)
	u.run(t, `const grpcweb = require('k6/x/grpcweb');
		const client = new grpcweb.Client();
		client.load(['proto'], 'test/v1/lab.proto');`)
	u.trust(l)
	u.start()
	u.iterate(t, `client.connect(LAB.address, `+params+`)`)
	return u
}

// trust makes the user's own TLS settings accept the server.
func (u *user) trust(l *lab) {
	if certificate := l.server.Certificate(); certificate != nil {
		u.state.TLSConfig.RootCAs = x509.NewCertPool()
		u.state.TLSConfig.RootCAs.AddCert(certificate)
	}
}

// drain returns the samples that were emitted since the last time.
func (u *user) drain() []metrics.Sample {
	var samples []metrics.Sample
	for {
		select {
		case container := <-u.samples:
			samples = append(samples, container.GetSamples()...)
		default:
			return samples
		}
	}
}

// warnings returns the log's warnings, joined.
func (u *user) warnings() string {
	var texts []string
	for _, entry := range u.logs.AllEntries() {
		if entry.Level == logrus.WarnLevel {
			texts = append(texts, entry.Message)
		}
	}
	return strings.Join(texts, "\n")
}

// eventually waits for what another goroutine or the kernel does soon; it fails only when that never
// happens.
func eventually(t testing.TB, condition func() bool, what string) {
	t.Helper()
	for range 3000 {
		if condition() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Fatalf("never happened: %s\n%s", what, stacks[:runtime.Stack(stacks, true)])
}
