package grpcweb

import (
	"context"
	"fmt"

	"github.com/grafana/sobek"

	"github.com/bookstore-bench/xk6-grpcweb/reflection"
)

// Client is the script's grpcweb.Client. Its exported methods are the script's.
type Client struct {
	instance   *instance
	types      *typeSet
	connection *connection
}

// Connect opens a connection to host:port, in place of the one that the client may have, and returns
// true. It throws when the server cannot be reached.
func (c *Client) Connect(address string, params sobek.Value) (bool, error) {
	state := c.instance.vu.State()
	if state == nil {
		return false, errConnectInInit
	}
	parsed, err := c.instance.connectParams(params)
	if err != nil {
		return false, fmt.Errorf("invalid grpc.connect() parameters: %w", err)
	}
	ctx, cancel := context.WithTimeout(c.instance.vu.Context(), parsed.timeout)
	defer cancel()
	connection, err := c.instance.root.connect(ctx, state, address, parsed)
	if err != nil {
		return false, connectError(address, err)
	}
	if parsed.reflect {
		if err := c.reflect(ctx, connection, parsed); err != nil {
			connection.close()
			return false, err
		}
	}
	c.Close()
	c.connection = connection
	return true, nil
}

func (c *Client) reflect(ctx context.Context, connection *connection, params connectParams) error {
	files, err := reflection.Fetch(ctx, connection.client, params.reflectMetadata)
	if err != nil {
		return err
	}
	set, err := newFileSet(files)
	if err != nil {
		return err
	}
	_, err = c.add(set)
	return err
}

// Close ends the connection and the calls that are in flight on it. Without a connection it does
// nothing.
func (c *Client) Close() {
	if c.connection != nil {
		c.connection.close()
		c.connection = nil
	}
}
