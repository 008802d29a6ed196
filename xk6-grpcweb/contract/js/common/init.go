package common

import (
	"net/url"
	"path/filepath"

	"go.k6.io/k6/v2/lib"
	"go.k6.io/k6/v2/lib/fsext"
)

// InitEnvironment is what scripts have in the init context.
type InitEnvironment struct {
	*lib.TestPreInitState
	// FileSystems has the keys "file" and "https".
	FileSystems map[string]fsext.Fs
	// CWD is the folder of the script that k6 was started with.
	CWD *url.URL
}

// GetAbsFilePath makes a name absolute, from CWD.
func (e *InitEnvironment) GetAbsFilePath(name string) string {
	if filepath.IsAbs(name) {
		return filepath.Clean(name)
	}
	return filepath.Join(filepath.FromSlash(e.CWD.Path), name)
}
