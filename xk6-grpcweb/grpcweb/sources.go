package grpcweb

import (
	"bytes"
	"context"
	"crypto/sha256"
	"io"
	"strings"
	"sync"

	"github.com/bookstore-bench/xk6-grpcweb/schema"
)

// sources compiles .proto files once for all virtual users. Each user still opens every file through
// its own file system, because k6 packs the files that were opened into archives; what is compiled
// already is known by the content of those files.
type sources struct {
	mu       sync.Mutex
	compiled map[string][]compilation
}

// compilation is an outcome and the files that it came from.
type compilation struct {
	inputs map[string]input
	output fileSet
}

// input is a file as it was found, or that it was not.
type input struct {
	digest  digest
	missing bool
}

func newSources() *sources {
	return &sources{compiled: make(map[string][]compilation)}
}

// load returns the compiled files, with their imports.
func (s *sources) load(ctx context.Context, open openFile, importPaths, files []string) (fileSet, error) {
	reader := &reader{open: open, files: make(map[string]readFile)}
	key := strings.Join(importPaths, "\x00") + "\x00\x00" + strings.Join(files, "\x00")
	s.mu.Lock()
	defer s.mu.Unlock()
	for _, known := range s.compiled[key] {
		if reader.finds(known.inputs) {
			return known.output, nil
		}
	}
	set, err := schema.Compile(ctx, schema.Source{ImportPaths: importPaths, Open: reader.read}, files...)
	if err != nil {
		return fileSet{}, err
	}
	output, err := newFileSet(set)
	if err != nil {
		return fileSet{}, err
	}
	s.compiled[key] = append(s.compiled[key], compilation{inputs: reader.inputs(), output: output})
	return output, nil
}

type openFile func(path string) (io.ReadCloser, error)

// reader reads each file once. The compiler asks it from several goroutines.
type reader struct {
	open openFile

	mu    sync.Mutex
	files map[string]readFile
}

type readFile struct {
	content []byte
	err     error
}

func (r *reader) read(path string) (io.ReadCloser, error) {
	file := r.file(path)
	return io.NopCloser(bytes.NewReader(file.content)), file.err
}

func (r *reader) file(path string) readFile {
	r.mu.Lock()
	defer r.mu.Unlock()
	file, ok := r.files[path]
	if !ok {
		file.content, file.err = r.readAll(path)
		r.files[path] = file
	}
	return file
}

func (r *reader) readAll(path string) ([]byte, error) {
	file, err := r.open(path)
	if err != nil {
		return nil, err
	}
	content, err := io.ReadAll(file)
	_ = file.Close() // only read
	return content, err
}

// finds reports whether all files are as they were. It reads all, also past a difference: each
// virtual user has to open the same files.
func (r *reader) finds(inputs map[string]input) bool {
	same := true
	for path, known := range inputs {
		same = r.file(path).input() == known && same
	}
	return same
}

func (r *reader) inputs() map[string]input {
	r.mu.Lock()
	defer r.mu.Unlock()
	inputs := make(map[string]input, len(r.files))
	for path, file := range r.files {
		inputs[path] = file.input()
	}
	return inputs
}

func (f readFile) input() input {
	if f.err != nil {
		return input{missing: true}
	}
	return input{digest: sha256.Sum256(f.content)}
}
