package forge_test

import (
	"testing"
	"time"
)

// runs plays what takes runs of the workflow that `rubric init` wrote.
func (f *forge) runs(t *testing.T) {
	dir, printed := f.on(t).starter()
	for _, r := range []struct {
		name string
		play func(l *library)
	}{
		{"merges", (*library).threeMerges},
		{"versions", (*library).twoVersions},
		{"retargeted", (*library).retargeted},
		{"repeated", (*library).repeated},
		{"unreported", (*library).unreported},
		{"targets", (*library).otherTarget},
	} {
		t.Run(r.name, func(t *testing.T) {
			l := f.newLibrary(t, r.name, dir, nil)
			l.protect(printed)
			r.play(l)
		})
	}
	t.Run("main", func(t *testing.T) { f.newLibrary(t, "main", dir, nil).wrongMain() })
	t.Run("rebase", func(t *testing.T) { f.newLibrary(t, "rebase", dir, nil).rebaseWarning() })
	t.Run("expressions", func(t *testing.T) { f.newLibrary(t, "expressions", dir, nil).ownersByExpression() })
}

// threeMerges merges in the ways that keep what was checked, and tries the one that does not.
func (l *library) threeMerges() {
	l.t.Helper()
	again := reword + "\n" + edit(`version: "1.1.0"`, `version: "1.2.0"`)
	for _, merge := range []struct{ style, script string }{{"merge", good}, {"squash", again}} {
		style, script := merge.style, merge.script
		p := l.open("by-"+style, script).expect("success").approve(owner)
		if merged, why := p.mergeAs(author, style, nil); !merged {
			l.t.Errorf("%s: %s", style, why)
			continue
		}
		works("a pull request merged by "+style, gitea)
	}
}

// twoVersions opens two pull requests from the released 1.0.0 to 1.1.0.
func (l *library) twoVersions() {
	l.t.Helper()
	first := l.open("first", good)
	second := l.open("second", reword+"\n"+minor)
	first.expect("success").approve(owner)
	second.expect("success").approve(owner)
	first.merge()
	through, why := second.mergeAs(author, "merge", nil)
	held("a second pull request to the same version, with its check", outdated, nil).show(l.t, through, why)
	if through {
		return
	}
	status, why := second.call(author, "POST", second.path("/update"), nil, nil)
	if status < 300 {
		second.expect("failure").approve(owner)
		through, why = second.mergeAs(author, "merge", nil)
	}
	held("the second pull request once it is up to date", checks, nil).show(l.t, through, why)
}

// branchFromSide pushes the branch side, which has a mistake, and the branch topic, which begins
// there.
func (l *library) branchFromSide() {
	l.t.Helper()
	l.run(author, l.clone, "git switch --quiet --create side\n"+bad+`
		git commit --quiet --all --message bad && git push --quiet
		git switch --quiet --create topic && echo text >notes.md
		git add . && git commit --quiet --message notes && git push --quiet --set-upstream origin topic`)
}

// retargeted opens a pull request to a branch that has the mistake already, and then changes its
// target to main.
func (l *library) retargeted() {
	l.t.Helper()
	l.branchFromSide()
	p := l.openFrom("topic", "side").approve(owner)
	p.must(author, "PATCH", p.path(""), object{"base": "main"}, nil)
	p.approve(owner)
	through, why := p.mergeAs(author, "merge", nil)
	if !through {
		p.waitFor("failure")
		through, why = p.mergeAs(author, "merge", nil)
	}
	held("a pull request retargeted to main", checks, nil).show(l.t, through, why)
}

// repeated runs the check of a good commit again after a bad one was pushed.
func (l *library) repeated() {
	l.t.Helper()
	p := l.open("topic", good).expect("success")
	run, first := l.lastRun(), p.head
	l.change(edit(`version: "1.1.0"`, `version: "1.0.0"`))
	p.expect("failure").approve(owner)
	l.rerun(author, run)
	l.wait("the old run has started again", time.Minute, func() bool { return l.state(first, check) == "pending" })
	l.verdict(first, check)
	through, why := p.mergeAs(author, "merge", nil)
	held("an old run repeated for a red pull request", checks, nil).show(l.t, through, why)
}

// otherTarget opens a red pull request to main, and a second one from the same branch to a branch
// that has the mistake already. Gitea has one result for a commit.
func (l *library) otherTarget() {
	l.t.Helper()
	l.branchFromSide()
	p := l.openFrom("topic", "main").expect("failure").approve(owner)
	l.openFrom("topic", "side")
	p.verdict() // waits for a run, if there is one
	through, why := p.mergeAs(author, "merge", nil)
	held("the commit of a red pull request proposed for another branch", checks, nil).show(l.t, through, why)
}

// waitFor waits until the check reports a state.
func (p *pull) waitFor(state string) {
	p.t.Helper()
	p.wait("the check says "+state, 2*time.Minute, func() bool { return p.state(p.head, check) == state })
}

// unreported opens a pull request that asks for no run.
func (l *library) unreported() {
	l.t.Helper()
	l.run(author, l.clone, "git switch --quiet --create topic\n"+bad+`
		git commit --quiet --all --message 'Change [skip ci]' && git push --quiet --set-upstream origin topic`)
	p := l.openFrom("topic", "main").approve(owner)
	through, why := p.mergeAs(author, "merge", nil)
	held("a commit that asks for no check", checks, nil).show(l.t, through, why)
}

// wrongMain pushes a wrong step to a main that nothing protects.
func (l *library) wrongMain() {
	l.t.Helper()
	l.change(bad)
	if got := l.verdict(l.mainIs(), onMain); got != "failure" {
		l.t.Errorf("the check of a wrong main says %s:\n%s", got, l.log())
		return
	}
	works("a wrong main is red", gitea)
}

// rebaseWarning opens a pull request of two commits, of which the first can't be published, where
// a rebase is allowed.
func (l *library) rebaseWarning() {
	l.t.Helper()
	l.run(author, l.clone, "git switch --quiet --create topic\n"+bad+`
		git commit --quiet --all --message one && git push --quiet --set-upstream origin topic`)
	l.change(minor)
	l.openFrom("topic", "main").expect("success")
	if log, has := l.logHas("rebase-merge"); !has {
		l.t.Errorf("the check does not warn of a rebase:\n%s", log)
		return
	}
	works("a warning where a rebase is allowed", threats)
}

// ownersByExpression has owners as Gitea reads them.
func (l *library) ownersByExpression() {
	l.t.Helper()
	l.change("echo '.* @" + owner + " @" + owner2 + "' >CODEOWNERS")
	l.open("topic", good).expect("success")
	works("owners by a regular expression", gitea)
}
