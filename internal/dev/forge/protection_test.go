package forge_test

import (
	"encoding/json"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// starter is a folder with the library of the tutorial, released as 1.0.0, and what `rubric init`
// printed.
func (f *forge) starter() (dir, printed string) {
	f.t.Helper()
	dir = folder(f.t)
	rubric := ""
	for _, step := range scripttest.Steps(f.t, "docs/tutorial.md") {
		if step.File == tutorialRubric {
			rubric = f.write("rubric.yaml", step.Text)
		}
	}
	f.run(admin, dir, "git init --quiet")
	printed = f.run(admin, dir, "rubric init --ci gitea --name 'Bug report quality' --artifact-type bug_reports"+
		" --owner @"+organization+"/quality")
	f.run(admin, dir, "cp '"+rubric+"' "+tutorialRubric+`
		git add . && git commit --quiet --message 'Start a library' && rubric lint
		tag=$(rubric build -o ../rubrics.zip --first-release | tail -n 1)
		eval "$tag"`)
	return dir, printed
}

// request is a call of the API that `rubric init` prints.
type request struct {
	method, path string
	body         json.RawMessage
}

var requestLine = regexp.MustCompile(`(?m)^ *(POST|PUT|PATCH) +(?:/api/v1)?(/repos/\S+)$`)

// requests returns the calls in the output of `rubric init`.
func requests(t *testing.T, printed string) (found []request) {
	t.Helper()
	for _, at := range requestLine.FindAllStringSubmatchIndex(printed, -1) {
		r := request{method: printed[at[2]:at[3]], path: printed[at[4]:at[5]]}
		must.Do(t, json.NewDecoder(strings.NewReader(printed[at[1]:])).Decode(&r.body))
		found = append(found, r)
	}
	if len(found) == 0 {
		t.Fatalf("rubric init prints no call of the API:\n%s", printed)
	}
	return found
}

// protect sends the calls that `rubric init` printed.
func (l *library) protect(printed string) {
	l.t.Helper()
	for _, r := range requests(l.t, printed) {
		l.must(admin, r.method, strings.NewReplacer("OWNER/REPOSITORY", l.name).Replace(r.path), r.body, nil)
	}
}
