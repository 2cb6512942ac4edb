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

// The folders of the sources, each with a file rubrics.jsonl. The sample is drawn from fresh, the files
// of sources.txt. Faults are made in its rubrics and in those of BiGGen-Bench.
const (
	freshFolder  = "fresh"
	biggenFolder = "biggen-bench"
)

// item is a rubric.
type item struct {
	id       string
	criteria []criterion
}

// criterion is a line of rubrics.jsonl. Rubric is the ID of its rubric if that has more
// criteria. A criterion can lack anchors.
type criterion struct {
	ID       string            `json:"id"`
	Rubric   string            `json:"rubric,omitempty"`
	Task     string            `json:"task"`
	Criteria string            `json:"criteria"`
	Anchors  map[string]string `json:"anchors"`
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

// readItems reads the rubrics of a source. The criteria of a rubric are next to each other.
func readItems(folder, source string) (all []item, err error) {
	name := filepath.Join(source, "rubrics.jsonl")
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

// identifier returns a name as an ID has it, cut to its end.
func identifier(name string) string {
	const longest = 60
	id := notInID.ReplaceAllString(strings.ToLower(name), "_")
	return "r" + strings.TrimRight(id[max(0, len(id)-longest):], "_")
}

// library returns the items as rubrics. The names, the weights, the minimums, and the examples are
// invented.
func library(items []item) (fstest.MapFS, error) {
	fsys := fstest.MapFS{}
	for _, i := range items {
		r := rubric.Rubric{
			ID: i.id, Name: i.id, Version: "0.1.0", ArtifactType: "measured",
			Scoring: rubric.Scoring{PassThreshold: 3.5, EssentialMinimum: 3},
		}
		for k, c := range i.criteria {
			r.Criteria = append(r.Criteria, rubric.Criterion{
				Name: fmt.Sprintf("c%d_%s", k+1, identifier(c.Task)), Description: c.Criteria, Weight: rubric.Essential,
				Threshold: 3, Anchors: c.anchors(),
				Examples: rubric.Examples{
					Score1: fmt.Sprintf("I don't know %d.", k), Score5: fmt.Sprintf("The best answer to %d.", k),
				},
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
