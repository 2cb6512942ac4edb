package calibration

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

const judgeInFolder = "This must be a folder with one folder for each judge, which has a file of answers for each run. Replace it with a folder."

// judges reads the file of each judge, in which earlier programs recorded all runs, and then
// the files of its runs.
func (l *loader) judges() {
	dir := path.Join(l.dir, JudgesDir)
	judges := map[string]*answerChecker{}
	judge := func(name string) *answerChecker {
		if judges[name] == nil {
			judges[name] = &answerChecker{
				loader: l, judge: Judge{Name: name}, lines: map[answerKey]int{}, asked: map[string]int{},
				first: map[string]Answer{}, prompt: map[string]Answer{},
			}
		}
		return judges[name]
	}
	entries := l.list(dir, judgeInFolder)
	slices.SortStableFunc(entries, func(a, b fs.DirEntry) int { // files first
		return cmp.Compare(strings.Count(b.Name(), ".jsonl"), strings.Count(a.Name(), ".jsonl"))
	})
	for _, e := range entries {
		at := path.Join(JudgesDir, e.Name())
		switch name, isFile := strings.CutSuffix(e.Name(), ".jsonl"); {
		case !IsJudgeName(name):
			l.reportStray(at, "judge", "my-judge"+strings.TrimPrefix(e.Name(), name))
		case isFile:
			judge(name).read(at, "")
		default:
			for _, e := range l.list(path.Join(l.dir, at), judgeInFolder) {
				if run, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok && IsJudgeName(run) {
					judge(name).read(path.Join(at, e.Name()), run)
				} else {
					l.reportStray(path.Join(at, e.Name()), "run", "2026-11-21.jsonl")
				}
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(judges)) {
		if j := judges[name].judge; len(j.Files) > 0 {
			j.items = l.itemLines
			j.runs = sync.OnceValue(j.readRuns)
			l.dataset.Judges = append(l.dataset.Judges, j)
		}
	}
}

func (l *loader) reportStray(name, noun, example string) {
	l.reportAt(path.Join(l.dir, name), CodeStray,
		"This is not a file of answers, and no command reads it. Rename it after its %s, in at most 64 lowercase letters and digits with single dashes or underscores, such as %s, or move it elsewhere.",
		noun, example)
}

// read reads a file of answers: those of a run, or of any run if run is "".
func (c *answerChecker) read(name, run string) {
	f := c.readOptional(name)
	if f == nil {
		return
	}
	c.judge.Files = append(c.judge.Files, f)
	c.loader.lines(f, func(text []byte, number int) []source.Problem {
		d := document.ParseLine(source.NewFile(f.Path, text), &document.Answer)
		if len(d.Problems) > 0 {
			return d.Problems
		}
		a := Answer{File: f, Line: number}
		d.Decode(&a)
		a.Repeat = max(a.Repeat, 1)
		problems := c.check(d, &a)
		if first := c.first[a.Run]; run != "" && a.Run != run || first.File != f {
			problems = append(problems, problem(CodeMixedRun, d.Root().Get("run"),
				"The answers of a run are in one file: run %s does not belong here. Move them to its own file.", schema.Quote(a.Run)))
		}
		if len(problems) == 0 {
			c.judge.Answers = append(c.judge.Answers, a)
		}
		return problems
	})
}

type answerKey struct {
	run, item       string
	repeat, attempt int // attempt is 0 for the one with an answer
}

// answerChecker reads and checks the answers of one judge in order.
type answerChecker struct {
	*loader
	judge  Judge
	lines  map[answerKey]int // the first line of each, and of each item without a number
	asked  map[string]int    // items by run
	first  map[string]Answer // by run
	prompt map[string]Answer // the first by run that was read, or names a prompt
}

// check returns the problems of an answer other than those of its structure.
func (c *answerChecker) check(d *document.Document, a *Answer) []source.Problem {
	problems := checkDate(d.Root().Get("date"))
	problems = append(problems, checkStart(d.Root().Get("started"), a)...)
	if item := (answerKey{run: a.Run, item: a.Item}); c.lines[item] == 0 {
		c.lines[item] = a.Line
		c.asked[a.Run]++
	}
	if a.Items > 0 && c.asked[a.Run] > a.Items {
		problems = append(problems, problem(CodeMixedRun, d.Root().Get("item"),
			"Run %s began when the dataset had %d items, and this is one more. Move the answers to newer items to another run.", schema.Quote(a.Run), a.Items))
	}
	keys := []answerKey{{a.Run, a.Item, a.Repeat, max(a.Attempt, 1)}, {a.Run, a.Item, a.Repeat, 0}}
	if a.Unavailable != "" {
		keys = keys[:1]
	}
	if i := slices.IndexFunc(keys, func(key answerKey) bool { return c.lines[key] > 0 }); i >= 0 {
		problems = append(problems, problem(CodeDuplicate, d.Root().Get("item"),
			"Run %s already has answer %d for %s, in line %d. Number the repeats or remove one answer.",
			schema.Quote(a.Run), a.Repeat, schema.Quote(a.Item), c.lines[keys[i]]))
	}
	for _, key := range keys {
		c.lines[key] = cmp.Or(c.lines[key], a.Line)
	}
	if _, ok := c.itemLines[a.Item]; !ok && c.itemLines != nil {
		problems = append(problems, problem(CodeUnknown, d.Root().Get("item"),
			"The item %s is not in %s. Restore the item or remove the answer.", schema.Quote(a.Item), ItemsFile))
	}
	scores := d.Root().Get("scores")
	if scores != nil && len(scores.Entries) == 0 {
		problems = append(problems, problem(schema.CodeInvalidValue, scores,
			`"scores" is empty. Add a score, or if the answer could not be read, replace "scores" with "error" and the reason.`))
	}
	problems = append(problems, c.unknownCriteria(scores)...)
	return append(problems, c.findDifferences(d, a)...)
}

// checkStart reports a start that does not exist, or is not on the date of the run.
func checkStart(n *yamltree.Node, a *Answer) []source.Problem {
	if n == nil {
		return nil
	}
	start, ok := ParseStart(a.Started)
	switch {
	case !ok:
		return []source.Problem{problem(schema.CodeInvalidValue, n, "The time %s does not exist. Fix the time.", n.Value)}
	case start.Date != a.Date:
		return []source.Problem{
			problem(schema.CodeInvalidValue, n,
				"The run started on %s, but its date is %s: both must be the same day in UTC. Fix the date or the time.",
				start.Date, a.Date),
		}
	}
	return nil
}

// findDifferences returns the differences between an answer and the first one of its run.
func (c *answerChecker) findDifferences(d *document.Document, a *Answer) []source.Problem {
	first, prompt := firstOf(c.first, a), *a
	if a.Scores != nil || a.PromptDigest != "" { // else there was nothing to read
		prompt = firstOf(c.prompt, a)
	}
	var problems []source.Problem
	for _, same := range []struct {
		key, noun, got, want string
		line                 int
	}{
		{"model", "model", a.Model, first.Model, first.Line},
		{"date", "date", a.Date, first.Date, first.Line},
		{"started", "start", a.Started, first.Started, first.Line},
		{"digest", "`digest`", a.Digest, first.Digest, first.Line},
		{"items", "number of items", fmt.Sprint(a.Items), fmt.Sprint(first.Items), first.Line},
		{"prompt_digest", "`prompt_digest`", a.PromptDigest, prompt.PromptDigest, prompt.Line},
	} {
		if same.got != same.want {
			problems = append(problems, problem(CodeMixedRun, cmp.Or(d.Root().Get(same.key), d.Root()),
				"All answers of a run must have the same %[2]s: run %[1]s has %[3]s in line %[4]d, got %[5]s. Move these answers to another run.",
				schema.Quote(a.Run), same.noun, schema.Quote(same.want), same.line, schema.Quote(same.got)))
		}
	}
	return problems
}

// firstOf is the first answer of the run of an answer, which is this one if there is none.
func firstOf(first map[string]Answer, a *Answer) Answer {
	if _, ok := first[a.Run]; !ok {
		first[a.Run] = *a
	}
	return first[a.Run]
}
