package calibration

import (
	"fmt"
	"time"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

func (l *loader) head(f *source.File) {
	d := document.ParseAs(f, &document.Dataset)
	l.dataset.File, l.dataset.Head = f, d
	l.report(f, d.Problems...)
	if !d.Valid() {
		return
	}
	d.Decode(l.dataset)
	if l.dataset.Share == "" {
		l.dataset.Share = ShareStatistics
	}
	l.checkAppliesTo(d)
	l.checkCriteria(d)
	l.checkReaffirmed(d)
}

func (l *loader) checkAppliesTo(d *document.Document) {
	seen := map[string]bool{}
	for i, id := range l.dataset.AppliesTo {
		if seen[id] {
			l.report(d.File, duplicate(d.Root().Get("applies_to").Items[i], "The rubric %s is listed twice. Remove one of the entries.", schema.Quote(id)))
		}
		seen[id] = true
	}
}

func (l *loader) checkCriteria(d *document.Document) {
	l.criteria = map[string]int{}
	for i, c := range l.dataset.Criteria {
		if _, twice := l.criteria[c.Name]; twice {
			l.report(d.File, duplicate(d.Root().Get("criteria").Items[i].Get("name"), "The criterion %s is listed twice. Remove one of the entries.", schema.Quote(c.Name)))
			continue
		}
		l.criteria[c.Name] = i
	}
}

func (l *loader) checkReaffirmed(d *document.Document) {
	type words struct{ criterion, digest string }
	seen := map[words]bool{}
	for i, r := range l.dataset.Reaffirmed {
		n := d.Root().Get("reaffirmed").Items[i]
		if _, ok := l.criteria[r.Criterion]; !ok {
			l.report(d.File, l.unknownCriterion(n.Get("criterion")))
		}
		if w := (words{r.Criterion, r.Digest}); seen[w] {
			l.report(d.File, duplicate(n.Get("digest"), "The labels of %s are reaffirmed twice for this wording. Remove one of the entries.", schema.Quote(r.Criterion)))
		} else {
			seen[w] = true
		}
		l.report(d.File, checkDate(n.Get("date"))...)
	}
}

func duplicate(n *yamltree.Node, format string, args ...any) source.Problem {
	return source.Problem{Code: CodeDuplicate, Span: n.Span, Message: fmt.Sprintf(format, args...)}
}

// checkDate reports a well-formed date that does not exist.
func checkDate(n *yamltree.Node) []source.Problem {
	if _, err := time.Parse(time.DateOnly, n.Value); err == nil {
		return nil
	}
	return []source.Problem{{
		Code: schema.CodeInvalidValue, Span: n.Span,
		Message: fmt.Sprintf("The date %s does not exist. Fix the date.", n.Value),
	}}
}

// unknownCriterion is the problem of a criterion that the dataset does not list.
func (l *loader) unknownCriterion(n *yamltree.Node) source.Problem {
	var names []string
	for _, c := range l.dataset.Criteria {
		names = append(names, c.Name)
	}
	advice := fmt.Sprintf("%s lists %s.", DatasetFile, schema.Or(names, "and"))
	if word := suggest.Word(n.Value, names); word != "" {
		advice = fmt.Sprintf("Did you mean %s?", schema.Quote(word))
	}
	return source.Problem{Code: CodeUnknown, Span: n.Span, Message: fmt.Sprintf("%s is not a criterion of this dataset. %s", schema.Quote(n.Value), advice)}
}

// unknownCriteria reports the keys of a mapping that are not criteria of the dataset.
func (l *loader) unknownCriteria(group *yamltree.Node) []source.Problem {
	if l.criteria == nil || group == nil {
		return nil
	}
	var problems []source.Problem
	for _, e := range group.Entries {
		if _, ok := l.criteria[e.Key.Value]; !ok {
			problems = append(problems, l.unknownCriterion(e.Key))
		}
	}
	return problems
}
