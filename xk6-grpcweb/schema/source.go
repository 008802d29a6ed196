package schema

import (
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Source tells where .proto files are.
type Source struct {
	// ImportPaths are the folders that imports are looked for in, in this order.
	ImportPaths []string
	// Open opens a file; nil means the file system.
	Open func(path string) (io.ReadCloser, error)
}

// Load compiles .proto files with their imports, adds them, and returns the methods of the files
// that were new. Google's well-known files are built in.
func (s *Schema) Load(ctx context.Context, source Source, files ...string) ([]*Method, error) {
	set, err := Compile(ctx, source, files...)
	if err != nil {
		return nil, err
	}
	return s.AddFiles(set)
}

// Compile compiles .proto files and returns them with their imports.
func Compile(ctx context.Context, source Source, files ...string) (*descriptorpb.FileDescriptorSet, error) {
	if len(files) == 0 {
		return nil, errors.New("no .proto file was named")
	}
	compiler := protocompile.Compiler{
		Resolver: protocompile.WithStandardImports(&protocompile.SourceResolver{
			ImportPaths: source.ImportPaths,
			Accessor:    source.Open,
		}),
	}
	compiled, err := compiler.Compile(ctx, files...)
	if err != nil {
		return nil, fmt.Errorf("compile %q: %w", files, err)
	}
	collector := collector{seen: make(map[string]bool)}
	for _, file := range compiled {
		collector.collect(file)
	}
	return &collector.set, nil
}

// collector gathers files with all that they import.
type collector struct {
	set  descriptorpb.FileDescriptorSet
	seen map[string]bool
}

func (c *collector) collect(file protoreflect.FileDescriptor) {
	if c.seen[file.Path()] {
		return
	}
	c.seen[file.Path()] = true
	for i := range file.Imports().Len() {
		c.collect(file.Imports().Get(i).FileDescriptor)
	}
	c.set.File = append(c.set.File, protoutil.ProtoFromFileDescriptor(file))
}
