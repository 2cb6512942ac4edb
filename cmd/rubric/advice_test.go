package main

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// lintAdvises runs rubric lint, and checks that a rule has a message: advises RULE PATTERN [FLAG...].
func lintAdvises(ts *testscript.TestScript, args []string) {
	pattern := regexp.MustCompile(args[1])
	found := lintFindings(ts, args[2:])
	if !slices.ContainsFunc(found, func(f printer.Finding) bool { return f.Rule == args[0] && pattern.MatchString(f.Message) }) {
		ts.Fatalf("%s does not say %s:\n%s", args[0], args[1], ts.ReadFile("stdout"))
	}
	ts.Setenv("ADVISED_"+args[0], "yes")
}

// lintObeyed runs rubric lint, and checks that it has no error and is content with what a user did
// about the advice of a rule: obeyed RULE [FLAG...].
func lintObeyed(ts *testscript.TestScript, args []string) {
	if ts.Getenv("ADVISED_"+args[0]) == "" {
		ts.Fatalf("%s did not advise anything", args[0])
	}
	for _, f := range lintFindings(ts, args[1:]) {
		if f.Rule == args[0] || f.Severity == lint.Error.String() {
			ts.Fatalf("after the advice of %s was obeyed, %s says: %s", args[0], f.Rule, f.Message)
		}
	}
	ts.Setenv("ADVISED_"+args[0], "")
}

func lintFindings(ts *testscript.TestScript, flags []string) []printer.Finding {
	_ = ts.Exec("rubric", append([]string{"lint", "--format", "json"}, flags...)...) // errors are findings
	var report printer.Report
	ts.Check(json.Unmarshal([]byte(ts.ReadFile("stdout")), &report))
	return report.Findings
}

// TestAdviceAboutCalibrationIsObeyed: of each lint rule about calibration, a script obeys the advice,
// after which lint is green.
func TestAdviceAboutCalibrationIsObeyed(t *testing.T) {
	scripts := ""
	for _, name := range must.Get(filepath.Glob("cmd/rubric/testdata/script/calibrate-*.txtar"))(t) {
		scripts += string(read(t, name))
	}
	about := []string{"evidence-changed", "dataset-left"} // in the history
	for _, rule := range rules.All() {
		if rule.Family == "Calibration" {
			about = append(about, rule.ID)
		}
	}
	if len(about) < 20 {
		t.Fatalf("only %v are about calibration", about)
	}
	for _, id := range about {
		if !strings.Contains(scripts, "\nobeyed "+id+"\n") && !strings.Contains(scripts, "\nobeyed "+id+" ") {
			t.Errorf("no script obeys the advice of %s: advises %[1]s PATTERN, then what a user does, then obeyed %[1]s", id)
		}
	}
}
