// Package modules describes what the extension uses of k6's module system.
package modules

import (
	"context"
	"fmt"
	"strings"
	"sync"

	"github.com/grafana/sobek"

	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/lib"
)

// Module makes one instance for each virtual user that imports it.
type Module interface {
	NewModuleInstance(vu VU) Instance
}

// Instance is a module as one virtual user sees it.
type Instance interface {
	Exports() Exports
}

// Exports are what a script can import. Without Default, all that is Named is the default, too.
type Exports struct {
	Default any
	Named   map[string]any
}

// VU gives a module what its virtual user has at the moment.
type VU interface {
	// Context ends with the iteration, so it is asked for anew whenever it is needed.
	Context() context.Context
	Events() common.Events
	// InitEnv is nil outside the init context.
	InitEnv() *common.InitEnvironment
	// State is nil in the init context.
	State() *lib.State
	Runtime() *sobek.Runtime
	// RegisterCallback keeps the iteration alive until the function that it returns is called, once,
	// from any goroutine. What that function is given runs on the event loop. RegisterCallback itself
	// belongs on the event loop.
	RegisterCallback() (enqueue func(func() error))
}

var (
	mu         sync.Mutex
	registered = make(map[string]any)
)

// Register makes a module known under a name that starts with "k6/x/". It panics when the name is
// wrong or taken.
func Register(name string, module any) {
	mu.Lock()
	defer mu.Unlock()
	if _, taken := registered[name]; taken || !strings.HasPrefix(name, "k6/x/") {
		panic(fmt.Sprintf("module name %q is taken or does not start with k6/x/", name))
	}
	registered[name] = module
}
