package wire_test

import (
	"bytes"
	"encoding/base64"
	"errors"
	"io"
	"slices"
	"testing"
	"testing/iotest"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

func decodeText(src io.Reader) ([]byte, error) {
	var reader wire.TextReader
	reader.Reset(src)
	return io.ReadAll(&reader)
}

func TestTextCutAnywhere(t *testing.T) {
	var body, want []byte
	for size := range 20 {
		piece := bytes.Repeat([]byte{byte(size)}, size)
		want = append(want, piece...)
		body = base64.StdEncoding.AppendEncode(body, piece)
	}
	for size := 1; size < 12; size++ {
		got, err := decodeText(&chunkReader{rest: body, size: size})
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("by chunks of %d: %x (%v), want %x", size, got, err, want)
		}
	}
	got, err := io.ReadAll(iotest.OneByteReader(textReader(body)))
	if err != nil || !bytes.Equal(got, want) {
		t.Errorf("read by the byte: %x (%v), want %x", got, err, want)
	}
}

func textReader(body []byte) io.Reader {
	reader := new(wire.TextReader)
	reader.Reset(bytes.NewReader(body))
	return reader
}

func TestTextKeepsWhatCameBeforeAFault(t *testing.T) {
	for _, body := range []string{"aGV5AA=A", "aGV5====", "aGV5A", "aGV5AA A", "aGV5\r\nAA"} {
		got, err := decodeText(bytes.NewReader([]byte(body)))
		if string(got) != "hey" || codeOf(t, err) != wire.Internal {
			t.Errorf("%q gave %q and %v, want \"hey\" and INTERNAL", body, got, err)
		}
	}
	broken := errors.New("connection reset")
	if _, err := decodeText(io.MultiReader(bytes.NewReader([]byte("aG")), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Errorf("error %v, want the reader's own", err)
	}
}

// FuzzText compares with the standard library, which knows a single run with its padding at the end.
func FuzzText(f *testing.F) {
	f.Add([]byte("AAAAAAcKBWhlbGxvgAAAAA9ncnBjLXN0YXR1czowDQo="), uint8(1))
	f.Add([]byte("AA==AAA=AAAA"), uint8(3))
	f.Add([]byte("A"), uint8(0))
	f.Add([]byte("===="), uint8(9))
	f.Fuzz(func(t *testing.T, body []byte, chunk uint8) {
		got, err := decodeText(&chunkReader{rest: body, size: int(chunk) + 1})
		if err != nil {
			_ = codeOf(t, err)
		}
		if len(got) > len(body)*3/4 {
			t.Fatalf("%d bytes came out of %d characters", len(got), len(body))
		}
		if bytes.ContainsAny(body, "\r\n") {
			return // the standard library skips line ends; a gRPC-Web body has none
		}
		if want, wantErr := base64.StdEncoding.DecodeString(string(body)); wantErr == nil && (err != nil || !bytes.Equal(got, want)) {
			t.Fatalf("%q gave %x (%v), want %x", body, got, err, want)
		}
		if err == nil {
			again, err := decodeText(bytes.NewReader(wire.AppendText(nil, got)))
			if err != nil || !slices.Equal(again, got) {
				t.Fatalf("%x became %x (%v) on its way through text", got, again, err)
			}
		}
	})
}
