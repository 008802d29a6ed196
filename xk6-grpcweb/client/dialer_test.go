package client

import (
	"context"
	"errors"
	"io"
	"net"
	"testing"
	"time"
)

// pipes is a network whose connections lead nowhere.
type pipes struct{ dialled int }

func (p *pipes) dial(context.Context, string, string) (net.Conn, error) {
	p.dialled++
	conn, _ := net.Pipe()
	return conn, nil
}

func closed(conn net.Conn) bool {
	_ = conn.SetDeadline(time.Now()) // nobody reads at the other end of an open one
	_, err := conn.Write([]byte{0})
	return errors.Is(err, io.ErrClosedPipe)
}

func TestPreparedConnectionIsUsedOnce(t *testing.T) {
	network := new(pipes)
	d := newDialer(TransportOptions{Plaintext: true, DialContext: network.dial})
	for range 2 {
		if err := d.prepare(t.Context(), "a:1"); err != nil {
			t.Fatal(err)
		}
	}
	for _, want := range []int{1, 2} {
		if _, err := d.dial(t.Context(), "tcp", "a:1"); err != nil || network.dialled != want {
			t.Errorf("%d connections, want %d; error %v", network.dialled, want, err)
		}
	}
}

func TestPreparedConnectionGrowsStale(t *testing.T) {
	network := new(pipes)
	d := newDialer(TransportOptions{Plaintext: true, DialContext: network.dial})
	if err := d.prepare(t.Context(), "a:1"); err != nil {
		t.Fatal(err)
	}
	stale := d.prepared["a:1"]
	stale.since = time.Now().Add(-2 * preparedLifetime)
	d.prepared["a:1"] = stale
	conn, err := d.dial(t.Context(), "tcp", "a:1")
	if err != nil || conn == stale.Conn || !closed(stale.Conn) {
		t.Errorf("connection %v was used again or left open; error %v", conn, err)
	}
}

func TestAbortClosesWhatIsOpenAndWhatOpensLater(t *testing.T) {
	network := new(pipes)
	d := newDialer(TransportOptions{Plaintext: true, DialContext: network.dial})
	conn, err := d.dial(t.Context(), "tcp", "a:1")
	if err != nil {
		t.Fatal(err)
	}
	d.abort()
	if !closed(conn) {
		t.Error("an open connection was left open")
	}
	if _, err := d.dial(t.Context(), "tcp", "a:1"); !errors.Is(err, errAborted) {
		t.Errorf("error %v from a dial after the abort", err)
	}
}
