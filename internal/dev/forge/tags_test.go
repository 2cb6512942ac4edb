package forge_test

import "strings"

// tags are attempts to make, move, or remove the tag of a release without being an owner.
func tags() []attempt {
	push := func(as, tag, script string) func(*library) (bool, string) {
		return func(l *library) (bool, string) { return l.changesTag(as, tag, script) }
	}
	const (
		move      = "git commit --quiet --allow-empty --message moved && git tag --force --annotate --message moved "
		released  = "library-v1.0.0"
		next      = "library-v2.0.0"
		inFolder  = "team/x/library-v2.0.0"
		pushTag   = " && git push --force origin "
		protected = "is protected"
	)
	return []attempt{
		held("the tag of a release moved by a writer", protected, push(author, released, move+released+pushTag+released)),
		held("the tag of a release deleted by a writer", protected, push(author, released, "git push origin :"+released)),
		held("the tag of a release made by a writer", protected, push(author, next, move+next+pushTag+next)),
		held("the tag of a library in a folder made by a writer", protected, push(author, inFolder, move+inFolder+pushTag+inFolder)),
		held("the tag of a release made through the API", "protected tag", func(l *library) (bool, string) {
			status, why := l.call(author, "POST", l.api("/tags"), object{"tag_name": next, "target": "main"}, nil)
			return status < 300, why
		}),
		held("the tag of a release deleted through the API", "protected", func(l *library) (bool, string) {
			status, why := l.call(author, "DELETE", l.api("/tags/"+released), nil, nil)
			return status < 300, why
		}),
		held("the tag of a release made by a release of the host", "protected", func(l *library) (bool, string) {
			status, why := l.call(author, "POST", l.api("/releases"), object{"tag_name": next, "target_commitish": "main"}, nil)
			return status < 300, why
		}),
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

// ownersRelease has an owner push the tag of a release, which the protection must not stop.
func (l *library) ownersRelease() {
	l.t.Helper()
	const tag = "library-v2.0.0"
	made, why := l.changesTag(owner, tag, "git tag --annotate --message release "+tag+" && git push origin "+tag)
	if !made {
		l.t.Errorf("an owner can't push the tag of a release: %s", why)
		return
	}
	works("the tag of a release pushed by an owner", gitea)
}
