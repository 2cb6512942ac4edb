package lint_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/lint"
)

func TestDescribe(t *testing.T) {
	const text = "family: Toys\n\nrule: toy-a\nis: note, unsuppressable, fixable, RL-01\nfinds: a: b\nwhy: It is.\nsource: x\nbad: one\n\ttwo\n\t  three\ngood: four\n"
	var called bool
	got := lint.Describe(text, map[string]lint.Rule{"toy-a": {Document: func(*lint.DocumentPass) { called = true }}})
	if len(got) != 1 {
		t.Fatalf("there are %d rules, want 1", len(got))
	}
	if got[0].Document(nil); !called {
		t.Error("the rule has another function")
	}
	got[0].Document = nil
	want := &lint.Rule{
		ID: "toy-a", Family: "Toys", Summary: "a: b", Why: "It is.", Source: "x", Bad: "one\ntwo\n  three", Good: "four",
		Severity: lint.Note, Spec: "RL-01", Unsuppressable: true, Fixable: true,
	}
	if diff := cmp.Diff(want, got[0]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestDescribeNeedsATextForEachFunction(t *testing.T) {
	defer func() {
		if recover() == nil {
			t.Error("a rule without a text is accepted")
		}
	}()
	lint.Describe("family: Toys\n\nrule: toy-a\nis: note\n", map[string]lint.Rule{"toy-a": {}, "toy-b": {}})
}
