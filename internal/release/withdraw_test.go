package release

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/change"
)

// TestWithdrawalsOfOddVersions holds that a version can go whatever the history has of it, that
// nothing of it is in the bundle, and that the build refuses what the judgment of the head does,
// and nothing else.
func TestWithdrawalsOfOddVersions(t *testing.T) {
	const secret = "Does Jane Doe like it?"
	tests := []struct {
		name, reason string
		history      func(c *checkout)
		ledger       string
		tombstones   []string
		problems     []string
	}{{
		name: "several texts", reason: "all texts of a version go",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", secret)
			c.commit()
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.write("rubrics/exceptions.yaml", exceptionText(change.VersionTooLow, "a_v1", "1.0.0"))
			c.commit()
			c.rubric("a_v1", "1.1.0", "Is it short?")
			c.commit()
		},
		ledger: noneRetired + withdrawnText("a_v1", "1.0.0"), tombstones: []string{"a_v1 1.0.0: It named a customer."},
	}, {
		name: "rejected by the schema", reason: "an earlier program could have released it",
		history: func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", strings.Replace(rubricText("a_v1", "1.0.0", secret), "3.0", "high", 1))
			c.commit()
			c.rubric("a_v1", "1.1.0", "Is it short?")
			c.commit()
		},
		ledger: noneRetired + withdrawnText("a_v1", "1.0.0"), tombstones: []string{"a_v1 1.0.0: It named a customer."},
	}, {
		name: "not YAML", reason: "a file that can't be read can be any version",
		history: func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", "rubric_id: a_v1\nversion: \"1.0.0\"\nname: [\n")
			c.commit()
			c.rubric("a_v1", "1.1.0", "Is it short?")
			c.commit()
		},
		ledger: noneRetired + withdrawnText("a_v1", "1.0.0"), tombstones: []string{"a_v1 1.0.0: It named a customer."},
	}, {
		name: "rejected, and another one yanked", reason: "a rejected version is in no bundle, so constraints can't select it",
		history: func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", strings.Replace(rubricText("a_v1", "1.0.0", secret), "3.0", "high", 1))
			c.commit()
			c.rubric("a_v1", "1.1.0", "Is it short?")
			c.commit()
		},
		ledger:     noneRetired + withdrawnText("a_v1", "1.0.0") + "  - {id: a_v1, version: \"1.1.0\", reason: It is vague.}\n",
		tombstones: []string{"a_v1 1.0.0: It named a customer."},
		problems:   []string{"a_v1: Every version in the bundle is yanked.", "a_v1 1.1.0: Remove this entry: no version of \"a_v1\" would remain."},
	}, {
		name: "a pattern that no program can use", reason: "a version that lint rejects is in no bundle, so constraints can't select it",
		history: func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", rubricText("a_v1", "1.0.0", "Is it clear?")+"negative_criteria:\n  - {name: odd, fail_patterns: [\"(\"]}\n")
			c.commit()
			c.rubric("a_v1", "1.1.0", "Is it short?")
			c.commit()
		},
		ledger:   noneRetired + "yanked:\n  - {id: a_v1, version: \"1.1.0\", reason: It is vague.}\n",
		problems: []string{"a_v1: Every version in the bundle is yanked.", "a_v1 1.1.0: Remove this entry: no version of \"a_v1\" would remain."},
	}, {
		name: "never there", reason: "an entry that withdraws nothing must not seem to do so",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.commit()
			c.git("checkout", "-q", "-b", "side")
			c.rubric("a_v1", "1.1.0", secret)
			c.commit()
			c.git("checkout", "-q", "main")
			c.rubric("a_v1", "1.2.0", "Is it short?")
			c.write("rubrics/exceptions.yaml", exceptionText(change.VersionSkipped, "a_v1", "1.2.0"))
			c.commit()
		},
		ledger: noneRetired + withdrawnText("a_v1", "1.1.0"), tombstones: []string{"a_v1 1.1.0: It named a customer."},
		problems: []string{"a_v1 1.1.0: Remove this entry: version 1.1.0 of \"a_v1\" was never published."},
	}, {
		name: "all of a retired document", reason: "its texts can name a customer, too",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", secret)
			c.rubric("b_v1", "1.0.0", "Is it clear?")
			c.commit()
			c.remove("rubrics/prd/a_v1.yaml")
		},
		ledger: ledgerText + withdrawnText("a_v1", "1.0.0"), tombstones: []string{"a_v1 1.0.0: It named a customer."},
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newRepository(t)
			test.history(c)
			c.write("rubrics/retired.yaml", test.ledger)
			c.commit()
			b := c.build(Options{})
			compareBeginnings(t, test.reason+": tombstones", test.tombstones, omitted(b.Manifest.Tombstones))
			compareBeginnings(t, test.reason+": problems", test.problems, problems(b.Problems))
			if len(test.problems) > 0 {
				return
			}
			if len(b.Manifest.Refused)+len(b.Notes) > 0 && !slices.ContainsFunc(b.Notes, func(p Problem) bool { return strings.Contains(p.Message, "accepts") }) {
				t.Errorf("%s: the build still says of the version: %q, %q", test.reason, omitted(b.Manifest.Refused), problems(b.Notes))
			}
			if strings.Contains(string(c.bytes(b)), "Jane") {
				t.Errorf("%s: the withdrawn text is in the bundle", test.reason)
			}
		})
	}
}
