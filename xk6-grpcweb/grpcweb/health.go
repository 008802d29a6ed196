package grpcweb

import (
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/internal/fields"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

const healthPath = "/grpc.health.v1.Health/Check"

// The field numbers of grpc.health.v1.
const (
	healthServiceField protowire.Number = 1
	healthStatusField  protowire.Number = 1
)

// Health is the answer of healthCheck.
type Health struct {
	Status uint64 `js:"status"`
}

// HealthCheck asks the server whether it, or one of its services, is serving. A call that fails
// throws.
func (c *Client) HealthCheck(service string) (Health, error) {
	vu := c.instance.vu
	if vu.State() == nil {
		return Health{}, errInvokeInInit
	}
	if c.connection == nil {
		return Health{}, errNotConnected
	}
	var message []byte
	if service != "" {
		message = protowire.AppendTag(message, healthServiceField, protowire.BytesType)
		message = protowire.AppendString(message, service)
	}
	observer := c.instance.observe(vu.State().Tags.GetCurrentValues(), "", nil)
	started := time.Now()
	response, err := c.connection.client.Invoke(observer.trace(vu.Context()), &client.Call{
		Path: healthPath, Message: message, Timeout: defaultInvokeTimeout,
	})
	if err != nil {
		return Health{}, err
	}
	observer.ended(response.Status.Code, started, time.Now())
	if response.Status.Code != wire.OK {
		return Health{}, statusError(response.Status)
	}
	return parseHealth(response.Message)
}

func parseHealth(message []byte) (Health, error) {
	var health Health
	err := fields.Each(message, func(number protowire.Number, varint uint64, _ []byte) error {
		if number == healthStatusField {
			health.Status = varint
		}
		return nil
	})
	return health, err
}
