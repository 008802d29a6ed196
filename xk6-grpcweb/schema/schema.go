package schema

import (
	"errors"
	"fmt"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protodesc"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/dynamicpb"

	// Registers the messages that servers put into a status' details.
	_ "google.golang.org/genproto/googleapis/rpc/errdetails"
)

// ErrConflict is wrapped when a file defines a name that another loaded file has defined.
var ErrConflict = errors.New("conflicting definitions")

// Schema is a growing set of loaded files. It is safe for concurrent use. The zero value is not
// usable; call [New].
type Schema struct {
	mu      sync.RWMutex
	files   *protoregistry.Files
	types   *dynamicpb.Types
	methods map[string]*Method
}

// New returns an empty schema. Google's well-known types are there from the start.
func New() *Schema {
	files := new(protoregistry.Files)
	return &Schema{files: files, types: dynamicpb.NewTypes(files), methods: make(map[string]*Method)}
}

// AddFiles adds files with their imports, in any order, and returns the methods of the files that
// were new. A file that is there already, by its path, is skipped, so repeated files do no harm.
// Imports that are missing are looked for among Google's well-known files.
func (s *Schema) AddFiles(set *descriptorpb.FileDescriptorSet) ([]*Method, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	adder := adder{schema: s, pending: make(map[string]*descriptorpb.FileDescriptorProto, len(set.GetFile()))}
	for _, file := range set.GetFile() {
		adder.pending[file.GetName()] = file
	}
	for _, file := range set.GetFile() {
		if err := adder.add(file.GetName()); err != nil {
			return nil, err
		}
	}
	return adder.methods, nil
}

// AddSet adds the files of a serialized FileDescriptorSet, a "protoset".
func (s *Schema) AddSet(protoset []byte) ([]*Method, error) {
	set := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(protoset, set); err != nil {
		return nil, fmt.Errorf("protoset of %d bytes is not a FileDescriptorSet: %w", len(protoset), err)
	}
	return s.AddFiles(set)
}

// adder registers files after their imports.
type adder struct {
	schema  *Schema
	pending map[string]*descriptorpb.FileDescriptorProto
	methods []*Method
}

func (a *adder) add(path string) error {
	file, ok := a.pending[path]
	if !ok {
		return nil // added already, or an import that the resolver has to find
	}
	delete(a.pending, path)
	files := a.schema.files
	if _, err := files.FindFileByPath(path); err == nil {
		return nil
	}
	for _, dependency := range file.GetDependency() {
		if err := a.add(dependency); err != nil {
			return err
		}
	}
	descriptor, err := protodesc.NewFile(file, resolver{files})
	if err != nil {
		return fmt.Errorf("file %q: %w", path, err)
	}
	if err := files.RegisterFile(descriptor); err != nil {
		return fmt.Errorf("%w: file %q: %w", ErrConflict, path, err)
	}
	for i := range descriptor.Services().Len() {
		a.addService(descriptor.Services().Get(i))
	}
	return nil
}

func (a *adder) addService(service protoreflect.ServiceDescriptor) {
	for i := range service.Methods().Len() {
		method := newMethod(service.Methods().Get(i), a.schema)
		a.schema.methods[method.Path()] = method
		a.methods = append(a.methods, method)
	}
}
