// Package lib describes what the extension uses of a virtual user's state.
package lib

import (
	"context"
	"crypto/tls"
	"database/sql"
	"net"
	"sync"

	"github.com/sirupsen/logrus"

	"go.k6.io/k6/v2/metrics"
)

// DialContexter opens connections under the rules of the test: hosts, blocked addresses, DNS. It
// counts the bytes of its connections.
type DialContexter interface {
	DialContext(ctx context.Context, network, address string) (net.Conn, error)
}

// OptionalString is a string option that may be unset. k6's own type has the same two fields.
type OptionalString struct {
	sql.NullString
}

// Options are the options of a test run.
type Options struct {
	UserAgent  OptionalString
	SystemTags *metrics.SystemTagSet
}

// State is what a virtual user has while it runs. In the init context there is none.
type State struct {
	Options   Options
	Logger    logrus.FieldLogger
	Dialer    DialContexter
	TLSConfig *tls.Config
	Samples   chan<- metrics.SampleContainer
	Tags      *VUStateTags
}

// VUStateTags are the tags of the moment: of the run, the scenario, the group and the user. They are
// safe for concurrent use.
type VUStateTags struct {
	mu      sync.Mutex
	current metrics.TagsAndMeta
}

// NewVUStateTags starts with the given tags.
func NewVUStateTags(tags *metrics.TagSet) *VUStateTags {
	return &VUStateTags{current: metrics.TagsAndMeta{Tags: tags}}
}

// GetCurrentValues returns a copy that can be changed apart.
func (t *VUStateTags) GetCurrentValues() metrics.TagsAndMeta {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.current.Clone()
}

// Modify changes the tags.
func (t *VUStateTags) Modify(change func(*metrics.TagsAndMeta)) {
	t.mu.Lock()
	defer t.mu.Unlock()
	change(&t.current)
}

// TestPreInitState is what a test run has before any virtual user does.
type TestPreInitState struct {
	Registry *metrics.Registry
	Logger   logrus.FieldLogger
}
