// Package types describes what the extension uses of k6's option types.
package types

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"time"
)

var days = regexp.MustCompile(`^(\d+)d(.*)$`)

// GetDurationValue reads a duration as users write it: a number of milliseconds, or text with units
// ("1d2h", "10s"), where a bare number means milliseconds again.
func GetDurationValue(value any) (time.Duration, error) {
	switch v := value.(type) {
	case int64:
		return time.Duration(v) * time.Millisecond, nil
	case float64:
		return time.Duration(v * float64(time.Millisecond)), nil
	case string:
		return parse(v)
	default:
		return 0, fmt.Errorf("%v is no duration: write milliseconds or text such as \"10s\"", value)
	}
}

func parse(text string) (time.Duration, error) {
	if ms, err := strconv.ParseFloat(text, 64); err == nil {
		return time.Duration(ms * float64(time.Millisecond)), nil
	}
	var whole time.Duration
	if parts := days.FindStringSubmatch(text); parts != nil {
		count, err := strconv.Atoi(parts[1])
		if err != nil {
			return 0, fmt.Errorf("days of %q: %w", text, err)
		}
		whole, text = time.Duration(count)*24*time.Hour, parts[2]
	}
	if strings.TrimSpace(text) == "" {
		return whole, nil
	}
	rest, err := time.ParseDuration(text)
	if err != nil {
		return 0, fmt.Errorf("duration: %w", err)
	}
	return whole + rest, nil
}
