package vutest

import (
	"context"
	"net"
	"sync/atomic"
)

// CountingDialer opens connections as k6's dialer does for a virtual user: it counts their bytes.
type CountingDialer struct {
	Dials, Sent, Received atomic.Int64
}

// DialContext implements [go.k6.io/k6/v2/lib.DialContexter].
func (d *CountingDialer) DialContext(ctx context.Context, network, address string) (net.Conn, error) {
	d.Dials.Add(1)
	var dialer net.Dialer
	conn, err := dialer.DialContext(ctx, network, address)
	if err != nil {
		return nil, err
	}
	return countedConn{conn, d}, nil
}

type countedConn struct {
	net.Conn
	dialer *CountingDialer
}

func (c countedConn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	c.dialer.Received.Add(int64(n))
	return n, err
}

func (c countedConn) Write(p []byte) (int, error) {
	n, err := c.Conn.Write(p)
	c.dialer.Sent.Add(int64(n))
	return n, err
}
