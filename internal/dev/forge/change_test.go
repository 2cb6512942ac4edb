package forge_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// newLibrary creates a repository with a commit of a folder on main.
func (f *forge) newLibrary(t *testing.T, name, from string, settings object) *library {
	t.Helper()
	l := &library{forge: f.on(t), name: organization + "/" + name, clone: folder(t)}
	l.must(admin, "POST", "/orgs/"+organization+"/repos", object{"name": name, "default_branch": "main"}, nil)
	if settings != nil {
		l.must(admin, "PATCH", l.api(""), settings, nil)
	}
	l.run(admin, from, "git push --quiet --follow-tags "+l.url+"/"+l.name+" HEAD:refs/heads/main")
	l.wait("the server has taken notice of the push", time.Minute, func() bool {
		status, _ := l.call(admin, "GET", l.api("/branches/main"), nil, nil)
		return status < 300
	})
	l.run(author, l.dir, "git clone --quiet "+l.url+"/"+l.name+" '"+l.clone+"'")
	return l
}

// open commits the result of a script to a new branch of the author, and opens a pull request.
func (l *library) open(branch, script string) *pull {
	l.t.Helper()
	l.run(author, l.clone, "git fetch --quiet && git switch --quiet --no-track --create "+branch+" origin/main")
	return l.change(script).openFrom(branch, "main")
}

// change commits the result of a script to the branch of the clone, and pushes it.
func (l *library) change(script string) *library {
	l.t.Helper()
	l.run(author, l.clone, script+"\ngit add --all && git commit --quiet --message 'Change' && git push --quiet")
	return l
}

// report posts a state under the name of the check, as anyone with write access can.
func (p *pull) report(as, state string) (posted bool) {
	p.t.Helper()
	p.update()
	status, _ := p.call(as, "POST", p.api("/statuses/"+p.head), object{"context": check, "state": state}, nil)
	return status < 300
}

// green stands for a run that passes.
func (p *pull) green() *pull {
	p.t.Helper()
	if !p.report(admin, "success") {
		p.t.Fatal("the state was not accepted")
	}
	return p
}

// approve approves the last commit as a user.
func (p *pull) approve(as string) *pull {
	p.t.Helper()
	p.must(as, "POST", p.path("/reviews"), object{"event": "APPROVED", "body": "fine"}, nil)
	return p
}

// mainIs returns the commit of the branch main on the server.
func (l *library) mainIs() string {
	l.t.Helper()
	return strings.Fields(l.run(admin, l.dir, "git ls-remote "+l.url+"/"+l.name+" refs/heads/main") + " none")[0]
}

// edit is a script that changes the rubric of the tutorial.
func edit(from, to string) string {
	return fmt.Sprintf("sed -i 's/%s/%s/' %s", from, to, filepath.Join("rubrics", "bug_reports", "*.yaml"))
}

// These are changes of the rubric, and the version that they require.
var (
	lower     = edit("pass_threshold: 3.5", "pass_threshold: 3.0")
	reword    = edit("Export is broken", "Export fails")
	minor     = edit(`version: "1.0.0"`, `version: "1.1.0"`)
	good, bad = lower + "\n" + minor, lower
)
