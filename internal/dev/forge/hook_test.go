package forge_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// hook is the server hook, hookPage says how to install it, and rejected is what it says.
const (
	hook     = "examples/hooks/pre-receive"
	hookPage = "docs/gate.md#a-server-hook"
	rejected = "Rejected: refs/heads/main"
)

// hooks installs the server hook in the ways of the page, and in the way that it refuses.
func (f *forge) hooks(t *testing.T) {
	dir, printed := f.on(t).starter()
	for _, how := range []struct {
		name    string
		install func(*library)
	}{
		{"as a file", func(l *library) { l.installHook("hooks/pre-receive.d/rubric-library") }},
		{"through the API", func(l *library) {
			l.must(admin, "PATCH", l.api("/hooks/git/pre-receive"), object{"content": scripttest.Text(l.t, hook)}, nil)
		}},
	} {
		t.Run(how.name, func(t *testing.T) {
			id := filepath.Base(how.name)[:2]
			guarded := f.newLibrary(t, "hook-"+id, dir, object{"has_actions": false})
			guarded.protect(printed)
			how.install(guarded)
			guarded.mergesWithHook(how.name)
			open := f.newLibrary(t, "open-"+id, dir, object{"has_actions": false})
			how.install(open)
			for _, a := range pushesWithHook() {
				a.name += ", with the hook " + how.name
				through, why := a.try(open)
				a.show(t, through, why)
			}
		})
	}
	t.Run("replaced", func(t *testing.T) {
		l := f.newLibrary(t, "replaced", dir, object{"has_actions": false})
		l.protect(printed)
		l.installHook("hooks/pre-receive")
		through, why := l.pushes(author, good+"\ngit commit --quiet --all --message good && git push origin HEAD:main")
		attempt{
			name: "a direct push after the hook replaced that of Gitea", page: hookPage,
			says: "this hook replaces the one of the Git host",
		}.show(t, through, why)
	})
}

// installHook copies the hook to a file of the repository on the server.
func (l *library) installHook(name string) {
	l.t.Helper()
	file := filepath.Join(l.dir, "gitea", "data", "gitea-repositories", l.name+".git", name)
	must.Do(l.t, os.WriteFile(file, []byte(scripttest.Text(l.t, hook)), 0o777))
	must.Do(l.t, os.Chmod(file, 0o777)) // the file of Gitea keeps its mode
}

// mergesWithHook merges what the protection alone can't hold, and what is right.
func (l *library) mergesWithHook(how string) {
	l.t.Helper()
	p := l.open("bad", bad).approve(owner)
	p.report(author, "success")
	through, why := p.mergeAs(author, "merge", nil)
	attempt{
		name: "a check posted by its author, with an approval and the hook " + how, page: threats, says: rejected,
	}.show(l.t, through, why)
	if merged, why := l.open("good", good).green().approve(owner).mergeAs(author, "merge", nil); !merged {
		l.t.Errorf("the hook %s rejects a good merge: %s", how, why)
		return
	}
	works("a good merge with the hook "+how, hookPage)
}

// rejects is an attempt that the hook stops, as its page says.
func rejects(name string, try func(*library) (through bool, why string)) attempt {
	return attempt{name: name, page: hookPage, says: rejected, try: try}
}

// pushesWithHook are attempts where nothing but the hook protects main.
func pushesWithHook() []attempt {
	push := func(script string) func(*library) (bool, string) {
		return func(l *library) (bool, string) { return l.pushes(admin, script) }
	}
	commit := "\ngit commit --quiet --all --message step && git push origin HEAD:main"
	return []attempt{
		rejects("a wrong step pushed to main", push(bad+commit)),
		rejects("a wrong step between two good ones", push(bad+"\ngit commit --quiet --all --message one\n"+minor+commit)),
		rejects("a forced push to main", push("git commit --quiet --amend --message other && git push --force origin HEAD:main")),
		rejects("main deleted", push("git push origin :main")),
		rejects("a wrong file written through the API", func(l *library) (bool, string) {
			path := "/contents/rubrics/bug_reports/new_v1.yaml"
			return l.changesMain(admin, "POST", path, object{"branch": "main", "content": "eA=="})
		}),
	}
}
