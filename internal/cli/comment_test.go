package cli

import (
	"encoding/json"
	"fmt"
	"io"
	"log"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
)

const commentToken = "t0ken-of-the-b0t"

// note is a comment on a fake host.
type note struct {
	id     int64
	author int64
	body   string
}

// fakeForge answers as the API of Gitea or GitLab does, and refuses every request that it does not
// expect.
type fakeForge struct {
	t      *testing.T
	gitlab bool
	notes  []note
	// calls are the methods that changed something.
	calls []string
	// head and target are those of the pull request.
	head, target string
	// instead answers a path itself if it is set.
	instead func(w http.ResponseWriter, r *http.Request) bool
}

func (f *fakeForge) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if f.instead != nil && f.instead(w, r) {
		return
	}
	pull := "/api/v1/repos/acme/rubrics/pulls/7"
	user, list, edited, edit := "/api/v1/user", "/api/v1/repos/acme/rubrics/issues/7/comments", "/api/v1/repos/acme/rubrics/issues/comments/", "PATCH"
	if f.gitlab {
		user, list, edit = "/api/v4/user", "/api/v4/projects/acme%2Fteam%2Frubrics/merge_requests/7/notes", "PUT"
		pull, edited = strings.TrimSuffix(list, "/notes"), list+"/"
	}
	path := r.URL.EscapedPath()
	if r.Header.Get("Authorization") != "Bearer "+commentToken || r.Header.Get("Accept") != "application/json" {
		f.t.Errorf("%s %s has the headers %v", r.Method, path, r.Header)
	}
	id, isEdit := strings.CutPrefix(path, edited)
	switch {
	case r.Method == "GET" && path == user:
		fmt.Fprint(w, `{"id": 42, "login": "bot", "username": "bot"}`)
	case r.Method == "GET" && path == pull && f.gitlab:
		fmt.Fprintf(w, `{"sha": %q, "target_branch": %q}`, f.head, f.target)
	case r.Method == "GET" && path == pull:
		fmt.Fprintf(w, `{"head": {"sha": %q, "ref": "x"}, "base": {"sha": "0", "ref": %q}}`, f.head, f.target)
	case r.Method == "DELETE" && isEdit:
		f.notes = slices.DeleteFunc(f.notes, func(n note) bool { return strconv.FormatInt(n.id, 10) == id && n.author == 42 })
		f.calls = append(f.calls, "DELETE "+id)
		w.WriteHeader(http.StatusNoContent)
	case r.Method == "GET" && path == list:
		f.list(w, r)
	case r.Method == "POST" && path == list:
		f.notes = append(f.notes, note{int64(len(f.notes) + 1), 42, f.body(r)})
		f.calls = append(f.calls, "POST")
		w.WriteHeader(http.StatusCreated)
		fmt.Fprintf(w, `{"id": %d}`, len(f.notes))
	case r.Method == edit && isEdit:
		at := slices.IndexFunc(f.notes, func(n note) bool { return strconv.FormatInt(n.id, 10) == id && n.author == 42 })
		if at < 0 {
			f.t.Errorf("the comment %s of somebody else is edited", id)
			return
		}
		f.notes[at].body = f.body(r)
		f.calls = append(f.calls, r.Method+" "+id)
		fmt.Fprint(w, `{}`)
	default:
		f.t.Errorf("unexpected: %s %s", r.Method, r.URL)
		w.WriteHeader(http.StatusNotFound)
	}
}

// body is the text of a comment in a request, which has nothing else.
func (f *fakeForge) body(r *http.Request) string {
	var in struct{ Body string }
	d := json.NewDecoder(r.Body)
	d.DisallowUnknownFields()
	if err := d.Decode(&in); err != nil || r.Header.Get("Content-Type") != "application/json" {
		f.t.Errorf("%s: %v", r.Header.Get("Content-Type"), err)
	}
	return in.Body
}

// list lists the comments: Gitea all of them, and GitLab a page.
func (f *fakeForge) list(w http.ResponseWriter, r *http.Request) {
	notes, author := f.notes, "user"
	if f.gitlab {
		author = "author"
		q := r.URL.Query()
		page := must.Get(strconv.Atoi(q.Get("page")))(f.t)
		if q.Get("per_page") != "100" || q.Get("sort") != "asc" || q.Get("order_by") != "created_at" {
			f.t.Errorf("the query is %v", q)
		}
		notes = notes[min(len(notes), 100*(page-1)):]
		if len(notes) > 100 {
			notes = notes[:100]
			w.Header().Set("Link", `<https://elsewhere.example/next>; rel="next", <https://elsewhere.example>; rel="first"`)
		}
	}
	out := []map[string]any{}
	for _, n := range notes {
		out = append(out, map[string]any{"id": n.id, "body": n.body, author: map[string]any{"id": n.author, "name": "x"}})
	}
	_ = json.NewEncoder(w).Encode(out)
}

