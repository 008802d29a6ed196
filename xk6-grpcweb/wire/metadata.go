package wire

import (
	"encoding/base64"
	"net/http"
	"net/textproto"
	"slices"
	"strings"
)

const binarySuffix = "-bin"

// Metadata maps lower-case keys to their values in the order of arrival. Values of keys that end in
// "-bin" are raw bytes kept in a string; their base64 exists on the wire alone.
type Metadata map[string][]string

// reservedKeys belong to the protocol or to HTTP; a caller's value would contradict the real one.
var reservedKeys = []string{
	"accept", "accept-encoding", "connection", "content-encoding", "content-length", "content-type",
	"expect", "host", "keep-alive", "proxy-connection", "te", "trailer", "transfer-encoding",
	"upgrade", "x-grpc-web",
}

// AddTo validates the metadata and adds it to an outgoing request's headers, in place of what the
// headers hold under the same keys. Nothing is added when any entry is refused. Keys may be written
// in any letter case.
func (m Metadata) AddTo(header http.Header) error {
	for key, values := range m {
		if err := checkKey(key); err != nil {
			return err
		}
		if isBinary(key) {
			continue
		}
		for _, value := range values {
			if err := checkValue(key, value); err != nil {
				return err
			}
		}
	}
	for key := range m {
		delete(header, textproto.CanonicalMIMEHeaderKey(key))
	}
	for key, values := range m {
		name := textproto.CanonicalMIMEHeaderKey(key)
		for _, value := range values {
			if isBinary(key) {
				value = base64.RawStdEncoding.EncodeToString([]byte(value))
			}
			header[name] = append(header[name], value)
		}
	}
	return nil
}

// HeaderMetadata returns an answer's HTTP headers as metadata, without the three that carry the
// status and without those named by omit (in lower case).
func HeaderMetadata(header http.Header, omit ...string) Metadata {
	metadata := make(Metadata, len(header))
	for name, values := range header {
		key := strings.ToLower(name)
		if key == statusKey || key == messageKey || key == detailsKey || slices.Contains(omit, key) {
			continue
		}
		for _, value := range values {
			metadata.addReceived(key, value)
		}
	}
	return metadata
}

// addReceived decodes a "-bin" value; one comma-separated line may hold several. Text that is not
// base64 is kept as it came, so that nothing a server sent is lost.
func (m Metadata) addReceived(key, value string) {
	if !isBinary(key) {
		m[key] = append(m[key], value)
		return
	}
	for part := range strings.SplitSeq(value, ",") {
		part = strings.Trim(part, " \t")
		if decoded, err := decodeBinary(part); err == nil {
			part = string(decoded)
		}
		m[key] = append(m[key], part)
	}
}

func isBinary(key string) bool {
	return len(key) >= len(binarySuffix) && strings.EqualFold(key[len(key)-len(binarySuffix):], binarySuffix)
}

// decodeBinary accepts base64 with and without padding, as gRPC asks of receivers.
func decodeBinary(text string) ([]byte, error) {
	return base64.RawStdEncoding.DecodeString(strings.TrimRight(text, "="))
}

func checkKey(key string) error {
	if key == "" {
		return Errorf(InvalidArgument, "metadata key is empty")
	}
	for i := range len(key) {
		if c := key[i]; !isKeyByte(c) {
			return Errorf(InvalidArgument, "metadata key %q has the character %q; keys are letters, digits, '_', '-' and '.'", key, c)
		}
	}
	lower := strings.ToLower(key)
	if strings.HasPrefix(lower, "grpc-") || slices.Contains(reservedKeys, lower) {
		return Errorf(InvalidArgument, "metadata key %q is reserved by the protocol; remove it or use another name", key)
	}
	return nil
}

func isKeyByte(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || c == '_' || c == '-' || c == '.'
}

func checkValue(key, value string) error {
	for i := range len(value) {
		if c := value[i]; c < ' ' || c > '~' {
			return Errorf(InvalidArgument, "metadata value of %q has the byte 0x%02x, which a header cannot carry; use a key that ends in -bin", key, c)
		}
	}
	return nil
}
