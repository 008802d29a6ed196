package reflection

import (
	"bytes"
	"fmt"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/bookstore-bench/xk6-grpcweb/internal/fields"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// Field numbers of ServerReflectionRequest and ServerReflectionResponse. Version v1alpha has the same.
// The messages are so few that the generated package, which brings all of grpc-go, is not worth it.
const (
	fileByFilenameField   protowire.Number = 3
	fileBySymbolField     protowire.Number = 4
	listServicesField     protowire.Number = 7
	fileResponseField     protowire.Number = 4
	servicesResponseField protowire.Number = 6
	errorResponseField    protowire.Number = 7

	fileField         protowire.Number = 1
	serviceField      protowire.Number = 1
	serviceNameField  protowire.Number = 1
	errorCodeField    protowire.Number = 1
	errorMessageField protowire.Number = 2
)

func listRequest() []byte                { return stringField(listServicesField, "*") }
func symbolRequest(symbol string) []byte { return stringField(fileBySymbolField, symbol) }
func fileRequest(filename string) []byte { return stringField(fileByFilenameField, filename) }

func stringField(number protowire.Number, value string) []byte {
	return protowire.AppendString(protowire.AppendTag(nil, number, protowire.BytesType), value)
}

// answer is a ServerReflectionResponse.
type answer struct {
	services []string
	files    [][]byte
	fault    *wire.Error
}

func parseAnswer(message []byte) (answer, error) {
	var a answer
	err := fields.Each(message, func(number protowire.Number, _ uint64, value []byte) error {
		switch number {
		case fileResponseField:
			return a.addFiles(value)
		case servicesResponseField:
			return a.addServices(value)
		case errorResponseField:
			return a.setFault(value)
		}
		return nil
	})
	if err != nil {
		return answer{}, fmt.Errorf("answer of %d bytes is not a ServerReflectionResponse: %w", len(message), err)
	}
	return a, nil
}

func (a *answer) addFiles(message []byte) error {
	return fields.Each(message, func(number protowire.Number, _ uint64, value []byte) error {
		if number == fileField {
			a.files = append(a.files, bytes.Clone(value))
		}
		return nil
	})
}

func (a *answer) addServices(message []byte) error {
	return fields.Each(message, func(number protowire.Number, _ uint64, value []byte) error {
		if number != serviceField {
			return nil
		}
		return fields.Each(value, func(number protowire.Number, _ uint64, name []byte) error {
			if number == serviceNameField {
				a.services = append(a.services, string(name))
			}
			return nil
		})
	})
}

func (a *answer) setFault(message []byte) error {
	code, text := wire.Unknown, ""
	err := fields.Each(message, func(number protowire.Number, varint uint64, value []byte) error {
		switch number {
		case errorCodeField:
			code = wire.Code(varint) // #nosec G115 -- an int32 on the wire: the upper half repeats its sign
		case errorMessageField:
			text = string(value)
		}
		return nil
	})
	a.fault = wire.Errorf(code, "the server answered %s: %s", code, text)
	return err
}
