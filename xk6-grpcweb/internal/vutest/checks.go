package vutest

import (
	"fmt"

	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/modules"
)

// Checks stands in for the module k6, of which the examples use check alone.
type Checks struct {
	Passed []string
	Failed []string
}

// NewModuleInstance implements [modules.Module].
func (c *Checks) NewModuleInstance(modules.VU) modules.Instance { return c }

// Exports implements [modules.Instance].
func (c *Checks) Exports() modules.Exports {
	return modules.Exports{Named: map[string]any{"check": c.check}}
}

func (c *Checks) check(value sobek.Value, conditions *sobek.Object) (bool, error) {
	all := true
	for _, name := range conditions.Keys() {
		condition, ok := sobek.AssertFunction(conditions.Get(name))
		if !ok {
			return false, fmt.Errorf("check %q is not a function", name)
		}
		result, err := condition(sobek.Undefined(), value)
		if err != nil {
			return false, err
		}
		if result.ToBoolean() {
			c.Passed = append(c.Passed, name)
		} else {
			c.Failed = append(c.Failed, name)
			all = false
		}
	}
	return all, nil
}
