package lint_test

import (
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

func TestConfigurationSetsSeverities(t *testing.T) {
	rules := linttest.Only(rules.All(), "hidden-threshold", "scoring-absent")
	hidden := linttest.Changed(t, "threshold: 3.0", "threshold: 2.0")
	tests := []struct {
		reason, config string
		want           lint.Summary // without the counts of files
	}{
		{"without a configuration the defaults count", "", lint.Summary{Warnings: 1}},
		{"a configuration of comments has the defaults", "# severity:\n", lint.Summary{Warnings: 1}},
		{"an empty group changes nothing", "severity: {}\n", lint.Summary{Warnings: 1}},
		{"raised", "severity:\n  hidden-threshold: error\n", lint.Summary{Errors: 1}},
		{"lowered", "severity: {hidden-threshold: note}\n", lint.Summary{Notes: 1}},
		{"switched off", "severity:\n  hidden-threshold: \"off\"\n", lint.Summary{}},
		{"switched off without quotes", "severity:\n  hidden-threshold: off\n", lint.Summary{}},
		{"set to what it is", "severity:\n  hidden-threshold: warning\n", lint.Summary{Warnings: 1}},
		{"of another rule", "severity:\n  scoring-absent: error\n", lint.Summary{Warnings: 1}},
	}
	for _, tt := range tests {
		files := map[string]string{linttest.GoodPath: hidden}
		if tt.config != "" {
			files[lint.ConfigFile] = tt.config
		}
		fsys := linttest.Library(files)
		config, err := lint.LoadConfig(fsys, rules)
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		tt.want.Files, tt.want.Rubrics = 1, 1
		report := linttest.Run(t, fsys, rules, lint.Options{Config: config})
		if report.Summary != tt.want {
			t.Errorf("%s: the summary is %+v, want %+v", tt.reason, report.Summary, tt.want)
		}
		if found := tt.want.Errors + tt.want.Warnings + tt.want.Notes; len(report.Findings) != found {
			t.Errorf("%s: %d findings, want %d", tt.reason, len(report.Findings), found)
		}
	}
}

// TestARuleThatIsOffNeedsNoIgnore: switching a rule off must not turn the
// ignores of its findings into findings.
func TestARuleThatIsOffNeedsNoIgnore(t *testing.T) {
	rules := linttest.Only(rules.All(), "hidden-threshold", "ignore-unused")
	fsys := linttest.Library(map[string]string{
		linttest.GoodPath: linttest.Changed(t, "threshold: 3.0", "threshold: 2.0 # rubric-lint: ignore hidden-threshold -- agreed"),
		lint.ConfigFile:   "severity:\n  hidden-threshold: \"off\"\n",
	})
	config := must.Get(lint.LoadConfig(fsys, rules))(t)
	if got := linttest.Brief(linttest.Run(t, fsys, rules, lint.Options{Config: config}).Findings); len(got) > 0 {
		t.Errorf("found are %q, want nothing", got)
	}
}

func TestConfigurationThatCanNotBeUsed(t *testing.T) {
	tests := []struct {
		reason, config string
		want           []string // beginnings of the problems
	}{
		{"an unknown key", "severities: {}\n", []string{`1:1: "severities" is not a key of the configuration`}},
		{"a key that is not yet supported", "fail_level: error\n", []string{`1:1: "fail_level" is not a key of the configuration`}},
		{"an unknown lint rule", "severity:\n  no-rule-at-all: error\n", []string{"2:3: There is no lint rule \"no-rule-at-all\". `rubric-lint --list-rules` lists them."}},
		{"a lint rule that is misspelled", "severity:\n  hiden-threshold: error\n", []string{`2:3: There is no lint rule "hiden-threshold". Did you mean "hidden-threshold"?`}},
		{"a lint rule that is firm", "severity:\n  duplicate-id: warning\n", []string{"2:3: The severity of duplicate-id can't be changed"}},
		{"an unknown severity", "severity:\n  hidden-threshold: fatal\n", []string{`2:21: "hidden-threshold" must be`}},
		{"a severity that is misspelled", "severity:\n  hidden-threshold: eror\n", []string{`2:21: "hidden-threshold" must be "error", "warning", "note", or "off", got "eror". Did you mean "error"?`}},
		{"a severity without value", "severity:\n  hidden-threshold:\n", []string{`2:3: "hidden-threshold" is empty`}},
		{"a list of rules", "severity:\n  - hidden-threshold: error\n", []string{`1:1: "severity" must be a group of keys, not a list`}},
		{"severity without value", "severity:\n", []string{`1:1: "severity" is empty`}},
		{"a text", "error\n", []string{`1:1: The configuration must be a group of keys, not a single value`}},
		{"a duplicate rule", "severity:\n  hidden-threshold: error\n  hidden-threshold: note\n", []string{"3:3: The key"}},
		{"invalid YAML", "severity: {hidden-threshold: error\n", []string{"1:11: This bracket is never closed."}},
		{"an alias", "severity: *all\n", []string{"1:11: Put this in quotes"}},
		{"text that is not UTF-8", "severity: {} # caf\xe9\n", []string{"1:19: Byte 0xE9 is not UTF-8 text."}},
		{"a target that no correlation reaches", "calibration:\n  target: 1.2\n", []string{`2:11: "target" must be from 0.0 to 1.0, got 1.2.`}},
		{"items that are always enough", "calibration:\n  minimum_items: 0\n", []string{`2:18: "minimum_items" must be from 3 to 1000000, got 0.`}},
		{"half an item", "calibration:\n  enough_items: 30.5\n", []string{`2:17: "enough_items" must be a whole number`}},
		{"fewer than the minimum can't be enough", "calibration:\n  minimum_items: 40\n", []string{"2:18: enough_items must not be less than minimum_items, got minimum_items 40 and enough_items 30. Change one of them."}},
		{"the other way round", "calibration:\n  enough_items: 5\n", []string{"2:17: enough_items must not be less than minimum_items, got minimum_items 10"}},
		{"an unknown setting", "calibration:\n  minimum: 5\n", []string{`2:3: "minimum" is not a key of`}},
		{"an unknown engine", "engines: [go, ruby]\n", []string{`1:15: This engine must be "go", "python", or "javascript", got "ruby".`}},
		{"an engine that is misspelled", "engines: [go, pyton]\n", []string{`1:15: This engine must be "go", "python", or "javascript", got "pyton". Did you mean "python"?`}},
		{"engines without Go", "engines: [python]\n", []string{"1:10: Add go to the engines: the library itself uses it."}},
		{"no engine", "engines: []\n", []string{"1:10: "}},
		{"an engine that is not a list", "engines: go\n", []string{`1:10: "engines" must be a list, not a single value`}},
		{"all that is wrong is said at once", "severity:\n  duplicate-id: note\n  hidden-threshold: bad\nmore: 1\n", []string{
			"2:3: The severity of duplicate-id", `3:21: "hidden-threshold" must be`, `4:1: "more" is not a key`,
		}},
	}
	for _, tt := range tests {
		checkProblems(t, tt.reason, tt.config, tt.want)
	}
}

// checkProblems checks the beginnings of the problems of a configuration.
func checkProblems(t *testing.T, reason, config string, want []string) {
	t.Helper()
	_, err := lint.LoadConfig(linttest.Library(map[string]string{lint.ConfigFile: config}), rules.All())
	var configErr *lint.FileError
	if !errors.As(err, &configErr) {
		t.Errorf("%s: the error is %v, want a *FileError", reason, err)
		return
	}
	var got []string
	for i, p := range configErr.Problems {
		at := configErr.File.Position(p.Span.Start)
		line := fmt.Sprintf("%d:%d: %s", at.Line, at.Column, p.Message)
		if !strings.Contains(err.Error(), lint.ConfigFile+":"+line) {
			t.Errorf("%s: the error does not say %q: %v", reason, line, err)
		}
		if i < len(want) && strings.HasPrefix(line, want[i]) {
			line = want[i]
		}
		got = append(got, line)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("%s (-want the beginnings +got):\n%s", reason, diff)
	}
}

func TestAConfigurationThatCanNotBeReadIsAnError(t *testing.T) {
	fsys := faultyFS{linttest.Library(map[string]string{lint.ConfigFile: "severity: {}\n"}), map[string]fault{lint.ConfigFile: {open: fs.ErrPermission}}}
	config, err := lint.LoadConfig(fsys, rules.All())
	if config != nil || !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), lint.ConfigFile) {
		t.Errorf("the error is %v, want the reason with the name of the file", err)
	}
}

