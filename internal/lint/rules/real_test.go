package rules

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// realRubrics has rubrics that were written elsewhere, for another program.
const realRubrics = "../../../shared/data/biggen-bench/rubrics.jsonl"

// realRubric is one line of realRubrics.
type realRubric struct {
	ID        string
	Task      string
	Criteria  string // the question
	Anchors   map[string]string
	Reference string `json:"reference_answer"` // deserves a 5
}

// yaml is the rubric as a document. What the original does not have is made up:
// the weight, the thresholds and an example of the score 1.
func (r realRubric) yaml() []byte {
	var b bytes.Buffer
	fmt.Fprintf(&b, "rubric_id: %s\nname: %s\nversion: \"1.0.0\"\nartifact_type: biggen\n", r.ID, yamltree.Quote(r.ID, yamltree.DoubleQuoted))
	fmt.Fprintf(&b, "criteria:\n  - name: %s\n    description: %s\n    weight: essential\n    threshold: 3.0\n    anchors:\n", r.Task, yamltree.Quote(r.Criteria, yamltree.DoubleQuoted))
	for _, score := range slices.Sorted(maps.Keys(r.Anchors)) {
		fmt.Fprintf(&b, "      %s: %s\n", score, yamltree.Quote(r.Anchors[score], yamltree.DoubleQuoted))
	}
	fmt.Fprintf(&b, "    examples:\n      score_1: \"I don't know.\"\n      score_5: %s\n", yamltree.Quote(r.Reference, yamltree.DoubleQuoted))
	b.WriteString("scoring:\n  pass_threshold: 3.5\n  essential_minimum: 3.0\n")
	return b.Bytes()
}

func readRealRubrics(t *testing.T) []realRubric {
	t.Helper()
	data, err := os.ReadFile(realRubrics)
	if errors.Is(err, fs.ErrNotExist) {
		t.Skipf("the rubrics of BiGGen-Bench are not here: %v", err)
	}
	if err != nil {
		t.Fatal(err)
	}
	var all []realRubric
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		var r realRubric
		must.Do(t, json.Unmarshal(lines.Bytes(), &r))
		all = append(all, r)
	}
	must.Do(t, lines.Err())
	return all
}

// realMistake reports whether a finding is a mistake of the rubrics themselves: a
// formula whose backslash was read as an escape (\frac became a form feed and
// rac), and Bengali letters as keyboards write them, which NFC writes as two.
func realMistake(f *lint.Finding) bool {
	return f.Rule.ID == document.CodeHiddenText && strings.Contains(f.Message, "(control character)") ||
		f.Rule.ID == document.CodeNotNFC && strings.Contains(f.Message, "(U+09")
}

// TestRealRubrics expects no errors except those that are in the
// rubrics: any other error is a bug in the linter. How often the rules fire is logged.
func TestRealRubrics(t *testing.T) {
	rubrics := readRealRubrics(t)
	if len(rubrics) < 500 {
		t.Fatalf("%d rubrics, want the 510 of the file", len(rubrics))
	}
	fsys := fstest.MapFS{}
	for _, r := range rubrics {
		fsys[lint.Root+"/biggen/"+r.ID+".yaml"] = &fstest.MapFile{Data: r.yaml()}
	}
	report := linttest.Run(t, fsys, All(), lint.Options{})
	if s := report.Summary; s.Files != len(fsys) || s.Rubrics != len(fsys) {
		t.Errorf("%d files are linted and %d are rubrics, want %d", s.Files, s.Rubrics, len(fsys))
	}
	fired := map[string]int{}
	for _, f := range report.Findings {
		if f.Severity == lint.Error && !realMistake(&f) {
			t.Errorf("%s:%d:%d: %s: %s", f.File, f.Start.Line, f.Start.Column, f.Rule.ID, f.Message)
		} else {
			fired[f.Rule.ID]++
		}
	}
	t.Logf("%d findings in %d rubrics", len(report.Findings), len(rubrics))
	for _, id := range slices.Sorted(maps.Keys(fired)) {
		t.Logf("%4d %s", fired[id], id)
	}
}

// TestRealTextsComeThrough: what is read is what was written.
func TestRealTextsComeThrough(t *testing.T) {
	for _, r := range readRealRubrics(t) {
		var got *lint.DocumentPass
		fsys := fstest.MapFS{lint.Root + "/biggen/" + r.ID + ".yaml": {Data: r.yaml()}}
		must.Get(lint.Run(fsys, []*lint.Rule{linttest.ToyRule("toy", func(p *lint.DocumentPass) { got = p })}, lint.Options{}))(t)
		if !got.Doc.Draft() {
			t.Errorf("%s can't be read", r.ID)
			continue
		}
		var model rubric.Rubric
		got.Doc.Decode(&model)
		c := model.Criteria[0]
		if c.Description != r.Criteria || c.Examples.Score5 != r.Reference {
			t.Errorf("%s: the description or the example is not what was written", r.ID)
		}
		for i, anchor := range c.Anchors {
			if anchor != r.Anchors[strconv.Itoa(i+1)] {
				t.Errorf("%s: anchor %d is not what was written", r.ID, i+1)
			}
		}
	}
}
