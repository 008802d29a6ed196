package grpcweb

import (
	"context"
	"fmt"
	"sync"

	"go.k6.io/k6/v2/lib"

	"github.com/bookstore-bench/xk6-grpcweb/client"
)

// connection is what a client has between connect and close. It outlives iterations.
type connection struct {
	client *client.Client
	// target is the address with the base path, the beginning of the tag url.
	target string
	// closing ends when the client closes: calls in flight end with it.
	closing context.Context
	close   func()
}

// connect opens a connection within the time of ctx.
func (r *RootModule) connect(ctx context.Context, state *lib.State, address string, params connectParams) (*connection, error) {
	create := func() (*client.Transport, error) { return newTransport(state, params) }
	transport, release, err := r.transport(ctx, address, params, create)
	if err != nil {
		return nil, err
	}
	c, err := client.New(transport, address, params.options)
	if err != nil {
		release()
		return nil, err
	}
	closing, cancel := context.WithCancel(context.Background())
	return &connection{
		client:  c,
		target:  address + c.BasePath(),
		closing: closing,
		close:   func() { cancel(); release() },
	}, nil
}

// transport returns a connected transport and how to give it back.
func (r *RootModule) transport(ctx context.Context, address string, params connectParams, create func() (*client.Transport, error)) (*client.Transport, func(), error) {
	if params.sharing {
		return r.transports.connect(ctx, transportKey{
			address:   address,
			plaintext: params.plaintext,
			version:   params.version,
			authority: params.options.Authority,
			tls:       params.tls.digest(),
		}, create)
	}
	transport, err := create()
	if err != nil {
		return nil, nil, err
	}
	if err := transport.Connect(ctx, address); err != nil {
		return nil, nil, err
	}
	return transport, sync.OnceFunc(transport.Abort), nil
}

func newTransport(state *lib.State, params connectParams) (*client.Transport, error) {
	options := client.TransportOptions{
		Plaintext:   params.plaintext,
		HTTPVersion: params.version,
		DialContext: state.Dialer.DialContext,
	}
	if !params.plaintext {
		config, err := params.tls.config(state.TLSConfig, params.options.Authority)
		if err != nil {
			return nil, err
		}
		options.TLS = config
	}
	return client.NewTransport(options)
}

// during returns a context for one call: it ends with the iteration or when the client closes. Closing
// is the parent, because children end before their parent's cancel returns: a call that is cancelled must
// not learn of its broken connection first.
func (c *connection) during(iteration context.Context) (context.Context, context.CancelFunc) {
	ctx, cancel := context.WithCancel(c.closing)
	stop := context.AfterFunc(iteration, cancel)
	return ctx, func() {
		stop()
		cancel()
	}
}

func connectError(address string, err error) error {
	return fmt.Errorf("couldn't connect to %q: %w", address, err)
}
