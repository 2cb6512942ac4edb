package forge_test

import (
	"fmt"
	"strings"
)

// These are parts of what Gitea says if it refuses a merge.
const (
	approvals = "not have enough approvals"
	checks    = "Not all required status checks successful"
	outdated  = "behind the base branch"
	files     = "Changed protected files"
)

// merges are attempts to merge a pull request that may not be merged.
func merges() []attempt {
	return []attempt{
		held("a merge without a review", approvals, func(l *library) (bool, string) {
			return l.open("topic", good).green().mergeAs(author, "merge", nil)
		}),
		held("a merge with the approval of its author", approvals, func(l *library) (bool, string) {
			p := l.open("topic", good).green()
			p.call(author, "POST", p.path("/reviews"), object{"event": "APPROVED", "body": "mine"}, nil)
			return p.mergeAs(author, "merge", nil)
		}),
		held("a merge with the approval of a colleague who is no owner", approvals, func(l *library) (bool, string) {
			return l.open("topic", good).green().approve(colleague).mergeAs(author, "merge", nil)
		}),
		held("a merge whose author removed the owners' review request", approvals, func(l *library) (bool, string) {
			p := l.open("topic", good).green().approve(colleague)
			p.call(author, "DELETE", p.path("/requested_reviewers"), object{"team_reviewers": []string{"quality"}}, nil)
			return p.mergeAs(author, "merge", nil)
		}),
		held("a merge of a red change", checks, func(l *library) (bool, string) {
			p := l.open("topic", bad).approve(owner)
			p.report(admin, "failure")
			return p.mergeAs(owner, "merge", nil)
		}),
		held("a merge of a change without a check", checks, func(l *library) (bool, string) {
			return l.open("topic", bad).approve(owner).mergeAs(owner, "merge", nil)
		}),
		held("a merge with a check of another name", checks, func(l *library) (bool, string) {
			p := l.open("topic", bad).approve(owner)
			p.must(author, "POST", p.api("/statuses/"+p.head), object{"context": "rubric-library", "state": "success"}, nil)
			return p.mergeAs(author, "merge", nil)
		}),
		held("a merge by an administrator with force", checks, func(l *library) (bool, string) {
			p := l.open("topic", bad)
			p.report(admin, "failure")
			return p.mergeAs(admin, "merge", object{"force_merge": true})
		}),
		held("a merge declared by hand", "manually-merged is not allowed", func(l *library) (bool, string) {
			p := l.open("topic", bad)
			return p.mergeAs(author, "manually-merged", object{"MergeCommitID": p.head})
		}),
		held("a merge when the checks succeed, scheduled before the review", "", func(l *library) (bool, string) {
			p := l.open("topic", good)
			before := l.mainIs()
			_, why := p.mergeAs(author, "merge", object{"merge_when_checks_succeed": true})
			p.green()
			l.gitea("manager", "flush-queues") // one of them merges
			return l.mainIs() != before, why
		}),
		held("a push after the approval", approvals, func(l *library) (bool, string) {
			p := l.open("topic", good).approve(owner)
			l.change(edit("Export is broken", "Anything"))
			l.gitea("manager", "flush-queues") // one of them dismisses the approval
			return p.green().mergeAs(author, "merge", nil)
		}),
		held("a rebase merge", "rebase is not allowed", func(l *library) (bool, string) {
			return l.open("topic", good).green().approve(owner).mergeAs(owner, "rebase", nil)
		}),
		held("a fast-forward merge", "fast-forward-only is not allowed", func(l *library) (bool, string) {
			return l.open("topic", good).green().approve(owner).mergeAs(owner, "fast-forward-only", nil)
		}),
		held("a second pull request to the same version", outdated, func(l *library) (bool, string) {
			first := l.open("first", lower+"\n"+minor).green().approve(owner)
			second := l.open("second", reword+"\n"+minor).green().approve(owner)
			first.merge()
			return second.mergeAs(author, "merge", nil)
		}),
		held("a pull request from a fork merged without a review", approvals, func(l *library) (bool, string) {
			p := l.fork(bad)
			if p.report(stranger, "success") {
				return true, "a person without access posted the state of the check"
			}
			return p.green().mergeAs(author, "merge", nil)
		}),
		{name: "a check posted by its author, with an approval", page: gitea, open: true, try: func(l *library) (bool, string) {
			p := l.open("topic", bad).approve(owner)
			p.report(admin, "failure")
			p.report(author, "success")
			return p.mergeAs(author, "merge", nil)
		}},
		{name: "a push after the approval, merged at once with a check posted by its author", page: gitea, open: true, try: func(l *library) (bool, string) {
			p := l.open("topic", good)
			for try := range 10 { // the queue that dismisses approvals can be faster
				p.approve(owner)
				l.change(fmt.Sprintf("echo %d >> README.md", try))
				p.report(author, "success")
				if through, why := p.mergeAs(author, "merge", nil); through {
					return true, why
				}
				l.gitea("manager", "flush-queues")
			}
			return false, "ten times"
		}},
	}
}

// edits are attempts to change what checks or protects.
func edits() []attempt {
	const workflow = `name: rubrics
on: pull_request
jobs: {rubric-library: {runs-on: ubuntu-latest, steps: [{run: "true"}]}}
`
	merge := func(script string) func(l *library) (bool, string) {
		return func(l *library) (bool, string) {
			return l.open("topic", script).green().approve(owner).mergeAs(author, "merge", nil)
		}
	}
	write := func(name string) string {
		return "mkdir -p $(dirname " + name + ") && printf '" + escape(workflow) + "' >" + name
	}
	return []attempt{
		held("a workflow edited to pass, with an approval", files, merge(bad+"\n"+write(".gitea/workflows/rubrics.yml"))),
		held("a second workflow of the same name", files, merge(bad+"\n"+write(".gitea/workflows/second.yml"))),
		held("a workflow in the folder of GitHub", files, merge(bad+"\n"+write(".github/workflows/second.yml"))),
		held("the workflow deleted", files, merge(bad+"\ngit rm --quiet .gitea/workflows/rubrics.yml")),
		held("the workflow moved to the folder of GitHub", files, merge(bad+"\nmkdir .github && git mv .gitea/workflows .github")),
	}
}

// escape writes a text for printf.
func escape(text string) string {
	return strings.NewReplacer(`\`, `\\`, "%", "%%", "'", `'\''`, "\n", `\n`).Replace(text)
}

// fork opens a pull request from a fork of a person without access.
func (l *library) fork(script string) *pull {
	l.t.Helper()
	_, name, _ := strings.Cut(l.name, "/")
	l.must(stranger, "POST", l.api("/forks"), object{}, nil)
	dir := folder(l.t)
	l.run(stranger, l.dir, "git clone --quiet "+l.url+"/"+stranger+"/"+name+" '"+dir+"'")
	l.run(stranger, dir, "git switch --quiet --create topic\n"+script+"\ngit commit --quiet --all --message change && git push --quiet")
	return l.existing(l.request(stranger, stranger+":topic", "main"))
}
