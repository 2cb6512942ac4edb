package diff

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/compat"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Texts is the texts of both sides of the change, for a comparison by words. ok is false
// if the message has them in full.
func (c *Change) Texts() (before, after string, ok bool) {
	switch c.Kind {
	case Unreadable, compat.Moved:
		return "", "", false
	case compat.Replaced:
		return lines(c.Base.Text), lines(c.Head.Text), true
	}
	for _, side := range []struct {
		v    *Value
		text *string
	}{{c.Base, &before}, {c.Head, &after}} {
		if side.v != nil {
			*side.text = side.v.Text
			quoted := schema.Quote(*side.text)
			says := strings.Contains(c.Message, *side.text) || !strings.HasSuffix(quoted, `…"`) && strings.Contains(c.Message, quoted)
			ok = ok || !says
		}
	}
	return before, after, ok || c.Kind == compat.Reworded
}

// lines writes a group of texts, given as JSON, one per line.
func lines(group string) string {
	var texts map[string]string
	if json.Unmarshal([]byte(group), &texts) != nil {
		return group
	}
	var b strings.Builder
	for _, key := range slices.Sorted(maps.Keys(texts)) {
		fmt.Fprintf(&b, "%s: %s\n", key, strings.TrimSpace(texts[key]))
	}
	return b.String()
}
