package wire_test

import (
	"bytes"
	"errors"
	"io"
	"math"
	"runtime"
	"testing"
	"testing/iotest"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

type parsed struct {
	frames []wire.Frame
	err    error
}

func readAll(src io.Reader, limit int) parsed {
	var reader wire.FrameReader
	reader.Reset(src, limit)
	var out parsed
	for {
		frame, err := reader.Next()
		if err != nil {
			out.err = err
			return out
		}
		out.frames = append(out.frames, wire.Frame{Flags: frame.Flags, Payload: bytes.Clone(frame.Payload)})
	}
}

func frame(t testing.TB, flags byte, payload []byte) []byte {
	t.Helper()
	prefix, err := wire.Prefix(flags, len(payload))
	if err != nil {
		t.Fatal(err)
	}
	return append(prefix[:], payload...)
}

func codeOf(t testing.TB, err error) wire.Code {
	t.Helper()
	var fault *wire.Error
	if !errors.As(err, &fault) {
		t.Fatalf("error %v has no code", err)
	}
	return fault.Code
}

func TestFramesOfAllSizes(t *testing.T) {
	var body []byte
	var sizes []int
	for size := 0; size < 200<<10; size = size*3 + 1 {
		body = append(body, frame(t, 0, bytes.Repeat([]byte{byte(size)}, size))...)
		sizes = append(sizes, size)
	}
	readers := map[string]io.Reader{
		"at once":     bytes.NewReader(body),
		"by the byte": iotest.OneByteReader(bytes.NewReader(body)),
		"with EOF":    iotest.DataErrReader(bytes.NewReader(body)),
		"by halves":   iotest.HalfReader(bytes.NewReader(body)),
	}
	for name, src := range readers {
		t.Run(name, func(t *testing.T) {
			got := readAll(src, math.MaxInt)
			if !errors.Is(got.err, io.EOF) || len(got.frames) != len(sizes) {
				t.Fatalf("%d frames and %v, want %d and EOF", len(got.frames), got.err, len(sizes))
			}
			for i, size := range sizes {
				if want := bytes.Repeat([]byte{byte(size)}, size); !bytes.Equal(got.frames[i].Payload, want) {
					t.Errorf("frame %d has %d bytes, want %d of value %d", i, len(got.frames[i].Payload), size, byte(size))
				}
			}
		})
	}
}

func TestBrokenConnectionIsNotTruncation(t *testing.T) {
	broken := errors.New("connection reset")
	body := frame(t, 0, []byte("hello"))
	got := readAll(io.MultiReader(bytes.NewReader(body[:7]), iotest.ErrReader(broken)), 100)
	if !errors.Is(got.err, broken) {
		t.Errorf("error %v, want the reader's own", got.err)
	}
	if got := readAll(bytes.NewReader(body[:7]), 100); codeOf(t, got.err) != wire.Internal {
		t.Errorf("error %v of a body that ended, want INTERNAL", got.err)
	}
}

type silentReader struct{}

func (silentReader) Read([]byte) (int, error) { return 0, nil }

func TestReaderThatNeverReadsIsGivenUp(t *testing.T) {
	if got := readAll(silentReader{}, 100); !errors.Is(got.err, io.ErrNoProgress) {
		t.Errorf("error %v, want %v", got.err, io.ErrNoProgress)
	}
}

func TestLyingLengthAllocatesNothing(t *testing.T) {
	const wireLimit = 64 << 10
	for name, limit := range map[string]int{"limited": 4 << 20, "unlimited": math.MaxInt} {
		t.Run(name, func(t *testing.T) {
			body := []byte{0, 0xff, 0xff, 0xff, 0xff, 1, 2, 3}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			got := readAll(bytes.NewReader(body), limit)
			runtime.ReadMemStats(&after)
			if got.err == nil {
				t.Fatal("no error")
			}
			if allocated := after.TotalAlloc - before.TotalAlloc; allocated > wireLimit {
				t.Errorf("%d bytes allocated for a body of %d bytes", allocated, len(body))
			}
		})
	}
}

func TestPayloadAtTheLimit(t *testing.T) {
	body := frame(t, 0, make([]byte, 100))
	if got := readAll(bytes.NewReader(body), 100); len(got.frames) != 1 {
		t.Errorf("payload of the limit's size was refused: %v", got.err)
	}
	if got := readAll(bytes.NewReader(body), 99); codeOf(t, got.err) != wire.ResourceExhausted {
		t.Errorf("error %v, want RESOURCE_EXHAUSTED", got.err)
	}
}

func TestPrefixRefusesWhatHasNoLength(t *testing.T) {
	if math.MaxInt == math.MaxInt32 {
		t.Skip("no such length on this machine")
	}
	if _, err := wire.Prefix(0, math.MaxUint32+1); codeOf(t, err) != wire.ResourceExhausted {
		t.Errorf("error %v, want RESOURCE_EXHAUSTED", err)
	}
}

// FuzzFrames checks that the sizes in which a body arrives never change what is read, and that
// memory follows the bytes that arrived.
func FuzzFrames(f *testing.F) {
	f.Add(frame(f, 0, []byte("hello")), uint16(1))
	f.Add(append(frame(f, 0, nil), frame(f, wire.FlagTrailer, []byte("grpc-status:0\r\n"))...), uint16(3))
	f.Add([]byte{0, 0xff, 0xff, 0xff, 0xff, 0x0a}, uint16(2))
	f.Add([]byte{2, 0, 0, 0, 0}, uint16(7))
	f.Fuzz(func(t *testing.T, body []byte, chunk uint16) {
		const limit = 1 << 16
		want := readAll(bytes.NewReader(body), limit)
		got := readAll(&chunkReader{rest: body, size: int(chunk) + 1}, limit)
		if len(got.frames) != len(want.frames) || got.err.Error() != want.err.Error() {
			t.Fatalf("%d frames and %v by chunks of %d, %d frames and %v at once", len(got.frames), got.err, chunk, len(want.frames), want.err)
		}
		rest := body
		for i, wanted := range want.frames {
			if !bytes.Equal(got.frames[i].Payload, wanted.Payload) {
				t.Fatalf("frame %d differs by chunks of %d", i, chunk)
			}
			encoded := frame(t, wanted.Flags, wanted.Payload)
			if !bytes.HasPrefix(rest, encoded) {
				t.Fatalf("frame %d is not what the body holds", i)
			}
			rest = rest[len(encoded):]
		}
		if errors.Is(want.err, io.EOF) && len(rest) > 0 {
			t.Fatalf("%d bytes were dropped", len(rest))
		}
	})
}

type chunkReader struct {
	rest []byte
	size int
}

func (r *chunkReader) Read(p []byte) (int, error) {
	if len(r.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p[:min(len(p), r.size)], r.rest)
	r.rest = r.rest[n:]
	return n, nil
}
