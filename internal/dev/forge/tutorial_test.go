package forge_test

import (
	"encoding/base64"
	"path/filepath"
	"strings"
	"testing"
)

const tutorialRubric = "rubrics/bug_reports/bug_report_quality_v1.yaml"

// tutorial plays the tutorial up to the merge, and returns the folder of the author's clone.
func (f *forge) tutorial(t *testing.T) {
	const name = "bug-rubrics"
	f = f.on(t)
	f.must(admin, "POST", "/orgs/"+organization+"/repos", object{"name": name, "default_branch": "main"}, nil)
	l := &library{forge: f, name: organization + "/" + name}
	l.clone = f.playPage("docs/tutorial.md", filepath.Join(f.dir, "tutorial"),
		strings.NewReplacer("https://github.com/", f.url+"/", "--ci github", "--ci gitea"))
	p := l.openFrom("lower-the-threshold", "main").expect("failure")
	if log, has := l.logHas("Change version 1.0.0 to 1.1.0"); !has {
		t.Errorf("the log lacks the finding of the tutorial:\n%s", log)
	}
	p.editFile(tutorialRubric, `version: "1.0.0"`, `version: "1.1.0"`)
	p.expect("success").merge()
	works("the tutorial up to the merge", "docs/tutorial.md")
}

// editFile changes a text of a file on the branch of a pull request, as the form of the web page
// does.
func (p *pull) editFile(name, from, to string) {
	p.t.Helper()
	var file struct{ SHA, Content string }
	path := p.api("/contents/" + name)
	p.must(author, "GET", path+"?ref="+p.branch, nil, &file)
	text, err := base64.StdEncoding.DecodeString(file.Content)
	if err != nil || !strings.Contains(string(text), from) {
		p.t.Fatalf("%s lacks %q, %v", name, from, err)
	}
	content := base64.StdEncoding.EncodeToString([]byte(strings.Replace(string(text), from, to, 1)))
	p.must(author, "PUT", path, object{"branch": p.branch, "sha": file.SHA, "content": content, "message": "Edit"}, nil)
}
