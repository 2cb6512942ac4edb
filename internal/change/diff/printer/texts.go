package printer

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/diff"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// textsOf returns the texts of both sides of a change, for a comparison by words. ok is
// false if the message has them in full.
func textsOf(c *compat.MeaningChange) (before, after string, ok bool) {
	switch c.Kind {
	case diff.Unreadable, compat.Moved:
		return "", "", false
	case compat.Replaced:
		return byKey(c.Base.Text), byKey(c.Head.Text), true
	}
	say := func(v *compat.Value) string {
		if v == nil {
			return ""
		}
		quoted := schema.Quote(v.Text)
		quotes := !strings.HasSuffix(quoted, `…"`) && strings.Contains(c.Message, quoted)
		says := quotes || strings.Contains(c.Message, v.Text)
		ok = ok || !says
		return v.Text
	}
	before, after = say(c.Base), say(c.Head)
	return before, after, ok || c.Kind == compat.Reworded
}

// byKey writes a group of texts, given as JSON, one per line.
func byKey(group string) string {
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
