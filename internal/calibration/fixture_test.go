package calibration

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing/fstest"
	"time"

	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
)

// The files of a valid dataset.
var (
	digestA   = "sha256:" + strings.Repeat("a", 64)
	digestB   = "sha256:" + strings.Repeat("b", 64)
	goodHead  = head("")
	goodItems = lines(
		`{"id":"i1","artifact":"One.","labels":{"r1":{"clarity":4,"brevity":2},"r2":{"clarity":5}}}`,
		`{"id":"i2","artifact":"Two.","inputs":{"task":"Count."},"labels":{"r1":{"clarity":1}}}`,
		`{"id":"i3","artifact":"Three.","labels":{}}`,
	)
	goodAnswers = lines(
		answer(`"item":"i1"`, `"scores":{"clarity":4,"brevity":2.5}`),
		answer(`"item":"i1","repeat":2`, `"scores":{"clarity":4}`),
		answer(`"item":"i2"`, `"error":"invalid JSON"`),
	)
)

func head(more string) string {
	return "applies_to: [a_v1]\nlabeled_by: people\nmethod: By hand.\nlicense: CC-BY-4.0\ncriteria:\n" +
		"  - name: clarity\n    digest: " + digestA + "\n  - name: brevity\n    digest: " + digestB + "\n" + more
}

func lines(all ...string) string { return strings.Join(all, "\n") + "\n" }

// answer returns an answer of the run x with additional keys.
func answer(more ...string) string {
	return fmt.Sprintf(`{"run":"x","model":"m-1","date":"2026-11-21","digest":"%s",%s}`, digestA, strings.Join(more, ","))
}

// dataset returns a library with the dataset d, without empty files.
func dataset(head, items, answers, history string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range map[string]string{
		DatasetFile: head, ItemsFile: items, JudgesDir + "/j.jsonl": answers, HistoryFile: history,
	} {
		if text != "" {
			fsys["calibration/d/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return fsys
}

// told formats problems as FILE:LINE:COLUMN CODE: message.
func told(problems []Problem) []string {
	out := []string{}
	for _, p := range problems {
		at := p.File.Position(p.Span.Start)
		out = append(out, fmt.Sprintf("%s:%d:%d %s: %s", strings.TrimPrefix(p.File.Path, "calibration/d/"), at.Line, at.Column, p.Code, p.Message))
	}
	return out
}

// failing is a file system in which some files can't be opened.
type failing struct {
	fstest.MapFS
	names []string
}

func (f failing) Open(name string) (fs.File, error) {
	if slices.Contains(f.names, name) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrPermission}
	}
	return f.MapFS.Open(name)
}

// weeks records a run of the judge j for each list of scores, a week apart. The last one,
// which it returns, is of the date of the options.
func (d *Dataset) weeks(all ...[]float64) *Run {
	d.Judges = []Judge{{Name: "j"}}
	last, _ := time.Parse(time.DateOnly, options.AsOf)
	var run *Run
	for i, scores := range all {
		run = scored(scores...)
		run.Date = last.AddDate(0, 0, -7*(len(all)-1-i)).Format(time.DateOnly)
		run.Name = run.Date
		for j := range run.Answers {
			run.Answers[j].Run, run.Answers[j].Date = run.Name, run.Date
		}
		d.Judges[0].Answers = append(d.Judges[0].Answers, run.Answers...)
	}
	return run
}

// asked records, in the runs of a dataset and in another one, that they asked about the items
// and labels of today.
func (d *Dataset) asked(run *Run) {
	items := map[string]*Item{}
	for i := range d.Items {
		items[d.Items[i].ID] = &d.Items[i]
	}
	record := func(answers []Answer) {
		for i := range answers {
			if a := &answers[i]; a.Items == 0 && items[a.Item] != nil {
				a.Items, a.Labels = len(d.Items), items[a.Item].Answered()
			}
		}
	}
	for i := range d.Judges {
		record(d.Judges[i].Answers)
	}
	if run != nil && run.Items == 0 {
		run.Items = max(1, len(d.Items))
		record(run.Answers)
	}
}

// computed is the report on a run that asked about the items and labels of today.
func computed(d *Dataset, s *Subject, run *Run, o Options) *Report {
	d.asked(run)
	return Compute(d, s, run, o)
}
