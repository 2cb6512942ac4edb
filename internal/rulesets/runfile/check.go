package runfile

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// checker collects what the tables can't say: IDs that stand twice or that
// nothing has.
type checker struct {
	tree     *yamltree.Tree
	problems []source.Problem
}

func (c *checker) report(n *yamltree.Node, related []source.Related, format string, args ...any) {
	c.problems = append(c.problems, source.Problem{
		Code: schema.CodeInvalidValue, Span: n.Span, Message: fmt.Sprintf(format, args...), Related: related,
	})
}

// ids are the IDs of a list's elements, in order and without those that stand
// there twice, which it reports. The ID stands under key, or is the element.
func (c *checker) ids(list *yamltree.Node, key string) []string {
	var ids []string
	first := map[string]*yamltree.Node{}
	for _, item := range items(list) {
		n := item
		if key != "" {
			n = item.Get(key)
		}
		if before := first[n.Value]; before != nil {
			c.report(n, []source.Related{{Span: before.Span, Message: "first used here"}},
				"The rule %s stands here twice, for the first time in line %d. Remove one of them.",
				schema.Quote(n.Value), c.tree.File.Position(before.Span.Start).Line)
			continue
		}
		first[n.Value] = n
		ids = append(ids, n.Value)
	}
	return ids
}

// known reports the IDs of a list that are not among those that exist.
func (c *checker) known(exist []string, list *yamltree.Node, key string) {
	c.ids(list, key)
	set := make(map[string]bool, len(exist))
	for _, id := range exist {
		set[id] = true
	}
	for _, item := range items(list) {
		n := item
		if key != "" {
			n = item.Get(key)
		}
		if !set[n.Value] {
			c.report(n, nil, "There is no rule %s among the criteria.%s", schema.Quote(n.Value), DidYouMean(n.Value, exist))
		}
	}
}

// contradictions reports the fields of rules that are each right and don't fit
// together: otherwise a rule could be left out of a phase, or of the score,
// without anybody seeing it. list holds the rules as they are written.
func (c *checker) contradictions(list *yamltree.Node, rules []ruleset.Rule) {
	for i, r := range rules {
		n := list.Items[i]
		if want, ok := ruleset.PhaseOf(r.ID); ok && r.Phase != want {
			c.report(n.Get("phase"), nil, "The rule %s stands in phase %s, and its ID says phase %s. Write %s here, or give it another ID.", schema.Quote(r.ID), r.Phase, want, want)
		}
		switch info := r.Severity == ruleset.SeverityInfo; {
		case info && r.Weight != 0:
			c.report(n.Get("weight"), nil, "The rule %s is info, which is never scored. Write the weight 0, or another severity.", schema.Quote(r.ID))
		case !info && r.Weight == 0:
			c.report(n.Get("weight"), nil, "The rule %s has the weight 0, with which it does not count. Write one above 0, or the severity info.", schema.Quote(r.ID))
		}
	}
}

// DidYouMean is a sentence that names the ID that was probably meant, or "".
func DidYouMean(id string, known []string) string {
	if word := suggest.Word(id, known); word != "" {
		return fmt.Sprintf(" Did you mean %s?", schema.Quote(word))
	}
	return ""
}

func items(n *yamltree.Node) []*yamltree.Node {
	if n == nil {
		return nil
	}
	return n.Items
}
