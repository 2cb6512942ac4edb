package consult

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestDocsShowRealMessages checks the messages about rules in docs/judge-protocol.md.
func TestDocsShowRealMessages(t *testing.T) {
	page, err := os.ReadFile("../../../docs/judge-protocol.md")
	if err != nil {
		t.Fatal(err)
	}
	requests, answers := 0, map[string]int{}
	for _, block := range regexp.MustCompile("(?s)```json\n(.*?)```").FindAllStringSubmatch(string(page), -1) {
		switch text := block[1]; {
		case strings.Contains(text, `"ask"`):
			requests++
			if d := document.ParseRun(source.NewFile("request.json", []byte(text)), &document.RuleRequest); len(d.Problems) > 0 {
				t.Errorf("%s: %v", text, d.Problems)
			}
		case strings.Contains(text, `"rule"`):
			ask := ForVerdict
			if strings.Contains(text, `"checks"`) {
				ask = ForChecks
			}
			answers[ask]++
			if _, err := readAnswer([]byte(text), ask, regexp.MustCompile(`"rule": "([a-z._]+)"`).FindStringSubmatch(text)[1]); err != nil {
				t.Errorf("%s: %v", text, err)
			}
		}
	}
	if requests != 1 || answers[ForVerdict] != 1 || answers[ForChecks] != 1 {
		t.Errorf("%d requests, answers %v", requests, answers)
	}
}
