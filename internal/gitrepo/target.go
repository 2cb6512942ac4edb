package gitrepo

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// Target finds the commit to compare the library in a folder of HEAD with. On a CI host it follows from the
// host's variables: in a merge queue it is the queue's base, and for a pull request
// the fetched tip of the target branch. Elsewhere it is the main branch (the first
// that exists of origin/HEAD, origin/main, origin/master, main, master). On the main
// branch itself it is the last release, or the parent of HEAD if there is no release; in a
// run for a push, it is the commit before the push if that is older.
//
// HEAD is on the main branch at its tip if the current branch has its name or HEAD is
// detached. If At named the commit, or the host says that it builds the main branch, it is so at
// any of its commits, and at the one that the host says it builds.
//
// If a release of the library is in a history that the main branch does not continue, the error is
// a *ReplacedError.
func (r *Repo) Target(folder string, env Env) (Target, error) {
	t, err := r.target(folder, env)
	if err == nil && !t.OnMain && !t.Commit.IsZero() {
		_, _, err = r.LastRelease(folder, t.Commit)
	}
	return t, err
}

func (r *Repo) target(folder string, env Env) (Target, error) {
	h := hosts.OfRun(env.Getenv)
	if h.Proposes(env.Getenv) {
		return r.proposalTarget(env, h)
	}
	head, err := r.Head()
	if err != nil && !errors.Is(err, ErrNoCommit) {
		return Target{}, err
	}
	main, err := r.mainBranch(head, h, branchName(env.Getenv(h.Main)))
	if err != nil || main.Commit.IsZero() || head.IsZero() {
		return main, err
	}
	branch, err := r.Branch()
	if err != nil {
		return Target{}, err
	}
	isMain, err := r.isMain(head, branch, main, h, env)
	if err != nil || !isMain {
		return main, err
	}
	target, err := r.releaseTarget(folder, head, main.Name, env)
	if err != nil || target.Commit.IsZero() {
		return target, err
	}
	return r.pushTarget(head, main.Name, target, env)
}

// isMain reports whether a head is on the main branch. A branch is the current one, or "".
func (r *Repo) isMain(head Commit, branch string, main Target, h hosts.Host, env Env) (bool, error) {
	name := strings.TrimPrefix(main.Name, "origin/")
	built := branchName(env.Getenv(h.Branch))
	switch {
	case branch != "" && branch != name, branch == "" && built != "" && built != name:
		return false, nil
	case built == name && env.Getenv(h.Commit) == head.Hash:
		return true, nil // whatever was fetched
	case built == name || r.head != nil:
		return r.OnLine(head, main.Commit)
	}
	// A commit that is not the tip is either unpushed or behind the server.
	return head.Hash == main.Commit.Hash, nil
}

// proposalTarget returns the target of a run for a pull request or a merge queue.
func (r *Repo) proposalTarget(env Env, h hosts.Host) (t Target, err error) {
	if hosts.Holds(env.Getenv, h.Queue) {
		t, err = r.queueTarget(env)
	} else {
		t, err = r.changeTarget(env, h)
	}
	if err != nil {
		return Target{}, err
	}
	return t, r.RequireProposal(t, env)
}

// RequireProposal returns an error if this run is for a pull request or a merge queue and its
// target already has HEAD: the check would then pass for every change.
func (r *Repo) RequireProposal(t Target, env Env) error {
	h := hosts.OfRun(env.Getenv)
	if !h.Proposes(env.Getenv) || t.Commit.IsZero() {
		return nil
	}
	head, err := r.Head()
	if err != nil {
		return err
	}
	common, err := r.MergeBases(head, t.Commit)
	if err != nil || len(common) != 1 || common[0].Hash != head.Hash {
		return err
	}
	checked := h.Noun
	if hosts.Holds(env.Getenv, h.Queue) {
		checked = "entry of the merge queue"
	}
	return fmt.Errorf("nothing is compared: the checked commit %.12s is already in %s (%s), so every change would pass. "+
		"Check the commit of the %s: %s", head.Hash, t.Name, t.Why, checked, h.Checkout)
}

// queueTarget reads the base of a GitHub merge queue from the event.
func (r *Repo) queueTarget(env Env) (Target, error) {
	var event struct {
		MergeGroup struct {
			BaseSHA string `json:"base_sha"`
		} `json:"merge_group"`
	}
	path, err := env.readEvent("merge queue", &event)
	if err != nil {
		return Target{}, err
	}
	h, ok := objects.ParseHash(event.MergeGroup.BaseSHA)
	if !ok {
		return Target{}, fmt.Errorf("the merge queue event in %s has no base: merge_group.base_sha must be a full hash, got %q", path, event.MergeGroup.BaseSHA)
	}
	c, err := r.lookupHash(h)
	if errors.Is(err, errNoRef) {
		return Target{}, fmt.Errorf("the base of the merge queue, commit %s, is not in the repository. "+
			"Set fetch-depth: 0 for actions/checkout, or run \"git fetch origin %s\"", h, h)
	} else if err != nil {
		return Target{}, err
	}
	t := Target{Commit: c, Name: "the base of the merge queue", Why: "this run is for a merge queue"}
	head, err := r.Head()
	if err == nil {
		t.Queued, err = r.OnLine(c, head)
	}
	return t, err
}

