package forge_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
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

// ownersRelease has an owner push the tag of a release, which the protection must not stop.
func (l *library) ownersRelease() {
	l.t.Helper()
	if made, why := l.changesTag(owner, "library-v2.0.0", "git tag --annotate --message release library-v2.0.0 && git push origin library-v2.0.0"); !made {
		l.t.Errorf("an owner can't push the tag of a release: %s", why)
		return
	}
	works("the tag of a release pushed by an owner", gitea)
}

// pushes are attempts to change main without a pull request.
func pushes() []attempt {
	push := func(as, script string) func(*library) (bool, string) {
		return func(l *library) (bool, string) { return l.pushes(as, script) }
	}
	const commit = "git commit --quiet --allow-empty --message direct && "
	return []attempt{
		{name: "a direct push by a writer", page: gitea, says: "Not allowed to push to protected branch", try: push(author, commit+"git push origin HEAD:main")},
		{name: "a direct push by an owner", page: gitea, says: "Not allowed to push to protected branch", try: push(owner, commit+"git push origin HEAD:main")},
		{name: "a direct push by an administrator", page: gitea, says: "Not allowed to push to protected branch", try: push(admin, commit+"git push origin HEAD:main")},
		{name: "a forced push by a writer", page: gitea, says: "protected from force push", try: push(author, "git commit --quiet --amend --message other && git push --force origin HEAD:main")},
		{name: "a forced push by an administrator", page: gitea, says: "protected from force push", try: push(admin, "git commit --quiet --amend --message other && git push --force origin HEAD:main")},
		{name: "main deleted by a writer", page: gitea, says: "cannot be deleted", try: push(author, "git push origin :main")},
		{name: "main deleted by an administrator", page: gitea, says: "cannot be deleted", try: push(admin, "git push origin :main")},
		{name: "main deleted through the API", page: gitea, says: "can not delete default branch", try: func(l *library) (bool, string) {
			return l.changesMain(author, "DELETE", "/branches/main", nil)
		}},
		{name: "main renamed through the API", page: gitea, says: "must be a repo or site admin to rename", try: func(l *library) (bool, string) {
			return l.changesMain(author, "PATCH", "/branches/main", object{"name": "old"})
		}},
		{name: "a file written to main through the API", page: gitea, says: "cannot commit to repo", try: func(l *library) (bool, string) {
			return l.changesMain(author, "POST", "/contents/new.md", object{"branch": "main", "content": "eA=="})
		}},
		{name: "a file written to main through the API by an administrator", page: gitea, says: "cannot commit to repo", try: func(l *library) (bool, string) {
			return l.changesMain(admin, "POST", "/contents/new.md", object{"branch": "main", "content": "eA=="})
		}},
		{name: "a patch applied to main through the API", page: gitea, says: "cannot commit to repo", try: func(l *library) (bool, string) {
			return l.changesMain(author, "POST", "/diffpatch", object{"branch": "main", "content": "diff --git a/new.md b/new.md\nnew file mode 100644\n--- /dev/null\n+++ b/new.md\n@@ -0,0 +1 @@\n+x\n"})
		}},
		{name: "an AGit push merged without a review", page: gitea, says: approvals, try: func(l *library) (bool, string) {
			l.run(author, l.clone, commit+"git push origin HEAD:refs/for/main -o topic=topic -o title=title")
			return l.existing("1").green().mergeAs(author, "merge", nil)
		}},
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

// existing returns a pull request by its number.
func (l *library) existing(number json.Number) *pull {
	l.t.Helper()
	p := &pull{library: l, number: number}
	p.update()
	return p
}

// tags are attempts to make, move, or remove the tag of a release without being an owner.
func tags() []attempt {
	push := func(as, tag, script string) func(*library) (bool, string) {
		return func(l *library) (bool, string) { return l.changesTag(as, tag, script) }
	}
	const move = "git commit --quiet --allow-empty --message moved && git tag --force --annotate --message moved "
	return []attempt{
		{name: "the tag of a release moved by a writer", page: gitea, says: "is protected", try: push(author, "library-v1.0.0", move+"library-v1.0.0 && git push --force origin library-v1.0.0")},
		{name: "the tag of a release deleted by a writer", page: gitea, says: "is protected", try: push(author, "library-v1.0.0", "git push origin :library-v1.0.0")},
		{name: "the tag of a release made by a writer", page: gitea, says: "is protected", try: push(author, "library-v2.0.0", move+"library-v2.0.0 && git push origin library-v2.0.0")},
		{name: "the tag of a library in a folder made by a writer", page: gitea, says: "is protected", try: push(author, "team/x/library-v2.0.0", move+"team/x/library-v2.0.0 && git push origin team/x/library-v2.0.0")},
		{name: "the tag of a release made through the API", page: gitea, says: "protected tag", try: func(l *library) (bool, string) {
			status, why := l.call(author, "POST", l.api("/tags"), object{"tag_name": "library-v2.0.0", "target": "main"}, nil)
			return status < 300, why
		}},
		{name: "the tag of a release deleted through the API", page: gitea, says: "protected", try: func(l *library) (bool, string) {
			status, why := l.call(author, "DELETE", l.api("/tags/library-v1.0.0"), nil, nil)
			return status < 300, why
		}},
		{name: "the tag of a release made by a release of the host", page: gitea, says: "protected", try: func(l *library) (bool, string) {
			status, why := l.call(author, "POST", l.api("/releases"), object{"tag_name": "library-v2.0.0", "target_commitish": "main", "name": "forged"}, nil)
			return status < 300, why
		}},
	}
}

// changesTag runs a script in a clone of a user, and reports whether a tag is another one now.
func (l *library) changesTag(as, tag, script string) (through bool, why string) {
	l.t.Helper()
	list := "git ls-remote " + l.url + "/" + l.name + " refs/tags/" + tag
	before := l.run(admin, l.dir, list)
	_, why = l.pushes(as, script)
	return strings.TrimSpace(l.run(admin, l.dir, list)) != strings.TrimSpace(before), why
}
