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
