// Package vectors reads the tables of known answers and requests that every gRPC-Web client of this
// repository must agree with.
package vectors

import (
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// Hex is a byte string that the tables write in hexadecimal.
type Hex []byte

// UnmarshalText implements [encoding.TextUnmarshaler].
func (h *Hex) UnmarshalText(text []byte) error {
	decoded, err := hex.DecodeString(string(text))
	if err != nil {
		return fmt.Errorf("%q is not hexadecimal: %w", text, err)
	}
	*h = decoded
	return nil
}

// Response is an HTTP answer and what a client must make of it. Messages are of a type with one
// field: number 1, a string.
type Response struct {
	ID          string
	RPC         string
	HTTP        int
	ContentType string `json:"ct"`
	Headers     map[string]string
	Body        Hex
	// Chunks are the sizes in which the body is delivered; empty means at once.
	Chunks     []int
	MaxReceive int `json:"max_receive"`
	Expect     struct {
		Status   uint32
		Message  *string
		Messages *[]Hex
		Trailers map[string][]string
		// TrailersBin holds decoded values.
		TrailersBin map[string][]Hex `json:"trailers_bin"`
		DetailsHex  *Hex             `json:"details_hex"`
	}
	Note string
}

// Request is a call and the bytes and headers that it must become.
type Request struct {
	ID          string
	Message     Hex
	Text        bool
	Gzip        bool
	Metadata    map[string]string
	MetadataBin map[string]Hex `json:"metadata_bin"`
	TimeoutNS   int64          `json:"timeout_ns"`
	Expect      struct {
		Body Hex
		// Inflated is the message behind a compressed frame's prefix.
		Inflated    *Hex
		Headers     map[string]string
		GRPCTimeout string `json:"grpc_timeout"`
		// Refused is a metadata key that the error must name.
		Refused string
	}
	Note string
}

// Responses reads the table of answers in the given testdata folder.
func Responses(testdata string) ([]Response, error) {
	return read[Response](filepath.Join(testdata, "grpc-web-responses.json"))
}

// Requests reads the table of requests in the given testdata folder.
func Requests(testdata string) ([]Request, error) {
	return read[Request](filepath.Join(testdata, "grpc-web-requests.json"))
}

func read[T any](path string) ([]T, error) {
	text, err := os.ReadFile(path) // #nosec G304 -- only tests read, from their own folder
	if err != nil {
		return nil, fmt.Errorf("read vectors: %w", err)
	}
	var rows []T
	if err := json.Unmarshal(text, &rows); err != nil {
		return nil, fmt.Errorf("vectors in %s: %w", path, err)
	}
	return rows, nil
}
