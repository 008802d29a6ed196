package wire

import (
	"bytes"
	"net/http"
	"strconv"
	"strings"
)

// The header and trailer names that carry a call's outcome.
const (
	statusKey  = "grpc-status"
	messageKey = "grpc-message"
	detailsKey = "grpc-status-details-bin"
)

// Trailer is what ends a call: its status and the server's trailing metadata.
type Trailer struct {
	// HasStatus reports whether a grpc-status was present at all, readable or not.
	HasStatus bool
	Status    Status
	Metadata  Metadata
}

// ParseTrailer reads the payload of a trailer frame. Peers differ in white space, letter case, line
// ends and a final empty line; all of these are accepted. A line without a colon is an error,
// because nothing behind it can be trusted.
func ParseTrailer(block []byte) (Trailer, error) {
	var t Trailer
	for len(block) > 0 {
		line := block
		if end := bytes.IndexByte(block, '\n'); end >= 0 {
			line, block = block[:end], block[end+1:]
		} else {
			block = nil
		}
		line = bytes.TrimSuffix(line, []byte{'\r'})
		if len(line) == 0 {
			continue
		}
		name, value, found := bytes.Cut(line, []byte{':'})
		name, value = trimSpace(name), trimSpace(value)
		if !found || len(name) == 0 {
			return Trailer{}, Errorf(Internal, "trailer line %q is not of the form name:value", excerpt(line))
		}
		t.add(name, value)
	}
	t.Status.complete(t.HasStatus)
	return t, nil
}

// HeaderTrailer reads an answer's HTTP headers as a trailer block, which is what they are when the
// server had nothing but a status to send.
func HeaderTrailer(header http.Header) Trailer {
	var t Trailer
	if values := header["Grpc-Status"]; len(values) > 0 {
		t.setStatus([]byte(values[0]))
	}
	if values := header["Grpc-Message"]; len(values) > 0 {
		t.Status.Message = decodeMessage(values[0])
	}
	if values := header["Grpc-Status-Details-Bin"]; len(values) > 0 {
		t.Status.Details = decodeDetails(values[0])
	}
	t.Status.complete(t.HasStatus)
	return t
}

// add files one line. The three status names are compared first, so that the usual block, a status
// alone, needs no map.
func (t *Trailer) add(name, value []byte) {
	switch {
	case equalFold(name, statusKey):
		if !t.HasStatus {
			t.setStatus(value)
		}
	case equalFold(name, messageKey):
		t.Status.Message = decodeMessage(string(value))
	case equalFold(name, detailsKey):
		t.Status.Details = decodeDetails(string(value))
	default:
		if t.Metadata == nil {
			t.Metadata = make(Metadata)
		}
		t.Metadata.addReceived(strings.ToLower(string(name)), string(value))
	}
}

// setStatus keeps a code that gRPC does not define, and turns an unreadable one into UNKNOWN.
func (t *Trailer) setStatus(value []byte) {
	t.HasStatus = true
	code, err := strconv.ParseUint(string(value), 10, 31)
	if err != nil {
		t.Status.Code = Unknown
		t.Status.unreadable = string(excerpt(value))
		return
	}
	t.Status.Code = Code(code)
}

func trimSpace(b []byte) []byte { return bytes.Trim(b, " \t") }

func equalFold(b []byte, s string) bool {
	return len(b) == len(s) && strings.EqualFold(string(b), s)
}

// excerpt bounds what a peer's bytes add to an error's text.
func excerpt(b []byte) []byte {
	const maxBytes = 80
	return b[:min(len(b), maxBytes)]
}
