package release

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// released is the history of a library that was released as 1.0.0.
func released(c *checkout) {
	c.rubric("a_v1", "1.0.0", "Is it clear?")
	c.rubric("b_v1", "1.0.0", "Is it clear?")
	c.commit()
}

func TestPublishGate(t *testing.T) {
	tests := []struct {
		name, reason string
		before       func(c *checkout) // in addition to released
		after        func(c *checkout)
		version      string
		problems     []string
		accepted     []string
	}{{
		name: "unchanged", reason: "building again is not a change", after: func(*checkout) {},
	}, {
		name: "new version", reason: "this is how a library grows",
		after: func(c *checkout) { c.rubric("a_v1", "1.1.0", "Is it short?"); c.commit() },
	}, {
		name: "other text now", reason: "an ID and version name one text permanently",
		after: func(c *checkout) { c.rubric("a_v1", "1.0.0", "Is it short?"); c.commit() },
		problems: []string{
			"a_v1 1.0.0: Change version 1.0.0 to 1.1.0. Rewords",
		},
	}, {
		name: "other text, accepted", reason: "the code owners accepted it, and the released text stays",
		after: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", "Is it short?")
			c.write("rubrics/exceptions.yaml", exceptionText(change.VersionTooLow, "a_v1", "1.0.0"))
			c.commit()
		},
		accepted: []string{
			"a_v1 1.0.0: The history has 2 texts for this version. The bundle has the released one.",
			"a_v1 1.0.0: rubrics/exceptions.yaml accepts this finding of version-too-low: It named a customer.",
		},
	}, {
		name: "another history", reason: "a rewritten history must not replace what was released",
		after: func(c *checkout) {
			c.git("checkout", "-q", "--orphan", "new")
			c.rubric("a_v1", "1.0.0", "Is it short?")
			c.rubric("b_v1", "1.1.0", "Is it short?")
			c.commit()
		},
		problems: []string{
			"a_v1 1.0.0: This version was released with another text.",
			"b_v1 1.0.0: This version was released, but it is not in the history of this commit.",
		},
	}, {
		name: "gone", reason: "consumers must be told what became of it",
		after:    func(c *checkout) { c.remove("rubrics/prd/a_v1.yaml"); c.commit() },
		problems: []string{"a_v1 1.0.0: Restore \"a_v1\", or record in rubrics/retired.yaml why it was removed"},
	}, {
		name: "gone, accepted", reason: "the code owners accepted it",
		after: func(c *checkout) {
			c.remove("rubrics/prd/a_v1.yaml")
			c.write("rubrics/exceptions.yaml", exceptionText(change.DocumentGone, "a_v1", "1.0.0"))
			c.commit()
		},
		accepted: []string{"a_v1 1.0.0: rubrics/exceptions.yaml accepts this finding of document-gone: It named a customer."},
	}, {
		name: "retired", reason: "this is how a document ends",
		after: func(c *checkout) {
			c.remove("rubrics/prd/a_v1.yaml")
			c.write("rubrics/retired.yaml", ledgerText)
			c.commit()
		},
	}, {
		name: "back again", reason: "a retired ID is not used again",
		before: func(c *checkout) {
			c.remove("rubrics/prd/a_v1.yaml")
			c.write("rubrics/retired.yaml", ledgerText)
			c.commit()
		},
		after:    func(c *checkout) { c.rubric("a_v1", "1.1.0", "Is it short?"); c.commit() },
		problems: []string{"a_v1 1.1.0: Choose another ID: \"a_v1\" is retired"},
	}, {
		name: "back again, accepted", reason: "the code owners accepted it",
		before: func(c *checkout) {
			c.remove("rubrics/prd/a_v1.yaml")
			c.write("rubrics/retired.yaml", ledgerText)
			c.commit()
		},
		after: func(c *checkout) {
			c.rubric("a_v1", "1.1.0", "Is it short?")
			c.write("rubrics/exceptions.yaml", exceptionText(change.RetiredID, "a_v1", "1.1.0"))
			c.commit()
		},
		accepted: []string{"a_v1 1.1.0: rubrics/exceptions.yaml accepts this finding of retired-id: It named a customer."},
	}, {
		name: "out of the ledger", reason: "the ledger only grows",
		before: func(c *checkout) {
			c.remove("rubrics/prd/a_v1.yaml")
			c.write("rubrics/retired.yaml", ledgerText)
			c.commit()
		},
		after:    func(c *checkout) { c.remove("rubrics/retired.yaml"); c.commit() },
		problems: []string{"a_v1 1.0.0: Restore the original entry of \"a_v1\": entries of the ledger are permanent."},
	}, {
		name: "broken", reason: "a file that can't be read is not gone",
		after:    func(c *checkout) { c.write("rubrics/prd/a_v1.yaml", "rubric_id: a_v1\nversion: [\n"); c.commit() },
		problems: []string{"a_v1: rubrics/prd/a_v1.yaml:2:10 can't be in a bundle: "},
	}, {
		name: "all withdrawn and out of the ledger", reason: "the ledger protects IDs of which no text is left",
		before: func(c *checkout) {
			c.remove("rubrics/prd/a_v1.yaml")
			c.write("rubrics/retired.yaml", ledgerText+withdrawnText("a_v1", "1.0.0"))
			c.commit()
		},
		after: func(c *checkout) { c.remove("rubrics/retired.yaml"); c.commit() },
		problems: []string{
			"a_v1 1.0.0: Restore the original entry of \"a_v1\": entries of the ledger are permanent.",
			"a_v1 1.0.0: Restore the original entry of \"a_v1\" 1.0.0: entries of the ledger are permanent.",
		},
	}, {
		name: "withdrawn", reason: "a tombstone is not a loss",
		before: func(c *checkout) { c.rubric("a_v1", "1.1.0", "Is it secret?"); c.commit() },
		after: func(c *checkout) {
			c.rubric("a_v1", "1.2.0", "Is it short?")
			c.write("rubrics/retired.yaml", noneRetired+withdrawnText("a_v1", "1.1.0"))
			c.commit()
		},
	}, {
		name: "withdrawn no more", reason: "text that was withdrawn must not come back by accident",
		before: func(c *checkout) {
			c.rubric("a_v1", "1.1.0", "Is it short?")
			c.write("rubrics/retired.yaml", noneRetired+withdrawnText("a_v1", "1.0.0"))
			c.commit()
		},
		after:    func(c *checkout) { c.remove("rubrics/retired.yaml"); c.commit() },
		problems: []string{"a_v1 1.0.0: Restore the original entry of \"a_v1\" 1.0.0: entries of the ledger are permanent."},
	}, {
		name: "lower library version", reason: "a version never goes down",
		after: func(*checkout) {}, version: "0.9.0",
		problems: []string{": The library version 0.9.0 is lower than the released version 1.0.0: versions must increase."},
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newRepository(t)
			released(c)
			if test.before != nil {
				test.before(c)
			}
			previous := c.release(Options{})
			test.after(c)
			b := c.build(Options{Version: test.version, Previous: previous})
			compareBeginnings(t, test.reason, test.problems, problems(b.Problems))
			if len(test.problems) == 0 {
				compareBeginnings(t, test.reason+": notes", test.accepted, problems(b.Notes))
			}
			if b.Manifest.Previous != previous.Digest() {
				t.Errorf("the manifest names %q as the bundle before, want %q", b.Manifest.Previous, previous.Digest())
			}
		})
	}
}

