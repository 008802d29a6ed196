package grpcweb_test

import (
	"bytes"
	"crypto/tls"
	"encoding/base64"
	"encoding/pem"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"testing"

	"google.golang.org/genproto/googleapis/rpc/errdetails"
	rpcstatus "google.golang.org/genproto/googleapis/rpc/status"
	"google.golang.org/protobuf/encoding/protowire"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/anypb"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// lab is a gRPC-Web server that does what testdata/proto/test/v1/lab.proto says. It works on bytes
// and knows no message types, so what it checks does not depend on the schema package.
type lab struct {
	server *httptest.Server
	// accepted and open count connections, hanging the calls that wait for their client to go.
	accepted, open, hanging atomic.Int64

	mu       sync.Mutex
	requests []labRequest
}

// labRequest is what the server saw of a call.
type labRequest struct {
	path, proto string
	header      http.Header
	message     []byte
	compressed  bool
}

type labOptions struct {
	tls, clientCert bool
}

func newLab(t testing.TB, options labOptions) *lab {
	t.Helper()
	l := new(lab)
	l.server = httptest.NewUnstartedServer(l)
	l.server.Config.Protocols = new(http.Protocols)
	l.server.Config.Protocols.SetHTTP1(true)
	l.server.Config.Protocols.SetHTTP2(true)
	l.server.Config.Protocols.SetUnencryptedHTTP2(true)
	l.server.Config.ConnState = l.countConnections
	l.server.Config.ErrorLog = log.New(io.Discard, "", 0) // some tests break connections on purpose
	switch {
	case options.clientCert:
		l.server.TLS = &tls.Config{ClientAuth: tls.RequireAnyClientCert}
		fallthrough
	case options.tls:
		l.server.EnableHTTP2 = true
		l.server.StartTLS()
	default:
		l.server.Start()
	}
	t.Cleanup(l.server.Close)
	return l
}

func (l *lab) address() string { return l.server.Listener.Addr().String() }

// roots returns the certificate that a client has to trust, in PEM.
func (l *lab) roots() string {
	if l.server.Certificate() == nil {
		return ""
	}
	return string(pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: l.server.Certificate().Raw}))
}

func (l *lab) countConnections(_ net.Conn, state http.ConnState) {
	switch state {
	case http.StateNew:
		l.accepted.Add(1)
		l.open.Add(1)
	case http.StateClosed, http.StateHijacked:
		l.open.Add(-1)
	default:
	}
}

// received returns how many requests arrived.
func (l *lab) received() int {
	l.mu.Lock()
	defer l.mu.Unlock()
	return len(l.requests)
}

// last returns the last request that arrived.
func (l *lab) last(t testing.TB) labRequest {
	t.Helper()
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.requests) == 0 {
		t.Fatal("no request arrived")
	}
	return l.requests[len(l.requests)-1]
}

// ServeHTTP implements [http.Handler].
func (l *lab) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	request, err := readRequest(r)
	if err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	l.mu.Lock()
	l.requests = append(l.requests, request)
	l.mu.Unlock()
	text := strings.HasPrefix(r.Header.Get("Content-Type"), wire.ContentTypeText)
	answer := labAnswer{http: w, text: text}
	w.Header().Set("Content-Type", r.Header.Get("Content-Type"))
	w.Header().Set("X-Lab", "one")
	w.Header().Add("X-Lab", "two")
	if user := r.Header.Get("X-User"); user != "" {
		w.Header().Set("X-User", user)
	}
	if token := r.Header.Get("Token-Bin"); token != "" {
		w.Header().Set("Token-Bin", token)
	}
	l.answer(&answer, r, request)
}

func (l *lab) answer(a *labAnswer, r *http.Request, request labRequest) {
	number := func(field protowire.Number) int { return int(varintField(request.message, field)) }
	switch method := request.path[strings.LastIndexByte(request.path, '/')+1:]; method {
	case "Echo":
		a.send(request.message)
		a.end(wire.OK, "", nil)
	case "Fail":
		a.end(wire.Code(number(1)), stringField(request.message, 2), failDetails(number(3) == 1))
	case "Damage":
		a.send([]byte{0xff, 0xff})
		a.end(wire.OK, "", nil)
	case "Drop":
		panic(http.ErrAbortHandler)
	case "Hang":
		l.hang(r)
	case "Count":
		for n := 1; n <= number(1); n++ {
			a.send(smallMessage(n))
		}
		a.end(wire.Code(number(2)), "counted", nil)
	case "Stall":
		for n := 1; n <= number(1); n++ {
			a.send(smallMessage(n))
		}
		_ = http.NewResponseController(a.http).Flush() // fails when the client is gone, and then there is no wait
		l.hang(r)
	case "Endless":
		for n := 1; a.send(smallMessage(n)) == nil && r.Context().Err() == nil; n++ {
			_ = http.NewResponseController(a.http).Flush() // fails when the client is gone, as send does next
		}
	case "Check":
		if service := stringField(request.message, 1); service == "unknown" {
			a.end(wire.NotFound, "unknown service", nil)
			return
		}
		a.send(protowire.AppendVarint(protowire.AppendTag(nil, 1, protowire.VarintType), 1))
		a.end(wire.OK, "", nil)
	case "ServerReflectionInfo":
		a.send(reflectionAnswer(request.message))
		a.end(wire.OK, "", nil)
	default:
		a.end(wire.Unimplemented, "no method "+method, nil)
	}
}

