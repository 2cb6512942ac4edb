package library_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

func TestConstraints(t *testing.T) {
	l := open(t)
	for _, c := range []struct{ reason, id, constraint, want string }{
		{"the latest is the highest by number, not by letter", "story_v1", "", "1.10.0"},
		{"an exact version", "story_v1", "1.2.0", "1.2.0"},
		{"the highest of a minor version", "story_v1", "~1.2", "1.2.3"},
		{"the highest of a major version", "story_v1", "^1", "1.10.0"},
		{"a version with parts left out", "story_v1", "1.2", "1.2.3"},
		{"a range", "story_v1", ">=1.2, <1.3", "1.2.3"},
		{"an alternative", "story_v1", "0.9.x || 1.2.0", "1.2.0"},
		{"an earlier draft", "story_v1", "<1", "0.9.0"},
		{"a draft is the latest if there is nothing else", "draft_v1", "", "0.2.0"},
		{"any version", "draft_v1", "*", "0.2.0"},
		{"a deprecated rubric is served", "old_v1", "", "1.0.1"},
		{"a retired rubric by its version", "gone_v1", "1.0.0", "1.0.0"},
		{"a retired rubric by a constraint", "gone_v1", "~1", "1.1.0"},
	} {
		r, err := l.Rubric(t.Context(), c.id, c.constraint)
		if err != nil || r.ID != c.id || r.Version != c.want {
			t.Errorf("%s: %s@%s is %v, %v; want %s", c.reason, c.id, c.constraint, r, err, c.want)
		}
		ref, err := l.Resolve(c.id, c.constraint)
		if err != nil || ref.ID != c.id || ref.Version != c.want {
			t.Errorf("%s: %s@%s resolves to %v, %v; want %s", c.reason, c.id, c.constraint, ref, err, c.want)
		}
	}
	if s, err := l.RuleSet(t.Context(), "api_v1", ""); err != nil || s.ID != "api_v1" {
		t.Errorf("the rule set is %v, %v", s, err)
	}
}

func TestErrorsOfRetrieval(t *testing.T) {
	l := open(t)
	story := []string{"0.9.0", "1.2.0", "1.2.3", "1.10.0"}
	for _, c := range []struct {
		reason, id, constraint string
		want                   error
		says                   string
	}{
		{"an ID that is nearly right", "storey_v1", "", &library.NotFoundError{ID: "storey_v1", Kind: "rubric"}, "Did you mean story_v1?"},
		{"an exact version of it", "storey_v1", "1.2.0", &library.NotFoundError{ID: "storey_v1", Kind: "rubric"}, "Did you mean story_v1?"},
		{"an ID that is far from any", "zzzzzzzzzzzzzzzzz", "", &library.NotFoundError{ID: "zzzzzzzzzzzzzzzzz", Kind: "rubric"}, "lists the IDs"},
		{"no ID", "", "", &library.NotFoundError{Kind: "rubric"}, "no rubric"},
		{"an ID that tries to get out of the index", `story_v1","kind":"rubric`, "", &library.NotFoundError{ID: `story_v1","kind":"rubric`, Kind: "rubric"}, "no rubric"},
		{"a path", "../rubrics/story_v1", "1.2.0", &library.NotFoundError{ID: "../rubrics/story_v1", Kind: "rubric"}, "no rubric"},
		{"a version that is a path", "story_v1", "../story_v1/1.2.0", &library.ConstraintError{ID: "story_v1", Constraint: "../story_v1/1.2.0", Versions: story, Reason: "expected a version such as 1.2.0 or a constraint such as ~1.2"}, "such as ~1.2"},
		{"a rule set", "api_v1", "", &library.NotFoundError{ID: "api_v1", Kind: "rubric", Found: "rule_set"}, "is a rule set, not a rubric"},
		{"a rule set's version", "api_v1", "1.0.0", &library.NotFoundError{ID: "api_v1", Kind: "rubric", Found: "rule_set"}, "is a rule set, not a rubric"},
		{"a retired rubric", "gone_v1", "", &library.RetiredError{ID: "gone_v1", LastVersion: "1.1.0", Reason: "Nobody writes letters.", ReplacedBy: "story_v1"}, `Use "story_v1" instead`},
		{"a version that never was", "story_v1", "1.3.0", &library.ConstraintError{ID: "story_v1", Constraint: "1.3.0", Versions: story}, "Available: 0.9.0, 1.2.0, 1.2.3, 1.10.0"},
		{"a version that was withdrawn", "story_v1", "1.1.0", &library.ConstraintError{ID: "story_v1", Constraint: "1.1.0", Versions: story, Reason: "it was withdrawn: It held a name.", Withdrawn: &library.Withdrawal{ID: "story_v1", Version: "1.1.0", Reason: "It held a name."}}, "withdrawn"},
		{"a constraint that nothing satisfies", "story_v1", "^2", &library.ConstraintError{ID: "story_v1", Constraint: "^2", Versions: story}, "no version"},
		{"an invalid constraint", "story_v1", "newest", &library.ConstraintError{ID: "story_v1", Constraint: "newest", Versions: story, Reason: "expected a version such as 1.2.0 or a constraint such as ~1.2"}, "such as ~1.2"},
	} {
		r, err := l.Rubric(t.Context(), c.id, c.constraint)
		if diff := cmp.Diff(c.want, err, cmpopts.IgnoreUnexported(library.NotFoundError{})); r != nil || diff != "" {
			t.Errorf("%s: got %v, and the error differs:\n%s", c.reason, r, diff)
		} else if !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: the error says %q, want %q", c.reason, err, c.says)
		}
	}
	var unknown *library.NotFoundError
	for _, c := range []struct {
		reason, id string
		want       []string
	}{
		{"of the same kind only", "api_v2", nil},
		{"a letter too many", "oldd_v1", []string{"old_v1"}},
		{"an ID that is longer than any", strings.Repeat("story_v1", 100), nil},
	} {
		_, err := l.Rubric(t.Context(), c.id, "")
		if !errors.As(err, &unknown) || !slices.Equal(unknown.Near(), c.want) {
			t.Errorf("%s: %v, near are %v, want %v", c.reason, err, unknown.Near(), c.want)
		}
	}
	if _, err := l.RuleSet(t.Context(), "story_v1", "^1"); err == nil || !strings.Contains(err.Error(), "is a rubric, not a rule set. Request a rubric") {
		t.Errorf("a rubric as a rule set: %v", err)
	}
	if _, err := l.Resolve("storey_v1", ""); err == nil || !strings.Contains(err.Error(), `no document "storey_v1". Did you mean story_v1?`) {
		t.Errorf("any document: %v", err)
	}
}

