package grpcweb

import (
	"sync"

	"go.k6.io/k6/v2/js/modules"
)

// taskQueue runs tasks of other goroutines on the event loop, in their order, and keeps the iteration
// alive until it is closed. At any time it either has one registered callback in hand or one that k6
// is about to run.
type taskQueue struct {
	vu modules.VU

	mu      sync.Mutex
	tasks   []func() error
	enqueue func(func() error) // nil while run is on its way
	closed  bool
}

// newTaskQueue must be called on the event loop. A queue that is not closed hangs the iteration.
func newTaskQueue(vu modules.VU) *taskQueue {
	return &taskQueue{vu: vu, enqueue: vu.RegisterCallback()}
}

// push adds a task. An error of a task ends the queue and fails the iteration.
func (q *taskQueue) push(task func() error) {
	q.schedule(func() { q.tasks = append(q.tasks, task) })
}

// close lets the iteration end after the tasks that are queued already.
func (q *taskQueue) close() {
	q.schedule(func() { q.closed = true })
}

func (q *taskQueue) schedule(change func()) {
	q.mu.Lock()
	change()
	enqueue := q.enqueue
	q.enqueue = nil
	q.mu.Unlock()
	if enqueue != nil {
		enqueue(q.run)
	}
}

// run executes what is queued. It goes back to the event loop in between, where timers and other
// streams wait for their turn.
func (q *taskQueue) run() error {
	q.mu.Lock()
	tasks := q.tasks
	q.tasks = nil
	q.mu.Unlock()
	for _, task := range tasks {
		if err := task(); err != nil {
			return err
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	switch {
	case len(q.tasks) > 0:
		q.vu.RegisterCallback()(q.run)
	case !q.closed:
		q.enqueue = q.vu.RegisterCallback()
	}
	return nil
}
