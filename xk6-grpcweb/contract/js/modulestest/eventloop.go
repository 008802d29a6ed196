package modulestest

import (
	"fmt"
	"sync"

	"github.com/grafana/sobek"
)

// eventLoop runs one function after the other, until nothing is queued and no callback is awaited.
type eventLoop struct {
	mu         sync.Mutex
	changed    *sync.Cond
	queue      []func() error
	registered int
	rejected   map[*sobek.Promise]struct{}
}

func newEventLoop(rt *sobek.Runtime) *eventLoop {
	loop := &eventLoop{rejected: make(map[*sobek.Promise]struct{})}
	loop.changed = sync.NewCond(&loop.mu)
	rt.SetPromiseRejectionTracker(func(promise *sobek.Promise, operation sobek.PromiseRejectionOperation) {
		if operation == sobek.PromiseRejectionReject {
			loop.rejected[promise] = struct{}{}
		} else {
			delete(loop.rejected, promise)
		}
	})
	return loop
}

func (l *eventLoop) register() func(func() error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.registered++
	called := false
	return func(f func() error) {
		l.mu.Lock()
		defer l.mu.Unlock()
		if called {
			panic("a registered callback was called twice")
		}
		called = true
		l.registered--
		l.queue = append(l.queue, f)
		l.changed.Broadcast()
	}
}

func (l *eventLoop) start(first func() error) error {
	l.mu.Lock()
	l.queue = []func() error{first}
	l.mu.Unlock()
	for {
		f, ok := l.next()
		if !ok {
			return nil
		}
		if err := f(); err != nil {
			return err
		}
		for promise := range l.rejected {
			clear(l.rejected)
			//lint:ignore ST1005 k6 words it like that
			return fmt.Errorf("Uncaught (in promise) %s", promise.Result())
		}
	}
}

func (l *eventLoop) next() (func() error, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	for len(l.queue) == 0 {
		if l.registered == 0 {
			return nil, false
		}
		l.changed.Wait()
	}
	f := l.queue[0]
	l.queue = l.queue[1:]
	return f, true
}

// waitOnRegistered waits for the callbacks that are still out and drops what they were given.
func (l *eventLoop) waitOnRegistered() {
	l.mu.Lock()
	defer l.mu.Unlock()
	for l.registered > 0 {
		l.changed.Wait()
	}
	l.queue = nil
}
