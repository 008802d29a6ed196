// Package reflection loads message types from a running server by the gRPC server reflection
// protocol, carried over gRPC-Web.
//
// Reflection is a bidirectional method. It is called here with one request at a time, which every
// gRPC-Web server can serve over HTTP/2 and most can over HTTP/1.1.
package reflection

import (
	"context"
	"errors"
	"fmt"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/schema"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// ErrReflection is wrapped by every error of this package.
var ErrReflection = errors.New("server reflection failed")

// The versions of the service, newest first.
var paths = []string{
	"/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
	"/grpc.reflection.v1alpha.ServerReflection/ServerReflectionInfo",
}

// Load asks the server for all its services and adds their files to the schema. It returns the
// methods that were new.
func Load(ctx context.Context, c *client.Client, types *schema.Schema, metadata wire.Metadata) ([]*schema.Method, error) {
	set, err := Fetch(ctx, c, metadata)
	if err != nil {
		return nil, err
	}
	methods, err := types.AddFiles(set)
	if err != nil {
		return nil, fmt.Errorf("%w: %w", ErrReflection, err)
	}
	return methods, nil
}

// Fetch asks the server for the files of all its services.
func Fetch(ctx context.Context, c *client.Client, metadata wire.Metadata) (*descriptorpb.FileDescriptorSet, error) {
	server := server{client: c, metadata: metadata, files: make(map[string]*descriptorpb.FileDescriptorProto)}
	services, err := server.listServices(ctx)
	if err != nil {
		return nil, err
	}
	for _, service := range services {
		if err := server.fetch(ctx, symbolRequest(service)); err != nil {
			return nil, fmt.Errorf("%w: service %q: %w", ErrReflection, service, err)
		}
	}
	if err := server.fetchImports(ctx); err != nil {
		return nil, err
	}
	return &descriptorpb.FileDescriptorSet{File: server.order}, nil
}

// server is one server under question. Servers repeat the files that several services share; files
// keeps each once, and order keeps their sequence of arrival.
type server struct {
	client   *client.Client
	metadata wire.Metadata
	path     string
	files    map[string]*descriptorpb.FileDescriptorProto
	order    []*descriptorpb.FileDescriptorProto
}

// listServices also finds out which version of the service the server has.
func (s *server) listServices(ctx context.Context) ([]string, error) {
	var failures []error
	for _, path := range paths {
		s.path = path
		answer, err := s.ask(ctx, listRequest())
		if err == nil {
			return answer.services, nil
		}
		failures = append(failures, fmt.Errorf("%s: %w", path, err))
		if fault := (*wire.Error)(nil); !errors.As(err, &fault) || fault.Code != wire.Unimplemented {
			break
		}
	}
	return nil, fmt.Errorf("%w: %w", ErrReflection, errors.Join(failures...))
}

// fetchImports asks for the imports that the answers did not include.
func (s *server) fetchImports(ctx context.Context) error {
	for i := 0; i < len(s.order); i++ {
		for _, path := range s.order[i].GetDependency() {
			if _, ok := s.files[path]; ok {
				continue
			}
			err := s.fetch(ctx, fileRequest(path))
			if fault := (*wire.Error)(nil); errors.As(err, &fault) && fault.Code == wire.NotFound {
				s.files[path] = nil // one of Google's well-known files, perhaps: the schema will know
				continue
			}
			if err != nil {
				return fmt.Errorf("%w: import %q of %q: %w", ErrReflection, path, s.order[i].GetName(), err)
			}
			if _, ok := s.files[path]; !ok {
				s.files[path] = nil
			}
		}
	}
	return nil
}

func (s *server) fetch(ctx context.Context, request []byte) error {
	answer, err := s.ask(ctx, request)
	if err != nil {
		return err
	}
	for _, encoded := range answer.files {
		file := new(descriptorpb.FileDescriptorProto)
		if err := proto.Unmarshal(encoded, file); err != nil {
			return fmt.Errorf("file of %d bytes is not a FileDescriptorProto: %w", len(encoded), err)
		}
		if s.files[file.GetName()] == nil {
			s.files[file.GetName()] = file
			s.order = append(s.order, file)
		}
	}
	return nil
}

// ask sends one request and reads its one answer.
func (s *server) ask(ctx context.Context, request []byte) (answer, error) {
	stream, err := s.client.OpenStream(ctx, &client.Call{Path: s.path, Message: request, Metadata: s.metadata})
	if err != nil {
		return answer{}, fmt.Errorf("open stream: %w", err)
	}
	defer stream.Close()
	var received answer
	count := 0
	for message, ok := stream.Next(); ok; message, ok = stream.Next() {
		count++
		if received, err = parseAnswer(message); err != nil {
			return answer{}, err
		}
	}
	status, _ := stream.Status()
	if status.Code != wire.OK {
		return answer{}, wire.Errorf(status.Code, "%s: %s", status.Code, status.Message)
	}
	if count != 1 {
		return answer{}, wire.Errorf(wire.Internal, "%d answers came to one request", count)
	}
	if received.fault != nil {
		return answer{}, received.fault
	}
	return received, nil
}
