package runfile

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// checker reports problems that the tables can't express: duplicate and unknown IDs.
type checker struct {
	tree     *yamltree.Tree
	problems []source.Problem
}

func (c *checker) report(n *yamltree.Node, related []source.Related, format string, args ...any) {
	c.problems = append(c.problems, source.Problem{
		Code: schema.CodeInvalidValue, Span: n.Span, Message: fmt.Sprintf(format, args...), Related: related,
	})
}

// ids returns the IDs of a list's elements in order. It reports and drops duplicates. The
// ID is the value of key, or the element itself.
func (c *checker) ids(list *yamltree.Node, key string) []string {
	var ids []string
	first := map[string]*yamltree.Node{}
	for _, item := range list.List() {
		n := item
		if key != "" {
			n = item.Get(key)
		}
		if before := first[n.Value]; before != nil {
			c.report(n, []source.Related{{Span: before.Span, Message: "first used here"}},
				"The rule %s is listed twice, first in line %d. Remove one of the entries.",
				schema.Quote(n.Value), c.tree.File.Position(before.Span.Start).Line)
			continue
		}
		first[n.Value] = n
		ids = append(ids, n.Value)
	}
	return ids
}

// known reports the IDs of a list that do not exist.
func (c *checker) known(exist []string, list *yamltree.Node, key string) {
	c.ids(list, key)
	set := make(map[string]bool, len(exist))
	for _, id := range exist {
		set[id] = true
	}
	for _, item := range list.List() {
		n := item
		if key != "" {
			n = item.Get(key)
		}
		if !set[n.Value] {
			c.report(n, nil, "The criteria have no rule %s.%s", schema.Quote(n.Value), schema.DidYouMean(n.Value, exist))
		}
	}
}

// contradictions reports fields of a rule that contradict each other. Otherwise, a rule
// could silently be left out of a phase or of the score. list has the rules as written.
func (c *checker) contradictions(list *yamltree.Node, rules []ruleset.Rule) {
	for i, r := range rules {
		n := list.Items[i]
		if want, ok := ruleset.PhaseOf(r.ID); ok && r.Phase != want {
			c.report(n.Get("phase"), nil, "The rule %s has phase %s, but its ID says phase %s. Change the phase to %s or change the ID.", schema.Quote(r.ID), r.Phase, want, want)
		}
		switch info := r.Severity == ruleset.SeverityInfo; {
		case info && r.Weight != 0:
			c.report(n.Get("weight"), nil, "The rule %s has severity info, which is never scored. Change the weight to 0 or change the severity.", schema.Quote(r.ID))
		case !info && r.Weight == 0:
			c.report(n.Get("weight"), nil, "The rule %s has weight 0, so it does not count. Change the weight to a value above 0 or the severity to info.", schema.Quote(r.ID))
		}
	}
}