// TestConfigurationKnowsTheRulesThatCanBeSuppressed sets every one of them.
func TestConfigurationKnowsTheRulesThatCanBeSuppressed(t *testing.T) {
	var config strings.Builder
	config.WriteString("severity:\n")
	var want []string
	for _, r := range rules.All() {
		if !r.Unsuppressable {
			config.WriteString("  " + r.ID + ": note\n")
			want = append(want, r.ID)
		}
	}
	c := must.Get(lint.ParseConfig(source.NewFile(lint.ConfigFile, []byte(config.String())), rules.All()))(t)
	var got []string
	for _, r := range rules.All() {
		if s, set := c.Severity(r); set && s == lint.Note {
			got = append(got, r.ID)
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-suppressable +set):\n%s", diff)
	}
}

func TestConfigurationSetsCalibration(t *testing.T) {
	defaults := decide.Settings{Target: 0.7, MinimumItems: 10, EnoughItems: 30, MinimumCoverage: 0.95, MaximumBias: 0.5, MinimumRate: 0.7, MaximumAge: 35}
	tests := []struct {
		reason, config string
		want           decide.Settings
	}{
		{"no configuration", "", defaults},
		{"another setting", "severity: {}\n", defaults},
		{"an empty group", "calibration: {}\n", defaults},
		{"one setting", "calibration:\n  target: 0.8\n", decide.Settings{Target: 0.8, MinimumItems: 10, EnoughItems: 30, MinimumCoverage: 0.95, MaximumBias: 0.5, MinimumRate: 0.7, MaximumAge: 35}},
		{"line endings of Windows", "calibration:\r\n  target: 0.8\r\n", decide.Settings{Target: 0.8, MinimumItems: 10, EnoughItems: 30, MinimumCoverage: 0.95, MaximumBias: 0.5, MinimumRate: 0.7, MaximumAge: 35}},
		{"all settings", "calibration: {target: 0, minimum_items: 3, enough_items: 3, minimum_coverage: 1, maximum_bias: 0.25, minimum_rate: 0.8, maximum_age_days: 7}\n", decide.Settings{Target: 0, MinimumItems: 3, EnoughItems: 3, MinimumCoverage: 1, MaximumBias: 0.25, MinimumRate: 0.8, MaximumAge: 7}},
	}
	for _, tt := range tests {
		config, err := lint.ParseConfig(source.NewFile(lint.ConfigFile, []byte(tt.config)), rules.All())
		if err != nil {
			t.Errorf("%s: %v", tt.reason, err)
			continue
		}
		if diff := cmp.Diff(tt.want, config.Calibration); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.reason, diff)
		}
	}
}

func TestConfigurationHoldsNoHiddenText(t *testing.T) {
	_, err := lint.ParseConfig(source.NewFile(lint.ConfigFile, []byte("severity: # \u202e\n  no-calibration: note\n")), rules.All())
	if err == nil || !strings.Contains(err.Error(), "U+202E") || strings.Contains(err.Error(), "\u202e") {
		t.Errorf("the error is %v, want one that names U+202E", err)
	}
}
