package calibration

import (
	"cmp"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

func (l *loader) judges() {
	dir := path.Join(l.dir, JudgesDir)
	for _, e := range l.list(dir, "This must be a folder with one file of answers for each judge. Replace it with a folder.") {
		name, ok := strings.CutSuffix(e.Name(), ".jsonl")
		if file := path.Join(JudgesDir, e.Name()); ok && IsJudgeName(name) {
			l.judge(name, file)
		} else {
			l.reportAt(path.Join(l.dir, file), CodeStray, "This is not a file of answers, and no command reads it. Rename it after its judge, in lowercase letters and digits with single dashes or underscores, such as my-judge.jsonl, or move it elsewhere.")
		}
	}
}

func (l *loader) judge(name, file string) {
	f := l.readOptional(file)
	if f == nil {
		return
	}
	j := Judge{Name: name, File: f}
	c := answerChecker{loader: l, lines: map[answerKey]int{}, first: map[string]Answer{}}
	l.lines(f, func(text []byte, number int) []source.Problem {
		d, ok := parse(f, text, &document.Answer)
		if !ok {
			return d.Problems
		}
		a := Answer{Line: number}
		d.Decode(&a)
		a.Repeat = max(a.Repeat, 1)
		problems := c.check(d, &a)
		if len(problems) == 0 {
			j.Answers = append(j.Answers, a)
		}
		return problems
	})
	l.dataset.Judges = append(l.dataset.Judges, j)
}

type answerKey struct {
	run, item       string
	repeat, attempt int // attempt is 0 for the one with an answer
}

// answerChecker checks the answers of one judge in order.
type answerChecker struct {
	*loader
	lines map[answerKey]int // the first line of each
	first map[string]Answer // by run
}

// check returns the problems of an answer other than those of its structure.
func (c *answerChecker) check(d *document.Document, a *Answer) []source.Problem {
	problems := checkDate(d.Root().Get("date"))
	keys := []answerKey{{a.Run, a.Item, a.Repeat, max(a.Attempt, 1)}, {a.Run, a.Item, a.Repeat, 0}}
	if a.Unavailable != "" {
		keys = keys[:1]
	}
	if i := slices.IndexFunc(keys, func(key answerKey) bool { return c.lines[key] > 0 }); i >= 0 {
		problems = append(problems, duplicate(d.Root().Get("item"),
			"Run %s already has answer %d for %s, in line %d. Number the repeats or remove one answer.", schema.Quote(a.Run), a.Repeat, schema.Quote(a.Item), c.lines[keys[i]]))
	}
	for _, key := range keys {
		c.lines[key] = cmp.Or(c.lines[key], a.Line)
	}
	if _, ok := c.itemLines[a.Item]; !ok && c.itemLines != nil {
		problems = append(problems, source.Problem{
			Code: CodeUnknown, Span: d.Root().Get("item").Span,
			Message: fmt.Sprintf("The item %s is not in %s. Restore the item or remove the answer.", schema.Quote(a.Item), ItemsFile),
		})
	}
	scores := d.Root().Get("scores")
	if scores != nil && len(scores.Entries) == 0 {
		problems = append(problems, source.Problem{
			Code: schema.CodeInvalidValue, Span: scores.Span,
			Message: `"scores" is empty. Add a score, or if the answer could not be read, replace "scores" with "error" and the reason.`,
		})
	}
	problems = append(problems, c.unknownCriteria(scores)...)
	return append(problems, c.mixed(d, a)...)
}

// mixed returns the differences between an answer and the first one of its run.
func (c *answerChecker) mixed(d *document.Document, a *Answer) []source.Problem {
	first, ok := c.first[a.Run]
	if !ok {
		c.first[a.Run] = *a
		return nil
	}
	var problems []source.Problem
	for _, same := range []struct{ key, noun, got, want string }{
		{"model", "model", a.Model, first.Model},
		{"date", "date", a.Date, first.Date},
		{"digest", "`digest`", a.Digest, first.Digest},
	} {
		if same.got != same.want {
			problems = append(problems, source.Problem{
				Code: CodeMixedRun, Span: d.Root().Get(same.key).Span,
				Message: fmt.Sprintf("All answers of a run must have the same %[2]s: run %[1]s has %[3]s in line %[4]d, got %[5]s. Move these answers to another run.",
					schema.Quote(a.Run), same.noun, schema.Quote(same.want), first.Line, schema.Quote(same.got)),
			})
		}
	}
	return problems
}
