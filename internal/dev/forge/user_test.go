package forge_test

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// user is an account, with a token for everything that it may do.
type user struct{ name, password, token string }

// organization owns the libraries.
const organization = "acme"

func (f *forge) addUser(name string) {
	f.t.Helper()
	u := user{name: name, password: secret()}
	args := []string{
		"admin", "user", "create", "--username", name, "--password", u.password, "--email", name + "@example.org",
		"--must-change-password=false",
	}
	if name == admin {
		args = append(args, "--admin")
	}
	f.gitea(args...)
	u.token = f.accessToken(name, "all", "all")
	f.users[name] = u
	f.write("home/"+name+"/.gitconfig", `[user]
	name = `+name+`
	email = `+name+`@example.org
[init]
	defaultBranch = main
[push]
	autoSetupRemote = true
[maintenance]
	auto = false
[http "`+f.url+`"]
	extraHeader = Authorization: Basic `+base64.StdEncoding.EncodeToString([]byte(name+":"+u.token))+`
`)
}

// accessToken returns a new token of a user.
func (f *forge) accessToken(user, name, scopes string) string {
	f.t.Helper()
	return f.newToken("admin", "user", "generate-access-token", "--username", user, "--token-name", name, "--scopes", scopes, "--raw")
}

// addOrganization adds the teams: owners of rubrics, and authors.
func (f *forge) addOrganization() {
	f.t.Helper()
	f.must(admin, "POST", "/orgs", object{"username": organization}, nil)
	for team, members := range map[string][]string{"quality": {owner, owner2}, "authors": {author, colleague}} {
		var created struct{ ID json.Number }
		f.must(admin, "POST", "/orgs/"+organization+"/teams", object{
			"name": team, "permission": "write", "includes_all_repositories": true, "units_map": map[string]string{
				"repo.code": "write", "repo.pulls": "write", "repo.actions": "write",
				"repo.releases": "write", "repo.issues": "write", "repo.packages": "write",
			},
		}, &created)
		for _, member := range members {
			f.must(admin, "PUT", "/teams/"+created.ID.String()+"/members/"+member, nil, nil)
		}
	}
}

type object = map[string]any

// call sends a request to the API as a user. The answer is decoded into answer, which can be nil.
func (f *forge) call(as, method, path string, body, answer any) (status int, text string) {
	f.t.Helper()
	var content io.Reader
	if body != nil {
		content = bytes.NewReader(must.Get(json.Marshal(body))(f.t))
	}
	request := must.Get(http.NewRequestWithContext(f.t.Context(), method, f.url+"/api/v1"+path, content))(f.t)
	request.Header.Set("Authorization", "token "+f.users[as].token)
	request.Header.Set("Content-Type", "application/json")
	response := must.Get(http.DefaultClient.Do(request))(f.t)
	defer response.Body.Close()
	data := must.Get(io.ReadAll(response.Body))(f.t)
	if raw, isText := answer.(*string); isText {
		*raw = string(data)
	} else if answer != nil && response.StatusCode < 300 {
		must.Do(f.t, json.Unmarshal(data, answer))
	}
	return response.StatusCode, string(data)
}

// must sends a request that has to succeed.
func (f *forge) must(as, method, path string, body, answer any) {
	f.t.Helper()
	if status, text := f.call(as, method, path, body, answer); status >= 300 {
		f.t.Fatalf("%s %s as %s: %d %s", method, path, as, status, text)
	}
}

// run runs a bash script of a user that must succeed, and returns its output.
func (f *forge) run(as, dir, script string) string {
	f.t.Helper()
	out, code := f.try(as, dir, script)
	if code != 0 {
		f.t.Fatalf("%s\nexits with %d:\n%s", script, code, out)
	}
	return out
}

// try runs a bash script of a user in a folder, which is created.
func (f *forge) try(as, dir, script string, env ...string) (out string, code int) {
	f.t.Helper()
	must.Do(f.t, os.MkdirAll(dir, 0o777))
	c := exec.CommandContext(f.t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script)
	c.Dir = dir
	c.Env = append(f.environment(as), env...)
	data, err := c.CombinedOutput()
	if err != nil && c.ProcessState == nil {
		f.t.Fatal(err)
	}
	return string(data), c.ProcessState.ExitCode()
}

// folder returns a new path in the temporary folder of a test.
func folder(t *testing.T) string {
	t.Helper()
	return filepath.Join(t.TempDir(), "clone")
}