// changeTarget finds the tip of a pull request's target branch. The hashes that the
// host names are not used, because they date from the last change of the pull request.
func (r *Repo) changeTarget(env Env, h hosts.Host) (Target, error) {
	head, err := r.Head()
	if err != nil {
		return Target{}, err
	}
	landing, err := env.readLanding(h)
	if err != nil {
		return Target{}, err
	}
	base := branchName(env.Getenv(h.Target))
	// A branch that main was merged into also ends in a merge, but its first parent is
	// the branch itself: only the host's own merge has the target there.
	if hosts.Holds(env.Getenv, h.Merged) && env.Getenv(h.Commit) == head.Hash && len(head.Parents) == 2 {
		c, err := r.parent(head, 0)
		if err != nil {
			return Target{}, err
		}
		return Target{Commit: c, Name: cmp.Or(base, "the base of the "+h.Noun), Why: h.Name + " merged the " + h.Noun + " into it for this run", Landing: landing}, nil
	}
	project, here := env.Getenv(h.Project), env.Getenv(h.Here)
	switch {
	case hosts.Holds(env.Getenv, h.Train):
		return Target{}, fmt.Errorf("HEAD is not the merge commit that %s made for the merge train, so its predecessor in the train is unknown. "+
			"Check out commit %s, or add --base REV with the predecessor", h.Name, env.Getenv(h.Commit))
	case project != "" && here != "" && project != here:
		return Target{}, fmt.Errorf("this run belongs to a fork (%s is %q, and %s is %q), which does not have the target branch of the %s. "+
			"Run it in the target project, or add --base REV", h.Here, here, h.Project, project, h.Noun)
	case base == "":
		return Target{}, fmt.Errorf("the event is a %s, but %s does not name its target branch", h.Noun, h.Target)
	}
	c, err := r.fetchedTip(base, h, "the target of the "+h.Noun)
	return Target{Commit: c, Name: "origin/" + base, Why: "it is the target of the " + h.Noun, Landing: landing}, err
}

// fetchedTip returns the tip of a branch of the server. What is the role of the branch,
// for messages.
func (r *Repo) fetchedTip(branch string, h hosts.Host, what string) (Commit, error) {
	c, err := r.lookupRef(fetchedRefs + branch)
	if errors.Is(err, errNoRef) {
		advice := "Run"
		if h.Advice != "" {
			advice = h.Advice + ", or run"
		}
		err = fmt.Errorf("the branch %s, %s, was not fetched. %s \"git fetch origin %s\"",
			branch, what, advice, sanitize.ShellWord("+"+branchRefs+branch+":"+fetchedRefs+branch))
	}
	return c, err
}

// errNoMain is the error of mainBranch if no branch is the main one.
var errNoMain = errors.New("there is no main branch to compare with (origin/HEAD, origin/main, origin/master, main, or master)")

// mainBranch finds the main branch by its full name, so that no tag can replace it:
// the branch that the host names, or else the first that exists. If head is the only
// commit, or there is none, the Target has no commit.
func (r *Repo) mainBranch(head Commit, on hosts.Host, named string) (Target, error) {
	const why = "it is the main branch"
	if named != "" {
		c, err := r.fetchedTip(named, on, "the main branch")
		return Target{Commit: c, Name: "origin/" + named, Why: why}, err
	}
	h, full, err := r.refs.mainBranch()
	switch {
	case errors.Is(err, errDangling):
		return Target{}, fmt.Errorf("%w. Run %s", err, fetchBranches)
	case err == nil:
		c, err := r.peel(h)
		return Target{Commit: c, Name: strings.TrimPrefix(strings.TrimPrefix(full, "refs/remotes/"), branchRefs), Why: why}, err
	case !errors.Is(err, errNoRef):
		return Target{}, err
	}
	if alone, err := r.isAlone(head); err != nil {
		return Target{}, err
	} else if !alone {
		advice := "Add --base REV, with the branch that changes go into"
		if r.hasOrigin {
			advice = "Run " + fetchBranches + ", or add --base REV"
		}
		return Target{}, fmt.Errorf("%w. %s", errNoMain, advice)
	}
	if head.IsZero() {
		return Target{Why: "no branch has a commit"}, nil
	}
	return Target{Why: "this is the first commit"}, nil
}

