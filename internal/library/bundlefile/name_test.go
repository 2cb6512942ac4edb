package bundlefile

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document"
)

func TestNames(t *testing.T) {
	long := strings.Repeat("x", maxWord)
	tests := []struct {
		reason, name string
		want         bool
	}{
		{"the manifest", "manifest.json", true},
		{"the sums", "SHA256SUMS", true},
		{"the index", "index.jsonl", true},
		{"the changelog", "changelog.json", true},
		{"the ledger", "retired.json", true},
		{"a rubric", "rubrics/user_story_v1/1.0.0.json", true},
		{"a rule set", "rulesets/rest_api_v1/0.10.999999999.json", true},
		{"the longest ID", "rubrics/" + long + "/1.0.0.json", true},
		{"a schema", "schema/rubric.schema.json", true},
		{"a conformance vector", "conformance/rule-score_2.json", true},
		{"statistics", "calibration/user-story/statistics.json", true},
		{"a judge", "calibration/user_story/judges/gpt-4.jsonl", true},
		{"a dataset", "calibration/2024/dataset.yaml", true},

		{"nothing", "", false},
		{"a slash", "/", false},
		{"only a folder", "rubrics/", false},
		{"a folder of a document", "rubrics/a/", false},
		{"a file in the wrong folder", "rubrics/a.json", false},
		{"a folder too much", "rubrics/a/b/1.0.0.json", false},
		{"an unknown folder", "docs/a.json", false},
		{"an unknown file", "readme.json", false},
		{"an absolute name", "/manifest.json", false},
		{"a name that leads out", "../manifest.json", false},
		{"a name that leads out from within", "schema/../manifest.json", false},
		{"a folder named with dots", "calibration/../x.json", false},
		{"backslashes", `schema\a.json`, false},
		{"an end of text", "schema/a.json\x00", false},
		{"a line end", "schema/a\n.json", false},
		{"upper case", "schema/A.json", false},
		{"a letter outside ASCII", "schema/ä.json", false},
		{"a space", "schema/a b.json", false},
		{"a hidden file", "schema/.json", false},
		{"two dots", "schema/a..json", false},
		{"a dot at the end", "calibration/a/b.", false},
		{"no extension", "calibration/a/b", false},
		{"another extension", "calibration/a/b.exe", false},
		{"two extensions", "calibration/a/b.json.yaml", false},
		{"a calibration without a folder", "calibration/a.json", false},
		{"a calibration too deep", "calibration/a/b/c/d/e.json", false},
		{"a folder that looks like a file", "calibration/a/b.json/c.json", false},
		{"an ID that begins with a digit", "rubrics/1a/1.0.0.json", false},
		{"an ID with a dash", "rubrics/a-b/1.0.0.json", false},
		{"an ID with two underscores", "rubrics/a__b/1.0.0.json", false},
		{"an ID that is too long", "rubrics/x" + long + "/1.0.0.json", false},
		{"a name that is too long", "calibration/" + long + "/" + long + "/" + long + ".json", false},
		{"two numbers", "rubrics/a/1.0.json", false},
		{"four numbers", "rubrics/a/1.0.0.0.json", false},
		{"a leading zero", "rubrics/a/1.00.0.json", false},
		{"a pre-release", "rubrics/a/1.0.0-rc.1.json", false},
		{"a number with ten digits", "rubrics/a/1.0.1000000000.json", false},
		{"a version that begins with a dot", "rubrics/a/.0.0.json", false},
		{"a version with a sign", "rubrics/a/+1.0.0.json", false},
		{"YAML", "rubrics/a/1.0.0.yaml", false},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			if got := IsName(tt.name); got != tt.want {
				t.Errorf("IsName(%q) is %v, expected %v", tt.name, got, tt.want)
			}
		})
	}
}

// TestTheFormatHasTheIDsOfDocuments: a bundle can name exactly what a document can be called.
func TestTheFormatHasTheIDsOfDocuments(t *testing.T) {
	same := func(t interface{ Errorf(string, ...any) }, s string) {
		if IsID(s) != document.IsID(s) {
			t.Errorf("%q: %v in a bundle, %v in a document", s, IsID(s), document.IsID(s))
		}
	}
	for _, s := range []string{"", "a", "A", "_a", "a_", "a__b", "1a", "a1_b2", "a\n", "é", "a-b", strings.Repeat("a", 128), strings.Repeat("a", 129)} {
		same(t, s)
	}
	rapid.Check(t, func(t *rapid.T) { same(t, rapid.StringMatching(`[a-z0-9_]{0,6}.?`).Draw(t, "ID")) })
}
