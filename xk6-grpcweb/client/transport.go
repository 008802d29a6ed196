package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"time"
)

// ErrTransportOptions is wrapped by every error that [NewTransport] returns.
var ErrTransportOptions = errors.New("invalid transport options")

// HTTPVersion says which HTTP versions a transport may speak.
type HTTPVersion int

const (
	// HTTPAuto means HTTP/2 where TLS negotiates it and HTTP/1.1 otherwise.
	HTTPAuto HTTPVersion = iota
	// HTTP1 means HTTP/1.1 only.
	HTTP1
	// HTTP2 means HTTP/2 only; without TLS it is spoken with prior knowledge (h2c).
	HTTP2
)

const (
	defaultIdleTimeout = 90 * time.Second
	defaultDialTimeout = 60 * time.Second
	handshakeTimeout   = 30 * time.Second
)

// TransportOptions are the properties of connections.
type TransportOptions struct {
	// Plaintext turns TLS off.
	Plaintext bool
	// TLS holds roots, client certificates and so on; nil means Go's defaults. It is cloned.
	TLS *tls.Config
	// HTTPVersion defaults to [HTTPAuto].
	HTTPVersion HTTPVersion
	// DialContext opens connections; nil means a plain [net.Dialer].
	DialContext func(ctx context.Context, network, address string) (net.Conn, error)
	// IdleTimeout closes connections that were not used for so long; zero means 90 s.
	IdleTimeout time.Duration
}

// Transport owns the connections to servers. An idle connection is used again, and there is no limit
// on their number: a load generator that queues calls would measure its own queue. Close it after
// use.
type Transport struct {
	http   *http.Transport
	scheme string
	dialer *dialer
}

// NewTransport makes a transport. It opens no connection.
func NewTransport(options TransportOptions) (*Transport, error) {
	if options.Plaintext && options.TLS != nil {
		return nil, errors.Join(ErrTransportOptions, errors.New("TLS settings were given together with Plaintext; remove one"))
	}
	if options.IdleTimeout < 0 {
		return nil, errors.Join(ErrTransportOptions, errors.New("IdleTimeout is negative"))
	}
	protocols, err := protocolsOf(options.HTTPVersion, options.Plaintext)
	if err != nil {
		return nil, err
	}
	dialer := newDialer(options)
	transport := &http.Transport{
		IdleConnTimeout:     options.IdleTimeout,
		MaxIdleConnsPerHost: math.MaxInt,
		Protocols:           protocols,
		// Bodies are inflated here, frame by frame; the transport must not ask for gzip on its own.
		DisableCompression: true,
	}
	if transport.IdleConnTimeout == 0 {
		transport.IdleConnTimeout = defaultIdleTimeout
	}
	if options.Plaintext {
		transport.DialContext = dialer.dial
		return &Transport{http: transport, scheme: "http", dialer: dialer}, nil
	}
	transport.DialTLSContext = dialer.dial
	return &Transport{http: transport, scheme: "https", dialer: dialer}, nil
}

// Connect opens a connection to address, TLS included, for the next call to use: it tells early
// whether the server can be reached. While such a connection waits for its call, Connect does
// nothing.
func (t *Transport) Connect(ctx context.Context, address string) error {
	if err := checkAddress(address); err != nil {
		return err
	}
	if err := t.dialer.prepare(ctx, address); err != nil {
		return fmt.Errorf("%s: %w%s", address, err, hint(err))
	}
	return nil
}

// Close closes the idle connections. Calls in flight go on; their connections close when the calls
// end (HTTP/1.1) or the idle time-out has passed (HTTP/2). A closed transport opens connections anew
// when it is used again.
func (t *Transport) Close() {
	t.dialer.close()
	t.http.CloseIdleConnections()
}

// Abort closes all connections, also those of calls in flight, which fail. The transport cannot be
// used again.
func (t *Transport) Abort() {
	t.Close()
	t.dialer.abort()
}

func protocolsOf(version HTTPVersion, plaintext bool) (*http.Protocols, error) {
	protocols := new(http.Protocols)
	switch {
	case version == HTTP1, version == HTTPAuto && plaintext:
		protocols.SetHTTP1(true)
	case version == HTTPAuto:
		protocols.SetHTTP1(true)
		protocols.SetHTTP2(true)
	case version == HTTP2 && plaintext:
		protocols.SetUnencryptedHTTP2(true)
	case version == HTTP2:
		protocols.SetHTTP2(true)
	default:
		return nil, errors.Join(ErrTransportOptions, errors.New("unknown HTTPVersion; use HTTPAuto, HTTP1 or HTTP2"))
	}
	return protocols, nil
}
