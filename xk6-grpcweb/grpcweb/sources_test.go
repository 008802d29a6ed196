package grpcweb

import (
	"errors"
	"io"
	"io/fs"
	"slices"
	"strings"
	"sync"
	"testing"
)

// folder is a file system that notes what was opened.
type folder struct {
	files map[string]string

	mu     sync.Mutex
	opened []string
}

func (f *folder) open(path string) (io.ReadCloser, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.opened = append(f.opened, path)
	content, ok := f.files[path]
	if !ok {
		return nil, fs.ErrNotExist
	}
	return io.NopCloser(strings.NewReader(content)), nil
}

func (f *folder) sorted() []string {
	f.mu.Lock()
	defer f.mu.Unlock()
	slices.Sort(f.opened)
	return f.opened
}

const (
	mainProto = `syntax = "proto3"; import "part.proto"; service S { rpc Do(Part) returns (Part); }`
	partProto = `syntax = "proto3"; message Part { string a = 1; }`
)

func load(t testing.TB, s *sources, f *folder) fileSet {
	t.Helper()
	set, err := s.load(t.Context(), f.open, []string{"one", "two"}, []string{"main.proto"})
	if err != nil {
		t.Fatal(err)
	}
	return set
}

func TestFilesAreCompiledOnceAndOpenedByEachUser(t *testing.T) {
	s := newSources()
	first := &folder{files: map[string]string{"one/main.proto": mainProto, "two/part.proto": partProto}}
	second := &folder{files: first.files}
	compiled, again := load(t, s, first), load(t, s, second)
	if compiled.files != again.files {
		t.Error("the same files were compiled twice")
	}
	if !slices.Equal(first.sorted(), second.sorted()) || len(second.opened) == 0 {
		t.Errorf("the first user opened %q, the second %q", first.sorted(), second.sorted())
	}
}

func TestChangedFilesAreCompiledAgain(t *testing.T) {
	s := newSources()
	files := func(change func(map[string]string)) *folder {
		f := &folder{files: map[string]string{"one/main.proto": mainProto, "two/part.proto": partProto}}
		change(f.files)
		return f
	}
	original := load(t, s, files(func(map[string]string) {}))
	other := strings.Replace(partProto, " a ", " b ", 1)
	changed := load(t, s, files(func(f map[string]string) { f["two/part.proto"] = other }))
	nearer := load(t, s, files(func(f map[string]string) { f["one/part.proto"] = other }))
	if original.digest == changed.digest || original.digest == nearer.digest {
		t.Error("a changed file was taken for the old one")
	}
	gone := files(func(f map[string]string) { delete(f, "two/part.proto") })
	if _, err := s.load(t.Context(), gone.open, []string{"one", "two"}, []string{"main.proto"}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("error %v for a file that is gone", err)
	}
}

func TestUsersShareMessageTypes(t *testing.T) {
	f := &folder{files: map[string]string{"one/main.proto": mainProto, "two/part.proto": partProto}}
	root := New()
	first, err := root.types.with(load(t, root.sources, f))
	if err != nil {
		t.Fatal(err)
	}
	second, err := root.types.with(load(t, root.sources, f))
	if err != nil {
		t.Fatal(err)
	}
	if first != second {
		t.Error("two users who loaded the same have their own types")
	}
	if _, err := root.types.schema.Method("S/Do"); err == nil {
		t.Error("a client that loaded nothing knows the method")
	}
}
