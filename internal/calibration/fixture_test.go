package calibration

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing/fstest"

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
		DatasetFile: head, ItemsFile: items, JudgesDir + "/j.jsonl": answers, historyFile: history,
	} {
		if text != "" {
			fsys["calibration/d/"+name] = &fstest.MapFile{Data: []byte(text)}
		}
	}
	return fsys
}

// told formats problems as FILE:LINE:COLUMN CODE: message.
func told(problems []DatasetProblem) []string {
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
