package lint_test

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// TestPrintedRulesCanBeRead reads the rules that odd conventions become.
func TestPrintedRulesCanBeRead(t *testing.T) {
	var many []string
	for i := range 300 {
		many = append(many, fmt.Sprintf("a word of %d", i))
	}
	for _, tt := range []struct{ reason, conventions string }{
		{"one artifact type", "artifact_types: [corpus]"},
		{"artifact types of YAML", `artifact_types: ["yes", "null"]`},
		{"a pattern with blanks, quotes, and backticks", "ids: {pattern: '^(x_|a  b|it''s|`|\")', message: \"It's: \\\"x\\\"\"}"},
		{"a pattern that no short ID has", "ids: {pattern: '_v[0-9]+$', message: End with the version.}"},
		{"words with signs", "words: [{avoid: [\"c++\", \"a|b\", \"it's\", \"@x\", \"1.0\", \"yes: no\", \"`x`\"], use: \"C: x\"}]"},
		{"many words", "words: [{avoid: [" + strings.Join(many, ", ") + "]}]"},
		{"no conventions", "{}"},
		{"more groups of words than there can be rules", "words: [{avoid: [" + strings.Join(many, "]}, {avoid: [") + "], use: b}]"},
		{"more artifact types than fit into a rule", "artifact_types: [" + strings.Join(many, ", ") + "]"},
		{"values of one byte", "metadata: [{key: owner, values: [" + strings.Join(strings.Split("abcdefghijklmnopqrstuvwxyz0123456789", ""), ", ") + "]}]"},
		{"dots, which are a word of signs", "words: [{avoid: [\"...\"]}]"},
		{"a word with a wide space", `words: [{avoid: ["no\u00a0way"]}]`},
		{"a pattern with something in the middle", "ids: {pattern: '^web_.*_v1$', message: A}"},
		{"a pattern with an empty alternative", "ids: {pattern: '^$|web', message: A}"},
		{"a pattern of all IDs", "ids: {pattern: '^[a-z][a-z0-9_]*$', message: A}"},
		{"a pattern of short IDs", "ids: {pattern: '^.{1,40}$', message: A}"},
		{"a pattern of long IDs", "ids: {pattern: '^.{40,}$', message: A}"},
		{"a pattern of no ID", "ids: {pattern: '\"', message: A}"},
		{"a value over lines", `metadata: [{key: owner, values: ["a\nb"]}]`},
		{"a pattern about the first letter", "ids: {pattern: '^[^a]', message: Begin otherwise.}"},
		{"a pattern in any case", "ids: {pattern: '^(?i)A', message: Begin with a.}"},
		{"a word that is not in NFC", `words: [{avoid: ["cafe\u0301"]}]`},
		{"keys with dots and dashes", "metadata: [{key: cost.center, values: [\"@x\", \"1.0\", \"yes\"]}, {key: team-name}]"},
	} {
		f := printedRules(t, tt.conventions)
		if _, err := lint.ParseConfig(f, nil); err != nil {
			t.Errorf("%s: %v\n%s", tt.reason, err, f.Data)
		}
	}
}

// TestLongPatternOfConventions checks that the rules take little memory, however long the pattern is
// and the texts that it matches.
func TestLongPatternOfConventions(t *testing.T) {
	for _, tt := range []struct {
		length int
		want   string
	}{
		{250, "replace_this_example"},
		{3_000, "rules: {}\n"},
		{100_000, "rules: {}\n"},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		f := printedRules(t, "ids: {pattern: '^("+strings.Repeat("a", tt.length)+"){1000}$', message: A}")
		runtime.ReadMemStats(&after)
		if allocated := (after.TotalAlloc - before.TotalAlloc) >> 20; allocated > 200 {
			t.Errorf("%d characters: %d MB were allocated, want at most 200", tt.length, allocated)
		}
		if !strings.Contains(string(f.Data), tt.want) {
			t.Errorf("%d characters: the rules are %.400s, want %s", tt.length, f.Data, tt.want)
		}
	}
}

