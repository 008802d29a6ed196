package schema

import "google.golang.org/protobuf/reflect/protoreflect"

// mayRequireFields reports whether a message, or any message that it can hold, has a required field.
// Extensions may bring some at any time.
func mayRequireFields(message protoreflect.MessageDescriptor, seen map[protoreflect.FullName]bool) bool {
	if seen[message.FullName()] {
		return false
	}
	seen[message.FullName()] = true
	if message.RequiredNumbers().Len() > 0 || message.ExtensionRanges().Len() > 0 {
		return true
	}
	for i := range message.Fields().Len() {
		if field := message.Fields().Get(i).Message(); field != nil && mayRequireFields(field, seen) {
			return true
		}
	}
	return false
}
