// Package vutest runs scripts with a virtual user in tests, as k6 would: first in the init context, then
// in iterations. It works the same with k6 itself and with our contract of it.
package vutest

import (
	"context"
	"crypto/tls"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/sirupsen/logrus"
	logtest "github.com/sirupsen/logrus/hooks/test"
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/js/modulestest"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/fsext"
	"go.k6.io/k6/v2/metrics"
)

// User is a virtual user. It begins in the init context.
type User struct {
	*modulestest.Runtime

	// State is what the user has once it has started.
	State *lib.State
	// Dialer opens the user's connections.
	Dialer *CountingDialer
	// Checks are those of module k6.
	Checks *Checks

	samples chan metrics.SampleContainer
	logs    *logtest.Hook
}

const maxSamples = 100_000

// New makes a virtual user whose script lies in the given folder and can import module as
// k6/x/grpcweb.
func New(t testing.TB, module modules.Module, folder string) *User {
	t.Helper()
	logger, logs := logtest.NewNullLogger()
	u := &User{
		Runtime: modulestest.NewRuntime(t),
		Dialer:  new(CountingDialer),
		Checks:  new(Checks),
		samples: make(chan metrics.SampleContainer, maxSamples),
		logs:    logs,
	}
	absolute, err := filepath.Abs(folder)
	if err != nil {
		t.Fatal(err)
	}
	environment := u.VU.InitEnvField
	environment.FileSystems = map[string]fsext.Fs{"file": fsext.NewOsFs()}
	environment.CWD = &url.URL{Scheme: "file", Path: absolute}
	u.State = &lib.State{
		Logger:    logger,
		Dialer:    u.Dialer,
		TLSConfig: &tls.Config{MinVersion: tls.VersionTLS12},
		Samples:   u.samples,
		Tags:      lib.NewVUStateTags(environment.Registry.RootTagSet().With("group", "").With("scenario", "default")),
	}
	u.State.Options.SystemTags = metrics.ToSystemTagSet([]string{"status", "method", "url", "name", "service", "group", "scenario"})
	goModules := map[string]any{"k6/x/grpcweb": module, "k6": u.Checks}
	if err := u.SetupModuleSystem(goModules, nil, nil); err != nil {
		t.Fatal(err)
	}
	return u
}

// Set gives scripts a global.
func (u *User) Set(t testing.TB, name string, value any) {
	t.Helper()
	if err := u.VU.Runtime().Set(name, value); err != nil {
		t.Fatal(err)
	}
}

// Run runs code and fails the test when it throws.
func (u *User) Run(t testing.TB, code string) {
	t.Helper()
	if _, err := u.RunOnEventLoop(code); err != nil {
		t.Fatal(err)
	}
}

// RunFile runs a script. See [Script] for what modules may hold.
func (u *User) RunFile(t testing.TB, path string) {
	t.Helper()
	code, err := os.ReadFile(filepath.Clean(path))
	if err != nil {
		t.Fatal(err)
	}
	u.Run(t, Script(string(code)))
}

// Start leaves the init context.
func (u *User) Start() { u.MoveToVUContext(u.State) }

// Iterate runs code as an iteration, with a context that ends with it.
func (u *User) Iterate(t testing.TB, code string) {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	u.VU.CtxField = ctx
	u.Run(t, code)
}

// Drain returns the samples that were emitted since the last time.
func (u *User) Drain() []metrics.Sample {
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

// Warnings returns the log's warnings, joined.
func (u *User) Warnings() string {
	var texts []string
	for _, entry := range u.logs.AllEntries() {
		if entry.Level == logrus.WarnLevel {
			texts = append(texts, entry.Message)
		}
	}
	return strings.Join(texts, "\n")
}
