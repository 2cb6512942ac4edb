package main

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// origin is a set of rubrics that other people wrote. Its file rubrics.jsonl is in folder.
type origin struct {
	name, folder, title string
	from                string // in Markdown
	// half says that one half was read when the rules were written.
	half bool
}

var sources = []origin{
	{"biggen", "biggen-bench", "BiGGen-Bench", "`BiGGen-Bench/sample_responses.json` of `prometheus-eval/prometheus-eval` (commit dcfb442, Apache-2.0), with a reference answer as the example for score 5", true},
	{"prometheus", "prometheus", "Prometheus", "the distinct score rubrics in the test sets of `prometheus-eval/prometheus` (commit 60e2c58, without a license for the data)", true},
	{"writingbench", "writingbench", "WritingBench", "the English queries of `X-PLUG/WritingBench` (commit ae2d517, Apache-2.0) with five criteria each; the five bands of its scale became the scores", true},
	{"flask", "flask", "FLASK", "the skills of `kaistAI/FLASK` (commit 3b4e22b, without a license)", false},
	{"tools", "tools", "Tools", "the rubrics in the code and the guides of `explodinggradients/ragas` (commit 3e28e9de, Apache-2.0) and in the library of `prometheus-eval/prometheus-eval` (commit dcfb442, Apache-2.0). The question of those from Ragas is invented", false},
}

// item is a rubric.
type item struct {
	id       string
	criteria []criterion
}

// criterion is a line of rubrics.jsonl. Rubric is the ID of its rubric if that has more
// criteria, and Reference is an answer that deserves a 5, or "".
type criterion struct {
	ID, Rubric, Task, Criteria string
	Anchors                    map[string]string
	Reference                  string `json:"reference_answer"`
}

// anchors returns the anchors from the lowest score.
func (c *criterion) anchors() (all [5]string) {
	for i := range all {
		all[i] = c.Anchors[fmt.Sprint(i+1)]
	}
	return all
}

// digest identifies the texts that were judged.
func (c *criterion) digest() string {
	anchors := c.anchors()
	return fmt.Sprintf("%x", sha256.Sum256([]byte(c.Criteria+"\n"+strings.Join(anchors[:], "\n"))))[:12]
}

// items reads the rubrics of a source. The criteria of a rubric are next to each other.
func (s *origin) items(folder string) (all []item, err error) {
	name := filepath.Join(s.folder, "rubrics.jsonl")
	data, err := os.ReadFile(filepath.Join(folder, name))
	if err != nil {
		return nil, err
	}
	err = eachLine(data, func(c criterion) {
		id := identifier(cmp.Or(c.Rubric, c.ID))
		if n := len(all); n == 0 || all[n-1].id != id {
			all = append(all, item{id: id})
		}
		last := &all[len(all)-1]
		last.criteria = append(last.criteria, c)
	})
	if err == nil && len(all) == 0 {
		err = fmt.Errorf("nothing to measure")
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return all, nil
}

// eachLine calls do with the values of a file of JSON lines.
func eachLine[T any](data []byte, do func(T)) error {
	n := 0
	for line := range bytes.Lines(data) {
		n++
		var value T
		if err := json.Unmarshal(line, &value); err != nil {
			return fmt.Errorf("line %d: %w", n, err)
		}
		do(value)
	}
	return nil
}

var notInID = regexp.MustCompile(`[^a-z0-9]+`)

// identifier returns a name as an ID has it.
func identifier(name string) string {
	return strings.Trim(notInID.ReplaceAllString(strings.ToLower(name), "_"), "_")
}

// library returns the items as rubrics. The weights, the minimums, and the examples are
// invented where the data has none.
func library(items []item) (fstest.MapFS, error) {
	fsys := fstest.MapFS{}
	for _, i := range items {
		r := rubric.Rubric{
			ID: i.id, Name: i.id, Version: "0.1.0", ArtifactType: "measured",
			Scoring: rubric.Scoring{PassThreshold: 3.5, EssentialMinimum: 3},
		}
		for k, c := range i.criteria {
			r.Criteria = append(r.Criteria, rubric.Criterion{
				Name: identifier(c.Task), Description: c.Criteria, Weight: rubric.Essential, Threshold: 3, Anchors: c.anchors(),
				Examples: rubric.Examples{Score1: fmt.Sprintf("I don't know %d.", k), Score5: cmp.Or(c.Reference, fmt.Sprintf("The best answer to %d.", k))},
			})
		}
		var b bytes.Buffer
		enc := json.NewEncoder(&b)
		enc.SetEscapeHTML(false)
		if err := enc.Encode(&r); err != nil {
			return nil, fmt.Errorf("%s: %w", i.id, err)
		}
		fsys[lint.Root+"/measured/"+i.id+".yaml"] = &fstest.MapFile{Data: b.Bytes()}
	}
	return fsys, nil
}