// fetchBranches are the commands that fetch the branches of the server, and learn which of them
// is the main branch.
const fetchBranches = "\"git fetch origin '+refs/heads/*:refs/remotes/origin/*'\" and \"git remote set-head origin --auto\""

// mainBranch finds the main branch: the first that exists. full is the full name of the branch, also
// if the error is that it does not exist (errDangling).
func (rs refs) mainBranch() (h objects.Hash, full string, err error) {
	for _, name := range []string{fetchedRefs + "HEAD", fetchedRefs + "main", fetchedRefs + "master", branchRefs + "main", branchRefs + "master"} {
		if h, full, err = rs.resolve(name); !errors.Is(err, errNoRef) {
			return h, full, err
		}
	}
	return objects.Hash{}, "", errNoRef
}

// Origin returns the address of the remote "origin" of the repository that contains dir, or "" if there is
// none.
func Origin(dir string) (address string, err error) {
	loc, err := locate(dir)
	if errors.Is(err, ErrNoRepository) {
		return "", nil
	} else if err != nil {
		return "", err
	}
	config, err := readSettings(loc)
	return config["remote.origin.url"], err
}

// DefaultBranch returns the name of the branch that changes go into in the repository that
// contains dir: the main branch, or else the current branch, even if it has no commit yet. It
// is "main" if HEAD is detached, and outside a repository.
func DefaultBranch(dir string) (string, error) {
	const unknown = "main"
	loc, err := locate(dir)
	if errors.Is(err, ErrNoRepository) {
		return unknown, nil
	} else if err != nil {
		return "", err
	}
	config, err := readSettings(loc)
	if err == nil {
		err = config.checkFormat()
	}
	if err != nil {
		return "", err
	}
	_, full, err := refs(loc).mainBranch()
	switch {
	case err == nil || errors.Is(err, errDangling):
		return strings.TrimPrefix(strings.TrimPrefix(full, fetchedRefs), branchRefs), nil
	case !errors.Is(err, errNoRef):
		return "", err
	}
	head, err := refs(loc).read("HEAD")
	branch, onBranch := strings.CutPrefix(head.target, branchRefs)
	if err == nil && !onBranch {
		branch = unknown
	}
	return branch, err
}

// isAlone reports whether head has no parents and every name points to it (or nothing
// has a commit): then no earlier commit exists.
func (r *Repo) isAlone(head Commit) (bool, error) {
	names, err := r.refs.list("refs/")
	if err != nil || len(head.Parents) > 0 {
		return false, err
	}
	for _, name := range names {
		if c, err := r.lookupRef(name); err != nil && !errors.Is(err, errNotACommit) || err == nil && c.Hash != head.Hash {
			return false, nil // a name that can't be followed counts as another commit
		}
	}
	return true, nil
}

// releaseTarget returns the target for the main branch itself.
func (r *Repo) releaseTarget(folder string, head Commit, main string, env Env) (Target, error) {
	var parent Commit
	var err error
	if len(head.Parents) > 0 {
		if parent, err = r.parent(head, 0); err != nil {
			return Target{}, err
		}
	}
	before := ""
	last, ignored, err := r.LastRelease(folder, head)
	if err == nil && last.Commit.Hash == head.Hash && env.BeforeHead {
		before, last = " before HEAD", ReleaseTag{}
		if !parent.IsZero() {
			last, _, err = r.lastRelease(folder, parent)
		}
	}
	if err != nil {
		return Target{}, err
	}
	t := Target{Commit: last.Commit, Name: last.Name, Why: "HEAD is on " + main + ", and this is its last release" + before, OnMain: true, Ignored: ignored}
	switch {
	case last.Name != "":
	case parent.IsZero():
		t.Why = "this is the first commit"
	default:
		t.Commit, t.Name, t.Unreleased = parent, "the parent of HEAD", true
		t.Why = "HEAD is on " + main + ", which has no release tag" + before + ", so all steps are checked"
	}
	return t, nil
}

// OnGuarded reports whether a commit is on the first-parent line of the main branch: what
// is there is published. Without a main branch, nothing is.
func (r *Repo) OnGuarded(c Commit) (bool, error) {
	n, err := r.CountGuarded([]Commit{c})
	return n > 0, err
}

// CountGuarded returns how many commits of a line, oldest first, are on the first-parent line of the
// main branch, if there is one.
func (r *Repo) CountGuarded(line []Commit) (int, error) {
	main, err := r.mainBranch(line[0], hosts.Host{}, "")
	switch {
	case errors.Is(err, errNoMain) || errors.Is(err, errDangling):
		return 0, nil
	case err != nil || main.Commit.IsZero():
		return 0, err
	}
	guarded := r.line(main.Commit)
	for n := len(line); n > 0; n-- {
		if on, err := guarded.has(line[n-1]); on || err != nil {
			return n, err
		}
	}
	return 0, nil
}
