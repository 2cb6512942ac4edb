package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// unsuppressable are the lint rules that no comment, baseline, or configuration can suppress: what
// reviewers, releases, and consumers rely on. A rule that leaves the list weakens every library.
const unsuppressable = `
	baseline-unused blank-text calibration-dataset calibration-join dataset-left document-gone document-kind
	duplicate-entry duplicate-id duplicate-key duplicate-name empty-file encoding evidence-changed
	exception-removed exception-stale exception-unknown file-extension file-folder file-name file-too-large
	hidden-text history-since id-version ignore-forbidden ignore-malformed ignore-unused invalid-value
	json-syntax ledger-changed ledger-entry line-too-long major-change missing-key mixed-run name-conflict
	not-a-file pattern-case pattern-clients pattern-invalid placeholder-text rater-address rebase-merge
	retired-id rule-phase rule-removed rule-weight schema-file several-documents stray-calibration-file
	stray-file too-deep unknown-key unknown-name unknown-rubric unreadable-file unreviewed-text unsafe-name
	version-down version-reused version-skipped version-too-low wrong-type yaml-feature yaml-syntax
`

func TestNothingSuppressesTheseRules(t *testing.T) {
	var got []string
	for _, r := range All() {
		if r.Unsuppressable {
			got = append(got, r.ID)
		}
	}
	slices.Sort(got)
	if diff := cmp.Diff(strings.Fields(unsuppressable), got); diff != "" {
		t.Errorf("(-listed here +unsuppressable):\n%s", diff)
	}
}

// severities are the severities of all lint rules. A rule that becomes an error breaks libraries that
// are valid today.
var severities = map[lint.Severity]string{
	lint.Error: `
		blank-text calibration-dataset calibration-join check-never-passes code-owners-syntax
		dataset-left document-gone
		document-kind duplicate-entry duplicate-id duplicate-key duplicate-name empty-file encoding
		evidence-changed exception-removed exception-stale exception-unknown fail-example-missed fewer-code-owners
		file-extension file-folder file-name file-too-large hidden-text history-since id-version ignore-forbidden
		ignore-malformed invalid-value json-syntax language-tag ledger-changed ledger-entry line-too-long
		major-change missing-key mixed-run name-conflict not-a-file not-nfc not-owned pass-example-hit pattern-case
		pattern-clients pattern-empty pattern-exponential pattern-hits-best pattern-invalid pattern-python
		pattern-unjudged placeholder-text rater-address retired-id rubric-inverted rule-phase rule-weight
		schema-file several-documents stray-calibration-file stray-file too-deep too-few-items unknown-key
		unknown-name unknown-replacement unknown-rubric unreadable-file unreviewed-text unsafe-name version-down
		version-reused version-skipped version-too-low wrong-type yaml-feature yaml-syntax
	`,
	lint.Warning: `
		address-in-text ambiguous-text anchor-empty anchor-ladder anchor-order anchor-ranges anchor-repeated
		baseline-unused check-never-fails criteria-overlap criterion-repeats-other duplicate-artifact
		duplicate-description example-anchor example-item example-repeated few-items few-labels
		guaranteed-threshold hidden-markup hidden-threshold idle-criterion idle-essential-minimum ignore-unused
		judge-delimiter judge-instruction judge-template line-endings look-alike-letters misread-text
		no-calibration no-code-owners no-essential no-scored-rule one-sided-labels other-example-item other-scale
		pattern-delimiters pattern-differs pattern-hits-other pattern-inside-word pattern-javascript
		pattern-repeated rebase-merge same-rater scale-inverted shell-check stale-labels stale-run text-not-nfc
		two-questions unlabeled-criterion
	`,
	lint.Note: `
		code-owners-changed code-owners-unchecked id-unversioned labels-not-by-people one-rater
		pattern-rare-characters rule-removed scoring-absent unused-labels version-idle
	`,
}

func TestSeverities(t *testing.T) {
	want, got := map[string]string{}, map[string]string{}
	for severity, ids := range severities {
		for id := range strings.FieldsSeq(ids) {
			want[id] = severity.String()
		}
	}
	for _, r := range All() {
		got[r.ID] = r.Severity.String()
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-listed here +of the rules):\n%s", diff)
	}
}

// TestWhatAnExceptionAcceptsIsReported: a verdict without a lint rule would pass unseen.
func TestWhatAnExceptionAcceptsIsReported(t *testing.T) {
	for _, id := range change.Acceptable {
		if r := Find(id); r == nil || !lint.Checks[lint.OfHistory](r) {
			t.Errorf("no lint rule of the history reports %s", id)
		}
	}
}

