package consult

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
	"github.com/rubric-library/rubric-library/internal/rulesets/runfile"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// TestRequestHasOnlyWords: nothing of how a rule counts, and of other rules, reaches a
// command.
func TestRequestHasOnlyWords(t *testing.T) {
	run := &runfile.Run{Task: runfile.Task{Type: "api_design", IdealResult: "It can be built."}}
	rule := &ruleset.Rule{
		ID: "a.x.y", Description: "d", Severity: ruleset.SeverityFail, Weight: 7, Phase: ruleset.PhaseA, Check: "c",
		Checks: []ruleset.Check{{Type: ruleset.CheckContent, Literal: "secret"}},
	}
	for _, tt := range []struct {
		view *evaluate.View
		want string
	}{
		{nil, `{"schema_version":1,"ask":"verdict","task":{"type":"api_design","ideal_result":"It can be built."},"rule":{"id":"a.x.y","description":"d","check":"c"}}`},
		{&evaluate.View{Text: "<t>"}, `{"schema_version":1,"ask":"verdict","task":{"type":"api_design","ideal_result":"It can be built."},"rule":{"id":"a.x.y","description":"d","check":"c"},"artifact":{"text":"<t>"}}`},
		{&evaluate.View{Files: []evaluate.File{{Path: "a.md", Text: "t"}, {Path: "b.png", Binary: true}}},
			`{"schema_version":1,"ask":"verdict","task":{"type":"api_design","ideal_result":"It can be built."},"rule":{"id":"a.x.y","description":"d","check":"c"},"artifact":{"files":[{"path":"a.md","text":"t"},{"path":"b.png","binary":true}]}}`},
	} {
		got, err := jsontext.Encode(NewRequest(ForVerdict, run, rule, tt.view), "", "")
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, string(got)); diff != "" {
			t.Errorf("request (-want +got):\n%s", diff)
		}
		if d := document.ParseRun(source.NewFile("request.json", got), &document.RuleRequest); len(d.Problems) > 0 {
			t.Errorf("%s does not conform: %v", got, d.Problems)
		}
	}
}
