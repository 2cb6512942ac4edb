package forge_test

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/cookiejar"
	"net/url"
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// lastRun returns the number of the newest run, as in its address.
func (l *library) lastRun() json.Number {
	l.t.Helper()
	var tasks struct {
		Runs []struct {
			Number json.Number `json:"run_number"`
		} `json:"workflow_runs"`
	}
	l.must(admin, "GET", l.api("/actions/tasks?limit=1"), nil, &tasks)
	if len(tasks.Runs) == 0 {
		l.t.Fatal("there is no run")
	}
	return tasks.Runs[0].Number
}

var csrf = regexp.MustCompile(`csrfToken: '([^']+)'`)

// rerun repeats a run as a user, which only the pages of Gitea can do.
func (l *library) rerun(as string, run json.Number) {
	l.t.Helper()
	browser := &http.Client{Jar: must.Get(cookiejar.New(nil))(l.t)}
	token := ""
	post := func(path string, form url.Values) {
		form.Set("_csrf", token)
		response := must.Get(browser.PostForm(l.url+path, form))(l.t)
		defer response.Body.Close()
		text := string(must.Get(io.ReadAll(response.Body))(l.t))
		if response.StatusCode >= 300 {
			l.t.Fatalf("%s as %s: %s %s", path, as, response.Status, text)
		}
		if found := csrf.FindStringSubmatch(text); found != nil {
			token = found[1]
		}
	}
	page := must.Get(browser.Get(l.url + "/user/login"))(l.t)
	defer page.Body.Close()
	found := csrf.FindStringSubmatch(string(must.Get(io.ReadAll(page.Body))(l.t)))
	if found == nil {
		l.t.Fatal("the page for signing in has no token")
	}
	token = strings.TrimSpace(found[1])
	post("/user/login", url.Values{"user_name": {as}, "password": {l.users[as].password}})
	post("/"+l.name+"/actions/runs/"+run.String()+"/rerun", url.Values{})
}
