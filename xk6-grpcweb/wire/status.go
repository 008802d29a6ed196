package wire

import (
	"fmt"
	"strings"
)

// Status is the outcome of a call.
type Status struct {
	Code Code
	// Message is the server's text, unescaped, or the text of a fault that this side found.
	Message string
	// Details holds the bytes of the google.rpc.Status that came in grpc-status-details-bin. It is
	// nil when there was none or when it could not be decoded.
	Details []byte

	unreadable string
}

// complete gives a status that arrived broken its code and a text that says what was broken.
func (s *Status) complete(present bool) {
	if !present {
		s.Code = Unknown
		if s.Message == "" {
			s.Message = "the server sent no grpc-status"
		}
		return
	}
	if s.unreadable != "" && s.Message == "" {
		s.Message = fmt.Sprintf("the server sent an unreadable grpc-status %q", s.unreadable)
	}
	s.unreadable = ""
}

// decodeMessage undoes the percent-escapes of grpc-message. It never fails: broken escapes stay as
// they are, and bytes that are not UTF-8 become U+FFFD.
func decodeMessage(escaped string) string {
	if strings.IndexByte(escaped, '%') < 0 {
		return strings.ToValidUTF8(escaped, "\uFFFD")
	}
	decoded := make([]byte, 0, len(escaped))
	for i := 0; i < len(escaped); i++ {
		if escaped[i] == '%' && i+2 < len(escaped) {
			high, highOK := hexDigit(escaped[i+1])
			low, lowOK := hexDigit(escaped[i+2])
			if highOK && lowOK {
				decoded = append(decoded, high<<4|low)
				i += 2
				continue
			}
		}
		decoded = append(decoded, escaped[i])
	}
	return strings.ToValidUTF8(string(decoded), "\uFFFD")
}

func hexDigit(c byte) (value byte, ok bool) {
	switch {
	case '0' <= c && c <= '9':
		return c - '0', true
	case 'a' <= c && c <= 'f':
		return c - 'a' + 10, true
	case 'A' <= c && c <= 'F':
		return c - 'A' + 10, true
	default:
		return 0, false
	}
}

// decodeDetails returns nil for text that is not base64: code and message are worth more than a
// complaint about their details.
func decodeDetails(text string) []byte {
	details, err := decodeBinary(text)
	if err != nil {
		return nil
	}
	return details
}
