package printer

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/lint"
)

// TestTextsOfOwnRulesAreNoMarkup: the page of a host shows the help of SARIF as Markdown.
func TestTextsOfOwnRulesAreNoMarkup(t *testing.T) {
	r := &lint.Rule{ID: "acme/a", Severity: lint.Error, Prose: lint.Prose{
		Family: lint.FamilyOwn, Why: "Close <title> and *this*.", Bad: "text: |\n  ```\n  <b>", Good: "text: a",
	}}
	want := "Close &#60;title&#62; and &#42;this&#42;.\n\nBad:\n\n````text\ntext: |\n  ```\n  <b>\n````\n\nGood:\n\n```text\ntext: a\n```\n"
	if got := explanation(r, true); !strings.HasPrefix(got, want) {
		t.Errorf("the explanation is\n%s\nand does not begin with\n%s", got, want)
	}
}
