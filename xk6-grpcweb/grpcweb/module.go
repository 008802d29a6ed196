// Package grpcweb binds the gRPC-Web client to k6 as the module k6/x/grpcweb. It mirrors k6/net/grpc:
// names, parameters, defaults, answers and errors are the same where gRPC-Web allows it.
//
// It holds no protocol code. Packages client, schema and reflection do the work; this one turns
// JavaScript values into their arguments and their results into JavaScript values and metrics.
package grpcweb

import (
	"github.com/grafana/sobek"
	"go.k6.io/k6/v2/js/common"
	"go.k6.io/k6/v2/js/modules"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// RootModule is the module of a test run. It keeps what virtual users can share: compiled message
// types, and connections for those who ask to share them.
type RootModule struct {
	sources    *sources
	types      *typeSet
	plans      *plans
	transports *transportPool
}

var _ modules.Module = (*RootModule)(nil)

// New returns the module for a test run.
func New() *RootModule {
	return &RootModule{sources: newSources(), types: newTypeSet(), plans: newPlans(), transports: newTransportPool()}
}

// NewModuleInstance implements [modules.Module].
func (r *RootModule) NewModuleInstance(vu modules.VU) modules.Instance {
	instruments, err := newInstruments(vu.InitEnv().Registry)
	if err != nil {
		common.Throw(vu.Runtime(), err)
	}
	return &instance{root: r, vu: vu, instruments: instruments, values: newValues(vu.Runtime(), r.plans)}
}

// instance is the module of one virtual user. All of it runs on the user's event loop.
type instance struct {
	root        *RootModule
	vu          modules.VU
	instruments *instruments
	values      *values
}

// Exports implements [modules.Instance].
func (i *instance) Exports() modules.Exports {
	named := map[string]any{
		"Client": i.newClient,
		"Stream": i.newStream,

		"HealthCheckUnknown":    0,
		"HealthCheckServing":    1,
		"HealthCheckNotServing": 2,
		// Spelt as in k6/net/grpc, so that a script changes its import alone.
		"HealthCheckServiceUnkown":  3,
		"HealthCheckServiceUnknown": 3,
	}
	for code, name := range statusNames {
		named["Status"+name] = code
	}
	return modules.Exports{Named: named}
}

var statusNames = [...]string{
	wire.OK:                 "OK",
	wire.Canceled:           "Canceled",
	wire.Unknown:            "Unknown",
	wire.InvalidArgument:    "InvalidArgument",
	wire.DeadlineExceeded:   "DeadlineExceeded",
	wire.NotFound:           "NotFound",
	wire.AlreadyExists:      "AlreadyExists",
	wire.PermissionDenied:   "PermissionDenied",
	wire.ResourceExhausted:  "ResourceExhausted",
	wire.FailedPrecondition: "FailedPrecondition",
	wire.Aborted:            "Aborted",
	wire.OutOfRange:         "OutOfRange",
	wire.Unimplemented:      "Unimplemented",
	wire.Internal:           "Internal",
	wire.Unavailable:        "Unavailable",
	wire.DataLoss:           "DataLoss",
	wire.Unauthenticated:    "Unauthenticated",
}

func (i *instance) newClient(sobek.ConstructorCall) *sobek.Object {
	rt := i.vu.Runtime()
	return rt.ToValue(&Client{instance: i, types: i.root.types}).ToObject(rt)
}
