package wire

import (
	"strconv"
	"time"
)

// maxTimeoutValue is the largest number that the 8 digits of a grpc-timeout can show.
const maxTimeoutValue = 99_999_999

var timeoutUnits = [...]struct {
	size time.Duration
	name byte
}{
	{time.Nanosecond, 'n'},
	{time.Microsecond, 'u'},
	{time.Millisecond, 'm'},
	{time.Second, 'S'},
	{time.Minute, 'M'},
	{time.Hour, 'H'},
}

// EncodeTimeout returns the value of the grpc-timeout header in the finest unit that fits, rounded
// up, so that the server never gives up before the client does. A duration that is not positive has
// no such form: the call has failed already.
func EncodeTimeout(timeout time.Duration) (string, error) {
	if timeout <= 0 {
		return "", Errorf(DeadlineExceeded, "time-out of %s has already passed", timeout)
	}
	unit := timeoutUnits[len(timeoutUnits)-1]
	for _, candidate := range timeoutUnits {
		if timeout <= maxTimeoutValue*candidate.size {
			unit = candidate
			break
		}
	}
	value := timeout / unit.size
	if timeout%unit.size != 0 {
		value++
	}
	return string(append(strconv.AppendInt(make([]byte, 0, 9), int64(value), 10), unit.name)), nil
}
