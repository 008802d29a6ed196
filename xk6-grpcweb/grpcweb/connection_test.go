package grpcweb_test

import (
	"fmt"
	"testing"

	"github.com/bookstore-bench/xk6-grpcweb/grpcweb"
	"github.com/bookstore-bench/xk6-grpcweb/internal/vutest"
)

func TestBytesGoThroughTheUsersDialer(t *testing.T) {
	for name, options := range map[string]labOptions{"plaintext": {}, "TLS": {tls: true}} {
		t.Run(name, func(t *testing.T) {
			l := newLab(t, options)
			u := connected(t, l, fmt.Sprintf(`{ plaintext: %t, httpVersion: '1.1' }`, !options.tls))
			sent, received := u.Dialer.Sent.Load(), u.Dialer.Received.Load()
			u.Iterate(t, `client.invoke('test.v1.Lab/Echo', { text: 'x'.repeat(10000) })`)
			if more := u.Dialer.Sent.Load() - sent; more < 10_000 || more > 11_000 {
				t.Errorf("%d bytes sent were counted", more)
			}
			if more := u.Dialer.Received.Load() - received; more < 10_000 || more > 11_000 {
				t.Errorf("%d bytes received were counted", more)
			}
			if dials := u.Dialer.Dials.Load(); dials != 1 || l.accepted.Load() != 1 {
				t.Errorf("%d dials and %d connections", dials, l.accepted.Load())
			}
		})
	}
}

func TestConnectionOutlivesIterations(t *testing.T) {
	l := newLab(t, labOptions{})
	u := connected(t, l, `{ plaintext: true }`)
	for range 5 {
		u.Iterate(t, `if (client.invoke('test.v1.Lab/Echo', {}).status !== 0) throw new Error('failed')`)
	}
	if accepted := l.accepted.Load(); accepted != 1 {
		t.Errorf("%d connections for one client", accepted)
	}
}

func TestOptionsOfTheTestRun(t *testing.T) {
	l := newLab(t, labOptions{tls: true})
	u := connected(t, l, `{ authority: 'example.com' }`) // trusts the server by the user's own TLS settings
	u.State.Options.UserAgent.Valid, u.State.Options.UserAgent.String = true, "mine/1.0"
	u.Iterate(t, `client.connect(LAB.address); client.invoke('test.v1.Lab/Echo', {})`)
	request := l.last(t)
	if agent := request.header.Get("User-Agent"); agent != "mine/1.0" {
		t.Errorf("user agent %q", agent)
	}
	if request.proto != "HTTP/2.0" {
		t.Errorf("TLS negotiated %s", request.proto)
	}
}

func TestRequestsOnTheWire(t *testing.T) {
	l := newLab(t, labOptions{})
	u := connected(t, l, `{ plaintext: true, basePath: 'gateway', compression: 'gzip', httpVersion: '2' }`)
	u.Iterate(t, `client.invoke('test.v1.Lab/Echo', { small: 5 }, { metadata: { 'X-User': 'me' }, timeout: '3s' })`)
	request := l.last(t)
	if request.path != "/gateway/test.v1.Lab/Echo" || request.proto != "HTTP/2.0" || !request.compressed {
		t.Errorf("request %+v", request)
	}
	if string(request.message) != "\x10\x05" {
		t.Errorf("message % x", request.message)
	}
	if request.header.Get("X-User") != "me" || request.header.Get("Grpc-Timeout") == "" {
		t.Errorf("header %v", request.header)
	}
}

func TestUnusedConnectionIsNotWaitedFor(t *testing.T) {
	l := newLab(t, labOptions{})
	u := connected(t, l, `{ plaintext: true }`)
	u.Iterate(t, `client.close()`)
	vutest.Eventually(t, func() bool { return l.open.Load() == 0 }, "close also closes a connection without calls")
}

func TestThousandClientsLeaveNoSockets(t *testing.T) {
	const rounds, allowed = 1000, 2
	for _, version := range []string{"1.1", "2"} {
		t.Run(version, func(t *testing.T) {
			l := newLab(t, labOptions{})
			u := connected(t, l, `{ plaintext: true }`)
			for range rounds {
				u.Iterate(t, `client.connect(LAB.address, { plaintext: true, httpVersion: '`+version+`' });
					if (client.invoke('test.v1.Lab/Echo', {}).status !== 0) throw new Error('failed');
					client.close();`)
			}
			if accepted := l.accepted.Load(); accepted != rounds+1 {
				t.Errorf("%d connections for %d clients", accepted, rounds+1)
			}
			vutest.Eventually(t, func() bool { return l.open.Load() <= allowed }, "at most 2 sockets stay open")
		})
	}
}

func TestSharedConnections(t *testing.T) {
	l := newLab(t, labOptions{})
	module := grpcweb.New()
	users := make([]*vutest.User, 3)
	for i := range users {
		users[i] = newUser(t, module)
		setLab(t, users[i], "LAB", l)
		users[i].Run(t, `const grpcweb = require('k6/x/grpcweb');
			const client = new grpcweb.Client();
			client.load(['proto'], 'test/v1/lab.proto');`)
		users[i].Start()
		users[i].Iterate(t, `client.connect(LAB.address, { plaintext: true, httpVersion: '2', connectionSharing: true });
			client.invoke('test.v1.Lab/Echo', {});`)
	}
	if accepted := l.accepted.Load(); accepted != 1 {
		t.Errorf("%d connections for users who share one", accepted)
	}
	users[0].Iterate(t, `client.close()`)
	users[1].Iterate(t, `if (client.invoke('test.v1.Lab/Echo', {}).status !== 0) throw new Error('failed')`)
	users[1].Iterate(t, `client.close(); client.close();`)
	users[2].Iterate(t, `if (client.invoke('test.v1.Lab/Echo', {}).status !== 0) throw new Error('failed')`)
	if accepted := l.accepted.Load(); accepted != 1 {
		t.Errorf("closing one user's client cost the others their connection: %d", accepted)
	}
	users[2].Iterate(t, `client.close()`)
	vutest.Eventually(t, func() bool { return l.open.Load() == 0 }, "the last user closes the connection")
}
