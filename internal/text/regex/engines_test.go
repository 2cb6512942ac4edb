package regex_test

import (
	"bytes"
	"context"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	_ "github.com/rubric-library/rubric-library/internal/dev/quick"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// job is what an engine is asked, result what it answers: an error, or the
// places in each text, in code points.
type job struct {
	Pattern    string   `json:"pattern"`
	IgnoreCase bool     `json:"ignore_case"`
	Multiline  bool     `json:"multiline"`
	Texts      []string `json:"texts"`
}

type result struct {
	Error  string     `json:"error"`
	Places [][][2]int `json:"places"`
}

func jobOf(s subject) job {
	return job{s.pattern, s.flags.IgnoreCase, s.flags.Multiline, s.searched()}
}

// inGo searches as the library does.
func inGo(j job) result {
	pattern := j.Pattern
	if j.Multiline {
		pattern = "(?m)" + pattern
	}
	re, err := rubric.CompilePattern(pattern, j.IgnoreCase)
	if err != nil {
		return result{Error: err.Error()}
	}
	var r result
	for _, text := range j.Texts {
		places := [][2]int{}
		for _, span := range re.FindAllStringIndex(text, -1) {
			places = append(places, [2]int{utf8.RuneCountInString(text[:span[0]]), utf8.RuneCountInString(text[:span[1]])})
		}
		r.Places = append(r.Places, places)
	}
	return r
}

// inProcess hands all jobs to one run of a program and returns its answers.
func inProcess(t *testing.T, jobs []job, program string, args ...string) []result {
	t.Helper()
	var in, stderr bytes.Buffer
	enc := json.NewEncoder(&in)
	for _, j := range jobs {
		must.Do(t, enc.Encode(j))
	}
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute) // an engine that does not come to an end
	defer cancel()
	cmd := exec.CommandContext(ctx, program, args...)
	cmd.Stdin, cmd.Stderr = &in, &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", program, strings.Join(args, " "), err, &stderr)
	}
	results := make([]result, 0, len(jobs))
	for line := range bytes.Lines(out) {
		var r result
		if err := json.Unmarshal(line, &r); err != nil {
			t.Fatalf("%s answers %q: %v", program, line, err)
		}
		results = append(results, r)
	}
	if len(results) != len(jobs) {
		t.Fatalf("%s answers %d of %d jobs", program, len(results), len(jobs))
	}
	return results
}
