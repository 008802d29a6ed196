// Package fsext describes what the extension uses of k6's file systems. k6's own types have more
// methods.
package fsext

import (
	"io"
	"os"
)

// File is an open file.
type File interface {
	io.ReadCloser
}

// Fs is a file system.
type Fs interface {
	Open(name string) (File, error)
}

type osFs struct{}

// NewOsFs returns the machine's file system.
func NewOsFs() Fs { return osFs{} }

func (osFs) Open(name string) (File, error) {
	return os.Open(name)
}
