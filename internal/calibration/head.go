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
	rubrics := map[string]bool{}
	for i, id := range l.dataset.AppliesTo {
		if rubrics[id] {
			l.report(f, problem(CodeDuplicate, d.Root().Get("applies_to").Items[i], "The rubric %s is listed twice. Remove one of the entries.", schema.Quote(id)))
		}
		rubrics[id] = true
	}
	l.criteria = map[string]bool{}
	for i, c := range l.dataset.Criteria {
		if l.criteria[c.Name] {
			l.report(f, problem(CodeDuplicate, d.Root().Get("criteria").Items[i].Get("name"), "The criterion %s is listed twice. Remove one of the entries.", schema.Quote(c.Name)))
		}
		l.criteria[c.Name] = true
	}
	reaffirmed := map[Labeled]bool{}
	for i, r := range l.dataset.Reaffirmed {
		n, words := d.Root().Get("reaffirmed").Items[i], Labeled{r.Criterion, r.Digest}
		if !l.criteria[r.Criterion] {
			l.report(f, l.unknownCriterion(n.Get("criterion")))
		}
		if reaffirmed[words] {
			l.report(f, problem(CodeDuplicate, n.Get("digest"), "The labels of %s are reaffirmed twice for this wording. Remove one of the entries.", schema.Quote(r.Criterion)))
		}
		reaffirmed[words] = true
		l.report(f, checkDate(n.Get("date"))...)
	}
}

func problem(code string, n *yamltree.Node, format string, args ...any) source.Problem {
	return source.Problem{Code: code, Span: n.Span, Message: fmt.Sprintf(format, args...)}
}

// checkDate reports a well-formed date that does not exist.
func checkDate(n *yamltree.Node) []source.Problem {
	if _, err := time.Parse(time.DateOnly, n.Value); err == nil {
		return nil
	}
	return []source.Problem{problem(schema.CodeInvalidValue, n, "The date %s does not exist. Fix the date.", n.Value)}
}

func (l *loader) unknownCriterion(n *yamltree.Node) source.Problem {
	var names []string
	for _, c := range l.dataset.Criteria {
		names = append(names, c.Name)
	}
	advice := fmt.Sprintf("%s lists %s.", DatasetFile, schema.Or(names, "and"))
	if word := suggest.Word(n.Value, names); word != "" {
		advice = fmt.Sprintf("Did you mean %s?", schema.Quote(word))
	}
	return problem(CodeUnknown, n, "%s is not a criterion of this dataset. %s", schema.Quote(n.Value), advice)
}

func (l *loader) unknownCriteria(group *yamltree.Node) []source.Problem {
	if l.criteria == nil || group == nil {
		return nil
	}
	var problems []source.Problem
	for _, e := range group.Entries {
		if !l.criteria[e.Key.Value] {
			problems = append(problems, l.unknownCriterion(e.Key))
		}
	}
	return problems
}
