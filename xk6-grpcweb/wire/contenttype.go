package wire

import "strings"

// The content types of gRPC-Web with protobuf messages.
const (
	ContentTypeProto = "application/grpc-web+proto"
	ContentTypeText  = "application/grpc-web-text+proto"
)

// ParseContentType reads an answer's content type. Letter case and parameters do not matter, and a
// type without a sub-format means protobuf. Text reports a base64 body.
func ParseContentType(value string) (text bool, err error) {
	switch value {
	case ContentTypeProto:
		return false, nil
	case ContentTypeText:
		return true, nil
	}
	mediaType, _, _ := strings.Cut(value, ";")
	mediaType, subFormat, _ := strings.Cut(strings.ToLower(strings.TrimSpace(mediaType)), "+")
	switch mediaType {
	case "application/grpc-web":
		text = false
	case "application/grpc-web-text":
		text = true
	case "application/grpc":
		return false, Errorf(Unknown, "answer is native gRPC (content type %q), not gRPC-Web; does a gRPC-Web layer stand before the server?", value)
	default:
		return false, Errorf(Unknown, "answer has content type %q, which is not gRPC-Web", value)
	}
	if subFormat != "" && subFormat != "proto" {
		return false, Errorf(Internal, "answer has content type %q; protobuf was asked for", value)
	}
	return text, nil
}
