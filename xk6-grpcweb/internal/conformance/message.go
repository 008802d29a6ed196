package main

import (
	"encoding/json"
	"maps"
	"slices"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// compatRequest is the JSON form of the suite's ClientCompatRequest, as far as this client needs it.
type compatRequest struct {
	TestName        string            `json:"testName"`
	HTTPVersion     string            `json:"httpVersion"`
	Protocol        string            `json:"protocol"`
	Codec           string            `json:"codec"`
	Compression     string            `json:"compression"`
	Host            string            `json:"host"`
	Port            int               `json:"port"`
	ServerTLSCert   []byte            `json:"serverTlsCert"`
	ClientTLSCreds  *tlsCreds         `json:"clientTlsCreds"`
	ReceiveLimit    int               `json:"messageReceiveLimit"`
	Service         string            `json:"service"`
	Method          string            `json:"method"`
	StreamType      string            `json:"streamType"`
	RequestHeaders  []header          `json:"requestHeaders"`
	RequestMessages []json.RawMessage `json:"requestMessages"`
	TimeoutMS       *int64            `json:"timeoutMs"`
	Cancel          *cancelTiming     `json:"cancel"`
}

type tlsCreds struct {
	Cert []byte `json:"cert"`
	Key  []byte `json:"key"`
}

type cancelTiming struct {
	AfterCloseSendMS  *int64 `json:"afterCloseSendMs"`
	AfterNumResponses *int   `json:"afterNumResponses"`
}

type header struct {
	Name  string   `json:"name"`
	Value []string `json:"value"`
}

// compatResponse is the JSON form of the suite's ClientCompatResponse. One of the two results is set.
type compatResponse struct {
	TestName string          `json:"testName"`
	Response *responseResult `json:"response,omitempty"`
	Error    *errorResult    `json:"error,omitempty"`
}

type responseResult struct {
	ResponseHeaders  []header          `json:"responseHeaders"`
	Payloads         []json.RawMessage `json:"payloads"`
	Error            json.RawMessage   `json:"error,omitempty"`
	ResponseTrailers []header          `json:"responseTrailers"`
}

type errorResult struct {
	Message string `json:"message"`
}

func metadataOf(headers []header) wire.Metadata {
	metadata := make(wire.Metadata, len(headers))
	for _, h := range headers {
		metadata[h.Name] = append(metadata[h.Name], h.Value...)
	}
	return metadata
}

func headersOf(metadata wire.Metadata) []header {
	headers := make([]header, 0, len(metadata))
	for _, name := range slices.Sorted(maps.Keys(metadata)) {
		headers = append(headers, header{Name: name, Value: metadata[name]})
	}
	return headers
}
