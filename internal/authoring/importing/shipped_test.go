package importing

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestCarefulAnchorsAreNotCalledReversed: anchors that name what is missing at every level have the
// direction of their numbers.
func TestCarefulAnchorsAreNotCalledReversed(t *testing.T) {
	for _, name := range []string{"jira_tickets/user_story_quality_v1.yaml", "prd/prd_quality_v1.yaml"} {
		data := must.Get(os.ReadFile(filepath.Join("../../../rubrics", filepath.FromSlash(name))))(t)
		if _, problems := Read(source.NewFile("mine.yaml", data), intake.Options{}); len(problems) > 0 {
			t.Errorf("%s: %v", name, problems)
		}
	}
}
