package client

import (
	"context"
	"crypto/tls"
	"errors"
	"fmt"

	"github.com/bookstore-bench/xk6-grpcweb/wire"
)

// localStatus returns the status of a fault that carries its code, or nil.
func localStatus(err error) *wire.Status {
	var fault *wire.Error
	if !errors.As(err, &fault) {
		return nil
	}
	return &wire.Status{Code: fault.Code, Message: err.Error()}
}

// faultStatus maps the error that ended a call to a status. The context is asked first: whatever
// broke after a deadline or a cancellation broke because of it.
func faultStatus(ctx context.Context, err error) wire.Status {
	switch cause := ctx.Err(); {
	case errors.Is(cause, context.DeadlineExceeded):
		return wire.Status{Code: wire.DeadlineExceeded, Message: "the call's deadline has passed"}
	case cause != nil:
		return wire.Status{Code: wire.Canceled, Message: "the call was cancelled by the client"}
	}
	if status := localStatus(err); status != nil {
		return *status
	}
	var reset streamReset
	if errors.As(err, &reset) {
		return wire.Status{Code: reset.Code.status(), Message: fmt.Sprintf("the server reset the HTTP/2 stream: %v", err)}
	}
	return wire.Status{Code: wire.Unavailable, Message: err.Error()}
}

// hint names the usual cause of an error whose own text does not.
func hint(err error) string {
	if record := (tls.RecordHeaderError{}); errors.As(err, &record) {
		return "; the server seems to speak plaintext, so turn TLS off or use its TLS port"
	}
	return ""
}

// streamReset is the shape of net/http's own HTTP/2 stream error. That type has no exported name; it
// can be assigned to any struct with the same fields by [errors.As].
type streamReset struct {
	StreamID uint32
	Code     resetCode
	Cause    error
}

// Error implements [error].
func (e streamReset) Error() string {
	return fmt.Sprintf("HTTP/2 stream %d was reset with code %d", e.StreamID, e.Code)
}

// resetCode is an HTTP/2 error code.
type resetCode uint32

// The HTTP/2 error codes that PROTOCOL-HTTP2.md maps to something else than INTERNAL.
const (
	resetRefusedStream      resetCode = 0x7
	resetCancel             resetCode = 0x8
	resetEnhanceYourCalm    resetCode = 0xb
	resetInadequateSecurity resetCode = 0xc
)

func (c resetCode) status() wire.Code {
	switch c {
	case resetRefusedStream:
		return wire.Unavailable
	case resetCancel:
		return wire.Canceled
	case resetEnhanceYourCalm:
		return wire.ResourceExhausted
	case resetInadequateSecurity:
		return wire.PermissionDenied
	default:
		return wire.Internal
	}
}
