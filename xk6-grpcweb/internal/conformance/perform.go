package main

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"strconv"
	"time"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/schema"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// perform makes one call. Faults of the set-up, not of the call, become an error result.
func (s *suite) perform(ctx context.Context, request *compatRequest) compatResponse {
	result, err := s.call(ctx, request)
	if err != nil {
		return compatResponse{TestName: request.TestName, Error: &errorResult{Message: err.Error()}}
	}
	return compatResponse{TestName: request.TestName, Response: result}
}

func (s *suite) call(ctx context.Context, request *compatRequest) (*responseResult, error) {
	transport, err := newTransport(request)
	if err != nil {
		return nil, err
	}
	defer transport.Close()
	compressed := request.Compression == "COMPRESSION_GZIP"
	c, err := client.New(transport, net.JoinHostPort(request.Host, strconv.Itoa(request.Port)), client.Options{
		CompressRequests: compressed,
		AcceptGzip:       compressed,
		MaxReceiveBytes:  request.ReceiveLimit,
	})
	if err != nil {
		return nil, err
	}
	service := request.Service
	if service == "" {
		service = defaultService
	}
	method, err := s.types.Method(service + "/" + request.Method)
	if err != nil {
		return nil, err
	}
	call, err := newCall(method, request)
	if err != nil {
		return nil, err
	}
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	if request.Cancel != nil && request.Cancel.AfterNumResponses == nil {
		timer := time.AfterFunc(request.Cancel.afterSend(), cancel)
		defer timer.Stop()
	}
	switch request.StreamType {
	case "STREAM_TYPE_UNARY":
		return s.unary(ctx, c, method, call)
	case "STREAM_TYPE_SERVER_STREAM":
		return s.serverStream(ctx, c, method, call, request.Cancel)
	default:
		return nil, fmt.Errorf("stream type %s cannot be carried by gRPC-Web", request.StreamType)
	}
}

func (c *cancelTiming) afterSend() time.Duration {
	if c.AfterCloseSendMS == nil {
		return 0
	}
	return time.Duration(*c.AfterCloseSendMS) * time.Millisecond
}

func (s *suite) unary(ctx context.Context, c *client.Client, method *schema.Method, call *client.Call) (*responseResult, error) {
	if err := method.CheckUnary(); err != nil {
		return nil, err
	}
	response, err := c.Invoke(ctx, call)
	if err != nil {
		return nil, err
	}
	result := &responseResult{
		ResponseHeaders:  headersOf(response.Headers()),
		ResponseTrailers: headersOf(response.Trailers()),
	}
	status := response.Status
	if status.Code == wire.OK {
		status = result.addPayload(method, response.Message)
	}
	return result, result.setError(s.types, status)
}

func (s *suite) serverStream(ctx context.Context, c *client.Client, method *schema.Method, call *client.Call, cancel *cancelTiming) (*responseResult, error) {
	if err := method.CheckServerStream(); err != nil {
		return nil, err
	}
	stream, err := c.OpenStream(ctx, call)
	if err != nil {
		return nil, err
	}
	defer stream.Close()
	result := new(responseResult)
	for message, ok := stream.Next(); ok; message, ok = stream.Next() {
		if status := result.addPayload(method, message); status.Code != wire.OK {
			return result, result.setError(s.types, status)
		}
		if cancel != nil && cancel.AfterNumResponses != nil && len(result.Payloads) == *cancel.AfterNumResponses {
			stream.Close()
		}
	}
	status, ended := stream.Status()
	if !ended {
		return nil, errors.New("stream has no more messages and no status")
	}
	result.ResponseHeaders = headersOf(stream.Headers())
	result.ResponseTrailers = headersOf(stream.Trailers())
	return result, result.setError(s.types, status)
}

// addPayload takes the payload out of an answer; every answer of the suite has one.
func (r *responseResult) addPayload(method *schema.Method, message []byte) wire.Status {
	text, err := method.DecodeJSON(message)
	var fault *wire.Error
	if errors.As(err, &fault) {
		return wire.Status{Code: fault.Code, Message: err.Error()}
	}
	var answer struct {
		Payload json.RawMessage `json:"payload"`
	}
	if err := errors.Join(err, json.Unmarshal(text, &answer)); err != nil {
		return wire.Status{Code: wire.Internal, Message: err.Error()}
	}
	if string(answer.Payload) == "null" {
		answer.Payload = json.RawMessage("{}")
	}
	r.Payloads = append(r.Payloads, answer.Payload)
	return wire.Status{}
}

func (r *responseResult) setError(types *schema.Schema, status wire.Status) error {
	if status.Code == wire.OK {
		return nil
	}
	text, err := types.StatusJSON(status)
	if err != nil {
		return err
	}
	r.Error = text
	return nil
}

func newCall(method *schema.Method, request *compatRequest) (*client.Call, error) {
	if len(request.RequestMessages) != 1 {
		return nil, fmt.Errorf("%d request messages; unary and server-streaming calls send one", len(request.RequestMessages))
	}
	var fields map[string]json.RawMessage
	if err := json.Unmarshal(request.RequestMessages[0], &fields); err != nil {
		return nil, fmt.Errorf("request message: %w", err)
	}
	delete(fields, "@type") // it is the method's own input type
	text, err := json.Marshal(fields)
	if err != nil {
		return nil, fmt.Errorf("request message: %w", err)
	}
	message, err := method.EncodeJSON(text)
	if err != nil {
		return nil, err
	}
	call := &client.Call{Path: method.Path(), Message: message, Metadata: metadataOf(request.RequestHeaders)}
	if request.TimeoutMS != nil {
		call.Timeout = time.Duration(*request.TimeoutMS) * time.Millisecond
	}
	return call, nil
}

func newTransport(request *compatRequest) (*client.Transport, error) {
	if request.Protocol != "PROTOCOL_GRPC_WEB" || request.Codec != "CODEC_PROTO" {
		return nil, fmt.Errorf("%s with %s was not declared as a feature", request.Protocol, request.Codec)
	}
	options := client.TransportOptions{Plaintext: len(request.ServerTLSCert) == 0}
	switch request.HTTPVersion {
	case "HTTP_VERSION_1":
		options.HTTPVersion = client.HTTP1
	case "HTTP_VERSION_2":
		options.HTTPVersion = client.HTTP2
	default:
		return nil, fmt.Errorf("%s was not declared as a feature", request.HTTPVersion)
	}
	if options.Plaintext {
		return client.NewTransport(options)
	}
	roots := x509.NewCertPool()
	if !roots.AppendCertsFromPEM(request.ServerTLSCert) {
		return nil, errors.New("server certificate is not PEM")
	}
	options.TLS = &tls.Config{RootCAs: roots, MinVersion: tls.VersionTLS12}
	if creds := request.ClientTLSCreds; creds != nil {
		certificate, err := tls.X509KeyPair(creds.Cert, creds.Key)
		if err != nil {
			return nil, fmt.Errorf("client certificate: %w", err)
		}
		options.TLS.Certificates = []tls.Certificate{certificate}
	}
	return client.NewTransport(options)
}
