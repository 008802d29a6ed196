package client

import (
	"errors"
	"fmt"
	"math"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync/atomic"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// ErrOptions is wrapped by every error that [New] returns.
var ErrOptions = errors.New("invalid client options")

const (
	// DefaultMaxReceiveBytes is the limit on a received message where none is set, as in other gRPC
	// clients.
	DefaultMaxReceiveBytes = 4 << 20
	defaultUserAgent       = "xk6-grpcweb"
)

// Options are the properties of a client's calls.
type Options struct {
	// BasePath is put before every method's path, for servers behind a gateway: "/api".
	BasePath string
	// Authority replaces the host in requests; TLS verification is not changed by it.
	Authority string
	// UserAgent is sent as user-agent and x-user-agent.
	UserAgent string
	// Headers are sent with every call, beside the call's own metadata.
	Headers wire.Metadata
	// Text selects application/grpc-web-text, bodies in base64.
	Text bool
	// CompressRequests sends messages with gzip.
	CompressRequests bool
	// AcceptGzip offers gzip for answers. A compressed answer is understood without it, too.
	AcceptGzip bool
	// MaxReceiveBytes limits each received message, inflated; 0 means 4 MiB.
	MaxReceiveBytes int
	// MaxSendBytes limits each sent message, before compression; 0 means the 4 GiB of the frame.
	MaxSendBytes int
}

// Client makes calls to one address.
type Client struct {
	transport *Transport
	options   Options
	base      *http.Request
	// header holds the fields that all calls share. The transport only reads it, so a call without
	// fields of its own sends it as it is.
	header http.Header
	timed  atomic.Pointer[timedHeader]
}

// New returns a client for address, which is host:port as in k6/net/grpc, without a scheme.
func New(transport *Transport, address string, options Options) (*Client, error) {
	if transport == nil {
		return nil, fmt.Errorf("%w: transport is nil", ErrOptions)
	}
	if err := checkAddress(address); err != nil {
		return nil, err
	}
	if err := options.complete(); err != nil {
		return nil, err
	}
	header, err := sharedHeader(options)
	if err != nil {
		return nil, err
	}
	base, err := http.NewRequest(http.MethodPost, transport.scheme+"://"+address, nil)
	if err != nil {
		return nil, fmt.Errorf("%w: address %q: %w", ErrOptions, address, err)
	}
	if base.URL.Host != address {
		return nil, fmt.Errorf("%w: address %q is not host:port alone; a path goes into BasePath", ErrOptions, address)
	}
	if options.Authority != "" {
		base.Host = options.Authority
	}
	return &Client{transport: transport, options: options, base: base, header: header}, nil
}

// BasePath returns what is put before every method's path: "" or "/api", say.
func (c *Client) BasePath() string { return c.options.BasePath }

// complete checks the options and fills in defaults.
func (o *Options) complete() error {
	if o.MaxReceiveBytes < 0 || o.MaxSendBytes < 0 {
		return fmt.Errorf("%w: size limits must not be negative, got MaxReceiveBytes %d and MaxSendBytes %d", ErrOptions, o.MaxReceiveBytes, o.MaxSendBytes)
	}
	if o.MaxReceiveBytes == 0 {
		o.MaxReceiveBytes = DefaultMaxReceiveBytes
	}
	if o.MaxSendBytes == 0 {
		o.MaxSendBytes = math.MaxInt
	}
	if o.UserAgent == "" {
		o.UserAgent = defaultUserAgent
	}
	o.BasePath = strings.TrimRight(o.BasePath, "/")
	if o.BasePath != "" && !strings.HasPrefix(o.BasePath, "/") {
		o.BasePath = "/" + o.BasePath
	}
	if _, err := url.ParseRequestURI(o.BasePath + "/"); err != nil || strings.ContainsAny(o.BasePath, "?#") {
		return fmt.Errorf("%w: BasePath %q is not a URL path", ErrOptions, o.BasePath)
	}
	return nil
}

func checkAddress(address string) error {
	if strings.Contains(address, "://") {
		return fmt.Errorf("%w: address %q has a scheme; write host:port and choose TLS with the transport's Plaintext option", ErrOptions, address)
	}
	if host, port, err := net.SplitHostPort(address); err != nil || host == "" || port == "" {
		return fmt.Errorf("%w: address %q is not host:port", ErrOptions, address)
	}
	return nil
}

func sharedHeader(options Options) (http.Header, error) {
	header := http.Header{
		"Content-Type": {wire.ContentTypeProto},
		"X-Grpc-Web":   {"1"},
		"User-Agent":   {options.UserAgent},
		"X-User-Agent": {options.UserAgent},
	}
	if options.Text {
		header["Content-Type"] = []string{wire.ContentTypeText}
		header["Accept"] = []string{wire.ContentTypeText}
	}
	if options.CompressRequests {
		header["Grpc-Encoding"] = []string{wire.EncodingGzip}
	}
	if options.AcceptGzip {
		header["Grpc-Accept-Encoding"] = []string{wire.EncodingGzip}
	}
	if err := options.Headers.AddTo(header); err != nil {
		return nil, fmt.Errorf("%w: Headers: %w", ErrOptions, err)
	}
	return header, nil
}
