package stock_test

import (
	"encoding/hex"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/grafana/sobek"

	"github.com/bookstore-bench/xk6-grpcweb/internal/vectors"
)

// outcome is what a call led to, as testdata/calls.js tells it.
type outcome struct {
	Status   uint32
	Message  string
	Messages []string
	Trailers map[string][]string
}

func TestVectorsOnTheEngineOfK6(t *testing.T) {
	rows, err := vectors.Responses("../../testdata")
	if err != nil {
		t.Fatal(err)
	}
	var current vectors.Response
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { answer(w, current) }))
	t.Cleanup(server.Close)
	rt := newEngine(t, "testdata/calls.js")
	address := strings.TrimPrefix(server.URL, "http://")
	for _, row := range rows {
		for _, text := range []bool{false, true} {
			t.Run(row.ID+map[bool]string{false: "/binary", true: "/text"}[text], func(t *testing.T) {
				current = row
				params := map[string]any{"text": text, "maxReceiveSize": row.MaxReceive}
				check(t, row, call(t, rt, row.RPC, address, params))
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
	_, _ = w.Write(row.Body)
}

func call(t *testing.T, rt *sobek.Runtime, rpc, address string, params map[string]any) outcome {
	t.Helper()
	var text string
	if rpc == "server_stream" {
		run(t, rt, "stream", address, params, func(told string) { text = told })
	} else {
		text = run(t, rt, "unary", address, params)
	}
	var got outcome
	if err := json.Unmarshal([]byte(text), &got); err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	return got
}

func check(t *testing.T, row vectors.Response, got outcome) {
	t.Helper()
	if got.Status != row.Expect.Status {
		t.Errorf("status %d (%s), want %d: %s", got.Status, got.Message, row.Expect.Status, row.Note)
	}
	if want := row.Expect.Message; want != nil && got.Message != *want {
		t.Errorf("message %q, want %q", got.Message, *want)
	}
	if want := row.Expect.Messages; want != nil {
		texts := make([]string, 0, len(*want))
		for _, message := range *want {
			texts = append(texts, hex.EncodeToString(message))
		}
		if !slices.Equal(got.Messages, texts) {
			t.Errorf("messages %q, want %q", got.Messages, texts)
		}
	}
	for key, want := range row.Expect.Trailers {
		if !slices.Equal(got.Trailers[key], want) {
			t.Errorf("trailer %s is %q, want %q", key, got.Trailers[key], want)
		}
	}
}
