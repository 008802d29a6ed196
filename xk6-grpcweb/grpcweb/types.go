package grpcweb

import (
	"crypto/sha256"
	"fmt"
	"sync"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"

	"github.com/bookstore-bench/xk6-grpcweb/schema"
)

type digest = [sha256.Size]byte

// fileSet is a set of compiled files with the digest of their content.
type fileSet struct {
	files  *descriptorpb.FileDescriptorSet
	digest digest
}

func newFileSet(files *descriptorpb.FileDescriptorSet) (fileSet, error) {
	content, err := proto.MarshalOptions{Deterministic: true}.Marshal(files)
	if err != nil {
		return fileSet{}, fmt.Errorf("digest of descriptors: %w", err)
	}
	return fileSet{files: files, digest: sha256.Sum256(content)}, nil
}

// typeSet is what a client has loaded, one file set after the other. It does not change: loading
// more leads to another set. Clients that load the same share the same sets, so that message types
// are in memory once and not once for each virtual user.
type typeSet struct {
	schema *schema.Schema
	loaded []fileSet

	mu   sync.Mutex
	next map[digest]*typeSet
}

func newTypeSet() *typeSet {
	return &typeSet{schema: schema.New(), next: make(map[digest]*typeSet)}
}

// with returns the set that also holds the given files.
func (t *typeSet) with(files fileSet) (*typeSet, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if next, ok := t.next[files.digest]; ok {
		return next, nil
	}
	next := newTypeSet()
	next.loaded = append(t.loaded[:len(t.loaded):len(t.loaded)], files)
	for _, set := range next.loaded {
		if _, err := next.schema.AddFiles(set.files); err != nil {
			return nil, err
		}
	}
	t.next[files.digest] = next
	return next, nil
}

// MethodInfo describes a loaded method to scripts.
type MethodInfo struct {
	Package    string `js:"package"`
	Service    string `js:"service"`
	FullMethod string `js:"full_method"`
}

// methodsOf lists the methods of all services of a set.
func methodsOf(files *descriptorpb.FileDescriptorSet) []MethodInfo {
	methods := []MethodInfo{}
	for _, file := range files.GetFile() {
		for _, service := range file.GetService() {
			name := service.GetName()
			if file.GetPackage() != "" {
				name = file.GetPackage() + "." + name
			}
			for _, method := range service.GetMethod() {
				methods = append(methods, MethodInfo{
					Package:    file.GetPackage(),
					Service:    service.GetName(),
					FullMethod: "/" + name + "/" + method.GetName(),
				})
			}
		}
	}
	return methods
}
