package calibration

import (
	"bytes"
	"fmt"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
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
			l.report(f, problem(CodeDuplicate, d.Root().Get("applies_to").Items[i],
				"The rubric %s is listed twice. Remove one of the entries.", schema.Quote(id)))
		}
		rubrics[id] = true
	}
	l.criteria = map[string]bool{}
	for i, c := range l.dataset.Criteria {
		if l.criteria[c.Name] {
			l.report(f, problem(CodeDuplicate, d.Root().Get("criteria").Items[i].Get("name"),
				"The criterion %s is listed twice. Remove one of the entries.", schema.Quote(c.Name)))
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
			l.report(f, problem(CodeDuplicate, n.Get("digest"),
				"The labels of %s are reaffirmed twice for this wording. Remove one of the entries.", schema.Quote(r.Criterion)))
		}
		reaffirmed[words] = true
		l.report(f, checkDate(n.Get("date"))...)
	}
	for i := range l.dataset.Accepted {
		l.report(f, checkDate(d.Root().Get("accepted").Items[i].Get("date"))...)
	}
}

// reportAccepted reports runs that an owner accepted before they were recorded: nobody compared them, and the
// entry stays.
func (l *loader) reportAccepted() {
	for i := range l.dataset.Accepted {
		a := &l.dataset.Accepted[i]
		if judge := l.dataset.Judge(a.Judge); judge == nil || judge.Run(a.Run) == nil {
			n := l.dataset.Head.Root().Get("accepted").Items[i].Get("run")
			l.report(l.dataset.File, problem(CodeUnknown, n,
				"%s has no run %s, so it can't be accepted. Remove the entry, and accept a recorded run with `rubric calibrate weekly --accept`.",
				schema.Quote(a.Judge), schema.Quote(a.Run)))
		}
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

func (l *loader) items() {
	if f := l.readOptional(ItemsFile); f != nil {
		l.dataset.ItemsSource = f
		l.readItems(f, &document.Item)
	}
}

// ReadItems reads items to label, one on each line as in items.jsonl, but labels are
// optional. If there are problems, it returns no items.
func ReadItems(f *source.File) ([]Item, []source.Problem) {
	l := &loader{dataset: &Dataset{}}
	l.readItems(f, &document.PlainItem)
	if len(l.problems) == 0 {
		return l.dataset.Items, nil
	}
	var problems []source.Problem
	for _, p := range l.problems {
		problems = append(problems, p.Problem)
	}
	return nil, problems
}

func (l *loader) readItems(f *source.File, k *document.Kind) {
	l.itemLines = map[string]int{}
	allKnown := true
	l.lines(f, func(text []byte, number int) []source.Problem {
		d := document.ParseLine(source.NewFile(f.Path, text), k)
		id := d.Root().Get("id")
		if id == nil {
			allKnown = false
			return d.Problems
		}
		first, twice := l.itemLines[id.Value]
		if !twice {
			l.itemLines[id.Value] = number
		}
		switch {
		case len(d.Problems) > 0:
			return addresses(d.Problems)
		case twice:
			return []source.Problem{
				problem(CodeDuplicate, id,
					"The item %s is already in line %d. Change the ID of this item or remove it.", schema.Quote(id.Value), first),
			}
		}
		return l.item(d, f.LineSpan(number).End-len(text), number)
	})
	if !allKnown {
		l.itemLines = nil // an answer can refer to an item that could not be read
	}
}

// item adds an item whose line starts at an offset in the file.
func (l *loader) item(d *document.Document, at, number int) []source.Problem {
	var problems []source.Problem
	if labels := d.Root().Get("labels"); labels != nil {
		for _, rater := range labels.Entries {
			problems = append(problems, l.unknownCriteria(rater.Value)...)
		}
	}
	problems = append(problems, l.cannotTell(d.Root())...)
	if len(problems) > 0 {
		return problems
	}
	artifact := d.Root().Get("artifact").Span
	item := Item{Line: number, Span: source.Span{Start: at + artifact.Start, End: at + artifact.End}}
	d.Decode(&item)
	l.dataset.Items = append(l.dataset.Items, item)
	return nil
}

// cannotTell returns the problems of the criteria that raters could not tell.
func (l *loader) cannotTell(item *yamltree.Node) []source.Problem {
	all := item.Get("cannot_tell")
	if all == nil {
		return nil
	}
	var problems []source.Problem
	for _, rater := range all.Entries {
		seen := map[string]bool{}
		for _, criterion := range rater.Value.Items {
			if l.criteria != nil && !l.criteria[criterion.Value] {
				problems = append(problems, l.unknownCriterion(criterion))
			}
			if labels := item.Get("labels").Get(rater.Key.Value); seen[criterion.Value] || labels.Get(criterion.Value) != nil {
				problems = append(problems, problem(CodeDuplicate, criterion,
					"%s has two answers for %s. Keep one of them.", schema.Quote(rater.Key.Value), criterion.Value))
			}
			seen[criterion.Value] = true
		}
	}
	return problems
}

// addresses gives the problem of a rater that is an email address a specific message.
func addresses(problems []source.Problem) []source.Problem {
	for i, p := range problems {
		rater, inLabels := strings.CutPrefix(p.Pointer, "/labels/")
		if inLabels && p.Code == schema.CodeInvalidValue && strings.Contains(rater, "@") && !strings.Contains(rater, "/") {
			problems[i].Code, problems[i].Pointer, problems[i].Path = CodeAddress, "/labels", "labels"
			problems[i].Message = "A rater must be a pseudonym, not an email address, which every user of the library could read. Use a pseudonym such as r1."
		}
	}
	return problems
}

// lines calls check with the text, without line end, and the number of each line of a
// JSON Lines file that is not blank. check returns problems with spans in the line.
func (l *loader) lines(f *source.File, check func(text []byte, number int) []source.Problem) {
	count := 0
	report := func(p source.Problem) {
		if count++; count <= mostProblems {
			l.report(f, p)
		}
	}
	for number := 1; number <= f.LineCount(); number++ {
		span := f.LineSpan(number)
		text := f.Data[span.Start:span.End]
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		if len(text) > safefile.MaxLine {
			_, size := utf8.DecodeRune(text)
			report(source.Problem{
				Code: CodeTooLong, Span: source.Span{Start: span.Start, End: span.Start + size},
				Message: fmt.Sprintf("The line has %d bytes, more than the limit of %d. Shorten its texts.", len(text), safefile.MaxLine),
			})
			continue
		}
		for _, p := range check(text, number) {
			report(moved(p, span.Start))
		}
	}
	if count > mostProblems {
		last := &l.problems[len(l.problems)-1]
		l.report(f, source.Problem{
			Code: last.Code, Span: last.Span,
			Message: fmt.Sprintf("There are %d more problems in this file. Fix the listed problems first.", count-mostProblems),
		})
	}
}

// moved converts a problem in a line to a problem in its file. It drops fixes: an edit
// of a label or an answer is never a matter of form.
func moved(p source.Problem, by int) source.Problem {
	p.Fix = nil
	p.Span = source.Span{Start: p.Span.Start + by, End: p.Span.End + by}
	related := make([]source.Related, len(p.Related))
	for i, r := range p.Related {
		r.Span = source.Span{Start: r.Span.Start + by, End: r.Span.End + by}
		related[i] = r
	}
	p.Related = related
	return p
}
