package grpcweb_test

import (
	"context"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/bookstore-bench/xk6-grpcweb/internal/vutest"
)

// interrupted runs code and, once the server says that the moment has come, ends the iteration as k6
// does at the end of gracefulStop. It fails when the iteration does not end then.
func interrupted(t *testing.T, u *vutest.User, code string, moment func() bool, what string) error {
	t.Helper()
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	u.VU.CtxField = ctx
	done := make(chan error, 1)
	go func() {
		_, err := u.RunOnEventLoop(code)
		done <- err
	}()
	vutest.Eventually(t, moment, what)
	cancel()
	var err error
	vutest.Eventually(t, func() bool {
		select {
		case err = <-done:
			return true
		default:
			return false
		}
	}, "the iteration ends")
	return err
}

func TestGracefulStop(t *testing.T) {
	tests := map[string]string{
		"invoke":       `client.invoke('test.v1.Lab/Hang', {})`,
		"asyncInvoke":  `client.asyncInvoke('test.v1.Lab/Hang', {})`,
		"stream":       `new grpcweb.Stream(client, 'test.v1.Lab/Hang').write({})`,
		"both":         `client.asyncInvoke('test.v1.Lab/Hang', {}); new grpcweb.Stream(client, 'test.v1.Lab/Hang').write({})`,
		"after throw":  `client.asyncInvoke('test.v1.Lab/Hang', {}); throw new Error('own')`,
		"stream throw": `new grpcweb.Stream(client, 'test.v1.Lab/Hang').write({}); throw new Error('own')`,
	}
	for name, code := range tests {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, labOptions{})
			u := connected(t, l, `{ plaintext: true }`)
			err := interrupted(t, u, code, func() bool { return l.hanging.Load() > 0 }, "the call reaches the server")
			if thrown := err != nil && strings.Contains(err.Error(), "own"); thrown != strings.Contains(name, "throw") {
				t.Errorf("error %v", err)
			}
			vutest.Eventually(t, func() bool { return l.hanging.Load() == 0 }, "the server sees the calls end")
			u.Iterate(t, `if (client.invoke('test.v1.Lab/Echo', {}).status !== 0) throw new Error('failed')`)
		})
	}
}

func TestStreamOfAnEndedIterationIsSilent(t *testing.T) {
	l := newLab(t, labOptions{})
	u := connected(t, l, `{ plaintext: true }`)
	err := interrupted(t, u, `let events = 0;
		const stream = new grpcweb.Stream(client, 'test.v1.Lab/Hang');
		for (const name of ['error', 'status', 'end']) stream.on(name, () => events++);
		stream.write({});`, func() bool { return l.hanging.Load() > 0 }, "the call reaches the server")
	if err != nil {
		t.Fatal(err)
	}
	u.Iterate(t, `if (events !== 0) throw new Error(events + ' events came after the iteration')`)
}

