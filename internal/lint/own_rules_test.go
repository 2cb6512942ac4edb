package lint_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// ownRule is a rule of a library, of which tests replace lines.
const ownRule = `rules:
  acme/owner:
    severity: error
    for: rubric
    each: document
    message: Add metadata.owner, the team that answers questions.
    when: 'true'
    require: 'this.metadata.owner startsWith "@acme/"'
    good: {metadata: {owner: "@acme/qa"}}
    bad: {metadata: {owner: "qa"}}
`

// changedRule returns ownRule with replacements of pairs of texts, each of which must be there.
func changedRule(t *testing.T, pairs ...string) string {
	t.Helper()
	text := ownRule
	for i := 0; i < len(pairs); i += 2 {
		if !strings.Contains(text, pairs[i]) {
			t.Fatalf("the rule has no %q", pairs[i])
		}
		text = strings.Replace(text, pairs[i], pairs[i+1], 1)
	}
	return text
}

func TestOwnRulesThatCanNotBeUsed(t *testing.T) {
	const require = `'this.metadata.owner startsWith "@acme/"'`
	deep := `all(this.criteria, all(document.criteria, all(document.criteria, all(document.criteria, all(document.criteria, .threshold > 3)))))`
	tests := []struct {
		reason, config string
		want           []string // beginnings of the problems
	}{
		{"an ID without a team", changedRule(t, "acme/owner", "owner"), []string{`2:3: This key must be the name of your team and that of the rule, in lowercase letters`}},
		{"an ID of a rule that every library has", changedRule(t, "acme/owner", "hidden-threshold"), []string{`2:3: This key must be the name of your team`}},
		{"an ID with two slashes", changedRule(t, "acme/owner", "acme/qa/owner"), []string{`2:3: This key must be`}},
		{"an ID in uppercase letters", changedRule(t, "acme/owner", "ACME/owner"), []string{`2:3: This key must be`}},
		{"an unknown key", changedRule(t, "each:", "every:"), []string{`5:5: "every" is not a key of`}},
		{"a text that is not in NFC, which no document has", changedRule(t, "@acme/", "cafe\u0301/"), []string{`8:46: Write this text in the Unicode normal form NFC.`}},
		{"an escape that is not in NFC", changedRule(t, "@acme/", `cafe\u0301/`), []string{`8:46: Write this text in the Unicode normal form NFC.`}},
		{"an unknown kind", changedRule(t, "for: rubric", "for: rubrics"), []string{`4:10: "for" must be "rubric", "ruleset", or "document", got "rubrics".`}},
		{"an unknown element", changedRule(t, "each: document", "each: anchors"), []string{`5:11: "each" must be "document", "criteria", "negative_criteria", "rules", or "text", got "anchors".`}},
		{"an element that the kind does not have", changedRule(t, "each: document", "each: rules"), []string{`5:11: Change each or for: a rubric has no rules.`}},
		{"a condition that is not a text", changedRule(t, "'true'", "true"), []string{`7:11: `}},
		{"no condition", changedRule(t, "    require: "+require+"\n", ""), []string{`3:5: Add "require"`}},
		{"no examples", changedRule(t, `    good: {metadata: {owner: "@acme/qa"}}`+"\n", "", `    bad: {metadata: {owner: "qa"}}`+"\n", ""), []string{`3:5: Add "good"`, `3:5: Add "bad"`}},
		{"a condition that is misspelled, at its place", changedRule(t, "this.metadata.owner", "this.metdata.owner"), []string{`8:20: "metdata" is not a key here. Did you mean "metadata"?`}},
		{"a misspelled condition over lines", changedRule(t, require, ">-\n      this.name != \"\" and\n      this.nam != \"\""), []string{`10:12: "nam" is not a key here.`}},
		{"a when that is not a condition", changedRule(t, "'true'", "'1'"), []string{`7:12: The result must be true or false, but it is a number.`}},
		{"an endless condition", changedRule(t, require, "'"+deep+"'"), []string{`8:15: This takes about `}},
		{"a pattern that is too large", changedRule(t, require, `'id matches "(?:(?:abcdefghij){20}){50}"'`), []string{`8:18: This regular expression is too large`}},
		{"a condition that examples show to be wrong", changedRule(t, require, `'this.criteria[0].name == ""'`), []string{
			`8:14: The rule can't be evaluated for its good example: index out of range: 0 (array length is 0).`,
			`8:14: The rule can't be evaluated for its bad example: index out of range: 0 (array length is 0).`,
		}},
		{"a good example that is found", changedRule(t, "@acme/qa", "qa"), []string{`9:11: The rule finds this good example.`}},
		{"a bad example that is not found", changedRule(t, `"qa"`, `"@acme/web"`), []string{`10:10: The rule does not find this bad example.`}},
		{"an example with an unknown key", changedRule(t, "bad: {metadata", "bad: {metdata"), []string{`10:11: "metdata" is not a key of the rubric`}},
		{"an element with an unknown key", changedRule(t, "each: document", "each: criteria", require, "this.threshold >= 4", `{metadata: {owner: "@acme/qa"}}`, "{threshold: 4}", `{metadata: {owner: "qa"}}`, "{threshold: 3, examples: {score_1: x}, wait: 1}"), []string{`10:49: "wait" is not a key of the criterion`}},
		{"a part of a document with an unknown key", changedRule(t, "each: document", "each: criteria", require, "this.threshold >= 4", `{metadata: {owner: "@acme/qa"}}`, "{threshold: 4}", `{metadata: {owner: "qa"}}`, "{criteria: [], metadata: {}, wait: 1}"), []string{`10:39: "wait" is not a key of the rubric`}},
		{"an example with a wrong type", changedRule(t, `bad: {metadata: {owner: "qa"}}`, `bad: {metadata: qa}`), []string{`10:21: "metadata" must be a group of keys`}},
		{"an example with hidden text", changedRule(t, `"qa"`, "\"q\u200ba\""), []string{`10:`}},
		{"a rule that is off", changedRule(t, "severity: error", `severity: "off"`, "this.metadata.owner", "this.metdata.owner"), []string{`8:20: "metdata" is not a key here.`}},
		{"a rule that is switched off", "severity: {acme/owner: off}\n" + changedRule(t, "this.metadata.owner", "this.metdata.owner"), []string{`9:20: "metdata" is not a key here.`}},
		{"a severity of a rule that is not there", "severity: {acme/ovner: off}\n" + ownRule, []string{`1:12: "acme/ovner" is not among the rules of this configuration.`}},
		{"a rule that is too long", changedRule(t, "Add metadata.owner", strings.Repeat("word ", 180), `"qa"}`, `"qa"} `+"#"+strings.Repeat("x", 3000)+"\n     "), []string{`2:3: This rule has 4`}},
		{"too many rules", manyRules(101), []string{`1302:3: "rules" has 101 keys: at most 100 are allowed.`}},
		{"two of a name", ownRule + strings.TrimPrefix(ownRule, "rules:\n"), []string{`11:3: The key`}},
	}
	for _, tt := range tests {
		checkProblems(t, tt.reason, tt.config, tt.want)
	}
}

