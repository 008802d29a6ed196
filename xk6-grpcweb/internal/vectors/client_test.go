package vectors_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"encoding/binary"
	"errors"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/bookstore-bench/xk6-grpcweb/client"
	"github.com/bookstore-bench/xk6-grpcweb/internal/vectors"
	"github.com/bookstore-bench/xk6-grpcweb/schema"
	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

const (
	testdata    = "../../testdata"
	definitions = `syntax = "proto3";
package vectors;
message Text { string text = 1; }
service Vectors { rpc Unary(Text) returns (Text); rpc Stream(Text) returns (stream Text); }`
)

func newServer(t *testing.T, handler http.HandlerFunc) string {
	t.Helper()
	server := httptest.NewUnstartedServer(handler)
	server.Config.Protocols = new(http.Protocols)
	server.Config.Protocols.SetHTTP1(true)
	server.Config.Protocols.SetUnencryptedHTTP2(true)
	server.Start()
	t.Cleanup(server.Close)
	return server.Listener.Addr().String()
}

func newTransport(t *testing.T, version client.HTTPVersion) *client.Transport {
	t.Helper()
	transport, err := client.NewTransport(client.TransportOptions{Plaintext: true, HTTPVersion: version})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(transport.Close)
	return transport
}

func loadMethods(t *testing.T) *schema.Schema {
	t.Helper()
	types := schema.New()
	source := schema.Source{Open: func(path string) (io.ReadCloser, error) {
		if path != "vectors.proto" {
			return nil, errors.New("no such file")
		}
		return io.NopCloser(strings.NewReader(definitions)), nil
	}}
	if _, err := types.Load(context.Background(), source, "vectors.proto"); err != nil {
		t.Fatal(err)
	}
	return types
}

// outcome is what a call led to, whatever its kind.
type outcome struct {
	status   wire.Status
	messages [][]byte
	trailers wire.Metadata
}

func TestResponses(t *testing.T) {
	rows, err := vectors.Responses(testdata)
	if err != nil {
		t.Fatal(err)
	}
	var current vectors.Response
	address := newServer(t, func(w http.ResponseWriter, _ *http.Request) { answer(w, current) })
	types := loadMethods(t)
	for name, version := range map[string]client.HTTPVersion{"http1": client.HTTP1, "h2c": client.HTTP2} {
		transport := newTransport(t, version)
		for _, row := range rows {
			t.Run(name+"/"+row.ID, func(t *testing.T) {
				current = row
				for _, text := range []bool{false, true} {
					c, err := client.New(transport, address, client.Options{MaxReceiveBytes: row.MaxReceive, Text: text})
					if err != nil {
						t.Fatal(err)
					}
					check(t, row, call(t, c, types, row.RPC))
				}
			})
		}
	}
}

func answer(w http.ResponseWriter, row vectors.Response) {
	w.Header().Set("Content-Type", row.ContentType)
	for name, value := range row.Headers {
		w.Header().Set(name, value)
	}
	w.WriteHeader(row.HTTP)
	body := row.Body
	for _, size := range row.Chunks {
		_, _ = w.Write(body[:size])
		body = body[size:]
		_ = http.NewResponseController(w).Flush()
	}
	_, _ = w.Write(body)
}

func call(t *testing.T, c *client.Client, types *schema.Schema, rpc string) outcome {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	if rpc == "server_stream" {
		stream, err := c.OpenStream(ctx, &client.Call{Path: "/vectors.Vectors/Stream"})
		if err != nil {
			t.Fatal(err)
		}
		var got outcome
		for message, ok := stream.Next(); ok; message, ok = stream.Next() {
			got.messages = append(got.messages, bytes.Clone(message))
		}
		got.status, _ = stream.Status()
		got.trailers = stream.Trailers()
		return got
	}
	response, err := c.Invoke(ctx, &client.Call{Path: "/vectors.Vectors/Unary"})
	if err != nil {
		t.Fatal(err)
	}
	got := outcome{status: response.Status, trailers: response.Trailers()}
	if response.Status.Code != wire.OK {
		return got
	}
	got.messages = [][]byte{response.Message}
	method, err := types.Method("vectors.Vectors/Unary")
	if err != nil {
		t.Fatal(err)
	}
	var fault *wire.Error
	if _, err := method.DecodeJSON(response.Message); errors.As(err, &fault) {
		got.status = wire.Status{Code: fault.Code, Message: fault.Error()}
	}
	return got
}

func check(t *testing.T, row vectors.Response, got outcome) {
	t.Helper()
	if got.status.Code != wire.Code(row.Expect.Status) {
		t.Errorf("status %s (%s), want %s: %s", got.status.Code, got.status.Message, wire.Code(row.Expect.Status), row.Note)
	}
	if got.status.Code != wire.OK && got.status.Message == "" && row.Expect.Message == nil && len(row.Body) == 0 && row.HTTP != http.StatusOK {
		t.Error("status without a text")
	}
	if want := row.Expect.Message; want != nil && got.status.Message != *want {
		t.Errorf("message %q, want %q", got.status.Message, *want)
	}
	if want := row.Expect.DetailsHex; want != nil && !bytes.Equal(got.status.Details, *want) {
		t.Errorf("details %x, want %x", got.status.Details, *want)
	}
	if want := row.Expect.Messages; want != nil {
		if len(got.messages) != len(*want) {
			t.Fatalf("%d messages, want %d", len(got.messages), len(*want))
		}
		for i, message := range *want {
			if !bytes.Equal(got.messages[i], message) {
				t.Errorf("message %d is %x, want %x", i, got.messages[i], message)
			}
		}
	}
	want := maps.Clone(row.Expect.Trailers)
	for key, values := range row.Expect.TrailersBin {
		if want == nil {
			want = make(map[string][]string)
		}
		for _, value := range values {
			want[key] = append(want[key], string(value))
		}
	}
	for key, values := range want {
		if strings.Join(got.trailers[key], "\x00") != strings.Join(values, "\x00") {
			t.Errorf("trailer %s is %q, want %q", key, got.trailers[key], values)
		}
	}
}