// TestManyAllowedValues checks values of which each rule has some.
func TestManyAllowedValues(t *testing.T) {
	values := []string{"corpus"}
	for i := range 400 {
		values = append(values, fmt.Sprintf("%c_type_%d", 'a'+i%26, i))
	}
	config := must.Get(lint.ParseConfig(printedRules(t, "artifact_types: ["+strings.Join(values, ", ")+"]"), nil))(t)
	reported := func(artifactType string) int {
		text := strings.Replace(linttest.GoodRubric, "artifact_type: corpus", "artifact_type: "+artifactType, 1)
		fsys := linttest.Library(map[string]string{linttest.GoodPath: text})
		return len(linttest.Run(t, fsys, nil, lint.Options{Config: config}).Findings)
	}
	for _, value := range values {
		if n := reported(value); n != 0 {
			t.Errorf("%s, which is allowed, has %d findings", value, n)
		}
		if n := reported(value + "x"); n != 1 {
			t.Errorf("%sx, which is not allowed, has %d findings, want 1", value, n)
		}
	}
}

// printedRules returns the rules that are printed for conventions.
func printedRules(t *testing.T, conventions string) *source.File {
	t.Helper()
	old := linttest.Library(map[string]string{lint.ConfigFile: "conventions:\n  " + conventions + "\n"})
	config := must.Get(lint.LoadConfig(old, rules.All()))(t)
	_, err := lint.Run(linttest.Library(map[string]string{linttest.GoodPath: linttest.GoodRubric}), nil, lint.Options{Config: config})
	var file *lint.FileError
	if !errors.As(err, &file) {
		t.Fatalf("%s: the error is %v, want a *FileError", conventions, err)
	}
	_, text, _ := strings.Cut(file.Problems[0].Message, "\n\n")
	return source.NewFile(lint.ConfigFile, []byte(text))
}

// TestConventionsBecomeRules reads the rules that an error prints.
func TestConventionsBecomeRules(t *testing.T) {
	const conventions = `metadata:
    - {key: owner, values: [team-search, team-ads]}
    - {key: cost_center, message: Finance needs it.}
  artifact_types: [corpus, prd]
  ids: {pattern: '^(web|api)_[a-z]+', message: "Begin with the team's name."}
  words:
    - {avoid: [stakeholder, stakeholders], use: user, message: It's shorter.}
    - avoid: [as needed]`
	config := must.Get(lint.ParseConfig(printedRules(t, conventions), nil))(t)
	good := strings.NewReplacer("good_v1", "web_good_v1").Replace(linttest.GoodRubric) + "metadata: {owner: team-ads, cost_center: \"7\"}\n"
	tests := []struct {
		reason, text string
		want         string
	}{
		{"a document that follows all", good, ""},
		{"a missing key", strings.Replace(good, "owner: team-ads, ", "", 1), "conventions/metadata-1"},
		{"another value", strings.Replace(good, "team-ads", "team-x", 1), "conventions/metadata-1"},
		{"a missing key of any value", strings.Replace(good, ", cost_center: \"7\"", "", 1), "conventions/metadata-2"},
		{"another artifact type", strings.Replace(good, "artifact_type: corpus", "artifact_type: story", 1), "conventions/artifact-type-3"},
		{"another ID", strings.Replace(good, "web_good", "good", 1), "conventions/id-4"},
		{"a word to avoid", strings.Replace(good, "the text", "the StakeHolder", 1), "conventions/word-5"},
		{"a part of a word", strings.Replace(good, "the text", "the stakeholdership", 1), ""},
		{"words over lines", strings.Replace(good, "description: How many", "description: |\n      As\n      needed, how many", 1), "conventions/word-6"},
		{"a word in an example", strings.Replace(good, "We polished", "A stakeholder polished", 1), ""},
	}
	for _, tt := range tests {
		var got []string
		fsys := linttest.Library(map[string]string{linttest.GoodPath: tt.text})
		for _, f := range linttest.Run(t, fsys, nil, lint.Options{Config: config}).Findings {
			got = append(got, f.Rule.ID)
		}
		if strings.Join(got, " ") != tt.want {
			t.Errorf("%s: found are %q, want %q", tt.reason, got, tt.want)
		}
	}
}
