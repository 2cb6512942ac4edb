package shipped_test

import (
	"bytes"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// TestShippedLibraryIsRight lints the library in the repository: no errors, no
// warnings, no ignores, and no notes except that the labels are by the authors.
func TestShippedLibraryIsRight(t *testing.T) {
	fsys := os.DirFS(".")
	config := must.Get(lint.LoadConfig(fsys, rules.All()))(t)
	report := must.Get(lint.Run(fsys, rules.All(), lint.Options{Config: config}))(t)
	for _, f := range report.Findings {
		if f.Rule.ID == "labels-not-by-people" {
			continue
		}
		t.Errorf("%s:%d:%d: %s[%s]: %s", f.File, f.Start.Line, f.Start.Column, f.Severity, f.Rule.ID, f.Message)
	}
	must.Do(t, filepath.WalkDir("rubrics", func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(name)
		if bytes.Contains(data, []byte("rubric-lint: ignore")) {
			t.Errorf("%s has an ignore", name)
		}
		return err
	}))
}

// initial are the rubrics that the specification names, with their criteria.
var initial = map[string][]string{
	"rubrics/jira_tickets/user_story_quality_v1.yaml": {"clarity", "specificity", "scope", "testability", "independence"},
	"rubrics/test_plans/test_plan_quality_v1.yaml":    {"coverage", "reproducibility", "completeness", "isolation"},
	"rubrics/prd/prd_quality_v1.yaml":                 {"problem_definition", "success_metrics", "scope_boundaries", "technical_feasibility", "user_impact"},
}

func shipped(t *testing.T, name string) *rubric.Rubric {
	t.Helper()
	data := must.Get(os.ReadFile(name))(t)
	r := document.Parse(source.NewFile(name, data)).Rubric()
	if r == nil {
		t.Fatalf("%s is no valid rubric", name)
	}
	return r
}

func TestInitialRubricsAreComplete(t *testing.T) {
	for name, want := range initial {
		r := shipped(t, name)
		var got []string
		for _, c := range r.Criteria {
			got = append(got, c.Name)
			if c.Examples.Score3 == "" {
				t.Errorf("%s: %s has no example for score 3", name, c.Name)
			}
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s has the criteria %v, want %v", name, got, want)
		}
		if len(r.NegativeCriteria) == 0 {
			t.Errorf("%s has no negative criteria", name)
		}
	}
}

// TestShippedPatternsHaveExamples: each pattern has an example that it hits, and each
// negative criterion one that it passes. The lint rules check the other way round.
func TestShippedPatternsHaveExamples(t *testing.T) {
	for name := range initial {
		for _, n := range shipped(t, name).NegativeCriteria {
			alone := &rubric.Rubric{NegativeCriteria: []rubric.NegativeCriterion{n}}
			hit := map[string]bool{}
			for _, text := range n.FailExamples {
				found := must.Get(alone.NegativeHits(text))(t)
				for _, h := range found {
					hit[h.Pattern] = true
				}
			}
			for _, pattern := range n.FailPatterns {
				if !hit[pattern] {
					t.Errorf("%s: no example of %s is hit by %s", name, n.Name, pattern)
				}
			}
			if len(n.PassExamples) == 0 {
				t.Errorf("%s: %s has no examples that pass", name, n.Name)
			}
		}
	}
}
