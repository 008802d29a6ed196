package vutest

import (
	"runtime"
	"testing"
	"time"
)

// Eventually waits for what another goroutine or the kernel does soon; it fails only when that never
// happens.
func Eventually(t testing.TB, condition func() bool, what string) {
	t.Helper()
	for range 3000 {
		if condition() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	stacks := make([]byte, 1<<20)
	t.Fatalf("never happened: %s\n%s", what, stacks[:runtime.Stack(stacks, true)])
}
