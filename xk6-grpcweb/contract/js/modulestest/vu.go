package modulestest

import (
	"context"

	"github.com/grafana/sobek"

	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"
	"go.k6.io/k6/v2/lib"
)

// VU is a virtual user made of its fields.
type VU struct {
	CtxField              context.Context
	InitEnvField          *common.InitEnvironment
	EventsField           common.Events
	StateField            *lib.State
	RuntimeField          *sobek.Runtime
	RegisterCallbackField func() func(func() error)
}

var _ modules.VU = (*VU)(nil)

// Context implements [modules.VU].
func (v *VU) Context() context.Context { return v.CtxField }

// Events implements [modules.VU].
func (v *VU) Events() common.Events { return v.EventsField }

// InitEnv implements [modules.VU].
func (v *VU) InitEnv() *common.InitEnvironment {
	v.check()
	return v.InitEnvField
}

// State implements [modules.VU].
func (v *VU) State() *lib.State {
	v.check()
	return v.StateField
}

// Runtime implements [modules.VU].
func (v *VU) Runtime() *sobek.Runtime { return v.RuntimeField }

// RegisterCallback implements [modules.VU].
func (v *VU) RegisterCallback() func(func() error) { return v.RegisterCallbackField() }

func (v *VU) check() {
	if v.InitEnvField != nil && v.StateField != nil {
		panic("a virtual user is either in the init context or has a state")
	}
}
