package grpcweb_test

import (
	"context"
	"testing"
)

// BenchmarkInvoke is a whole call from a script, server included. It shows what changes, not what a
// call costs: the server runs in the same process.
func BenchmarkInvoke(b *testing.B) {
	l := newLab(b, labOptions{})
	u := connected(b, l, `{ plaintext: true }`)
	u.VU.CtxField = context.Background()
	u.Run(b, `function calls(n) { for (let i = 0; i < n; i++) client.invoke('test.v1.Lab/Echo', { small: 1, text: 'x' }); }`)
	for b.Loop() {
		u.Run(b, `calls(100)`)
		u.Drain()
		l.forget()
	}
}
