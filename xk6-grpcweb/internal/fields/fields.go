// Package fields walks over the fields of an encoded protobuf message, for the few messages of the
// protocol itself that are read without their generated types.
package fields

import "google.golang.org/protobuf/encoding/protowire"

// Each calls visit for every varint and every length-delimited field and skips the others.
func Each(message []byte, visit func(number protowire.Number, varint uint64, value []byte) error) error {
	for len(message) > 0 {
		number, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return protowire.ParseError(size)
		}
		message = message[size:]
		var varint uint64
		var value []byte
		switch kind {
		case protowire.VarintType:
			varint, size = protowire.ConsumeVarint(message)
		case protowire.BytesType:
			value, size = protowire.ConsumeBytes(message)
		default:
			size = protowire.ConsumeFieldValue(number, kind, message)
		}
		if size < 0 {
			return protowire.ParseError(size)
		}
		if err := visit(number, varint, value); err != nil {
			return err
		}
		message = message[size:]
	}
	return nil
}
