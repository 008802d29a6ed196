// Package modulestest describes what the extension's tests use of k6's own help for testing modules.
package modulestest

import (
	"context"
	"fmt"
	"net/url"
	"testing"

	"github.com/grafana/sobek"
	"github.com/sirupsen/logrus"

	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/metrics"
)

// Runtime runs scripts with one virtual user.
type Runtime struct {
	VU            *VU
	CancelContext func()

	loop *eventLoop
}

// NewRuntime starts in the init context. Its context ends with the test.
func NewRuntime(t testing.TB) *Runtime {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	rt := sobek.New()
	rt.SetFieldNameMapper(common.FieldNameMapper{})
	loop := newEventLoop(rt)
	return &Runtime{
		VU: &VU{
			CtxField: ctx,
			InitEnvField: &common.InitEnvironment{
				TestPreInitState: &lib.TestPreInitState{Registry: metrics.NewRegistry(), Logger: logrus.New()},
				CWD:              new(url.URL),
			},
			RuntimeField:          rt,
			RegisterCallbackField: loop.register,
		},
		CancelContext: cancel,
		loop:          loop,
	}
}

// MoveToVUContext leaves the init context.
func (r *Runtime) MoveToVUContext(state *lib.State) {
	r.VU.InitEnvField = nil
	r.VU.StateField = state
}

// SetupModuleSystem installs require() for Go modules. The two others are for scripts that load
// further scripts; the contract takes only nil.
func (r *Runtime) SetupModuleSystem(goModules map[string]any, loader, compiler any) error {
	if loader != nil || compiler != nil {
		return fmt.Errorf("the contract loads no scripts: loader and compiler must be nil")
	}
	instances := make(map[string]sobek.Value)
	return r.VU.RuntimeField.Set("require", func(name string) (sobek.Value, error) {
		if exports, ok := instances[name]; ok {
			return exports, nil
		}
		module, ok := goModules[name].(modules.Module)
		if !ok {
			return nil, fmt.Errorf("unknown module %q", name)
		}
		exports := r.VU.RuntimeField.ToValue(module.NewModuleInstance(r.VU).Exports().Named)
		instances[name] = exports
		return exports, nil
	})
}

// RunOnEventLoop runs code and all that it starts.
func (r *Runtime) RunOnEventLoop(code string) (value sobek.Value, err error) {
	defer r.loop.waitOnRegistered()
	err = r.loop.start(func() error {
		value, err = r.VU.RuntimeField.RunString(code)
		return err
	})
	return value, err
}