// runComment runs rubric comment with a text and variables.
func runComment(t *testing.T, text string, env map[string]string, args ...string) (code int, out string) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "out.md")
	must.Do(t, os.WriteFile(file, []byte(text), 0o600))
	for i, arg := range args {
		args[i] = strings.ReplaceAll(arg, "FILE", file)
	}
	var b strings.Builder
	code = command.Main(Rubric, append([]string{"comment"}, args...), command.Streams{Out: &b, Err: &b, Getenv: func(name string) string { return env[name] }})
	if strings.Contains(b.String(), commentToken) {
		t.Errorf("the token is printed: %s", &b)
	}
	return code, strings.ReplaceAll(b.String(), file, "FILE")
}

// inRun are the variables of a run of a host for a pull request.
func inRun(host, server string) map[string]string {
	if host == "gitlab" {
		return map[string]string{"RUBRIC_COMMENT_TOKEN": commentToken, "GITLAB_CI": "true", "CI_API_V4_URL": server + "/api/v4", "CI_MERGE_REQUEST_PROJECT_ID": "acme/team/rubrics", "CI_MERGE_REQUEST_IID": "7"}
	}
	return map[string]string{
		"RUBRIC_COMMENT_TOKEN": commentToken, "GITHUB_ACTIONS": "true", strings.ToUpper(host) + "_ACTIONS": "true",
		"GITHUB_SERVER_URL": server + "/", "GITHUB_REPOSITORY": "acme/rubrics", "GITHUB_REF": "refs/pull/7/head",
	}
}

func TestOneCommentIsUpdated(t *testing.T) {
	found, clean := printer.MarkOf("", false).String()+"### Lint\n\n1 error\n", printer.MarkOf("", true).String()+"### Lint\n\nNo findings\n"
	elsewhere := printer.MarkOf("teams/docs", false).String() + "1 error\n"
	var others []note // some before and after a page of GitLab
	for i := range 250 {
		others = append(others, note{int64(i + 1), 1, "words"})
	}
	with := func(more ...note) []note { return append(slices.Clone(others), more...) }
	for _, tt := range []struct {
		reason string
		notes  []note
		text   string
		want   string // of the output
		calls  []string
	}{
		{"the first comment", nil, found, "comment 1 created", []string{"POST"}},
		{"nothing to say", with(), clean, "nothing to report, and no earlier comment: none was created", nil},
		{"an earlier comment, after many others", with(note{900, 42, elsewhere}, note{901, 42, found}), strings.Replace(found, "1 error", "2 errors", 1), "comment 901 updated", []string{"edit 901"}},
		{"an earlier comment whose finding is fixed", with(note{901, 42, found}), clean, "comment 901 updated", []string{"edit 901"}},
		{"the same text, as the host keeps it", with(note{901, 42, strings.TrimSpace(found)}), found, "comment 901 unchanged", nil},
		{"the mark of another user", with(note{901, 43, found}), found, "comment 252 created", []string{"POST"}},
		{"the mark within a text", with(note{901, 42, "See:\n" + found}), found, "comment 252 created", []string{"POST"}},
		{"only the comment of another library", with(note{901, 42, elsewhere}), clean, "none was created", nil},
	} {
		for _, host := range []string{"gitea", "forgejo", "gitlab"} {
			f := &fakeForge{t: t, gitlab: host == "gitlab", notes: slices.Clone(tt.notes)}
			server := httptest.NewServer(f)
			code, out := runComment(t, tt.text, inRun(host, server.URL), host, "FILE")
			server.Close()
			calls := slices.Clone(tt.calls)
			for i := range calls {
				calls[i] = strings.ReplaceAll(calls[i], "edit", map[bool]string{true: "PUT", false: "PATCH"}[f.gitlab])
			}
			if code != 0 || !strings.Contains(out, tt.want) || !slices.Equal(f.calls, calls) {
				t.Errorf("%s, %s: exit code %d, %v, want %v: %s", host, tt.reason, code, f.calls, calls, out)
			}
			if len(calls) > 0 && !slices.ContainsFunc(f.notes, func(n note) bool { return n.author == 42 && n.body == tt.text }) {
				t.Errorf("%s, %s: the text does not arrive", host, tt.reason)
			}
		}
	}
}