// manyRules returns a configuration with a number of rules.
func manyRules(n int) string {
	rule := strings.TrimPrefix(ownRule, "rules:\n")
	var b strings.Builder
	b.WriteString("rules:\n")
	for i := range n {
		b.WriteString(strings.Replace(rule, "acme/owner", fmt.Sprintf("acme/owner-%d", i), 1) + "\n\n\n\n")
	}
	return b.String()
}

// TestHostileRulesEnd reads the most expensive configuration that is allowed: a pull request's own
// copy is read, too.
func TestHostileRulesEnd(t *testing.T) {
	loops := `'all(this.criteria, all(document.criteria, .description matches "^(a{9}|b)*$" or upper(.name) != ""))'`
	criteria := "{criteria: [" + strings.Repeat("{name: a}, ", 200) + "{name: a}]}"
	config := manyRules(100)
	config = strings.ReplaceAll(config, `'this.metadata.owner startsWith "@acme/"'`, loops)
	config = strings.ReplaceAll(config, `{metadata: {owner: "@acme/qa"}}`, criteria)
	start := time.Now()
	_, err := lint.LoadConfig(linttest.Library(map[string]string{lint.ConfigFile: config}), rules.All())
	if !errors.As(err, new(*lint.FileError)) {
		t.Fatalf("the error is %v, want a *FileError", err)
	}
	if took := time.Since(start); took > time.Minute {
		t.Errorf("reading the configuration took %v", took)
	}
}

func TestOwnRulesFindWhatTheySay(t *testing.T) {
	tests := []struct {
		reason, config string
		text           string
		want           []string
	}{
		{"a document that breaks a rule", ownRule, linttest.GoodRubric, []string{"rubrics/corpus/good_v1.yaml:1:12 error[acme/owner]"}},
		{"a document that follows it", ownRule, linttest.GoodRubric + "metadata: {owner: \"@acme/qa\"}\n", nil},
		{"a rule that is off", changedRule(t, "severity: error", `severity: "off"`), linttest.GoodRubric, nil},
		{"a rule that is switched off", "severity: {acme/owner: off}\n" + ownRule, linttest.GoodRubric, nil},
		{"another severity", "severity: {acme/owner: note}\n" + ownRule, linttest.GoodRubric, []string{"rubrics/corpus/good_v1.yaml:1:12 note[acme/owner]"}},
		{"a rule that does not apply", changedRule(t, "'true'", `'this.name == "x"'`, `{metadata: {owner: "qa"}}`, `{name: x}`), linttest.GoodRubric, []string{}},
		{"a rule about other documents", changedRule(t, "for: rubric", "for: ruleset"), linttest.GoodRubric, nil},
		{"what can't be decided is found", changedRule(t, `'true'`, `'len(this.criteria) == 0 or this.criteria[0].name != this.criteria[3].name'`), linttest.GoodRubric, []string{"rubrics/corpus/good_v1.yaml:1:12 error[acme/owner]"}},
	}
	for _, tt := range tests {
		fsys := linttest.Library(map[string]string{linttest.GoodPath: tt.text, lint.ConfigFile: tt.config})
		config, err := lint.LoadConfig(fsys, nil)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		var got []string
		for _, f := range linttest.Run(t, fsys, nil, lint.Options{Config: config}).Findings {
			got = append(got, fmt.Sprintf("%s:%d:%d %s[%s]", f.File, f.Start.Line, f.Start.Column, f.Severity, f.Rule.ID))
		}
		if strings.Join(got, "\n") != strings.Join(tt.want, "\n") {
			t.Errorf("%s: found are %q, want %q", tt.reason, got, tt.want)
		}
	}
}

// TestMessageOverLines: findings have one line, however the message is written.
func TestMessageOverLines(t *testing.T) {
	text := changedRule(t, "message: Add metadata.owner, the team", "message: |\n      Add metadata.owner,\n\n        the team")
	fsys := linttest.Library(map[string]string{linttest.GoodPath: linttest.GoodRubric, lint.ConfigFile: text})
	config := must.Get(lint.LoadConfig(fsys, nil))(t)
	want := "Add metadata.owner, the team that answers questions."
	if got := linttest.Run(t, fsys, nil, lint.Options{Config: config}).Findings[0]; got.Message != want || got.Rule.Why != want {
		t.Errorf("the message is %q, and the explanation %q", got.Message, got.Rule.Why)
	}
}
