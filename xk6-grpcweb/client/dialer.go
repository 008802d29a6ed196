package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"net"
	"sync"
	"time"
)

// preparedLifetime is how long a prepared connection waits for its first call. Servers close
// connections that stay silent, and net/http does not repeat a call on a connection that it never
// used before.
const preparedLifetime = 5 * time.Second

var (
	errAborted = errors.New("the transport was aborted")
	errNoHTTP2 = errors.New("the server did not agree to HTTP/2; use HTTP/1.1 or let both sides choose")
)

// dialer opens connections, and keeps those that were opened ahead of their call.
type dialer struct {
	dialContext func(ctx context.Context, network, address string) (net.Conn, error)
	tls         *tls.Config // nil for plaintext
	needHTTP2   bool

	mu       sync.Mutex
	prepared map[string]preparedConn
	open     map[*trackedConn]struct{}
	aborted  bool
}

type preparedConn struct {
	net.Conn
	since time.Time
}

// trackedConn is a connection that an abort closes.
type trackedConn struct {
	net.Conn
	dialer *dialer
}

// Close implements [net.Conn].
func (c *trackedConn) Close() error {
	c.dialer.mu.Lock()
	delete(c.dialer.open, c)
	c.dialer.mu.Unlock()
	return c.Conn.Close()
}

func newDialer(options TransportOptions) *dialer {
	d := &dialer{
		dialContext: options.DialContext,
		prepared:    make(map[string]preparedConn),
		open:        make(map[*trackedConn]struct{}),
	}
	if d.dialContext == nil {
		d.dialContext = (&net.Dialer{Timeout: defaultDialTimeout}).DialContext
	}
	if options.Plaintext {
		return d
	}
	d.tls = &tls.Config{MinVersion: tls.VersionTLS12}
	if options.TLS != nil {
		d.tls = options.TLS.Clone()
	}
	switch options.HTTPVersion {
	case HTTP1:
		d.tls.NextProtos = []string{"http/1.1"}
	case HTTP2:
		d.tls.NextProtos, d.needHTTP2 = []string{"h2"}, true
	default:
		d.tls.NextProtos = []string{"h2", "http/1.1"}
	}
	return d
}

// prepare opens a connection for a later dial.
func (d *dialer) prepare(ctx context.Context, address string) error {
	if conn, ok := d.take(address); ok {
		d.keep(address, conn)
		return nil
	}
	conn, err := d.connect(ctx, "tcp", address)
	if err != nil {
		return err
	}
	d.keep(address, preparedConn{Conn: conn, since: time.Now()})
	return nil
}

// dial returns the prepared connection or opens one.
func (d *dialer) dial(ctx context.Context, network, address string) (net.Conn, error) {
	if conn, ok := d.take(address); ok {
		return conn.Conn, nil // not the wrapper: net/http asks for the type of a TLS connection
	}
	return d.connect(ctx, network, address)
}

func (d *dialer) connect(ctx context.Context, network, address string) (net.Conn, error) {
	untracked, err := d.dialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	conn := &trackedConn{Conn: untracked, dialer: d}
	if !d.track(conn) {
		_ = untracked.Close() // never used, so nothing can be lost
		return nil, errAborted
	}
	if d.tls == nil {
		return conn, nil
	}
	secured, err := d.handshake(ctx, conn, address)
	if err != nil {
		_ = conn.Close() // the handshake's error is the one that counts
		return nil, err
	}
	return secured, nil
}

func (d *dialer) handshake(ctx context.Context, conn net.Conn, address string) (net.Conn, error) {
	config := d.tls
	if config.ServerName == "" {
		host, _, err := net.SplitHostPort(address)
		if err != nil {
			return nil, fmt.Errorf("server name for TLS: %w", err)
		}
		config = config.Clone()
		config.ServerName = host
	}
	ctx, cancel := context.WithTimeout(ctx, handshakeTimeout)
	defer cancel()
	secured := tls.Client(conn, config)
	if err := secured.HandshakeContext(ctx); err != nil {
		return nil, err
	}
	if d.needHTTP2 && secured.ConnectionState().NegotiatedProtocol != "h2" {
		return nil, errNoHTTP2
	}
	return secured, nil
}

func (d *dialer) track(conn *trackedConn) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	if !d.aborted {
		d.open[conn] = struct{}{}
	}
	return !d.aborted
}

func (d *dialer) keep(address string, conn preparedConn) {
	d.mu.Lock()
	other, ok := d.prepared[address]
	d.prepared[address] = conn
	d.mu.Unlock()
	if ok {
		_ = other.Close() // never used, so nothing can be lost
	}
}

// take removes the prepared connection and returns it while it is fresh.
func (d *dialer) take(address string) (preparedConn, bool) {
	d.mu.Lock()
	conn, ok := d.prepared[address]
	delete(d.prepared, address)
	d.mu.Unlock()
	if ok && time.Since(conn.since) > preparedLifetime {
		_ = conn.Close()
		return preparedConn{}, false
	}
	return conn, ok
}

// close closes what was never used.
func (d *dialer) close() {
	d.mu.Lock()
	prepared := d.prepared
	d.prepared = make(map[string]preparedConn)
	d.mu.Unlock()
	for _, conn := range prepared {
		_ = conn.Close()
	}
}

// abort closes all connections and opens no more.
func (d *dialer) abort() {
	d.mu.Lock()
	d.aborted = true
	open := d.open
	d.open = nil
	d.mu.Unlock()
	for conn := range open {
		_ = conn.Close() // whoever uses it is told by its own read or write
	}
}
