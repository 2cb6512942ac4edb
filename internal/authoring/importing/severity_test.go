package importing

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestSeverities: the words of other programs become severities, in each syntax, and what stands for
// none is listed.
func TestSeverities(t *testing.T) {
	for file, text := range map[string]string{
		"f.md":  "| ID | Description | Severity | Check |\n|---|---|---|---|\n| a.x.one | Each page has a title. | MUST | Look. |\n| a.x.two | Each page has a date. | should | Look. |\n| a.x.three | Each page has a photo. | P1 | Look. |\n",
		"f.csv": "description,severity,check\nEach page has a title.,MUST,Look.\nEach page has a date.,should,Look.\nEach page has a photo.,P1,Look.\n",
	} {
		imported, problems := Read(source.NewFile(file, []byte(text)), intake.Options{})
		if len(problems) > 0 {
			t.Errorf("%s: %v", file, problems)
			continue
		}
		var got []string
		for _, rule := range imported.Drafts[0].Content.Get("rules").List() {
			got = append(got, rule.Get("severity").Text())
		}
		if strings.Join(got, " ") != "fail warn " || !strings.Contains(outline(imported), `The severity "p1" is dropped: write fail, warn, or info.`) {
			t.Errorf("%s: got %q and\n%s", file, got, outline(imported))
		}
	}
}
