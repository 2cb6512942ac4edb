package forge_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"testing"
)

// gitea and threats are the pages that promise what the protection and the hook hold.
const (
	gitea   = "docs/ci.md#gitea-and-forgejo"
	threats = "docs/gate.md#threat-model"
)

// attempts makes each attempt in a new library with the protection that `rubric init` prints.
// No workflow runs: the state of the check is posted.
func (f *forge) attempts(t *testing.T) {
	dir, printed := f.on(t).starter()
	for i, a := range slices.Concat(pushes(), merges(), edits(), tags()) {
		t.Run(a.name, func(t *testing.T) {
			l := f.newLibrary(t, fmt.Sprintf("attempt-%d", i), dir, object{"has_actions": false})
			l.protect(printed)
			through, why := a.try(l)
			a.show(t, through, why)
		})
	}
	t.Run("owner", func(t *testing.T) {
		l := f.newLibrary(t, "owner", dir, object{"has_actions": false})
		l.protect(printed)
		l.ownersRelease()
	})
}

// newFile is a patch that adds a file.
const newFile = `diff --git a/new.md b/new.md
new file mode 100644
--- /dev/null
+++ b/new.md
@@ -0,0 +1 @@
+x
`

// pushes are attempts to change main without a pull request.
func pushes() []attempt {
	push := func(as, script string) func(*library) (bool, string) {
		return func(l *library) (bool, string) { return l.pushes(as, script) }
	}
	const (
		direct  = "git commit --quiet --allow-empty --message direct && git push origin HEAD:main"
		rewind  = "git commit --quiet --amend --message other && git push --force origin HEAD:main"
		noPush  = "Not allowed to push to protected branch"
		noForce = "protected from force push"
	)
	return []attempt{
		held("a direct push by a writer", noPush, push(author, direct)),
		held("a direct push by an owner", noPush, push(owner, direct)),
		held("a direct push by an administrator", noPush, push(admin, direct)),
		held("a forced push by a writer", noForce, push(author, rewind)),
		held("a forced push by an administrator", noForce, push(admin, rewind)),
		held("main deleted by a writer", "cannot be deleted", push(author, "git push origin :main")),
		held("main deleted by an administrator", "cannot be deleted", push(admin, "git push origin :main")),
		held("main deleted through the API", "can not delete default branch", func(l *library) (bool, string) {
			return l.changesMain(author, "DELETE", "/branches/main", nil)
		}),
		held("main renamed through the API", "must be a repo or site admin to rename", func(l *library) (bool, string) {
			return l.changesMain(author, "PATCH", "/branches/main", object{"name": "old"})
		}),
		held("a file written to main through the API", "cannot commit to repo", func(l *library) (bool, string) {
			return l.changesMain(author, "POST", "/contents/new.md", object{"branch": "main", "content": "eA=="})
		}),
		held("a file written to main by an administrator", "cannot commit to repo", func(l *library) (bool, string) {
			return l.changesMain(admin, "POST", "/contents/new.md", object{"branch": "main", "content": "eA=="})
		}),
		held("a patch applied to main through the API", "cannot commit to repo", func(l *library) (bool, string) {
			return l.changesMain(author, "POST", "/diffpatch", object{"branch": "main", "content": newFile})
		}),
		held("an AGit push merged without a review", approvals, func(l *library) (bool, string) {
			return l.pushAGit(good).green().mergeAs(author, "merge", nil)
		}),
		held("an AGit push after the approval", approvals, func(l *library) (bool, string) {
			p := l.pushAGit(good).approve(owner)
			l.pushAGit(edit("Export is broken", "Anything"))
			return p.green().mergeAs(author, "merge", nil)
		}),
		held("the head of a pull request pushed after the approval", "", func(l *library) (bool, string) {
			p := l.pushAGit(good).green().approve(owner)
			before := p.head
			why, _ := l.try(author, l.clone, bad+`
				git commit --quiet --all --message other
				git push --force origin HEAD:refs/pull/1/head`)
			p.update()
			return p.head != before, why
		}),
	}
}

// pushes runs a script in a clone of a user, and reports whether main is another commit now.
func (l *library) pushes(as, script string) (through bool, why string) {
	l.t.Helper()
	before, dir := l.mainIs(), folder(l.t)
	l.run(as, l.dir, "git clone --quiet "+l.url+"/"+l.name+" '"+dir+"'")
	why, _ = l.try(as, dir, script)
	return l.mainIs() != before, why
}

// changesMain sends a request, and reports whether main is another commit now.
func (l *library) changesMain(as, method, path string, body object) (through bool, why string) {
	l.t.Helper()
	before := l.mainIs()
	_, why = l.call(as, method, l.api(path), body, nil)
	return l.mainIs() != before, why
}

// pushAGit commits the result of a script, and pushes it to a pull request that has no branch.
func (l *library) pushAGit(script string) *pull {
	l.t.Helper()
	l.run(author, l.clone, script+"\ngit commit --quiet --all --message agit && "+
		"git push --quiet origin HEAD:refs/for/main -o topic=topic -o title=title -o force-push=true")
	return l.existing("1")
}

// existing returns a pull request by its number.
func (l *library) existing(number json.Number) *pull {
	l.t.Helper()
	p := &pull{library: l, number: number}
	p.update()
	return p
}