func TestThrowingHandlerFailsTheIteration(t *testing.T) {
	for _, event := range []string{"metadata", "data", "error", "status", "end"} {
		t.Run(event, func(t *testing.T) {
			l := newLab(t, labOptions{})
			u := connected(t, l, `{ plaintext: true }`)
			u.VU.CtxField = t.Context()
			_, err := u.RunOnEventLoop(`{
				const stream = new grpcweb.Stream(client, 'test.v1.Lab/Count');
				stream.on('` + event + `', () => { throw new Error('own handler'); });
				stream.write({ to: 500, code: 5 });
			}`)
			if err == nil || !strings.Contains(err.Error(), "own handler") {
				t.Errorf("error %v", err)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	l := newLab(t, labOptions{})
	u := connected(t, l, `{ plaintext: true }`)
	u.Iterate(t, `const stream = new grpcweb.Stream(client, 'test.v1.Lab/Fail');
		stream.on('nosuch', () => { throw new Error('never'); });
		stream.write(null);
		stream.write({ code: 9, message: 'sold out' });`)
	for _, want := range []string{`unknown stream event "nosuch"`, "can't send empty message", "FAILED_PRECONDITION", "sold out"} {
		if !strings.Contains(u.Warnings(), want) {
			t.Errorf("no warning %q in:\n%s", want, u.Warnings())
		}
	}
}

func TestCancelledStreamsLeaveNoGoroutines(t *testing.T) {
	const streams = 300
	for _, version := range []string{"1.1", "2"} {
		t.Run(version, func(t *testing.T) {
			l := newLab(t, labOptions{})
			u := connected(t, l, `{ plaintext: true, httpVersion: '`+version+`' }`)
			before := runtime.NumGoroutine()
			for range streams {
				u.Iterate(t, `client.connect(LAB.address, { plaintext: true, httpVersion: '`+version+`' });
					{
						const stream = new grpcweb.Stream(client, 'test.v1.Lab/Endless');
						stream.on('error', () => {});
						stream.on('data', () => client.close());
						stream.write({});
					}`)
			}
			const ofOneConnection = 6
			vutest.Eventually(t, func() bool { return runtime.NumGoroutine() <= before+ofOneConnection }, "the streams' goroutines end")
			vutest.Eventually(t, func() bool { return l.open.Load() <= 2 }, "the streams' sockets close")
		})
	}
}

// Many streams at once end half-way when their client closes.
func TestCancelledCrowdsLeaveNothing(t *testing.T) {
	const clients, streams = 100, 100
	for _, version := range []string{"1.1", "2"} {
		t.Run(version, func(t *testing.T) {
			l := newLab(t, labOptions{})
			u := connected(t, l, `{ plaintext: true, httpVersion: '`+version+`' }`)
			u.Set(t, "STREAMS", streams)
			before := runtime.NumGoroutine()
			for range clients {
				u.Iterate(t, `{
					client.connect(LAB.address, { plaintext: true, httpVersion: '`+version+`' });
					let halfWay = 0;
					let cancelled = 0;
					let ended = 0;
					for (let i = 0; i < STREAMS; i++) {
						const stream = new grpcweb.Stream(client, 'test.v1.Lab/Stall');
						stream.on('data', ({ small }) => { if (small === 2 && ++halfWay === STREAMS) client.close(); });
						stream.on('error', ({ code }) => { if (code === grpcweb.StatusCanceled) cancelled++; });
						stream.on('end', () => {
							if (++ended === STREAMS && cancelled !== STREAMS) throw new Error(cancelled + ' were cancelled');
						});
						stream.write({ to: 2 });
					}
				}`)
				u.Drain()
			}
			if got := l.received(); got != clients*streams {
				t.Errorf("%d streams reached the server, want %d", got, clients*streams)
			}
			vutest.Eventually(t, func() bool { return l.hanging.Load() == 0 }, "the server sees the streams end")
			vutest.Eventually(t, func() bool { return runtime.NumGoroutine() <= before }, "the streams' goroutines end")
			vutest.Eventually(t, func() bool { return l.open.Load() == 0 }, "the streams' sockets close")
		})
	}
}

func TestSlowHandlersHoldTheServerBack(t *testing.T) {
	const messagesAhead = 64 // what the package allows to wait
	l := newLab(t, labOptions{})
	u := connected(t, l, `{ plaintext: true }`)
	received := 0
	count := func() int {
		for _, sample := range u.Drain() {
			if sample.Metric.Name == "grpcweb_streams_msgs_received" {
				received++
			}
		}
		return received
	}
	slow := func() {
		vutest.Eventually(t, func() bool { return count() > messagesAhead }, "messages are read while a handler runs")
		time.Sleep(50 * time.Millisecond) // room for a reader without a limit to give itself away
		// One is with the handler, one has been read and waits for its place.
		if count(); received > messagesAhead+2 {
			t.Errorf("%d messages were read while the script was busy with the first", received)
		}
	}
	u.Set(t, "slow", slow)
	u.Iterate(t, `{
		const stream = new grpcweb.Stream(client, 'test.v1.Lab/Endless');
		stream.on('error', () => {});
		let first = true;
		stream.on('data', () => { if (first) slow(); first = false; client.close(); });
		stream.write({});
	}`)
}
