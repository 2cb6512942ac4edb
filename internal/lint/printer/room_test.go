package printer

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/render"
)

var formats = map[string]func(io.Writer, *lint.Report) error{
	"text":     func(w io.Writer, r *lint.Report) error { return Text(w, r, TextOptions{Notes: true}) },
	"json":     JSON,
	"github":   func(w io.Writer, r *lint.Report) error { return GitHub(w, r, "a/library", nil) },
	"sarif":    func(w io.Writer, r *lint.Report) error { return SARIF(w, r, "a/library", "1.0.0") },
	"gitlab":   func(w io.Writer, r *lint.Report) error { return GitLab(w, r, "a/library") },
	"junit":    func(w io.Writer, r *lint.Report) error { return JUnit(w, r, "a/library", lint.Error) },
	"markdown": func(w io.Writer, r *lint.Report) error { return Markdown(w, r, "a/library", "", render.MaxMarkdown) },
}

// TestOutputsHaveALimit checks that no author of files can fill the output of any format, and
// that every format says what is missing.
func TestOutputsHaveALimit(t *testing.T) {
	line := source.ExcerptLine{Number: 1, Column: 1, Text: strings.Repeat("<\u202e", 500)}
	tests := []struct {
		reason  string
		n       int
		finding func(i int) lint.Finding
	}{
		{"many files", 100_000, func(i int) lint.Finding {
			return lint.Finding{Rule: rules.Find("stray-file"), Severity: lint.Error, Location: source.Location{File: fmt.Sprintf("rubrics/prd/%d.txt", i)}, Message: "Move it."}
		}},
		{"long paths", 2_000, func(i int) lint.Finding {
			return lint.Finding{Rule: rules.Find("stray-file"), Severity: lint.Error, Location: source.Location{File: strings.Repeat("long/", 800) + fmt.Sprint(i)}, Message: "Move it."}
		}},
		{"paths with bytes that every format escapes", 2_000, func(i int) lint.Finding {
			return lint.Finding{Rule: rules.Find("stray-file"), Severity: lint.Warning, Location: source.Location{File: strings.Repeat("\x01\xff<&\u202e|", 300) + fmt.Sprint(i)}, Message: "Move it."}
		}},
		{"long messages, excerpts, and related places", 2_000, func(i int) lint.Finding {
			at := source.Location{File: "rubrics/a.yaml", Start: source.Position{Line: 1, Column: 1}, End: source.Position{Line: 1, Column: i}, Excerpt: []source.ExcerptLine{line, line, line}}
			return lint.Finding{Rule: rules.Find("unknown-key"), Severity: lint.Note, Location: at, Message: strings.Repeat("\"'<x>", 300), Related: []lint.Related{{Location: at, Message: strings.Repeat("&", 500)}}}
		}},
		{"many rules", 50_000, func(i int) lint.Finding {
			all := rules.All()
			return lint.Finding{Rule: all[i%len(all)], Severity: lint.Error, Location: source.Location{File: fmt.Sprintf("rubrics/prd/%d.txt", i)}, Message: "Move it."}
		}},
	}
	for _, tt := range tests {
		r := &lint.Report{}
		for i := range tt.n {
			r.Findings = append(r.Findings, tt.finding(i))
		}
		short := r.Shorten()
		if n := short.Summary.Unlisted; n == 0 || len(short.Findings) < 5 {
			t.Errorf("%s: %d findings are listed, and %d are not", tt.reason, len(short.Findings), n)
		}
		for name, write := range formats {
			var out bytes.Buffer
			must.Do(t, write(&out, short))
			if out.Len() > 1_000_000 {
				t.Errorf("%s: %s has %d bytes", tt.reason, name, out.Len())
			}
			if !strings.Contains(out.String(), "are not listed") && name != "markdown" {
				t.Errorf("%s: %s does not say that findings are missing", tt.reason, name)
			}
		}
	}
}
