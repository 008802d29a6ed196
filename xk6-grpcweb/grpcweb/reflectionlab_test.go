package grpcweb_test

import (
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// reflectionAnswer answers one reflection request. The lab reflects a service that is in no file of
// the tests, so that what can be called afterwards can only come from here.
func reflectionAnswer(request []byte) []byte {
	bytesOf := func(number protowire.Number, content []byte) []byte {
		return protowire.AppendBytes(protowire.AppendTag(nil, number, protowire.BytesType), content)
	}
	const listServices, fileContainingSymbol = 7, 4
	if number, _, _ := protowire.ConsumeTag(request); number == listServices {
		return bytesOf(6, bytesOf(1, bytesOf(1, []byte("reflected.Mirror"))))
	} else if number != fileContainingSymbol {
		fault := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 5)
		return bytesOf(7, append(fault, bytesOf(2, []byte("no such file"))...))
	}
	text := descriptorpb.FieldDescriptorProto_TYPE_STRING
	file, _ := proto.Marshal(&descriptorpb.FileDescriptorProto{
		Name: proto.String("mirror.proto"), Package: proto.String("reflected"), Syntax: proto.String("proto3"),
		MessageType: []*descriptorpb.DescriptorProto{{
			Name: proto.String("Image"),
			Field: []*descriptorpb.FieldDescriptorProto{{
				Name: proto.String("title"), JsonName: proto.String("title"), Number: proto.Int32(1), Type: &text,
				Label: descriptorpb.FieldDescriptorProto_LABEL_OPTIONAL.Enum(),
			}},
		}},
		Service: []*descriptorpb.ServiceDescriptorProto{{
			Name: proto.String("Mirror"),
			Method: []*descriptorpb.MethodDescriptorProto{
				{Name: proto.String("Echo"), InputType: proto.String(".reflected.Image"), OutputType: proto.String(".reflected.Image")},
			},
		}},
	})
	return bytesOf(4, bytesOf(1, file))
}
