package shipped_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestLedgerMerges checks that two pull requests that each retire a document do not
// both create the ledger, and that its entries can be merged line by line.
func TestLedgerMerges(t *testing.T) {
	attributes := strings.Split(scripttest.Text(t, ".gitattributes"), "\n")
	if !slices.Contains(attributes, "rubrics/retired.yaml merge=union") {
		t.Error(".gitattributes does not say how the ledger is merged")
	}
	head, rest, _ := strings.Cut(scripttest.Text(t, "rubrics/retired.yaml"), "retired:")
	if want, _, _ := strings.Cut(authoring.EmptyLedger, "retired:"); head != want {
		t.Errorf("the ledger begins with %q, want %q", head, want)
	}
	for line := range strings.Lines(strings.TrimSpace(rest)) {
		if line = strings.TrimSpace(line); line != "[]" && !(strings.HasPrefix(line, "- {id: ") && strings.HasSuffix(line, "}")) {
			t.Errorf("%q is not an entry of one line", line)
		}
	}
}
