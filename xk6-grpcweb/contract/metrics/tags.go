package metrics

import "maps"

// TagSet is an immutable set of tags. Every change gives a new set.
type TagSet struct {
	tags map[string]string
}

// With returns the set with one tag added or replaced.
func (s *TagSet) With(key, value string) *TagSet {
	tags := maps.Clone(s.tags)
	if tags == nil {
		tags = make(map[string]string, 1)
	}
	tags[key] = value
	return &TagSet{tags: tags}
}

// Get returns a tag's value and whether the set has it.
func (s *TagSet) Get(key string) (string, bool) {
	value, ok := s.tags[key]
	return value, ok
}

// Map returns a copy of the tags.
func (s *TagSet) Map() map[string]string {
	if s.tags == nil {
		return map[string]string{}
	}
	return maps.Clone(s.tags)
}

// TagsAndMeta are tags, which make time series, and metadata, which only accompany samples.
type TagsAndMeta struct {
	Tags     *TagSet
	Metadata map[string]string
}

// SetTag adds or replaces a tag.
func (t *TagsAndMeta) SetTag(key, value string) {
	t.Tags = t.Tags.With(key, value)
}

// SetSystemTagOrMetaIfEnabled adds a system tag if the user's options have it enabled.
func (t *TagsAndMeta) SetSystemTagOrMetaIfEnabled(enabled *SystemTagSet, tag SystemTag, value string) {
	if enabled.Has(tag) {
		t.SetTag(tag.String(), value)
	}
}

// Clone returns a copy that can be changed apart.
func (t TagsAndMeta) Clone() TagsAndMeta {
	t.Metadata = maps.Clone(t.Metadata)
	return t
}
