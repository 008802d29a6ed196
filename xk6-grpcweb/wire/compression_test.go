package wire_test

import (
	"bytes"
	"testing"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

func TestGzipThereAndBack(t *testing.T) {
	for _, size := range []int{0, 1, 100, 300 << 10} {
		want := bytes.Repeat([]byte("bookstore "), size/10+1)[:size]
		compressed, err := wire.AppendGzip([]byte("head"), want)
		if err != nil || !bytes.HasPrefix(compressed, []byte("head")) {
			t.Fatalf("compress %d bytes: %v", size, err)
		}
		got, err := wire.AppendInflated(nil, compressed[len("head"):], wire.EncodingGzip, size)
		if err != nil || !bytes.Equal(got, want) {
			t.Errorf("%d bytes became %d: %v", size, len(got), err)
		}
	}
}

func TestInflatedSizeIsLimited(t *testing.T) {
	compressed, err := wire.AppendGzip(nil, make([]byte, 64<<20))
	if err != nil {
		t.Fatal(err)
	}
	const limit = 1 << 20
	got, err := wire.AppendInflated(nil, compressed, wire.EncodingGzip, limit)
	if codeOf(t, err) != wire.ResourceExhausted || got != nil {
		t.Errorf("%d bytes and %v, want RESOURCE_EXHAUSTED", len(got), err)
	}
}

func FuzzInflate(f *testing.F) {
	seed, err := wire.AppendGzip(nil, []byte("hello"))
	if err != nil {
		f.Fatal(err)
	}
	f.Add(seed)
	f.Add(seed[:8])
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, payload []byte) {
		const limit = 1 << 16
		inflated, err := wire.AppendInflated(nil, payload, wire.EncodingGzip, limit)
		if err != nil {
			_ = codeOf(t, err)
			return
		}
		if len(inflated) > limit {
			t.Fatalf("%d bytes are above the limit", len(inflated))
		}
	})
}
