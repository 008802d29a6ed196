package grpcweb

import (
	"fmt"
	"io"
	"strings"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/descriptorpb"
)

// Load compiles .proto files and returns their methods. Import paths and files are relative to the
// folder of the script that k6 was started with, which is the import path when none is given.
func (c *Client) Load(importPaths []string, files ...string) ([]MethodInfo, error) {
	environment := c.instance.vu.InitEnv()
	if environment == nil {
		return nil, errLoadOutsideInit
	}
	if len(importPaths) == 0 {
		importPaths = []string{"."}
	}
	absolute := make([]string, len(importPaths))
	for i, path := range importPaths {
		absolute[i] = environment.GetAbsFilePath(strings.TrimPrefix(path, "file://"))
	}
	set, err := c.instance.root.sources.load(c.instance.vu.Context(), c.open, absolute, files)
	if err != nil {
		return nil, err
	}
	return c.add(set)
}

// LoadProtoset loads a file with a serialized FileDescriptorSet and returns its methods.
func (c *Client) LoadProtoset(path string) ([]MethodInfo, error) {
	environment := c.instance.vu.InitEnv()
	if environment == nil {
		return nil, errLoadOutsideInit
	}
	file, err := c.open(environment.GetAbsFilePath(path))
	if err != nil {
		return nil, fmt.Errorf("couldn't open protoset: %w", err)
	}
	content, err := io.ReadAll(file)
	_ = file.Close() // only read
	if err != nil {
		return nil, fmt.Errorf("couldn't read protoset: %w", err)
	}
	files := new(descriptorpb.FileDescriptorSet)
	if err := proto.Unmarshal(content, files); err != nil {
		return nil, fmt.Errorf("couldn't unmarshal protoset file %q: %w", path, err)
	}
	set, err := newFileSet(files)
	if err != nil {
		return nil, err
	}
	return c.add(set)
}

func (c *Client) add(set fileSet) ([]MethodInfo, error) {
	types, err := c.types.with(set)
	if err != nil {
		return nil, err
	}
	c.types = types
	return methodsOf(set.files), nil
}

// open opens a file as k6 does for scripts. It is only called in the init context.
func (c *Client) open(path string) (io.ReadCloser, error) {
	files, ok := c.instance.vu.InitEnv().FileSystems["file"]
	if !ok {
		return nil, errNoFileSystem
	}
	return files.Open(path)
}