func TestReferences(t *testing.T) {
	l := open(t)
	ref := must.Get(l.Resolve("story_v1", "~1.2"))(t)
	full := ref.String()
	if !strings.HasPrefix(full, "story_v1@1.2.3#sha256:") {
		t.Fatalf("the reference is %s", full)
	}
	for _, text := range []string{full, "story_v1@1.2.3", "story_v1@~1.2"} {
		if d, err := l.GetReference(t.Context(), text); err != nil || d.Reference != ref || d.Rubric.Version != "1.2.3" {
			t.Errorf("%s is %v, %v", text, d, err)
		}
		if parsed, err := library.ParseReference(text); err != nil || parsed.String() != text {
			t.Errorf("%s is read as %v, %v", text, parsed, err)
		}
	}
	if d, err := l.Get(t.Context(), "story_v1", ""); err != nil || d.Kind() != library.KindRubric || d.Rubric.Version != "1.10.0" {
		t.Errorf("the ID alone is %v, %v", d, err)
	}
	if d, err := l.Get(t.Context(), "api_v1", "1"); err != nil || d.Kind() != library.KindRuleSet || d.Rubric != nil || d.RuleSet.Version != "1.0.0" {
		t.Errorf("the rule set is %v, %v", d, err)
	}
	other := "story_v1@1.2.3#sha256:" + strings.Repeat("0", 64)
	var e *library.DigestError
	if r, err := l.GetReference(t.Context(), other); r != nil || !errors.As(err, &e) || e.Found != ref.Digest {
		t.Errorf("another content gives %v, %v", r, err)
	}
	for _, c := range []struct{ reason, text string }{
		{"nothing", ""},
		{"no ID", "@1.0.0"},
		{"a blank", "story v1"},
		{"no version after the @", "story_v1@"},
		{"a digest without a version", "story_v1#sha256:" + strings.Repeat("0", 64)},
		{"another kind of digest", "story_v1@1.2.3#md5:00"},
		{"a short digest", "story_v1@1.2.3#sha256:00"},
		{"no digest after the #", "story_v1@1.2.3#"},
		{"capitals in the digest", "story_v1@1.2.3#sha256:" + strings.Repeat("A", 64)},
	} {
		if _, err := l.GetReference(t.Context(), c.text); err == nil || !strings.Contains(err.Error(), "reference") {
			t.Errorf("%s: %q gives %v", c.reason, c.text, err)
		}
	}
}

func TestRetiredErrorSaysLittleWithoutReason(t *testing.T) {
	e := &library.RetiredError{ID: "a"}
	if got, want := e.Error(), `"a" is retired. There is no replacement`; got != want {
		t.Errorf("the error says %s, want %s", got, want)
	}
}

func TestAReferenceIsChecked(t *testing.T) {
	for text, valid := range map[string]bool{"a_v1": true, "a_v1@~1.2": true, "a_v1@1.2.0": true, "A_v1@1": false, "a_v1@soon": false} {
		if r, err := library.ParseReference(text); err != nil || r.String() != text || (r.Check() == nil) != valid {
			t.Errorf("%s is read as %+v, %v; Check says %v", text, r, err, r.Check())
		}
	}
}
