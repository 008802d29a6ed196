package wire

import (
	"encoding/base64"
	"errors"
	"io"
)

const (
	groupChars    = 4
	textChunkSize = 4 << 10
	notBase64     = 0xff
)

// base64Values maps a character to its six bits, or to notBase64.
var base64Values = func() (table [256]byte) {
	const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
	for i := range table {
		table[i] = notBase64
	}
	for i := range len(alphabet) {
		table[alphabet[i]] = byte(i)
	}
	return table
}()

// TextReader decodes the body of a text-mode answer: a run of base64 pieces, each perhaps padded,
// cut anywhere. It decodes whole groups of four characters, so padding may appear in the middle; the
// last group may lack its padding. The zero value must be Reset before use.
type TextReader struct {
	src      io.Reader
	chars    []byte
	from, to int
	srcErr   error
	decoded  [3]byte
	leftover []byte
}

// Reset makes the reader start over on src.
func (r *TextReader) Reset(src io.Reader) {
	*r = TextReader{src: src, chars: r.chars}
}

// Read implements [io.Reader]. Characters outside the base64 alphabet give an [*Error].
func (r *TextReader) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	if len(r.leftover) == 0 {
		if err := r.fill(); err != nil {
			return 0, err
		}
	}
	written := copy(p, r.leftover)
	r.leftover = r.leftover[written:]
	for written < len(p) && r.to-r.from >= groupChars {
		n, err := decodeGroup(&r.decoded, r.chars[r.from:r.from+groupChars])
		if err != nil {
			r.srcErr, r.from = err, r.to
			if written > 0 {
				break
			}
			return 0, err
		}
		r.from += groupChars
		copied := copy(p[written:], r.decoded[:n])
		r.leftover = r.decoded[copied:n]
		written += copied
	}
	return written, nil
}

// fill reads until a whole group is there, and pads the last group of a body that ends without
// padding.
func (r *TextReader) fill() error {
	if r.chars == nil {
		r.chars = make([]byte, textChunkSize)
	}
	for emptyReads := 0; r.to-r.from < groupChars; {
		if r.srcErr != nil {
			return r.finish()
		}
		if r.from > 0 {
			r.to = copy(r.chars, r.chars[r.from:r.to])
			r.from = 0
		}
		n, err := r.src.Read(r.chars[r.to:])
		r.to += n
		r.srcErr = err
		if n > 0 {
			emptyReads = 0
		} else if emptyReads++; err == nil && emptyReads > maxEmptyReads {
			r.srcErr = io.ErrNoProgress
		}
	}
	return nil
}

func (r *TextReader) finish() error {
	rest := r.to - r.from
	if rest == 0 || !errors.Is(r.srcErr, io.EOF) {
		return r.srcErr
	}
	if rest == 1 {
		return Errorf(Internal, "base64 body ends with a single character %q", r.chars[r.from])
	}
	group := [groupChars]byte{'=', '=', '=', '='}
	copy(group[:], r.chars[r.from:r.to])
	r.from = 0
	r.to = copy(r.chars, group[:])
	return nil
}

func decodeGroup(dst *[3]byte, group []byte) (int, error) {
	size := 3
	for size > 1 && group[size] == '=' {
		size--
	}
	var bits uint32
	for i := range groupChars {
		value := base64Values[group[i]]
		if i > size {
			value = 0
		}
		if value == notBase64 {
			return 0, Errorf(Internal, "base64 body has an illegal group %q", group)
		}
		bits = bits<<6 | uint32(value)
	}
	dst[0], dst[1], dst[2] = byte(bits>>16), byte(bits>>8), byte(bits)
	return size, nil
}

// AppendText appends the text-mode form of one request frame to dst: a single padded run, which
// every known server accepts.
func AppendText(dst []byte, frame []byte) []byte {
	return base64.StdEncoding.AppendEncode(dst, frame)
}
