package schema

import (
	"encoding/json"
	"fmt"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

type statusJSON struct {
	Code    wire.Code         `json:"code"`
	Message string            `json:"message"`
	Details []json.RawMessage `json:"details"`
}

// opaqueDetail is a detail whose type is not loaded. Its bytes are shown in base64.
type opaqueDetail struct {
	TypeURL string `json:"@type"`
	Value   []byte `json:"value"`
}

// StatusJSON turns a status into the JSON form of google.rpc.Status: code, message and details. A
// detail of a type that is neither loaded nor one of Google's error details keeps its bytes.
func (s *Schema) StatusJSON(status wire.Status) ([]byte, error) {
	details, err := wire.ParseDetails(status.Details)
	if err != nil {
		details = nil // code and message are worth more than a complaint about their details
	}
	out := statusJSON{Code: status.Code, Message: status.Message, Details: make([]json.RawMessage, 0, len(details))}
	for _, detail := range details {
		encoded, err := s.detailJSON(detail)
		if err != nil {
			return nil, err
		}
		out.Details = append(out.Details, encoded)
	}
	encoded, err := json.Marshal(out)
	if err != nil {
		return nil, fmt.Errorf("convert status to JSON: %w", err)
	}
	return encoded, nil
}

func (s *Schema) detailJSON(detail wire.Detail) (json.RawMessage, error) {
	message := &anypb.Any{TypeUrl: detail.TypeURL, Value: detail.Value}
	if encoded, err := (protojson.MarshalOptions{EmitUnpopulated: true, Resolver: s}).Marshal(message); err == nil {
		return encoded, nil
	}
	encoded, err := json.Marshal(opaqueDetail{TypeURL: detail.TypeURL, Value: detail.Value})
	if err != nil {
		return nil, fmt.Errorf("convert status detail %q to JSON: %w", detail.TypeURL, err)
	}
	return encoded, nil
}
