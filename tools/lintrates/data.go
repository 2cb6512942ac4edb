package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"testing/fstest"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// dataFile is the name of the data file.
const dataFile = "rubrics.jsonl"

// longestLine is the maximum length of a line in bytes.
const longestLine = 1 << 20

// item is a line of the data: one criterion with its anchors, and an answer that
// deserves a 5.
type item struct {
	ID        string            `json:"id"`
	Task      string            `json:"task"`
	Criteria  string            `json:"criteria"`
	Anchors   map[string]string `json:"anchors"`
	Reference string            `json:"reference_answer"`
}

// readItems reads the data. An error names the invalid line.
func readItems(folder string) ([]item, error) {
	data, err := os.ReadFile(filepath.Join(folder, dataFile))
	if err != nil {
		return nil, err
	}
	var items []item
	lines := bufio.NewScanner(bytes.NewReader(data))
	lines.Buffer(nil, longestLine)
	for n := 1; lines.Scan(); n++ {
		var i item
		if err := json.Unmarshal(lines.Bytes(), &i); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", dataFile, n, err)
		}
		items = append(items, i)
	}
	if err := lines.Err(); err != nil {
		return nil, fmt.Errorf("%s: %w", dataFile, err)
	}
	if len(items) == 0 {
		return nil, fmt.Errorf("%s is empty: nothing to measure", dataFile)
	}
	return items, nil
}

// document returns the item as a rubric. The weight, the minimums, and the example
// for score 1 are invented, because the data has none.
func (i *item) document() ([]byte, error) {
	c := rubric.Criterion{
		Name: i.Task, Description: i.Criteria, Weight: rubric.Essential, Threshold: 3,
		Examples: rubric.Examples{Score1: "I don't know.", Score5: i.Reference},
	}
	for score := range c.Anchors {
		c.Anchors[score] = i.Anchors[strconv.Itoa(score+1)]
	}
	r := rubric.Rubric{
		ID: i.ID, Name: i.ID, Version: "0.1.0", ArtifactType: "biggen", Criteria: []rubric.Criterion{c},
		Scoring: rubric.Scoring{PassThreshold: 3.5, EssentialMinimum: 3},
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ") // each text on its own line
	err := enc.Encode(&r)
	return b.Bytes(), err
}

// library returns the items as a library.
func library(items []item) (fstest.MapFS, error) {
	fsys := fstest.MapFS{}
	for k := range items {
		data, err := items[k].document()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", items[k].ID, err)
		}
		fsys[lint.Root+"/biggen/"+items[k].ID+".yaml"] = &fstest.MapFile{Data: data}
	}
	return fsys, nil
}
