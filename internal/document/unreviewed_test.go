package document

import (
	"testing"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// said has the words in texts, and parts of them in comments that are not about suggestions.
const said = `# The anchors were suggested by Ann, and reviewed by Ben.
#
# A text that is not reviewed is an error.
#
# The first two were suggested by Ann, not by Ben, and reviewed.
#
# Ann: suggested by whom?
rubric_id: "broken_v1"
name: "Clarity" # suggested by Ann
version: "0.1.0"

artifact_type: "corpus" # not reviewed by the legal team
description: "suggested by gpt-5: not reviewed"
criteria:
  - name: "steps"
    description: 'Whether a reader can # suggested by gpt-5: not reviewed'
    weight: "essential"
    threshold: 3.0
    anchors:
      1: >-
        No step is named.
        # suggested by gpt-5: not reviewed
      2: A step is named#suggested by gpt-5, not reviewed
      3: "The start and every step are named."
      4: "The start, the steps, and the data they need are named."
      5: "The start, the steps, the data, and how often it happens are named."
    examples:
      score_1: "Export is broken."
      score_5: |
        Signed in as a clerk, open invoice 12 and press Export twice.
        # suggested by gpt-5: not reviewed
scoring:
  pass_threshold: 3.5
`

// TestOnlyCommentsSayThatATextIsNotReviewed: texts are data, and a comment has to say both that a
// text was suggested and that it is not reviewed.
func TestOnlyCommentsSayThatATextIsNotReviewed(t *testing.T) {
	d := Parse(source.NewFile("words.yaml", []byte(said)))
	if !d.Valid() {
		t.Fatalf("the document is not valid: %v", d.Problems)
	}
	if found := d.UnreviewedTexts(); len(found) > 0 {
		t.Errorf("%v", found)
	}
}