func TestDescribe(t *testing.T) {
	const prose = "family: Toys\n\nrule: toy-b\nfinds: b\nwhy: It is.\nbad: x\ngood: y\n\n" +
		"rule: toy-a\nfinds: a: b\nwhy: It is.\nsource: x\nbad: one\n\ttwo\n\t  three\ngood: four\n"
	check := lint.OfDocument(func(*lint.DocumentPass) {})
	got := describe(prose, map[string]lint.Rule{
		"toy-a": {Severity: lint.Note, Unsuppressable: true, Check: check},
	}, map[string]lint.Rule{
		"toy-b": {Severity: lint.Error, Spec: lint.RL01, Check: check},
	})
	for _, r := range got {
		if r.Check == nil {
			t.Errorf("%s has lost its check", r.ID)
		}
		r.Check = nil
	}
	want := []*lint.Rule{
		{ID: "toy-b", Severity: lint.Error, Spec: lint.RL01, Prose: lint.Prose{Family: "Toys", Summary: "b", Why: "It is.", Bad: "x", Good: "y"}},
		{
			ID: "toy-a", Severity: lint.Note, Unsuppressable: true,
			Prose: lint.Prose{Family: "Toys", Summary: "a: b", Why: "It is.", Source: "x", Bad: "one\ntwo\n  three", Good: "four"},
		},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("in the order of the prose (-want +got):\n%s", diff)
	}
}

// TestDescribeStopsTheProgram: a mistake in the prose or in a rule is never only a missing text.
func TestDescribeStopsTheProgram(t *testing.T) {
	const (
		begin = "family: Toys\n\nrule: toy-a\n"
		texts = "finds: a\nwhy: It is.\nsource: x\nbad: y\ngood: z\n"
	)
	toy := lint.Rule{Severity: lint.Error, Check: lint.OfDocument(func(*lint.DocumentPass) {})}
	keeps := toy
	keeps.Keep = func(*lint.DocumentPass) any { return nil }
	toys := map[string]lint.Rule{"toy-a": toy}
	tests := []struct {
		reason, prose string
		rules         []map[string]lint.Rule
		says          string
	}{
		{"a property of the rule, which belongs into its literal", begin + texts + "is: error, unsupressable\n", []map[string]lint.Rule{toys}, "unknown key is"},
		{"a misspelled key", begin + texts + "hwy: It is.\n", []map[string]lint.Rule{toys}, "unknown key hwy"},
		{"a line that is no key", begin + texts + "It is.\n", []map[string]lint.Rule{toys}, "unknown key It is."},
		{"a key that is there twice", begin + texts + "why: It was.\n", []map[string]lint.Rule{toys}, "two texts for why"},
		{"a text before the first rule", "family: Toys\n" + texts, []map[string]lint.Rule{toys}, "belongs to no lint rule"},
		{"a text after a family", begin + texts + "family: Others\nwhy: It is.\n", []map[string]lint.Rule{toys}, "belongs to no lint rule"},
		{"prose without a rule", begin + texts + "rule: toy-b\n" + texts, []map[string]lint.Rule{toys}, "no lint rule toy-b"},
		{"two paragraphs", begin + texts + "rule: toy-a\n" + texts, []map[string]lint.Rule{toys}, "two paragraphs"},
		{"a rule without prose", begin + texts, []map[string]lint.Rule{toys, {"toy-b": toy}}, "toy-b"},
		{"a rule in two families", begin + texts, []map[string]lint.Rule{toys, toys}, "two families"},
		{"a rule without a family", "rule: toy-a\n" + texts, []map[string]lint.Rule{toys}, "no family"},
		{"a rule without an example", begin + strings.Replace(texts, "good: z\n", "", 1), []map[string]lint.Rule{toys}, "example"},
		{"a rule without a basis", begin + strings.Replace(texts, "source: x\n", "", 1), []map[string]lint.Rule{toys}, "source"},
		{"a rule without a severity", begin + texts, []map[string]lint.Rule{{"toy-a": {Check: toy.Check}}}, "severity"},
		{"a severity that does not exist", begin + texts, []map[string]lint.Rule{{"toy-a": {Severity: lint.Error + 1, Check: toy.Check}}}, "severity"},
		{"a rule that does nothing", begin + texts, []map[string]lint.Rule{{"toy-a": {Severity: lint.Error}}}, "check"},
		{"a rule of documents that keeps something", begin + texts, []map[string]lint.Rule{{"toy-a": keeps}}, "keeps"},
	}
	for _, tt := range tests {
		stopped := func() (cause any) {
			defer func() { cause = recover() }()
			describe(tt.prose, tt.rules...)
			return nil
		}()
		if says, _ := stopped.(string); !strings.Contains(says, tt.says) {
			t.Errorf("%s: it stops with %v, and has to say %q", tt.reason, stopped, tt.says)
		}
	}
	if got := describe(begin+texts, toys); len(got) != 1 || toys["toy-a"].ID != "" {
		t.Errorf("the texts that the others begin with give %v, or change the table", got)
	}
}