// TestACommentFailsWithAdvice: each way in which a host refuses ends with exit code 2 and what to do.
func TestACommentFailsWithAdvice(t *testing.T) {
	answer := func(code int, header, text string) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool {
			if name, value, ok := strings.Cut(header, ": "); ok {
				w.Header().Set(name, value)
			}
			w.WriteHeader(code)
			_, _ = io.WriteString(w, text)
			return true
		}
	}
	onPost := func(do func(http.ResponseWriter, *http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool { return r.Method == "POST" && do(w, r) }
	}
	onList := func(do func(http.ResponseWriter, *http.Request) bool) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, r *http.Request) bool {
			return strings.HasSuffix(r.URL.Path, "/comments") && do(w, r)
		}
	}
	other := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		t.Errorf("a redirect is followed: %s %v", r.URL, r.Header)
	}))
	defer other.Close()
	for _, tt := range []struct {
		reason  string
		instead func(http.ResponseWriter, *http.Request) bool
		want    string
	}{
		{"a wrong token, which the server repeats", answer(401, "", `{"message": "no user has `+commentToken+`"}`), `401 Unauthorized ("no user has ***"). The token is not valid, or has expired`},
		{"a token without rights", answer(403, "", `{"message": "required=[read:user]"}`), "Expected a token with write:issue, read:repository, and read:user"},
		{"a locked conversation", onPost(answer(403, "", `{"message": "You cannot comment on a locked issue."}`)), `the comment can't be created: the server answers 403 Forbidden ("You cannot comment on a locked issue."). Expected`},
		{"no such repository", onList(answer(404, "", ``)), "the comments can't be read: the server answers 404 Not Found. There is no such repository or pull request"},
		{"an archived repository", onPost(answer(423, "", `{}`)), "The repository is archived"},
		{"a proxy with a limit", onPost(answer(413, "", `<html>`)), "must accept requests of 100 kB"},
		{"a busy server that says when", answer(429, "Retry-After: 9", ``), "It asks to try again in 9s"},
		{"a busy server", answer(429, "", ``), "run the command again later"},
		{"a server that fails", answer(502, "", `<html>`), "the server answers 502 Bad Gateway. Check the number of the pull request, or run the command again later"},
		{"a redirect to another host", answer(307, "Location: "+other.URL+"/x", ``), "it redirects to " + other.URL},
		{"a redirect of what is posted", onPost(answer(301, "Location: "+other.URL+"/x", ``)), "A redirect is not followed"},
		{"a redirect to nowhere", answer(302, "", ``), "A redirect is not followed"},
		{"a page that is no API", answer(200, "", `<html>`), "does not answer with the JSON of its API"},
		{"no list", onList(answer(200, "", `{}`)), "expected a JSON list"},
		{"a list that ends", onList(answer(200, "", `[{"id": 1}`)), "does not answer with the JSON of its API"},
		{"a user without a number", answer(200, "", `{}`), "the server names none"},
		{"too many comments", onList(answer(200, "", "["+strings.Repeat(`{"id": 1},`, 10_000)+`{"id": 1}]`)), "there are more than 10000"},
		{"comments that are too long", onList(answer(200, "", `[{"body": "`+strings.Repeat("x", 33<<20)+`"}]`)), "the answer is larger than 32 MB"},
		{"a message with control characters", answer(500, "", `{"message": "\u001b[31m`+strings.Repeat("é", 300)+`"}`), `\x1b[31mé`},
	} {
		server := httptest.NewServer(&fakeForge{t: t, instead: tt.instead})
		code, out := runComment(t, printer.MarkOf("", false).String(), inRun("gitea", server.URL), "gitea", "FILE")
		server.Close()
		if code != 2 || !strings.Contains(out, tt.want) || !strings.HasPrefix(out, "rubric: pull request 7 of acme/rubrics: ") || strings.Contains(out, "\x1b") {
			t.Errorf("%s: exit code %d, want %q: %s", tt.reason, code, tt.want, out)
		}
	}
}

