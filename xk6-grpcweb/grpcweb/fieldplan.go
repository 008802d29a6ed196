package grpcweb

import (
	"sync"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/reflect/protoreflect"
)

// messagePlan is what the direct way between JavaScript and message bytes needs to know of a message
// type, looked up once.
type messagePlan struct {
	// byName holds each field under its name in JSON and under that in the .proto file.
	byName map[string]*fieldPlan
	fields []*fieldPlan
}

type fieldPlan struct {
	protoreflect.FieldDescriptor

	name    string // in JSON
	index   int
	kind    protoreflect.Kind
	tag     uint64
	list    bool
	isMap   bool
	packed  bool
	present bool // tells unset from zero
	// optional says that the field is left out of answers while it is unset: a member of a oneof, and
	// what .proto files call optional.
	optional bool
	oneof    int // index of its oneof, -1 without
	message  *messagePlan
	// indirect marks what has a JSON form of its own or is too rare to be worth it: such a field goes
	// through JSON.
	indirect bool
}

// plans are shared by all virtual users.
type plans struct {
	mu    sync.Mutex
	known map[protoreflect.MessageDescriptor]*messagePlan
}

func newPlans() *plans {
	return &plans{known: make(map[protoreflect.MessageDescriptor]*messagePlan)}
}

func (p *plans) of(message protoreflect.MessageDescriptor) *messagePlan {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.make(message)
}

func (p *plans) make(message protoreflect.MessageDescriptor) *messagePlan {
	if plan, ok := p.known[message]; ok {
		return plan
	}
	fields := message.Fields()
	plan := &messagePlan{byName: make(map[string]*fieldPlan, 2*fields.Len())}
	p.known[message] = plan // before its fields: messages may hold themselves
	for i := range fields.Len() {
		field := p.makeField(fields.Get(i))
		plan.fields = append(plan.fields, field)
		plan.byName[field.name] = field
		plan.byName[field.TextName()] = field
	}
	return plan
}

func (p *plans) makeField(descriptor protoreflect.FieldDescriptor) *fieldPlan {
	field := &fieldPlan{
		FieldDescriptor: descriptor,
		name:            descriptor.JSONName(),
		index:           descriptor.Index(),
		kind:            descriptor.Kind(),
		list:            descriptor.IsList(),
		isMap:           descriptor.IsMap(),
		packed:          descriptor.IsPacked(),
		present:         descriptor.HasPresence(),
		optional:        descriptor.ContainingOneof() != nil,
		oneof:           -1,
	}
	if oneof := descriptor.ContainingOneof(); oneof != nil && !oneof.IsSynthetic() {
		field.oneof = oneof.Index()
	}
	wireType := wireTypeOf(field.kind)
	if field.packed {
		wireType = protowire.BytesType
	}
	field.tag = protowire.EncodeTag(descriptor.Number(), wireType)
	field.indirect = field.kind == protoreflect.GroupKind || isWellKnown(descriptor)
	if message := descriptor.Message(); message != nil && !field.indirect {
		field.message = p.make(message)
		field.indirect = message.ExtensionRanges().Len() > 0
	}
	return field
}

// isWellKnown reports whether the field's type is one that protobuf's JSON mapping treats on its own.
func isWellKnown(field protoreflect.FieldDescriptor) bool {
	switch {
	case field.Message() != nil:
		return isWellKnownMessage(field.Message())
	case field.Enum() != nil:
		return field.Enum().FullName() == "google.protobuf.NullValue"
	default:
		return false
	}
}

func isWellKnownMessage(message protoreflect.MessageDescriptor) bool {
	return message.ParentFile().Package() == "google.protobuf"
}

func wireTypeOf(kind protoreflect.Kind) protowire.Type {
	switch kind {
	case protoreflect.Fixed32Kind, protoreflect.Sfixed32Kind, protoreflect.FloatKind:
		return protowire.Fixed32Type
	case protoreflect.Fixed64Kind, protoreflect.Sfixed64Kind, protoreflect.DoubleKind:
		return protowire.Fixed64Type
	case protoreflect.StringKind, protoreflect.BytesKind, protoreflect.MessageKind:
		return protowire.BytesType
	case protoreflect.GroupKind:
		return protowire.StartGroupType
	default:
		return protowire.VarintType
	}
}
