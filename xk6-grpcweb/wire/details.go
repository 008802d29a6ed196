package wire

import (
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/bookstore-bench/xk6-grpcweb/internal/fields"
)

// Field numbers of google.rpc.Status and google.protobuf.Any.
const (
	statusDetailField protowire.Number = 3
	anyTypeURLField   protowire.Number = 1
	anyValueField     protowire.Number = 2
)

// Detail is one google.protobuf.Any of a status.
type Detail struct {
	TypeURL string
	Value   []byte
}

// ParseDetails returns the details inside the bytes of a google.rpc.Status. Its code and text repeat
// the headers', which win when they differ.
func ParseDetails(status []byte) ([]Detail, error) {
	var details []Detail
	err := fields.Each(status, func(number protowire.Number, _ uint64, value []byte) error {
		if number != statusDetailField {
			return nil
		}
		var detail Detail
		err := fields.Each(value, func(number protowire.Number, _ uint64, value []byte) error {
			switch number {
			case anyTypeURLField:
				detail.TypeURL = string(value)
			case anyValueField:
				detail.Value = value
			}
			return nil
		})
		details = append(details, detail)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("grpc-status-details-bin is not a google.rpc.Status: %w", err)
	}
	return details, nil
}
