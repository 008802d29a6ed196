package grpcweb_test

import (
	"net"
	"path/filepath"
	"testing"

	"github.com/bookstore-bench/xk6-grpcweb/grpcweb"
	"github.com/bookstore-bench/xk6-grpcweb/internal/vutest"
)

// TestScripts runs every function of testdata/*.test.js whose name begins with "init" in the init
// context, and every one whose name begins with "test" as an iteration of its own.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob(filepath.Join("testdata", "*.test.js"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no scripts: %v", err)
	}
	for _, file := range files {
		t.Run(filepath.Base(file), func(t *testing.T) { runScript(t, filepath.Base(file)) })
	}
}

func runScript(t *testing.T, file string) {
	u := newUser(t, grpcweb.New())
	plain, secured, mutual := newLab(t, labOptions{}), newLab(t, labOptions{tls: true}), newLab(t, labOptions{clientCert: true})
	setLab(t, u, "LAB", plain)
	setLab(t, u, "TLS_LAB", secured)
	setLab(t, u, "MUTUAL_LAB", mutual)
	certificate, key, encrypted := selfSigned(t)
	u.Set(t, "CERTIFICATE", map[string]any{"cert": certificate, "key": key, "encrypted": encrypted, "password": keyPassword})
	u.Set(t, "SILENT", silent(t))
	u.RunFile(t, filepath.Join("testdata", file))
	count := runTests(t, u, "init")
	u.Start()
	if count+runTests(t, u, "test") == 0 {
		t.Error("the script has no tests")
	}
}

// runTests runs the tests with a prefix and returns how many there are.
func runTests(t *testing.T, u *vutest.User, prefix string) int {
	t.Helper()
	names, err := u.RunOnEventLoop(`testsIn('` + prefix + `')`)
	if err != nil {
		t.Fatal(err)
	}
	var tests []string
	if err := u.VU.Runtime().ExportTo(names, &tests); err != nil {
		t.Fatal(err)
	}
	for _, name := range tests {
		t.Run(name, func(t *testing.T) {
			u.Iterate(t, `runTest('`+name+`')`)
			outcome, err := u.RunOnEventLoop(`outcome`)
			if err != nil {
				t.Fatal(err)
			}
			if outcome.String() != "passed" {
				t.Error(outcome)
			}
		})
	}
	return len(tests)
}

// silent returns the address of a server that accepts connections and never says anything.
func silent(t *testing.T) string {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = listener.Close() }) // the kernel accepts; nobody has to
	return listener.Addr().String()
}