// TestReleasedTextWins holds that of several texts the one that was released is
// taken, whatever the library has now.
func TestReleasedTextWins(t *testing.T) {
	c := newRepository(t)
	released(c)
	previous := c.release(Options{})
	c.rubric("a_v1", "1.0.0", "Is it short?")
	c.write("rubrics/exceptions.yaml", exceptionText(change.VersionTooLow, "a_v1", "1.0.0"))
	c.commit()
	l := c.release(Options{Previous: previous})
	if got, want := l.EntryDigest(bundlefile.DocumentPath("rubric", "a_v1", "1.0.0")), previous.EntryDigest(bundlefile.DocumentPath("rubric", "a_v1", "1.0.0")); got != want {
		t.Errorf("the bundle has the text %s, want the released one, %s", got, want)
	}
}

// TestWhatIsRefusedTodayComesFromThePreviousBundle makes a bundle of a history
// that was right, and then another of one in which today's parser refuses what
// the first holds.
func TestWhatIsRefusedTodayComesFromThePreviousBundle(t *testing.T) {
	then := newRepository(t)
	released(then)
	previous := then.release(Options{})

	tests := []struct{ name, reason, text string }{
		{"version known", "the version is known", strings.Replace(rubricText("a_v1", "1.0.0", "Is it clear?"), "3.0", "high", 1)},
		{"text that stands for one", "the version is known", strings.Replace(rubricText("a_v1", "1.0.0", "Is it clear?"), "Is it clear?", "TODO", 1)},
		{"version unknown", "every version that is missing otherwise is taken", "rubric_id: a_v1\nversion: [\n"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newRepository(t)
			c.write("rubrics/prd/a_v1.yaml", test.text)
			c.rubric("b_v1", "1.0.0", "Is it clear?")
			c.commit()
			c.rubric("a_v1", "1.1.0", "Is it short?")
			c.commit()
			b := c.build(Options{Previous: previous})
			if len(b.Problems) > 0 || len(b.Manifest.Refused) > 0 {
				t.Errorf("%s: got problems %q and refused %q", test.reason, problems(b.Problems), omitted(b.Manifest.Refused))
			}
			l := openBytes(t, c.bytes(b))
			if got, want := l.EntryDigest(bundlefile.DocumentPath("rubric", "a_v1", "1.0.0")), previous.EntryDigest(bundlefile.DocumentPath("rubric", "a_v1", "1.0.0")); got != want {
				t.Errorf("a_v1 1.0.0 is %q, want %q", got, want)
			}
		})
	}
}
