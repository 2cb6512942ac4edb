package forge_test

import (
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// unreachable is the environment of jobs that reach only the forge.
const unreachable = `    env: {HTTPS_PROXY: "http://127.0.0.1:1", https_proxy: "http://127.0.0.1:1", GOPROXY: "off"}
`

// closed plays the section about closed networks: the programs are built and put into the forge's
// registry, and jobs that reach only the forge check with them.
func (f *forge) closed(t *testing.T) {
	const page, file, workflow = "docs/ci.md", "rubrics/bug_reports/a_v1.yaml", ".gitea/workflows/rubrics.yml"
	f = f.on(t)
	_, section, _ := strings.Cut(scripttest.Text(t, page), "\n### Closed networks\n")
	section, _, _ = strings.Cut(section, "\n### ")
	blocks := regexp.MustCompile("(?s)```(sh|yaml)\n(.*?)```").FindAllStringSubmatch(section, -1)
	if len(blocks) != 2 {
		t.Fatalf("the section has %d blocks, want how the archive is built, and the steps", len(blocks))
	}
	clone := filepath.Join(f.dir, "closed")
	f.run(author, f.dir, "git clone --quiet "+f.url+"/"+authoring.Project+" closed")
	build := strings.NewReplacer("https://<server>", f.url, "<owner>", organization, "<name>", author, "<token>", f.users[author].token).Replace(blocks[0][2])
	out, code := f.try(author, clone, build, f.jobEnvironment()...)
	sum := regexp.MustCompile(`[0-9a-f]{64}`).FindString(out)
	if code != 0 || sum == "" {
		t.Fatalf("building the archive exits with %d:\n%s", code, out)
	}

	const name = "closed"
	f.must(admin, "POST", "/orgs/"+organization+"/repos", object{"name": name, "default_branch": "main"}, nil)
	l := &library{forge: f, name: organization + "/" + name, clone: filepath.Join(f.dir, "closed-library")}
	f.run(author, l.clone, "git init --quiet && git remote add origin "+f.url+"/"+l.name+" && rubric init --yes --ci gitea --owner @"+owner+" && rm -r rubrics/documents")
	use := usedAction.FindStringSubmatch(scripttest.Text(t, filepath.Join(l.clone, workflow)))
	steps := strings.NewReplacer("<owner>/checkout@<commit>", use[1]+"@"+use[3], "<owner>/rubric-library@<commit>", authoring.Project+"@"+f.commit,
		"https://<server>", f.url, "<owner>", organization, "<SHA-256>", sum).Replace(blocks[1][2])
	before, _, _ := strings.Cut(scripttest.Text(t, filepath.Join(l.clone, workflow)), "    steps:\n")
	f.write("closed-library/"+workflow, before+unreachable+"    steps:\n"+steps)
	f.write("closed-library/"+file, scripttest.Rubric("a_v1", "1.0.0", "bug_reports"))
	f.run(author, l.clone, "git add . && git commit --quiet --message begin && git push --quiet origin HEAD:main")

	change := "sed -i 's/^name: /name: New /' " + file
	right := change + ` && sed -i 's/^version: "1.0.0"/version: "1.0.1"/' ` + file
	l.pushed("right", right).expect("success")
	l.pushed("wrong", change).expect("failure")
	if log, has := l.logHas("Change version 1.0.0 to 1.0.1"); !has {
		t.Errorf("the log lacks the finding:\n%s", log)
	}
	works("the check in a closed network, with the programs of the forge's registry", page)
	p := l.pushed("checksum", right+" && sed -i 's/checksum: .*/checksum: "+strings.Repeat("0", 64)+"/' "+workflow)
	state := p.verdict()
	log, refused := l.logHas("has the wrong SHA-256")
	attempt{name: "programs with another checksum than the pinned one", page: page}.show(t, state == "success" || !refused, log)
}

// pushed opens a pull request from a new branch with a change.
func (l *library) pushed(branch, change string) *pull {
	l.t.Helper()
	l.run(author, l.clone, "git switch --quiet --force-create "+branch+" main && "+change+" && git commit --quiet --all --message change && git push --quiet origin "+branch)
	return l.openFrom(branch, "main")
}
