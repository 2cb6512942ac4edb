package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// sample is the number of rubrics in the tests.
const sample = 500

func TestEqualNumbersGiveEqualRubrics(t *testing.T) {
	for number := range sample {
		if diff := cmp.Diff(string(generateRubric(number)), string(generateRubric(number))); diff != "" {
			t.Fatalf("rubric %d is another one the second time:\n%s", number, diff)
		}
	}
}

func TestSmallLibraryIsAPartOfALargeOne(t *testing.T) {
	atOnce, inSteps := t.TempDir(), t.TempDir()
	for _, step := range []struct {
		dir      string
		first, n int
	}{{atOnce, 0, 60}, {inSteps, 0, 25}, {inSteps, 25, 60}} {
		must.Do(t, generateLibrary(step.dir, step.first, step.n))
	}
	if diff := cmp.Diff(files(t, atOnce), files(t, inSteps)); diff != "" {
		t.Errorf("a library that grew differs from one written at once:\n%s", diff)
	}
}

func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	all := map[string]string{}
	must.Do(t, filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		all[strings.TrimPrefix(name, dir)] = string(data)
		return err
	}))
	return all
}

func TestEveryRubricHasItsOwnID(t *testing.T) {
	seen := map[string]int{}
	for number := range maxRubrics {
		_, _, id := names(number)
		if before, ok := seen[id]; ok {
			t.Fatalf("rubrics %d and %d are both %s", before, number, id)
		}
		seen[id] = number
	}
	if maxRubrics < 100_000 {
		t.Errorf("there are %d IDs, and the largest library has 100,000 rubrics", maxRubrics)
	}
	if err := generateLibrary(t.TempDir(), maxRubrics, maxRubrics+1); err == nil {
		t.Error("a library with more rubrics than IDs was written")
	}
}

func TestRubricsHaveAboutFiveKilobytes(t *testing.T) {
	total := 0
	for number := range sample {
		size := len(generateRubric(number))
		if size < 3_500 || size > 8_500 {
			t.Errorf("rubric %d has %d bytes", number, size)
		}
		total += size
	}
	if mean := total / sample; mean < 4_800 || mean > 5_500 {
		t.Errorf("rubrics have %d bytes on average", mean)
	}
}

func TestNothingIsFoundInTheLibrary(t *testing.T) {
	dir := t.TempDir()
	must.Do(t, generateLibrary(dir, 0, sample))
	report := must.Get(lint.Run(os.DirFS(dir), rules.All(), lint.Options{}))(t)
	for _, f := range report.Findings {
		t.Errorf("%s:%d: %s: %s", f.File, f.Start.Line, f.Rule.ID, f.Message)
	}
	if got := report.Summary.Rubrics; got != sample {
		t.Errorf("the library has %d rubrics, want %d", got, sample)
	}
}

// TestLibraryIsVaried keeps the measurement fair: repeated texts could be cached by
// the measured program.
func TestLibraryIsVaried(t *testing.T) {
	expressions, texts, styles := counter{}, counter{}, counter{}
	for number := range sample {
		data := generateRubric(number)
		for _, c := range parse(t, number, data).Criteria {
			texts.add(c.Description, c.Examples.Score1, c.Examples.Score5)
		}
		for _, c := range parse(t, number, data).NegativeCriteria {
			expressions.add(c.FailPatterns...)
		}
		for _, sign := range []string{": >-\n", ": |\n", `: "`, ": '", ": [", "# "} {
			if bytes.Contains(data, []byte(sign)) {
				styles.add(sign)
			}
		}
	}
	if share := expressions.different(); share < 0.9 {
		t.Errorf("only %.2f of the regular expressions are different ones", share)
	}
	if share := texts.different(); share < 0.9 {
		t.Errorf("only %.2f of the texts are different ones", share)
	}
	for sign, n := range styles {
		if n < sample/10 {
			t.Errorf("only %d of %d rubrics are written with %q", n, sample, sign)
		}
	}
	if len(styles) != 6 {
		t.Errorf("the styles of the library are %v", styles)
	}
}

// TestExamplesKeepThePatterns: a pattern hits its fail example, but neither a pass
// example nor the excerpts of the rubric.
func TestExamplesKeepThePatterns(t *testing.T) {
	hits := 0
	for number := range sample {
		r := parse(t, number, generateRubric(number))
		for _, n := range r.NegativeCriteria {
			misses := append([]string{r.Description}, n.PassExamples...)
			for _, c := range r.Criteria {
				misses = append(misses, c.Examples.Score1, c.Examples.Score3, c.Examples.Score5)
			}
			for i, expr := range n.FailPatterns {
				re := must.Get(regexp.Compile(expr))(t)
				if i < len(n.FailExamples) {
					hits++
					if !re.MatchString(n.FailExamples[i]) {
						t.Errorf("rubric %d: %s misses its fail example %q", number, expr, n.FailExamples[i])
					}
				}
				for _, text := range misses {
					if re.MatchString(text) {
						t.Errorf("rubric %d: %s hits %q", number, expr, text)
					}
				}
			}
		}
	}
	if hits < sample/2 {
		t.Errorf("there are only %d fail examples", hits)
	}
}

func parse(t *testing.T, number int, data []byte) *rubric.Rubric {
	t.Helper()
	d := document.Parse(source.NewFile("rubric.yaml", data))
	r := d.Rubric()
	if r == nil {
		t.Fatalf("rubric %d is not valid: %+v\n%s", number, d.Problems, data)
	}
	return r
}

// counter counts texts.
type counter map[string]int

func (c counter) add(texts ...string) {
	for _, text := range texts {
		c[text]++
	}
}

// different returns the share of distinct texts, from 0 to 1.
func (c counter) different() float64 {
	all := 0
	for _, n := range c {
		all += n
	}
	return float64(len(c)) / float64(all)
}
