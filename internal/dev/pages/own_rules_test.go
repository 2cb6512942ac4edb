package pages_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/expression"
)

var ownRulesBlock = regexp.MustCompile("(?s)<!-- own rules -->\n\n```yaml\n(.*?)```")

// TestOwnRulesAreThoseOfThePage checks documents by the rules that the page has.
func TestOwnRulesAreThoseOfThePage(t *testing.T) {
	page := scripttest.Text(t, "docs/own-rules.md")
	if words := len(strings.Fields(page)); words > 600 {
		t.Errorf("the page has %d words, want 600 at most", words)
	}
	text := strings.Replace(ownRulesBlock.FindStringSubmatch(page)[1], "TEXT", strings.Repeat("word ", 201), 1)
	config := must.Get(lint.ParseConfig(source.NewFile(lint.ConfigFile, []byte(text)), nil))(t)
	good := linttest.Renamed(linttest.Changed(t, "weight: essential", "weight: essential", "negative_criteria:", secondCriterion+"negative_criteria:"), "acme_good_v1") +
		"metadata: {owner: \"@acme/qa\"}\n"
	tests := []struct {
		reason, old, new string
		want             []string // line, column, rule, and pointer
	}{
		{"a document that follows all", "", "", nil},
		{"another owner", "@acme/qa", "qa", []string{"1:12 acme/owner "}},
		{"another ID", "acme_good_v1", "good_v1", []string{"1:12 acme/id "}},
		{"one essential criterion", "weight: essential", "weight: important", []string{"1:12 acme/essential "}},
		{"a low threshold of a safety criterion", "threshold: 4.5", "threshold: 3.9", []string{"24:11 acme/safety /criteria/1"}},
		{"a low threshold of another criterion", "name: safety", "name: risk", nil},
		{"a long description", "How many of", strings.Repeat("so ", 201), []string{"10:18 acme/short /criteria/0/description"}},
		{"another long text", "No merged change", strings.Repeat("so ", 201), nil},
	}
	for _, tt := range tests {
		fsys := linttest.Library(map[string]string{linttest.GoodPath: strings.Replace(good, tt.old, tt.new, 1)})
		var got []string
		for _, f := range linttest.Run(t, fsys, nil, lint.Options{Config: config}).Findings {
			got = append(got, fmt.Sprintf("%d:%d %s %s", f.Start.Line, f.Start.Column, f.Rule.ID, f.Pointer))
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

const secondCriterion = `  - name: safety
    description: Whether nobody is hurt.
    weight: essential
    threshold: 4.5
    anchors: {1: one, 2: two, 3: three, 4: four, 5: five}
    examples: {score_1: Make it better., score_5: A clerk archives an invoice.}
`

// TestThePageHasAllFunctions: what a condition can call is listed only there.
func TestThePageHasAllFunctions(t *testing.T) {
	page := scripttest.Text(t, "docs/own-rules.md")
	for _, name := range append(expression.Functions, expression.Names...) {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("the page does not name %s", name)
		}
	}
	for _, name := range expression.EachOf {
		if !strings.Contains(page, "`"+name+"`") {
			t.Errorf("the page does not name %s", name)
		}
	}
}
