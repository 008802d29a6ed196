package metrics

// SystemTag is a tag that k6 sets by itself when the user's options enable it.
type SystemTag uint32

// The system tags that an RPC has.
const (
	TagStatus SystemTag = 1 << iota
	TagMethod
	TagURL
	TagName
	TagService
	TagIP
)

var systemTagNames = map[SystemTag]string{
	TagStatus:  "status",
	TagMethod:  "method",
	TagURL:     "url",
	TagName:    "name",
	TagService: "service",
	TagIP:      "ip",
}

// String returns the tag's key.
func (t SystemTag) String() string { return systemTagNames[t] }

// SystemTagSet holds the system tags that are enabled.
type SystemTagSet SystemTag

// ToSystemTagSet makes a set of the tags' keys.
func ToSystemTagSet(keys []string) *SystemTagSet {
	set := new(SystemTagSet)
	for _, key := range keys {
		for tag, name := range systemTagNames {
			if name == key {
				*set |= SystemTagSet(tag)
			}
		}
	}
	return set
}

// Has reports whether a tag is enabled. A nil set has none.
func (s *SystemTagSet) Has(tag SystemTag) bool {
	return s != nil && SystemTag(*s)&tag != 0
}
