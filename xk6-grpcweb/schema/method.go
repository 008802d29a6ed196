package schema

import (
	"errors"
	"fmt"
	"strings"
	"sync/atomic"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/dynamicpb"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

var (
	// ErrMethodNotFound is wrapped when no loaded file has the method.
	ErrMethodNotFound = errors.New("method not found in file descriptors")
	// ErrStreamingKind is wrapped when a method is called in a way that its definition forbids.
	ErrStreamingKind = errors.New("method has another kind of streaming")
)

// Method is one method of a loaded service. It is safe for concurrent use.
type Method struct {
	descriptor protoreflect.MethodDescriptor
	path       string
	input      protoreflect.MessageType
	output     protoreflect.MessageType
	schema     *Schema
	// The search for unset required fields costs about as much as encoding a small message; types
	// that can have none are spared it.
	inputRequires, outputRequires bool

	// requestBytes is the size of the request before, for which the next one finds room at once.
	requestBytes atomic.Int64
}

const maxRoomBytes = 64 << 10

func newMethod(descriptor protoreflect.MethodDescriptor, schema *Schema) *Method {
	return &Method{
		descriptor: descriptor,
		path:       fmt.Sprintf("/%s/%s", descriptor.Parent().FullName(), descriptor.Name()),
		input:      dynamicpb.NewMessageType(descriptor.Input()),
		output:     dynamicpb.NewMessageType(descriptor.Output()),
		schema:     schema,

		inputRequires:  mayRequireFields(descriptor.Input(), make(map[protoreflect.FullName]bool)),
		outputRequires: mayRequireFields(descriptor.Output(), make(map[protoreflect.FullName]bool)),
	}
}

// Method finds a method by its path, with or without the leading slash.
func (s *Schema) Method(path string) (*Method, error) {
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	s.mu.RLock()
	defer s.mu.RUnlock()
	method, ok := s.methods[path]
	if !ok {
		return nil, fmt.Errorf("%w: %q among %d loaded methods", ErrMethodNotFound, path, len(s.methods))
	}
	return method, nil
}

// Path returns "/package.Service/Method".
func (m *Method) Path() string { return m.path }

// Service returns the full name of the method's service.
func (m *Method) Service() string { return string(m.descriptor.Parent().FullName()) }

// Name returns the method's short name.
func (m *Method) Name() string { return string(m.descriptor.Name()) }

// Input returns the type of the request.
func (m *Method) Input() protoreflect.MessageDescriptor { return m.descriptor.Input() }

// Output returns the type of the answer.
func (m *Method) Output() protoreflect.MessageDescriptor { return m.descriptor.Output() }

// InputRequires reports whether a request may lack a required field.
func (m *Method) InputRequires() bool { return m.inputRequires }

// Package returns the package of the file that defines the method.
func (m *Method) Package() string { return string(m.descriptor.ParentFile().Package()) }

// CheckUnary returns an error unless the method sends one message and receives one.
func (m *Method) CheckUnary() error {
	if m.descriptor.IsStreamingServer() && !m.descriptor.IsStreamingClient() {
		return fmt.Errorf("%w: %q streams its answers; use a stream", ErrStreamingKind, m.path)
	}
	return m.CheckOneRequest()
}

// CheckServerStream returns an error unless the method sends one message and receives many.
func (m *Method) CheckServerStream() error {
	if err := m.CheckOneRequest(); err != nil {
		return err
	}
	if !m.descriptor.IsStreamingServer() {
		return fmt.Errorf("%w: %q is unary; invoke it", ErrStreamingKind, m.path)
	}
	return nil
}

// CheckOneRequest returns an error unless the method sends one message. gRPC-Web carries no other.
func (m *Method) CheckOneRequest() error {
	if m.descriptor.IsStreamingClient() {
		return fmt.Errorf("%w: %q streams its requests, which gRPC-Web cannot carry; call it over gRPC", ErrStreamingKind, m.path)
	}
	return nil
}

// EncodeJSON turns a request in JSON into message bytes. Both JSON names and the names of the .proto
// file are accepted; unknown fields are errors.
func (m *Method) EncodeJSON(json []byte) ([]byte, error) {
	message := m.input.New().Interface()
	if err := (protojson.UnmarshalOptions{Resolver: m.schema}).Unmarshal(json, message); err != nil {
		return nil, fmt.Errorf("request is not a %s: %w", m.input.Descriptor().FullName(), err)
	}
	return m.Encode(message)
}

// Encode turns a request message into bytes.
func (m *Method) Encode(message proto.Message) ([]byte, error) {
	room := make([]byte, 0, m.requestBytes.Load())
	encoded, err := proto.MarshalOptions{AllowPartial: !m.inputRequires}.MarshalAppend(room, message)
	if err != nil {
		return nil, fmt.Errorf("encode %s: %w", m.input.Descriptor().FullName(), err)
	}
	m.requestBytes.Store(int64(min(len(encoded), maxRoomBytes)))
	return encoded, nil
}

// NewRequest returns an empty request message.
func (m *Method) NewRequest() proto.Message { return m.input.New().Interface() }

// Decode reads a received message. Bytes that are not valid for the type give an [*wire.Error] with
// INTERNAL.
func (m *Method) Decode(encoded []byte) (proto.Message, error) {
	message := m.output.New().Interface()
	if err := (proto.UnmarshalOptions{Resolver: m.schema, AllowPartial: !m.outputRequires}).Unmarshal(encoded, message); err != nil {
		return nil, wire.Errorf(wire.Internal, "answer of %d bytes is not a valid %s: %w", len(encoded), m.output.Descriptor().FullName(), err)
	}
	return message, nil
}

// DecodeJSON turns a received message into JSON with unset fields present, as k6/net/grpc shows it.
func (m *Method) DecodeJSON(encoded []byte) ([]byte, error) {
	message, err := m.Decode(encoded)
	if err != nil {
		return nil, err
	}
	json, err := protojson.MarshalOptions{EmitUnpopulated: true, Resolver: m.schema}.Marshal(message)
	if err != nil {
		return nil, fmt.Errorf("convert %s to JSON: %w", m.output.Descriptor().FullName(), err)
	}
	return json, nil
}
