package grpcweb

import (
	"errors"
	"fmt"
	"time"

	"github.com/grafana/sobek"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

const defaultConnectTimeout = 60 * time.Second

// connectParams are the parameters of connect: those of k6/net/grpc first, then gRPC-Web's own.
type connectParams struct {
	plaintext       bool
	timeout         time.Duration
	reflect         bool
	reflectMetadata wire.Metadata
	tls             tlsParams
	sharing         bool
	version         client.HTTPVersion
	options         client.Options
}

type httpVersion string

var httpVersions = map[httpVersion]client.HTTPVersion{
	"auto": client.HTTPAuto,
	"1.1":  client.HTTP1,
	"2":    client.HTTP2,
}

func (i *instance) connectParams(value sobek.Value) (connectParams, error) {
	params := connectParams{timeout: defaultConnectTimeout}
	if agent := i.vu.State().Options.UserAgent; agent.Valid {
		params.options.UserAgent = agent.String
	}
	err := i.eachParam(value, func(key string, value sobek.Value) error {
		known, err := i.setConnectParam(&params, key, value)
		if !known && err == nil {
			known, err = i.setWebParam(&params, key, value)
		}
		if !known && err == nil {
			err = fmt.Errorf("unknown connect param: %q", key)
		}
		return err
	})
	if err == nil && params.timeout == 0 {
		err = errors.New("invalid timeout value: it needs to be more than 0")
	}
	return params, err
}

// setConnectParam sets what k6/net/grpc has, too.
func (i *instance) setConnectParam(params *connectParams, key string, value sobek.Value) (known bool, err error) {
	switch key {
	case "plaintext":
		params.plaintext, err = boolean(key, value)
	case "timeout":
		params.timeout, err = duration(key, value)
	case "reflect":
		params.reflect, err = boolean(key, value)
	case "reflectMetadata":
		params.reflectMetadata, err = i.metadata(key, value)
	case "maxReceiveSize":
		params.options.MaxReceiveBytes, err = size(key, value)
	case "maxSendSize":
		params.options.MaxSendBytes, err = size(key, value)
	case "tls":
		params.tls, err = i.tlsParams(value)
	case "authority":
		params.options.Authority, err = text(key, value)
	default:
		return false, nil
	}
	return true, err
}

// setWebParam sets what only gRPC-Web has.
func (i *instance) setWebParam(params *connectParams, key string, value sobek.Value) (known bool, err error) {
	switch key {
	case "text":
		params.options.Text, err = boolean(key, value)
	case "basePath":
		params.options.BasePath, err = text(key, value)
	case "headers":
		params.options.Headers, err = i.metadata(key, value)
	case "httpVersion":
		var version httpVersion
		version, err = oneOf(key, value, "auto", httpVersion("1.1"), "2")
		params.version = httpVersions[version]
	case "compression":
		_, err = oneOf(key, value, wire.EncodingGzip)
		params.options.CompressRequests, params.options.AcceptGzip = true, true
	case "connectionSharing":
		params.sharing, err = boolean(key, value)
	default:
		return false, nil
	}
	return true, err
}
