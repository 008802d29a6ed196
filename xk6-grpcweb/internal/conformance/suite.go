package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"github.com/bookstore-bench/xk6-grpcweb/schema"
)

const (
	protoPackage    = "connectrpc.conformance.v1"
	defaultService  = protoPackage + ".ConformanceService"
	maxMessageBytes = 16 << 20
)

// suite holds the suite's message types.
type suite struct {
	types    *schema.Schema
	request  protoreflect.MessageType
	response protoreflect.MessageType
}

func loadSuite(ctx context.Context, protoFolder string) (*suite, error) {
	types := schema.New()
	_, err := types.Load(ctx, schema.Source{ImportPaths: []string{protoFolder}},
		"connectrpc/conformance/v1/client_compat.proto", "connectrpc/conformance/v1/service.proto")
	if err != nil {
		return nil, fmt.Errorf("load the suite's messages: %w", err)
	}
	s := &suite{types: types}
	if s.request, err = types.FindMessageByName(protoPackage + ".ClientCompatRequest"); err != nil {
		return nil, fmt.Errorf("find ClientCompatRequest: %w", err)
	}
	if s.response, err = types.FindMessageByName(protoPackage + ".ClientCompatResponse"); err != nil {
		return nil, fmt.Errorf("find ClientCompatResponse: %w", err)
	}
	return s, nil
}

// readRequest returns [io.EOF] when the suite has no more cases.
func (s *suite) readRequest(in *bufio.Reader) (*compatRequest, error) {
	var length [4]byte
	if _, err := io.ReadFull(in, length[:]); err != nil {
		return nil, err
	}
	size := binary.BigEndian.Uint32(length[:])
	if size > maxMessageBytes {
		return nil, fmt.Errorf("request of %d bytes is larger than %d bytes", size, maxMessageBytes)
	}
	encoded := make([]byte, size)
	if _, err := io.ReadFull(in, encoded); err != nil {
		return nil, fmt.Errorf("read request: %w", err)
	}
	message := s.request.New().Interface()
	if err := (proto.UnmarshalOptions{Resolver: s.types}).Unmarshal(encoded, message); err != nil {
		return nil, fmt.Errorf("decode request: %w", err)
	}
	text, err := protojson.MarshalOptions{Resolver: s.types}.Marshal(message)
	if err != nil {
		return nil, fmt.Errorf("request to JSON: %w", err)
	}
	request := new(compatRequest)
	if err := json.Unmarshal(text, request); err != nil {
		return nil, fmt.Errorf("request from JSON: %w", err)
	}
	return request, nil
}

func (s *suite) encodeResponse(response compatResponse) ([]byte, error) {
	text, err := json.Marshal(response)
	if err != nil {
		return nil, fmt.Errorf("response to JSON: %w", err)
	}
	message := s.response.New().Interface()
	if err := (protojson.UnmarshalOptions{Resolver: s.types}).Unmarshal(text, message); err != nil {
		return nil, fmt.Errorf("response from JSON: %w", err)
	}
	return proto.Marshal(message)
}

// writer writes whole messages from many goroutines and remembers the first failure.
type writer struct {
	mu  sync.Mutex
	out io.Writer
	err error
}

func (w *writer) write(encoded []byte, err error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if err == nil {
		message := binary.BigEndian.AppendUint32(nil, uint32(len(encoded)))
		_, err = io.Copy(w.out, bytes.NewReader(append(message, encoded...)))
	}
	w.err = errors.Join(w.err, err)
}

func (w *writer) failure() error {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.err
}
