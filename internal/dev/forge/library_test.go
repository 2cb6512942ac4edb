package forge_test

import (
	"encoding/json"
	"net/http"
	"strings"
	"time"
)

// library is a repository on the forge.
type library struct {
	*forge
	name  string // OWNER/NAME
	clone string // the author's
}

// api is the path of the repository in the API.
func (l *library) api(path string) string { return "/repos/" + l.name + path }

// pull is a pull request.
type pull struct {
	*library
	number       json.Number
	branch, head string
}

// openFrom opens a pull request from a branch.
func (l *library) openFrom(branch, base string) *pull {
	l.t.Helper()
	p := &pull{library: l, branch: branch}
	p.number = l.request(author, branch, base)
	p.update()
	return p
}

// request opens a pull request as a user, once the server has taken notice of the branch.
func (l *library) request(as, head, base string) (number json.Number) {
	l.t.Helper()
	l.wait("there is a branch "+head, time.Minute, func() bool {
		var created struct{ Number json.Number }
		status, why := l.call(as, "POST", l.api("/pulls"), object{"title": head, "head": head, "base": base}, &created)
		if status >= 300 && status != http.StatusNotFound {
			l.t.Fatalf("a pull request from %s to %s: %d %s", head, base, status, why)
		}
		number = created.Number
		return number != ""
	})
	return number
}

func (p *pull) path(path string) string { return p.api("/pulls/" + p.number.String() + path) }

// update reads the last commit of the pull request.
func (p *pull) update() {
	p.t.Helper()
	var now struct{ Head struct{ SHA string } }
	p.must(admin, "GET", p.path(""), nil, &now)
	p.head = now.Head.SHA
}

// check is the name under which the workflow reports about a pull request, and onMain the one
// about main.
const (
	check  = "rubrics / rubric-library (pull_request)"
	onMain = "rubrics / rubric-library (push)"
)

// state returns what a run reports about a commit, or "" if nothing does.
func (l *library) state(commit, context string) (state string) {
	l.t.Helper()
	var statuses []struct {
		ID              int64
		Context, Status string
	}
	l.must(admin, "GET", l.api("/commits/"+commit+"/statuses?limit=50"), nil, &statuses)
	newest := int64(0)
	for _, s := range statuses {
		if s.Context == context && s.ID > newest {
			newest, state = s.ID, s.Status
		}
	}
	return state
}

// verdict waits for the end of a run, and returns what it reports about a commit.
func (l *library) verdict(commit, context string) (state string) {
	l.t.Helper()
	// The first run on a machine compiles the programs.
	l.wait("the check has reported", 5*time.Minute, func() bool {
		state = l.state(commit, context)
		return state != "" && state != "pending"
	})
	return state
}

// verdict waits for the check of the pull request.
func (p *pull) verdict() string {
	p.t.Helper()
	p.update()
	return p.library.verdict(p.head, check)
}

// expect fails if the check says something else.
func (p *pull) expect(state string) *pull {
	p.t.Helper()
	if got := p.verdict(); got != state {
		p.t.Fatalf("the check of pull request %s says %s, want %s:\n%s", p.number, got, state, p.log())
	}
	return p
}

// log returns the log of the last job.
func (l *library) log() (text string) {
	l.t.Helper()
	var jobs struct{ Jobs []struct{ ID json.Number } }
	l.must(admin, "GET", l.api("/actions/jobs?limit=50"), nil, &jobs)
	last := json.Number("0")
	for _, job := range jobs.Jobs {
		if a, _ := job.ID.Int64(); a > must64(last) {
			last = job.ID
		}
	}
	l.must(admin, "GET", l.api("/actions/jobs/"+last.String()+"/logs"), nil, &text)
	return text
}

// logHas reports whether the log of the last job has a text. Parts of a log arrive after the result of
// its job.
func (l *library) logHas(text string) (log string, has bool) {
	l.t.Helper()
	for end := time.Now().Add(30 * time.Second); ; time.Sleep(200 * time.Millisecond) {
		log = l.log()
		has = strings.Contains(log, text)
		if has || time.Now().After(end) {
			return log, has
		}
	}
}

func must64(n json.Number) int64 {
	value, _ := n.Int64()
	return value
}

// mergeAs merges as a user, with a style of Gitea: merge, squash, rebase, or another one.
func (p *pull) mergeAs(as, style string, more object) (merged bool, why string) {
	p.t.Helper()
	body := object{"Do": style}
	for key, value := range more {
		body[key] = value
	}
	p.wait("Gitea knows whether pull request "+p.number.String()+" has conflicts", time.Minute, func() bool {
		var status int
		status, why = p.call(as, "POST", p.path("/merge"), body, nil)
		merged = status < 300
		return !strings.Contains(why, "try again later")
	})
	return merged, why
}

// merge merges as the author, which has to succeed.
func (p *pull) merge() {
	p.t.Helper()
	if merged, why := p.mergeAs(author, "merge", nil); !merged {
		p.t.Fatalf("pull request %s was not merged: %s", p.number, why)
	}
}
