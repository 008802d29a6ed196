package grpcweb_test

import (
	"crypto/x509"
	"testing"

	"go.k6.io/k6/v2/js/modules"

	"github.com/bookstore-bench/xk6-grpcweb/grpcweb"
	"github.com/bookstore-bench/xk6-grpcweb/internal/vutest"
)

// newUser makes a virtual user with the scripts' common functions.
func newUser(t testing.TB, module modules.Module) *vutest.User {
	t.Helper()
	u := vutest.New(t, module, "testdata")
	u.RunFile(t, "testdata/prelude.js")
	return u
}

// setLab tells scripts where a server is.
func setLab(t testing.TB, u *vutest.User, name string, l *lab) {
	t.Helper()
	u.Set(t, name, map[string]any{"address": l.address(), "roots": l.roots()})
}

// connected returns a virtual user with a client that has loaded the lab's types and, with the first
// iteration, connected to it. The user's own TLS settings trust the lab.
func connected(t testing.TB, l *lab, params string) *vutest.User {
	t.Helper()
	u := newUser(t, grpcweb.New())
	setLab(t, u, "LAB", l)
	u.Run(t, `const grpcweb = require('k6/x/grpcweb');
		const client = new grpcweb.Client();
		client.load(['proto'], 'test/v1/lab.proto');`)
	if certificate := l.server.Certificate(); certificate != nil {
		u.State.TLSConfig.RootCAs = x509.NewCertPool()
		u.State.TLSConfig.RootCAs.AddCert(certificate)
	}
	u.Start()
	u.Iterate(t, `client.connect(LAB.address, `+params+`)`)
	return u
}
