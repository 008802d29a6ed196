package reflection_test

import (
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/reflection"
	"github.com/bookstore-bench/xk6-grpcweb/schema"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// server is the most sparing server that the protocol allows: it sends a file without its imports,
// and sends it again for each service in it.
type server struct {
	path     string
	services []string
	files    map[string]*descriptorpb.FileDescriptorProto
	bySymbol map[string]string

	mu       sync.Mutex
	metadata []string
}

func (s *server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	s.metadata = append(s.metadata, r.Header.Get("X-Key"))
	s.mu.Unlock()
	w.Header().Set("Content-Type", wire.ContentTypeProto)
	if r.URL.Path != s.path {
		w.Header().Set("Grpc-Status", "12")
		return
	}
	request, err := io.ReadAll(r.Body)
	if err != nil || len(request) <= wire.PrefixBytes {
		http.Error(w, "no request", http.StatusBadRequest)
		return
	}
	answer := s.answer(request[wire.PrefixBytes:])
	prefix, _ := wire.Prefix(0, len(answer))
	_, _ = w.Write(append(prefix[:], answer...))
	_, _ = io.WriteString(w, "\x80\x00\x00\x00\x0fgrpc-status:0\r\n")
}

func (s *server) answer(request []byte) []byte {
	number, _, size := protowire.ConsumeTag(request)
	name, _ := protowire.ConsumeString(request[size:])
	switch number {
	case 7:
		var list []byte
		for _, service := range s.services {
			list = field(list, 1, field(nil, 1, []byte(service)))
		}
		return field(nil, 6, list)
	case 4:
		name = s.bySymbol[name]
	}
	file, ok := s.files[name]
	if !ok {
		fault := protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), uint64(wire.NotFound))
		return field(nil, 7, field(fault, 2, []byte("no such file")))
	}
	encoded, _ := proto.Marshal(file)
	return field(nil, 4, field(nil, 1, encoded))
}

func field(dst []byte, number protowire.Number, value []byte) []byte {
	return protowire.AppendBytes(protowire.AppendTag(dst, number, protowire.BytesType), value)
}

func service(name, message string) *descriptorpb.ServiceDescriptorProto {
	return &descriptorpb.ServiceDescriptorProto{Name: &name, Method: []*descriptorpb.MethodDescriptorProto{
		{Name: proto.String("Do"), InputType: &message, OutputType: proto.String(".google.protobuf.Timestamp")},
	}}
}

func newServer() *server {
	return &server{
		path:     "/grpc.reflection.v1.ServerReflection/ServerReflectionInfo",
		services: []string{"pair.One", "pair.Two"},
		bySymbol: map[string]string{"pair.One": "pair.proto", "pair.Two": "pair.proto"},
		files: map[string]*descriptorpb.FileDescriptorProto{
			"pair.proto": {
				Name: proto.String("pair.proto"), Package: proto.String("pair"), Syntax: proto.String("proto3"),
				// The server does not have Google's file; the schema does.
				Dependency: []string{"part.proto", "google/protobuf/timestamp.proto"},
				Service:    []*descriptorpb.ServiceDescriptorProto{service("One", ".pair.Part"), service("Two", ".pair.Part")},
			},
			"part.proto": {
				Name: proto.String("part.proto"), Package: proto.String("pair"), Syntax: proto.String("proto3"),
				MessageType: []*descriptorpb.DescriptorProto{{Name: proto.String("Part")}},
			},
		},
	}
}

func load(t *testing.T, handler http.Handler) (*schema.Schema, error) {
	t.Helper()
	host := httptest.NewServer(handler)
	defer host.Close()
	transport, err := client.NewTransport(client.TransportOptions{Plaintext: true})
	if err != nil {
		t.Fatal(err)
	}
	defer transport.Close()
	c, err := client.New(transport, host.Listener.Addr().String(), client.Options{})
	if err != nil {
		t.Fatal(err)
	}
	types := schema.New()
	_, err = reflection.Load(t.Context(), c, types, wire.Metadata{"x-key": {"secret"}})
	return types, err
}

func TestLoad(t *testing.T) {
	for _, version := range []string{"v1", "v1alpha"} {
		t.Run(version, func(t *testing.T) {
			s := newServer()
			s.path = strings.Replace(s.path, "v1", version, 1)
			types, err := load(t, s)
			if err != nil {
				t.Fatal(err)
			}
			for _, path := range []string{"pair.One/Do", "pair.Two/Do"} {
				if _, err := types.Method(path); err != nil {
					t.Error(err)
				}
			}
			for _, key := range s.metadata {
				if key != "secret" {
					t.Errorf("a call went without the metadata: %q", s.metadata)
				}
			}
		})
	}
}

func TestFaults(t *testing.T) {
	without := func(change func(*server)) *server {
		s := newServer()
		change(s)
		return s
	}
	tests := map[string]struct {
		handler http.Handler
		want    string
	}{
		"no reflection":      {http.NotFoundHandler(), "UNIMPLEMENTED"},
		"service is unknown": {without(func(s *server) { s.services = append(s.services, "gone.Away") }), "gone.Away"},
		"import is missing":  {without(func(s *server) { delete(s.files, "part.proto") }), "part.proto"},
		"no gRPC-Web": {http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", "text/html")
		}), "text/html"},
		"several answers": {http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", wire.ContentTypeProto)
			_, _ = io.WriteString(w, "\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x80\x00\x00\x00\x0fgrpc-status:0\r\n")
		}), "2 answers"},
		"damaged answer": {http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", wire.ContentTypeProto)
			_, _ = io.WriteString(w, "\x00\x00\x00\x00\x02\x0a\x05\x80\x00\x00\x00\x0fgrpc-status:0\r\n")
		}), "ServerReflectionResponse"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			_, err := load(t, test.handler)
			if !errors.Is(err, reflection.ErrReflection) || !strings.Contains(err.Error(), test.want) {
				t.Errorf("error %v, want one that names %q", err, test.want)
			}
		})
	}
}
