package cli

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestVerifyNamesTheTexts: a wrong pattern is a result of its own, which no client has, and a
// document with one can be read but not applied.
func TestVerifyNamesTheTexts(t *testing.T) {
	var l bundletest.Library
	l.Verifiable = true
	for i := range 12 {
		broken := "\nnegative_criteria:\n  - {name: vague, fail_patterns: ['(etc']}\nscoring:"
		l.Documents = append(l.Documents, strings.Replace(scripttest.Rubric(fmt.Sprintf("a%02d_v1", i), "1.0.0", "prd"), "\nscoring:", broken, 1))
	}
	var data bytes.Buffer
	digest := must.Get(bundletest.Write(&data, l))(t)
	name := filepath.Join(t.TempDir(), "rubrics.zip")
	must.Do(t, os.WriteFile(name, data.Bytes(), 0o666))
	const problem = `rubrics/a00_v1/1.0.0.json: the pattern "(etc" is not a regular expression`
	for _, test := range []struct {
		args []string
		code int
		want []string
	}{
		{[]string{"verify", name}, command.ExitFindings, []string{name + " must not be used:\n  texts: " + problem + "\n  texts: rubrics/a01_v1/", "\n  texts: and more\n"}},
		{[]string{"verify", name, "--format", "json"}, command.ExitFindings, []string{
			`"ok": false,` + "\n" + `  "file"`, fmt.Sprintf(`"digest": %q`, digest), `"problems": [],` + "\n" + `  "texts": {` + "\n" + `    "ok": false,`,
		}},
		{[]string{"get", name, "a00_v1"}, command.ExitOK, []string{"(etc"}},
		{[]string{"site", name, "-o", filepath.Join(t.TempDir(), "site")}, command.ExitOK, []string{"documents: 12"}},
		{[]string{"push", name, "localhost:1/rubrics"}, command.ExitFailure, []string{"the pattern"}},
		{[]string{"build", "-o", name, "--previous", name}, command.ExitFailure, []string{"the pattern"}},
	} {
		var out strings.Builder
		code := command.Main(Rubric, test.args, command.Streams{In: strings.NewReader(""), Out: &out, Err: &out, Getenv: func(string) string { return "" }})
		if code != test.code {
			t.Errorf("%s exits with %d, want %d:\n%s", test.args, code, test.code, &out)
		}
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %q is missing in\n%s", test.args, want, &out)
			}
		}
	}
}

// TestVerifyNamesWhatClientsRefuse: in the latest version of a living document, a pattern that the
// clients refuse is an error, and in any other a note. Only a bundle of an earlier program has one.
func TestVerifyNamesWhatClientsRefuse(t *testing.T) {
	version := func(id, version, negative string) string {
		with := "\nnegative_criteria:\n  - {name: shout, " + negative + "}\nscoring:"
		text, _, _ := strings.Cut(scripttest.Rubric(id, version, "prd"), "\ncalibration_dataset:") // no retired rubric is calibrated
		return strings.Replace(text, "\nscoring:", with, 1) + "\n"
	}
	const flag, key = `fail_patterns: ['(?i)asap']`, `fail_patterns: [asap], ignore_case: true`
	const earlier = `rubrics/a_v1/1.0.0.json: the pattern "(?i)asap" has "(?i)", which the clients in Python and JavaScript refuse. Set ignore_case to true`
	const retired = `rubrics/b_v1/1.0.0.json: the pattern "\\0" has "\\0", which the clients in Python and JavaScript refuse. Write "\\x00"`
	ledger := "retired:\n  - {id: b_v1, kind: rubric, last_version: 1.0.0, reason: Nobody used it.}\n"
	for _, test := range []struct {
		reason    string
		documents []string
		code      int
		want      []string
	}{
		{"the latest", []string{version("a_v1", "1.0.0", flag)}, command.ExitFindings, []string{" must not be used:\n  texts: " + earlier}},
		{"an earlier and a retired one", []string{version("a_v1", "1.0.0", flag), version("a_v1", "1.0.1", key), version("b_v1", "1.0.0", `fail_patterns: ['\0']`)}, command.ExitOK,
			[]string{" is complete and unchanged", "\nnote: " + earlier, "\nnote: " + retired}},
	} {
		var data bytes.Buffer
		l := bundletest.Library{Verifiable: true, Documents: test.documents}
		if len(test.documents) > 1 {
			l.Ledger = ledger
		}
		must.Get(bundletest.Write(&data, l))(t)
		name := filepath.Join(t.TempDir(), "rubrics.zip")
		must.Do(t, os.WriteFile(name, data.Bytes(), 0o666))
		var out strings.Builder
		code := command.Main(Rubric, []string{"verify", name}, command.Streams{In: strings.NewReader(""), Out: &out, Err: &out, Getenv: func(string) string { return "" }})
		if code != test.code {
			t.Errorf("%s: exits with %d, want %d:\n%s", test.reason, code, test.code, &out)
		}
		for _, want := range test.want {
			if !strings.Contains(out.String(), want) {
				t.Errorf("%s: %q is missing in\n%s", test.reason, want, &out)
			}
		}
	}
}
