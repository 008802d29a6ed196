package schema

import (
	"fmt"

	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
)

// resolver looks among the loaded files first and then among those compiled into the program.
type resolver struct {
	files *protoregistry.Files
}

func (r resolver) FindFileByPath(path string) (protoreflect.FileDescriptor, error) {
	if file, err := r.files.FindFileByPath(path); err == nil {
		return file, nil
	}
	file, err := protoregistry.GlobalFiles.FindFileByPath(path)
	if err != nil {
		return nil, fmt.Errorf("import %q is missing: %w", path, err)
	}
	return file, nil
}

func (r resolver) FindDescriptorByName(name protoreflect.FullName) (protoreflect.Descriptor, error) {
	if descriptor, err := r.files.FindDescriptorByName(name); err == nil {
		return descriptor, nil
	}
	return protoregistry.GlobalFiles.FindDescriptorByName(name) // callers compare with protoregistry.NotFound
}

// FindMessageByName implements [protoregistry.MessageTypeResolver], for the contents of Any.
func (s *Schema) FindMessageByName(name protoreflect.FullName) (protoreflect.MessageType, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if message, err := s.types.FindMessageByName(name); err == nil {
		return message, nil
	}
	return protoregistry.GlobalTypes.FindMessageByName(name)
}

// FindMessageByURL implements [protoregistry.MessageTypeResolver], for the contents of Any.
func (s *Schema) FindMessageByURL(url string) (protoreflect.MessageType, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if message, err := s.types.FindMessageByURL(url); err == nil {
		return message, nil
	}
	return protoregistry.GlobalTypes.FindMessageByURL(url)
}

// FindExtensionByName implements [protoregistry.ExtensionTypeResolver].
func (s *Schema) FindExtensionByName(field protoreflect.FullName) (protoreflect.ExtensionType, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if extension, err := s.types.FindExtensionByName(field); err == nil {
		return extension, nil
	}
	return protoregistry.GlobalTypes.FindExtensionByName(field)
}

// FindExtensionByNumber implements [protoregistry.ExtensionTypeResolver].
func (s *Schema) FindExtensionByNumber(message protoreflect.FullName, field protoreflect.FieldNumber) (protoreflect.ExtensionType, error) {
	s.mu.RLock()
	defer s.mu.RUnlock()
	if extension, err := s.types.FindExtensionByNumber(message, field); err == nil {
		return extension, nil
	}
	return protoregistry.GlobalTypes.FindExtensionByNumber(message, field)
}