// hang waits until the client is gone.
func (l *lab) hang(r *http.Request) {
	l.hanging.Add(1)
	defer l.hanging.Add(-1)
	<-r.Context().Done()
}

func readRequest(r *http.Request) (labRequest, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return labRequest{}, err
	}
	if strings.HasPrefix(r.Header.Get("Content-Type"), wire.ContentTypeText) {
		if body, err = base64.StdEncoding.DecodeString(string(body)); err != nil {
			return labRequest{}, err
		}
	}
	var frames wire.FrameReader
	frames.Reset(bytes.NewReader(body), 64<<20)
	frame, err := frames.Next()
	if err != nil {
		return labRequest{}, err
	}
	request := labRequest{path: r.URL.Path, proto: r.Proto, header: r.Header.Clone(), compressed: frame.Compressed()}
	request.message = bytes.Clone(frame.Payload)
	if frame.Compressed() {
		request.message, err = wire.AppendInflated(nil, frame.Payload, wire.EncodingGzip, 64<<20)
	}
	return request, err
}

// labAnswer writes frames.
type labAnswer struct {
	http http.ResponseWriter
	text bool
}

func (a *labAnswer) send(message []byte) error { return a.frame(0, message) }

func (a *labAnswer) end(code wire.Code, message string, details []byte) {
	block := fmt.Sprintf("grpc-status: %d\r\nx-trailing: last\r\ntrail-bin: /w\r\n", code)
	if message != "" {
		block += "grpc-message: " + message + "\r\n"
	}
	if details != nil {
		block += "grpc-status-details-bin: " + base64.RawStdEncoding.EncodeToString(details) + "\r\n"
	}
	_ = a.frame(wire.FlagTrailer, []byte(block)) // a client that is gone needs no status
}

func (a *labAnswer) frame(flags byte, payload []byte) error {
	prefix, err := wire.Prefix(flags, len(payload))
	if err != nil {
		return err
	}
	frame := append(prefix[:], payload...)
	if a.text {
		frame = []byte(base64.StdEncoding.EncodeToString(frame))
	}
	_, err = a.http.Write(frame)
	return err
}

func smallMessage(n int) []byte {
	return protowire.AppendVarint(protowire.AppendTag(nil, 2, protowire.VarintType), uint64(n))
}

func failDetails(wanted bool) []byte {
	if !wanted {
		return nil
	}
	known, _ := anypb.New(&errdetails.BadRequest{FieldViolations: []*errdetails.BadRequest_FieldViolation{
		{Field: "isbn", Description: "must have 13 digits"},
	}})
	part := &anypb.Any{TypeUrl: "type.googleapis.com/test.v1.Part", Value: []byte("\x0a\x04page")}
	unknown := &anypb.Any{TypeUrl: "type.googleapis.com/test.v1.Unknown", Value: []byte{1, 2, 3}}
	encoded, _ := proto.Marshal(&rpcstatus.Status{Details: []*anypb.Any{known, part, unknown}})
	return encoded
}

func varintField(message []byte, wanted protowire.Number) uint64 {
	value, _ := eachField(message, wanted)
	return value
}

func stringField(message []byte, wanted protowire.Number) string {
	_, value := eachField(message, wanted)
	return string(value)
}

func eachField(message []byte, wanted protowire.Number) (varint uint64, content []byte) {
	for len(message) > 0 {
		number, kind, size := protowire.ConsumeTag(message)
		if size < 0 {
			return 0, nil
		}
		message = message[size:]
		length := protowire.ConsumeFieldValue(number, kind, message)
		if length < 0 {
			return 0, nil
		}
		if number == wanted && kind == protowire.VarintType {
			varint, _ = protowire.ConsumeVarint(message)
		} else if number == wanted && kind == protowire.BytesType {
			content, _ = protowire.ConsumeBytes(message)
		}
		message = message[length:]
	}
	return varint, content
}

// forget drops the requests that were noted.
func (l *lab) forget() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.requests = nil
}
