package wire_test

import (
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

func TestTrailerForms(t *testing.T) {
	tests := map[string]struct {
		block  string
		status wire.Code
		text   string
	}{
		"tonic":             {"grpc-status:5\r\ngrpc-message:no\r\n", 5, "no"},
		"one space":         {"grpc-status: 5\r\ngrpc-message: no\r\n", 5, "no"},
		"tabs":              {"grpc-status:\t5\t\r\ngrpc-message:\t no \r\n", 5, "no"},
		"line feeds":        {"grpc-status:5\ngrpc-message:no\n", 5, "no"},
		"capitals":          {"Grpc-Status:5\r\nGRPC-MESSAGE:no\r\n", 5, "no"},
		"no last line end":  {"grpc-status:5\r\ngrpc-message:no", 5, "no"},
		"empty last line":   {"grpc-status:5\r\ngrpc-message:no\r\n\r\n", 5, "no"},
		"status twice":      {"grpc-status:5\r\ngrpc-status:0\r\ngrpc-message:no\r\n", 5, "no"},
		"colon in value":    {"grpc-status:5\r\ngrpc-message:a:b\r\n", 5, "a:b"},
		"escape at the end": {"grpc-status:5\r\ngrpc-message:a%\r\n", 5, "a%"},
		"escaped bytes":     {"grpc-status:5\r\ngrpc-message:%ff\r\n", 5, "\uFFFD"},
		"negative":          {"grpc-status:-1\r\n", 2, `the server sent an unreadable grpc-status "-1"`},
		"beyond 32 bits":    {"grpc-status:4294967296\r\n", 2, `the server sent an unreadable grpc-status "4294967296"`},
		"no status":         {"x:y\r\n", 2, "the server sent no grpc-status"},
	}
	for name, test := range tests {
		t.Run(name, func(t *testing.T) {
			trailer, err := wire.ParseTrailer([]byte(test.block))
			if err != nil {
				t.Fatal(err)
			}
			if trailer.Status.Code != test.status || trailer.Status.Message != test.text {
				t.Errorf("status %s %q, want %s %q", trailer.Status.Code, trailer.Status.Message, test.status, test.text)
			}
		})
	}
}

func TestTrailerLineWithoutColon(t *testing.T) {
	_, err := wire.ParseTrailer([]byte("grpc-status:0\r\n<html>\r\n"))
	if codeOf(t, err) != wire.Internal || !strings.Contains(err.Error(), "<html>") {
		t.Errorf("error %v, want INTERNAL with the line", err)
	}
}

func TestStatusAloneNeedsNoMap(t *testing.T) {
	block := []byte("grpc-status: 0\r\n")
	allocations := testing.AllocsPerRun(100, func() {
		if _, err := wire.ParseTrailer(block); err != nil {
			t.Fatal(err)
		}
	})
	if allocations > 0 {
		t.Errorf("%g allocations", allocations)
	}
}

func TestHeaderMetadata(t *testing.T) {
	header := http.Header{}
	header.Add("Grpc-Status", "7")
	header.Add("X-A", "1")
	header.Add("X-A", "2")
	header.Add("X-Raw-Bin", "AQI=,AP8Q")
	header.Add("X-Odd-Bin", "!!")
	header.Add("Content-Type", "x/y")
	got := wire.HeaderMetadata(header, "content-type")
	want := wire.Metadata{"x-a": {"1", "2"}, "x-raw-bin": {"\x01\x02", "\x00\xff\x10"}, "x-odd-bin": {"!!"}}
	if !maps.EqualFunc(got, want, slices.Equal[[]string]) {
		t.Errorf("metadata %q, want %q", got, want)
	}
}

func TestMetadataReplacesHeaders(t *testing.T) {
	shared := []string{"library"}
	header := http.Header{"User-Agent": shared}
	if err := (wire.Metadata{"user-agent": {"mine"}, "X-b": {"1", "2"}}).AddTo(header); err != nil {
		t.Fatal(err)
	}
	if got := header["User-Agent"]; !slices.Equal(got, []string{"mine"}) || shared[0] != "library" {
		t.Errorf("user-agent %q; the shared header is now %q", got, shared)
	}
	if got := header["X-B"]; !slices.Equal(got, []string{"1", "2"}) {
		t.Errorf("x-b is %q", got)
	}
}

func TestRefusedMetadataAddsNothing(t *testing.T) {
	for key, value := range map[string]string{"": "x", "a b": "x", "grpc-anything": "x", "Host": "x", "x": "caf\u00e9", "y": "\x7f"} {
		header := http.Header{}
		err := (wire.Metadata{key: {value}, "fine": {"x"}}).AddTo(header)
		if codeOf(t, err) != wire.InvalidArgument || len(header) != 0 {
			t.Errorf("key %q with %q: error %v, header %v", key, value, err, header)
		}
	}
}

// FuzzTrailer checks that any block is either refused or read without loss of its status.
func FuzzTrailer(f *testing.F) {
	f.Add([]byte("grpc-status: 0\r\n"))
	f.Add([]byte("Grpc-Status:5\ngrpc-message:%E2%82%AC %ZZ\nx-a-bin:AQI=,AQ\n\n"))
	f.Add([]byte("grpc-status-details-bin:CAMSA2JhZA\r\n"))
	f.Add([]byte(":\r\n"))
	f.Fuzz(func(t *testing.T, block []byte) {
		trailer, err := wire.ParseTrailer(block)
		if err != nil {
			_ = codeOf(t, err)
			return
		}
		if !trailer.HasStatus && trailer.Status.Code != wire.Unknown {
			t.Fatalf("no status became %s", trailer.Status.Code)
		}
		for key := range trailer.Metadata {
			if key != strings.ToLower(key) || strings.ContainsAny(key, "\n:") {
				t.Fatalf("key %q", key)
			}
		}
		if _, err := wire.ParseDetails(trailer.Status.Details); err != nil && trailer.Status.Details == nil {
			t.Fatalf("no details are wrong details: %v", err)
		}
	})
}
