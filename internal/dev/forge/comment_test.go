package forge_test

import (
	"strings"
	"testing"
)

// comments puts the findings of a pull request on its page, twice, with a token that can do
// nothing else.
func (f *forge) comments(t *testing.T) {
	dir, _ := f.on(t).starter()
	l := f.newLibrary(t, "comments", dir, object{"has_actions": false})
	p := l.open("topic", bad)
	token := l.accessToken(colleague, "comment", "write:issue,read:repository,read:user")
	for _, version := range []string{"1.0.0", "1.0.1"} {
		l.run(author, l.clone, edit("^version: .*", `version: "`+version+`"`)+"\ngit commit --quiet --all --allow-empty --message next")
		out, code := l.try(author, l.clone, "rubric lint --rev HEAD --base origin/main --format markdown=../findings.md || true\n"+
			"rubric comment gitea ../findings.md --plain-http --server "+l.url+" --repository "+l.name+" --number "+p.number.String(),
			"RUBRIC_COMMENT_TOKEN="+token)
		if code != 0 {
			t.Fatal(out)
		}
	}
	var comments []struct {
		Body string
		User struct{ Login string }
	}
	l.must(admin, "GET", l.api("/issues/"+p.number.String()+"/comments"), nil, &comments)
	if len(comments) != 1 || comments[0].User.Login != colleague || !strings.Contains(comments[0].Body, "1.0.1") {
		t.Errorf("want one comment of %s about 1.0.1: %+v", colleague, comments)
		return
	}
	works("one comment with the findings, which is updated", "docs/ci.md")
}
