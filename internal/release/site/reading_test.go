package site

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
)

// TestAnAddedRuleShowsItsText: readers see what is asked, not JSON.
func TestAnAddedRuleShowsItsText(t *testing.T) {
	before := text(t, "api_1.yaml")
	after := strings.Replace(before, `"0.1.0"`, `"0.2.0"`, 1) +
		"  - {id: b.style.verbs, description: No path has a verb., severity: warn, check: Look for verbs., checks: [{type: content, literal: <get>, expect: absent}]}\n"
	made := files(t, build(t, bundletest.Library{Documents: []string{before, after}}))
	page := made["rulesets/api_v1/0.1.0...0.2.0.html"]
	for _, want := range []string{"  Description: No path has a verb.\n", "\n  Check: Look for verbs.\n", "Literal: &lt;get&gt;\n"} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing in\n%s", want, page)
		}
	}
	checked := strings.Replace(strings.Replace(before, `"0.1.0"`, `"0.2.0"`, 1), "multiline: true}]", "multiline: true}, {type: content, literal: <get>, expect: absent}]", 1)
	another := files(t, build(t, bundletest.Library{Documents: []string{before, checked}}))["rulesets/api_v1/0.1.0...0.2.0.html"]
	if !strings.Contains(another, "Literal: &lt;get&gt;\n") || strings.Contains(page+another, "{&#34;") {
		t.Errorf("the pages show JSON:\n%s", page+another)
	}
}

// TestTextsBetweenBackticksAreCode, without becoming elements.
func TestTextsBetweenBackticksAreCode(t *testing.T) {
	story := strings.NewReplacer("Grades one user story.", "\"Grades `one <b>` story.\"", "How clear is the story?", "\"Has `a` or ` b?\"").Replace(text(t, "story_1.yaml"))
	page := files(t, build(t, bundletest.Library{Documents: []string{story}}))["rubrics/story_v1/index.html"]
	for _, want := range []string{"Grades <code>one &lt;b&gt;</code> story.", "Has <code>a</code> or ` b?"} {
		if !strings.Contains(page, want) {
			t.Errorf("%s is missing in\n%s", want, page)
		}
	}
}

// TestASummaryEndsWithItsSentence in any script, and a long one between words.
func TestASummaryEndsWithItsSentence(t *testing.T) {
	for description, want := range map[string]string{
		"One story. Nothing else.":          "One story.",
		"用户故事的质量。其他不算。":                     "用户故事的质量。",
		"यह एक कहानी है। और कुछ नहीं।":      "यह एक कहानी है।",
		"Version 1.5 of it, e.g.this. More": "Version 1.5 of it, e.g.this.",
		strings.Repeat("word ", 60):         strings.TrimSpace(strings.Repeat("word ", 36)) + " …",
	} {
		story := strings.Replace(text(t, "story_1.yaml"), "Grades one user story.", description, 1)
		made := files(t, build(t, bundletest.Library{Documents: []string{story}}))
		if !strings.Contains(made["index.html"], `<p class="summary" dir="auto">`+want+"</p>") {
			t.Errorf("%q has no summary %q", description, want)
		}
		if !strings.Contains(made["rubrics/story_v1/index.html"], `<meta property="og:description" content="`+want+`">`) {
			t.Errorf("a link to %q does not show %q", description, want)
		}
	}
}

// TestAMissingPageLeadsBack from any address, because its links begin with that of the site.
func TestAMissingPageLeadsBack(t *testing.T) {
	l := bundletest.Library{Documents: []string{text(t, "story_1.yaml")}}
	made := files(t, build(t, l, func(o *Options) { o.BaseURL = "https://example.org/rubrics" }))
	for _, want := range []string{`href="https://example.org/rubrics/index.html"`, `href="https://example.org/rubrics/assets/style.css"`} {
		if !strings.Contains(made[missingPage], want) {
			t.Errorf("the page has no %s:\n%s", want, made[missingPage])
		}
	}
	made = files(t, build(t, l))
	if _, there := made[missingPage]; there {
		t.Error("a site without an address has a page whose links lead nowhere")
	}
	if page := made["index.html"]; strings.Contains(page, "0 rule sets") {
		t.Errorf("the first page counts what is not there:\n%s", page)
	}
}
