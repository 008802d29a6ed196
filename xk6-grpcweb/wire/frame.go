package wire

import (
	"encoding/binary"
	"errors"
	"io"
	"math"
)

// PrefixBytes is the length of the prefix before every payload: one byte of flags and the payload's
// length as a big-endian 32-bit number.
const PrefixBytes = 5

// The bits of a frame's first byte. All others are reserved.
const (
	FlagCompressed byte = 0x01
	FlagTrailer    byte = 0x80
)

const (
	firstBufferBytes = 4 << 10
	// A buffer that one large message made grow is not kept for the next answer.
	retainedBufferBytes = 64 << 10
	maxEmptyReads       = 100
)

// Prefix returns the five bytes to send before a payload of the given length.
func Prefix(flags byte, payloadBytes int) ([PrefixBytes]byte, error) {
	var prefix [PrefixBytes]byte
	// #nosec G115 -- a length is not negative
	if uint64(payloadBytes) > math.MaxUint32 {
		return prefix, Errorf(ResourceExhausted, "message of %d bytes does not fit a frame: its length has 32 bits", payloadBytes)
	}
	prefix[0] = flags
	binary.BigEndian.PutUint32(prefix[1:], uint32(payloadBytes)) // #nosec G115 -- checked above
	return prefix, nil
}

// Frame is one unit of a gRPC-Web body.
type Frame struct {
	Flags byte
	// Payload is only valid until the next call of the reader that returned it.
	Payload []byte
}

// Compressed reports whether the payload went through the encoding named by grpc-encoding.
func (f Frame) Compressed() bool { return f.Flags&FlagCompressed != 0 }

// Trailer reports whether the payload is a trailer block, which ends the body.
func (f Frame) Trailer() bool { return f.Flags&FlagTrailer != 0 }

// FrameReader cuts a body into frames as its bytes arrive. It allocates only for bytes that did
// arrive: a prefix that announces 4 GiB costs nothing by itself. The zero value must be Reset before
// use. It is not safe for concurrent use.
type FrameReader struct {
	src        io.Reader
	limit      int
	buf        []byte
	start, end int
	srcErr     error
}

// Reset makes the reader start over on src. Payloads above limit bytes are refused; its buffer is
// kept unless it grew large.
func (r *FrameReader) Reset(src io.Reader, limit int) {
	buf := r.buf
	if cap(buf) > retainedBufferBytes {
		buf = nil
	}
	*r = FrameReader{src: src, limit: limit, buf: buf}
}

// Next returns the next frame. It returns [io.EOF] when the body ended between two frames, an
// [*Error] when the bytes are not gRPC-Web or are too large, and otherwise the error of the
// underlying reader.
func (r *FrameReader) Next() (Frame, error) {
	if err := r.need(PrefixBytes); err != nil {
		return Frame{}, err
	}
	prefix := r.buf[r.start : r.start+PrefixBytes]
	flags, length := prefix[0], binary.BigEndian.Uint32(prefix[1:])
	if flags&^(FlagCompressed|FlagTrailer) != 0 {
		return Frame{}, Errorf(Internal, "frame flags 0x%02x have reserved bits set; is the body gRPC-Web?", flags)
	}
	// #nosec G115 -- limits are not negative
	if uint64(length) > uint64(r.limit) {
		return Frame{}, Errorf(ResourceExhausted, "frame of %d bytes is larger than the receive limit of %d bytes", length, r.limit)
	}
	if uint64(length) > uint64(math.MaxInt-PrefixBytes) {
		return Frame{}, Errorf(ResourceExhausted, "frame of %d bytes does not fit this machine's memory", length)
	}
	size := PrefixBytes + int(length)
	if err := r.need(size); err != nil {
		return Frame{}, err
	}
	payload := r.buf[r.start+PrefixBytes : r.start+size : r.start+size]
	r.start += size
	return Frame{Flags: flags, Payload: payload}, nil
}

// need reads until size bytes are buffered.
func (r *FrameReader) need(size int) error {
	for emptyReads := 0; r.end-r.start < size; {
		if r.srcErr != nil {
			if errors.Is(r.srcErr, io.EOF) && r.end > r.start {
				return Errorf(Internal, "body ended inside a frame: %d of %d bytes arrived", r.end-r.start, size)
			}
			return r.srcErr
		}
		r.makeRoom(size)
		n, err := r.src.Read(r.buf[r.end:cap(r.buf)])
		r.end += n
		r.srcErr = err
		if n > 0 {
			emptyReads = 0
		} else if emptyReads++; err == nil && emptyReads > maxEmptyReads {
			r.srcErr = io.ErrNoProgress
		}
	}
	return nil
}

// makeRoom leaves at least one free byte behind end. The buffer at most doubles each time it is
// full, so its size follows the bytes that arrived and not the length that a peer claims.
func (r *FrameReader) makeRoom(size int) {
	if r.start == r.end {
		r.start, r.end = 0, 0
	}
	if r.end < cap(r.buf) && (r.start == 0 || cap(r.buf)-r.start >= size) {
		return
	}
	pending := r.buf[r.start:r.end]
	if grown := max(firstBufferBytes, min(size, 2*cap(r.buf))); len(pending) == cap(r.buf) && grown > cap(r.buf) {
		r.buf = make([]byte, grown)
	}
	r.buf = r.buf[:cap(r.buf)]
	r.end = copy(r.buf, pending)
	r.start = 0
}