// sent is what the server saw of a request.
type sent struct {
	header http.Header
	body   []byte
}

// arrivals holds requests by row, because one whose time-out passed may arrive during the next row.
type arrivals struct {
	mu    sync.Mutex
	byRow map[string][]sent
}

const rowKey = "x-row"

func (a *arrivals) add(row string, request sent) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.byRow == nil {
		a.byRow = make(map[string][]sent)
	}
	a.byRow[row] = append(a.byRow[row], request)
}

func (a *arrivals) of(row string) []sent {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.byRow[row]
}

func TestRequests(t *testing.T) {
	rows, err := vectors.Requests(testdata)
	if err != nil {
		t.Fatal(err)
	}
	var arrived arrivals
	address := newServer(t, func(w http.ResponseWriter, r *http.Request) {
		body, _ := io.ReadAll(r.Body)
		arrived.add(r.Header.Get(rowKey), sent{header: r.Header, body: body})
		w.Header().Set("Content-Type", wire.ContentTypeProto)
		w.Header().Set("Grpc-Status", "5")
	})
	transport := newTransport(t, client.HTTP1)
	for _, row := range rows {
		t.Run(row.ID, func(t *testing.T) {
			c, err := client.New(transport, address, client.Options{Text: row.Text, CompressRequests: row.Gzip})
			if err != nil {
				t.Fatal(err)
			}
			_, err = c.Invoke(t.Context(), &client.Call{
				Path: "/vectors.Vectors/Unary", Message: row.Message,
				Metadata: metadataOf(row), Timeout: time.Duration(row.TimeoutNS),
			})
			requests := arrived.of(row.ID)
			if refused := row.Expect.Refused; refused != "" {
				if err == nil || !strings.Contains(err.Error(), refused) || len(requests) != 0 {
					t.Fatalf("error %v after %d requests; want an error that names %q and none", err, len(requests), refused)
				}
				return
			}
			if err != nil {
				t.Fatal(err)
			}
			if timeout := row.Expect.GRPCTimeout; timeout != "" {
				checkTimeout(t, row, requests)
				return
			}
			checkRequest(t, row, requests)
		})
	}
}

func metadataOf(row vectors.Request) wire.Metadata {
	metadata := wire.Metadata{rowKey: {row.ID}}
	for key, value := range row.Metadata {
		metadata[key] = []string{value}
	}
	for key, value := range row.MetadataBin {
		metadata[key] = []string{string(value)}
	}
	return metadata
}

// checkTimeout does not need the request to have arrived: the shortest time-outs pass before.
func checkTimeout(t *testing.T, row vectors.Request, requests []sent) {
	t.Helper()
	want := row.Expect.GRPCTimeout
	if got, err := wire.EncodeTimeout(time.Duration(row.TimeoutNS)); err != nil || got != want {
		t.Errorf("time-out %q (%v), want %q", got, err, want)
	}
	for _, request := range requests {
		if got := request.header.Get("Grpc-Timeout"); got != want {
			t.Errorf("grpc-timeout %q, want %q", got, want)
		}
	}
}

func checkRequest(t *testing.T, row vectors.Request, requests []sent) {
	t.Helper()
	if len(requests) != 1 {
		t.Fatalf("%d requests arrived, want 1", len(requests))
	}
	request := requests[0]
	for name, want := range row.Expect.Headers {
		if got := request.header.Values(name); len(got) != 1 || got[0] != want {
			t.Errorf("header %s is %q, want %q", name, got, want)
		}
	}
	if row.Expect.Inflated != nil {
		checkCompressed(t, *row.Expect.Inflated, request.body)
	} else if row.Expect.Body != nil && !bytes.Equal(request.body, row.Expect.Body) {
		t.Errorf("body %x, want %x", request.body, row.Expect.Body)
	}
}

func checkCompressed(t *testing.T, want, body []byte) {
	t.Helper()
	if len(body) < wire.PrefixBytes || body[0] != 1 || int(binary.BigEndian.Uint32(body[1:])) != len(body)-wire.PrefixBytes {
		t.Fatalf("body %x is not one compressed frame", body)
	}
	reader, err := gzip.NewReader(bytes.NewReader(body[wire.PrefixBytes:]))
	if err != nil {
		t.Fatal(err)
	}
	inflated, err := io.ReadAll(reader)
	if err != nil || !bytes.Equal(inflated, want) {
		t.Errorf("inflated to %x (%v), want %x", inflated, err, want)
	}
}