// TestACommentNeedsAPlace: what is missing or not safe is an error before any request.
func TestACommentNeedsAPlace(t *testing.T) {
	refuses := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("called: %s", r.URL) }))
	defer refuses.Close()
	private := httptest.NewTLSServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { t.Errorf("called: %s", r.URL) }))
	private.Config.ErrorLog = log.New(io.Discard, "", 0)
	defer private.Close()
	event := filepath.Join(t.TempDir(), "event.json")
	must.Do(t, os.WriteFile(event, []byte(`{"number": 0}`), 0o600))
	mark := printer.MarkOf("", false).String()
	change := func(host string, pairs ...string) map[string]string {
		env := maps.Clone(inRun(host, refuses.URL))
		for i := 0; i < len(pairs); i += 2 {
			env[pairs[i]] = pairs[i+1]
		}
		return env
	}
	for _, tt := range []struct {
		reason, text string
		env          map[string]string
		args         []string
		want         string
	}{
		{"no token", mark, change("gitea", "RUBRIC_COMMENT_TOKEN", ""), []string{"gitea", "FILE"}, "RUBRIC_COMMENT_TOKEN is not set"},
		{"a token with a line end", mark, change("gitea", "RUBRIC_COMMENT_TOKEN", commentToken+"\n"), []string{"gitea", "FILE"}, "has a control character"},
		{"another file", "### Lint\n", change("gitea"), []string{"gitea", "FILE"}, "FILE is not a comment: expected what `rubric lint --format markdown=FILE` writes"},
		{"a longer file", mark + strings.Repeat("x", printer.MaxComment), change("gitea"), []string{"gitea", "FILE"}, "FILE is not a comment"},
		{"no file", mark, change("gitea"), []string{"gitea", "FILE.gone"}, "does not exist"},
		{"another host", mark, change("gitea"), []string{"github", "FILE"}, "the host must be gitea, forgejo, or gitlab"},
		{"an unknown host", mark, map[string]string{"RUBRIC_COMMENT_TOKEN": commentToken}, []string{"bitbucket", "FILE", "--server", refuses.URL, "--repository", "a/b", "--number", "1"}, "the host must be gitea, forgejo, or gitlab"},
		{"a run on GitHub, which the token is not for", mark, change("gitea", "GITEA_ACTIONS", ""), []string{"gitea", "FILE"}, "this run is on GitHub"},
		{"a run of GitLab", mark, change("gitlab"), []string{"gitea", "FILE"}, "this run is on GitLab"},
		{"no run", mark, map[string]string{"RUBRIC_COMMENT_TOKEN": commentToken}, []string{"gitea", "FILE"}, "set --server, --repository, and --number"},
		{"a push", mark, change("gitea", "GITHUB_REF", "refs/heads/main", "GITHUB_EVENT_PATH", event), []string{"gitea", "FILE"}, "this is not a run for a pull request"},
		{"a number that is too large", mark, change("gitea", "GITHUB_REF", "refs/pull/99999999999999999999/head"), []string{"gitea", "FILE"}, "this is not a run for a pull request"},
		{"a repository that leads elsewhere", mark, change("gitea"), []string{"gitea", "FILE", "--repository", "../admin"}, "the repository must be OWNER/NAME"},
		{"a project that leads elsewhere", mark, change("gitlab"), []string{"gitlab", "FILE", "--repository", "a/../b"}, "the repository must be GROUP/PROJECT"},
		{"no encryption", mark, change("gitea", "GITHUB_SERVER_URL", "http://git.example.org"), []string{"gitea", "FILE"}, "http://git.example.org is not encrypted"},
		{"an address with a password", mark, change("gitea", "GITHUB_SERVER_URL", "https://me:"+commentToken+"@git.example.org"), []string{"gitea", "FILE"}, "without a user and a query"},
		{"a file as the server", mark, change("gitea", "GITHUB_SERVER_URL", "file:///etc/passwd"), []string{"gitea", "FILE"}, "the address of the server must be one such as"},
		{"a certificate that nobody vouches for", mark, change("gitea", "GITHUB_SERVER_URL", private.URL), []string{"gitea", "FILE"}, "certificate"},
		{"a server without TLS", mark, change("gitea", "GITHUB_SERVER_URL", strings.Replace(refuses.URL, "http:", "https:", 1)), []string{"gitea", "FILE"}, "answers in plain HTTP"},
		{"a server that is gone", mark, change("gitea", "GITHUB_SERVER_URL", "http://127.0.0.1:1"), []string{"gitea", "FILE"}, "127.0.0.1:1 can't be reached"},
	} {
		code, out := runComment(t, tt.text, tt.env, tt.args...)
		if code != 2 || !strings.Contains(out, tt.want) {
			t.Errorf("%s: exit code %d, want %q: %s", tt.reason, code, tt.want, out)
		}
	}
}

