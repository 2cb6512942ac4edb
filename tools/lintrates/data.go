package main

import (
	"bytes"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"testing/fstest"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// origin is a set of rubrics that other people wrote.
type origin struct {
	name, title string
	// from says where the files come from, in Markdown, and convert what they become.
	from, convert string
	files         []string // relative to the folder of the data
	// half says that the other half was read when the rules were written.
	half bool
	// read returns the rubrics of a file, with at most one line or element of JSON per
	// rubric.
	read func(name string, data []byte) ([]item, error)
}

var sources = []origin{
	{
		"biggen", "BiGGen-Bench", "510 rubrics of BiGGen-Bench (`prometheus-eval/prometheus-eval`, commit dcfb442, Apache-2.0)",
		"one criterion each, with a reference answer as the example for score 5", []string{"biggen-bench/rubrics.jsonl"}, true, readBiggen,
	},
	{
		"prometheus", "Prometheus", "the test sets of Prometheus (`prometheus-eval/prometheus`, commit 60e2c58, `evaluation/benchmark/data/`, Apache-2.0)",
		"the distinct score rubrics in the prompts", []string{"prometheus/vicuna_eval.json", "prometheus/mt_bench_eval.json", "prometheus/hhh_alignment_eval.json"}, true, readPrometheus,
	},
	{
		"writingbench", "WritingBench", "WritingBench (`X-PLUG/WritingBench`, commit ae2d517, `benchmark_query/requirement/length/`, Apache-2.0)",
		"five criteria per query, in English; the five bands of its scale became the scores", []string{"writingbench/length_subset.jsonl"}, true, readWritingBench,
	},
	{
		"flask", "FLASK", "the skills of FLASK (`kaistAI/FLASK`, commit 3b4e22b, `metadata_annotation/skillset/src/`)",
		"one criterion each", []string{"flask/skillset_description.json"}, false, readFLASK,
	},
}

// item is a rubric.
type item struct {
	id       string
	criteria []criterion
}

// criterion is a criterion as its author wrote it. Best is an answer that deserves a 5,
// or "".
type criterion struct {
	key            string // in its source
	Name, Question string
	Anchors        [5]string
	Best           string
}

// digest identifies the texts that were judged.
func (c *criterion) digest() string {
	return fmt.Sprintf("%x", sha256.Sum256([]byte(c.Question+"\n"+strings.Join(c.Anchors[:], "\n"))))[:12]
}

// items reads the rubrics of a source from its folder.
func (s *origin) items(folder string) ([]item, error) {
	var all []item
	for _, name := range s.files {
		data, err := os.ReadFile(filepath.Join(folder, name))
		if err != nil {
			return nil, err
		}
		read, err := s.read(name, data)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		all = append(all, read...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("%s is empty: nothing to measure", s.name)
	}
	return all, nil
}

// each calls do with the values of a file: the elements of an array, or one value a line.
func each[T any](data []byte, do func(T)) error {
	dec := json.NewDecoder(bytes.NewReader(data))
	if bytes.HasPrefix(data, []byte("[")) {
		if _, err := dec.Token(); err != nil {
			return err
		}
	}
	for n := 1; dec.More(); n++ {
		var value T
		if err := dec.Decode(&value); err != nil {
			return fmt.Errorf("value %d: %w", n, err)
		}
		do(value)
	}
	return nil
}

func readBiggen(_ string, data []byte) (all []item, err error) {
	err = each(data, func(v struct {
		ID, Task, Criteria string
		Anchors            map[string]string
		Reference          string `json:"reference_answer"`
	}) {
		c := criterion{key: v.ID, Name: v.Task, Question: v.Criteria, Best: v.Reference}
		for i := range c.Anchors {
			c.Anchors[i] = v.Anchors[fmt.Sprint(i+1)]
		}
		all = append(all, item{v.ID, []criterion{c}})
	})
	return all, err
}

var promptRubric = regexp.MustCompile(`(?s)###Score Rubrics?:\s*\n\[?(.*?)\]?\s*\nScore 1: (.*?)\nScore 2: (.*?)\nScore 3: (.*?)\nScore 4: (.*?)\nScore 5: (.*?)(?:\n\n|\n*###|$)`)

func readPrometheus(name string, data []byte) (all []item, err error) {
	seen := map[string]bool{}
	err = each(data, func(v struct {
		Instruction string
		Chosen      string `json:"chosen_instruction"`
	}) {
		m := promptRubric.FindStringSubmatch(v.Instruction + v.Chosen)
		if m == nil || seen[m[1]+m[2]] {
			return
		}
		seen[m[1]+m[2]] = true
		id := fmt.Sprintf("%s_%d", strings.SplitN(path.Base(name), "_", 2)[0], len(seen))
		c := criterion{key: id, Name: "quality", Question: m[1]}
		for i := range c.Anchors {
			c.Anchors[i] = strings.TrimSpace(m[i+2])
		}
		all = append(all, item{id, []criterion{c}})
	})
	return all, err
}

func readWritingBench(_ string, data []byte) (all []item, err error) {
	err = each(data, func(v struct {
		Index     int
		Checklist []map[string]string
	}) {
		i := item{id: fmt.Sprintf("query_%d", v.Index)}
		for n, from := range v.Checklist {
			c := criterion{key: fmt.Sprintf("%d_%d", v.Index, n), Name: from["name"], Question: from["criteria_description"]}
			for k, band := range []string{"1-2", "3-4", "5-6", "7-8", "9-10"} {
				c.Anchors[k] = from[band]
			}
			i.criteria = append(i.criteria, c)
		}
		if !strings.ContainsFunc(i.criteria[0].Question, func(r rune) bool { return unicode.Is(unicode.Han, r) }) {
			all = append(all, i)
		}
	})
	return all, err
}

func readFLASK(_ string, data []byte) (all []item, err error) {
	err = each(data, func(v struct {
		Skill, Criteria string
		Scoring         map[string]string
	}) {
		c := criterion{key: v.Skill, Name: v.Skill, Question: v.Criteria}
		for i := range c.Anchors {
			c.Anchors[i] = v.Scoring[fmt.Sprint(i+1)]
		}
		all = append(all, item{identifier(v.Skill), []criterion{c}})
	})
	return all, err
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
			best := c.Best
			if best == "" {
				best = fmt.Sprintf("The best answer to %d.", k)
			}
			r.Criteria = append(r.Criteria, rubric.Criterion{
				Name: identifier(c.Name), Description: c.Question, Weight: rubric.Essential, Threshold: 3,
				Anchors: c.Anchors, Examples: rubric.Examples{Score1: fmt.Sprintf("I don't know %d.", k), Score5: best},
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
