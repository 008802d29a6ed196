package grpcweb

import (
	"context"
	"sync"

	"github.com/bookstore-bench/xk6-grpcweb/client"
)

// transportKey tells transports apart that cannot be shared.
type transportKey struct {
	address   string
	plaintext bool
	version   client.HTTPVersion
	authority string
	tls       digest
}

// transportPool keeps the transports of clients that share connections, as long as one of them is
// connected.
type transportPool struct {
	mu      sync.Mutex
	entries map[transportKey]*sharedTransport
}

type sharedTransport struct {
	users int // guarded by the pool

	mu        sync.Mutex
	transport *client.Transport
}

func newTransportPool() *transportPool {
	return &transportPool{entries: make(map[transportKey]*sharedTransport)}
}

// connect returns the shared transport, connected. Of users who come at the same time one connects
// and the others wait for it.
func (p *transportPool) connect(ctx context.Context, key transportKey, create func() (*client.Transport, error)) (*client.Transport, func(), error) {
	p.mu.Lock()
	shared, ok := p.entries[key]
	if !ok {
		shared = new(sharedTransport)
		p.entries[key] = shared
	}
	shared.users++
	p.mu.Unlock()

	release := sync.OnceFunc(func() { p.release(key, shared) })
	transport, err := shared.connect(ctx, key.address, create)
	if err != nil {
		release()
		return nil, nil, err
	}
	return transport, release, nil
}

func (s *sharedTransport) connect(ctx context.Context, address string, create func() (*client.Transport, error)) (*client.Transport, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.transport != nil {
		return s.transport, nil
	}
	transport, err := create()
	if err != nil {
		return nil, err
	}
	if err := transport.Connect(ctx, address); err != nil {
		return nil, err
	}
	s.transport = transport
	return transport, nil
}

func (p *transportPool) release(key transportKey, shared *sharedTransport) {
	p.mu.Lock()
	defer p.mu.Unlock()
	shared.users--
	if shared.users > 0 {
		return
	}
	delete(p.entries, key)
	if shared.transport != nil {
		shared.transport.Abort()
	}
}