// TestAPlaceIsSetOutsideOfARun: flags, and the event of a run whose reference is another one.
func TestAPlaceIsSetOutsideOfARun(t *testing.T) {
	event := filepath.Join(t.TempDir(), "event.json")
	must.Do(t, os.WriteFile(event, []byte(`{"action": "opened", "number": 7, "pull_request": {}}`), 0o600))
	f := &fakeForge{t: t}
	server := httptest.NewServer(f)
	defer server.Close()
	env := map[string]string{"RUBRIC_COMMENT_TOKEN": commentToken}
	text := printer.MarkOf("", false).String()
	if code, out := runComment(t, text, env, "forgejo", "FILE", "--server", server.URL, "--repository", "acme/rubrics", "--number", "7"); code != 0 {
		t.Errorf("flags: %s", out)
	}
	env = inRun("gitea", server.URL)
	env["GITHUB_REF"], env["GITHUB_EVENT_PATH"] = "refs/heads/main", event
	if code, out := runComment(t, text, env, "gitea", "FILE"); code != 0 || !strings.Contains(out, "comment 1 unchanged") {
		t.Errorf("an event: %s", out)
	}
}

// TestOnlyTheNewestCommitIsCommentedOn: a run that is started again for an earlier commit, or for an
// earlier target, leaves the newer comment.
func TestOnlyTheNewestCommitIsCommentedOn(t *testing.T) {
	text := printer.MarkOf("", false).String() + "1 error\n"
	event := filepath.Join(t.TempDir(), "event.json")
	must.Do(t, os.WriteFile(event, []byte(`{"number": 7, "pull_request": {"head": {"sha": "c1"}, "base": {"ref": "main"}}}`), 0o600))
	for _, tt := range []struct{ reason, head, target, want string }{
		{"what was checked", "c1", "main", "comment 1 updated"},
		{"a push since", "c2", "main", "another commit or target by now, whose run comments: nothing was posted"},
		{"another target since", "c1", "next", "nothing was posted"},
		{"an answer of another API", "", "", "the newest commit can't be determined: the server names none"},
	} {
		for _, host := range []string{"gitea", "gitlab"} {
			f := &fakeForge{t: t, gitlab: host == "gitlab", head: tt.head, target: tt.target, notes: []note{{1, 42, printer.MarkOf("", false).String()}}}
			server := httptest.NewServer(f)
			env := inRun(host, server.URL)
			maps.Copy(env, map[string]string{"GITHUB_EVENT_PATH": event, "CI_COMMIT_SHA": "c1", "CI_MERGE_REQUEST_TARGET_BRANCH_NAME": "main"})
			_, out := runComment(t, text, env, host, "FILE")
			merged := maps.Clone(env)
			merged["CI_COMMIT_SHA"], merged["CI_MERGE_REQUEST_SOURCE_BRANCH_SHA"] = "m1", "c1"
			_, again := runComment(t, text, merged, host, "FILE")
			server.Close()
			if !strings.Contains(out, tt.want) || (len(f.calls) > 0) != strings.Contains(tt.want, "updated") {
				t.Errorf("%s, %s: %v, want %q: %s", host, tt.reason, f.calls, tt.want, out)
			}
			if want := strings.Replace(out, "updated", "unchanged", 1); again != want {
				t.Errorf("%s, %s: a run of the merge says %q, want %q", host, tt.reason, again, want)
			}
		}
	}
}

// TestRunsAtOnceLeaveOneComment: the run whose comment is not the first deletes it.
func TestRunsAtOnceLeaveOneComment(t *testing.T) {
	text := printer.MarkOf("", false).String() + "1 error\n"
	for _, host := range []string{"gitea", "gitlab"} {
		f := &fakeForge{t: t, gitlab: host == "gitlab"}
		f.instead = func(_ http.ResponseWriter, r *http.Request) bool {
			if r.Method == "POST" {
				f.notes = append(f.notes, note{1, 42, printer.MarkOf("", false).String() + "2 errors\n"})
			}
			return false
		}
		server := httptest.NewServer(f)
		code, out := runComment(t, text, inRun(host, server.URL), host, "FILE")
		server.Close()
		if code != 0 || !slices.Equal(f.notes, []note{{1, 42, text}}) || !strings.Contains(out, "comment 1 updated") {
			t.Errorf("%s: exit code %d, %v: %s", host, code, f.notes, out)
		}
	}
}
