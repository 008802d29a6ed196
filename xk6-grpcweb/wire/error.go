package wire

import "fmt"

// Error is a fault that this side found: damaged bytes, a broken limit or a broken rule. Code is the
// status that the gRPC documents assign to such a fault.
type Error struct {
	Code  Code
	cause error
}

// Errorf returns an [Error]; the format follows [fmt.Errorf], %w included.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, cause: fmt.Errorf(format, args...)}
}

// Error returns the text without the code.
func (e *Error) Error() string { return e.cause.Error() }

// Unwrap gives [errors.Is] and [errors.As] what the text was made from.
func (e *Error) Unwrap() error { return e.cause }
