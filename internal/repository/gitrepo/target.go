package gitrepo

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
)

// Target is what a change is going to be merged into, or what it follows: the
// commit to compare with.
type Target struct {
	// Commit is zero if nothing comes before: then Why says so.
	Commit Commit
	// Name is how messages name it: "origin/main", "library-v1.2.0".
	Name string
	// Why says in a few words how it was chosen.
	Why string
	// OnMain tells that HEAD itself is on the main branch, and that Commit is
	// what came before it there.
	OnMain bool
}

// Env is what Target needs to know of the process and its release tags.
type Env struct {
	// Getenv reads an environment variable, as os.Getenv does.
	Getenv func(name string) string
	// ReadFile reads the file of the CI event, as os.ReadFile does.
	ReadFile func(path string) ([]byte, error)
	// TagPrefix stands before the version in the name of a release tag.
	TagPrefix string
}

// The folders of branches among the full names: those of the server, as they
// were fetched, and those of this clone.
const (
	fetchedRefs = "refs/remotes/origin/"
	branchRefs  = "refs/heads/"
)

// Target finds out what HEAD is to be compared with. On a CI host it follows from
// the host's variables: in a merge queue it is the queue's base, for a pull
// request the tip of the branch that it goes to, as it was fetched. Elsewhere it
// is the main branch (origin/HEAD, origin/main, origin/master, main, master: the
// first that is there). On the main branch itself it is the last release, or
// without one the parent of HEAD.
//
// HEAD is on the main branch if the current branch has its name, or if HEAD is on
// no branch and at its tip or, where the host says that it builds the main branch,
// at any of its commits.
func (r *Repo) Target(env Env) (Target, error) {
	h := hostOf(env.Getenv)
	switch {
	case holds(env.Getenv, h.queue):
		return r.queueTarget(env)
	case holds(env.Getenv, h.change):
		return r.changeTarget(env, h)
	}
	head, err := r.Head()
	if err != nil && !errors.Is(err, ErrNoCommit) {
		return Target{}, err
	}
	main, err := r.mainBranch(head, h, branchName(env.Getenv(h.main)))
	if err != nil || main.Commit.IsZero() || head.IsZero() {
		return main, err
	}
	branch, err := r.Branch()
	if err != nil {
		return Target{}, err
	}
	isMain := branch == strings.TrimPrefix(main.Name, "origin/")
	if built := branchName(env.Getenv(h.branch)); branch == "" && built != "" {
		if isMain = built == strings.TrimPrefix(main.Name, "origin/"); isMain {
			isMain, err = r.onLine(head, main.Commit)
		}
	} else {
		// One that is not at the tip is not pushed yet, or behind what others pushed.
		isMain = (isMain || branch == "") && head.Hash == main.Commit.Hash
	}
	if err != nil || !isMain {
		return main, err
	}
	return r.releaseTarget(head, main.Name, env.TagPrefix)
}

// onLine says whether a commit is tip or one of its first parents.
func (r *Repo) onLine(c, tip Commit) (bool, error) {
	for on, err := range r.FirstParents(tip) {
		if err != nil || on.Hash == c.Hash {
			return err == nil, err
		}
	}
	return false, nil
}

// queueTarget reads the base of a merge queue of GitHub from the event.
func (r *Repo) queueTarget(env Env) (Target, error) {
	path := env.Getenv("GITHUB_EVENT_PATH")
	data, err := env.ReadFile(path)
	if err != nil {
		return Target{}, fmt.Errorf("the event of the merge queue can't be read: %w", err)
	}
	var event struct {
		MergeGroup struct {
			BaseSHA string `json:"base_sha"`
		} `json:"merge_group"`
	}
	if err := json.Unmarshal(data, &event); err != nil {
		return Target{}, fmt.Errorf("the event of the merge queue in %s can't be read: it is not the JSON that GitHub writes", path)
	}
	h, ok := parseHash(event.MergeGroup.BaseSHA)
	if !ok {
		return Target{}, fmt.Errorf("the event of the merge queue in %s does not say its base: merge_group.base_sha is %q", path, event.MergeGroup.BaseSHA)
	}
	c, err := r.lookupHash(h)
	if errors.Is(err, errNoRef) {
		return Target{}, fmt.Errorf("the base of the merge queue, commit %s, is not in the repository: "+
			"set fetch-depth: 0 for actions/checkout, or run \"git fetch origin %s\"", h, h)
	} else if err != nil {
		return Target{}, err
	}
	return Target{Commit: c, Name: "the base of the merge queue", Why: "this is a merge queue"}, nil
}

// changeTarget finds the tip of the branch that a pull request goes to. No hash
// that the host names is used, because it is that of the time when the pull
// request was last changed.
func (r *Repo) changeTarget(env Env, h host) (Target, error) {
	head, err := r.Head()
	if err != nil {
		return Target{}, err
	}
	base := branchName(env.Getenv(h.target))
	// A branch that main was merged into also ends in a merge, whose first parent
	// is the branch itself: only the host's own merge has the target there.
	if holds(env.Getenv, h.merged) && env.Getenv(h.commit) == head.Hash && len(head.Parents) == 2 {
		c, err := r.parent(head, 0)
		if err != nil {
			return Target{}, err
		}
		return Target{Commit: c, Name: cmp.Or(base, "the base of the "+h.noun), Why: h.name + " has merged the " + h.noun + " into it for this check"}, nil
	}
	project, here := env.Getenv(h.project), env.Getenv(h.here)
	switch {
	case holds(env.Getenv, h.train):
		return Target{}, fmt.Errorf("HEAD is not the merge that %s makes for a merge train, so that what comes before it in the train can't be told: "+
			"check out commit %s, or name the commit before with --base REV", h.name, env.Getenv(h.commit))
	case project != "" && here != "" && project != here:
		return Target{}, fmt.Errorf("this run belongs to a fork (%s is %q, and %s is %q), whose branches are not those that the %s goes to: "+
			"run it in the project that it goes to, or name what to compare with: --base REV", h.here, here, h.project, project, h.noun)
	case base == "":
		return Target{}, fmt.Errorf("the event is a %s, and %s does not say which branch it goes to", h.noun, h.target)
	}
	c, err := r.fetched(base, h, "the "+h.noun+" goes to")
	return Target{Commit: c, Name: "origin/" + base, Why: "the " + h.noun + " goes to it"}, err
}

// fetched is the tip of a branch of the server. What says in words how the branch
// matters here.
func (r *Repo) fetched(branch string, h host, what string) (Commit, error) {
	c, err := r.lookupRef(fetchedRefs + branch)
	if errors.Is(err, errNoRef) {
		advice := h.advice
		if advice != "" {
			advice += ", or "
		}
		err = fmt.Errorf("the branch %s that %s was not fetched: %srun \"git fetch origin %s\"",
			branch, what, advice, shellQuote("+"+branchRefs+branch+":"+fetchedRefs+branch))
	}
	return c, err
}

// mainBranch finds the main branch by its full name, so that no tag can take its
// place: that which the host names, or else the first that is there. Without any
// commit but a first one, head, it is a Target without a commit.
func (r *Repo) mainBranch(head Commit, on host, named string) (Target, error) {
	const why = "it is the main branch"
	if named != "" {
		c, err := r.fetched(named, on, "is the main branch")
		return Target{Commit: c, Name: "origin/" + named, Why: why}, err
	}
	for _, name := range []string{fetchedRefs + "HEAD", fetchedRefs + "main", fetchedRefs + "master", branchRefs + "main", branchRefs + "master"} {
		h, final, err := r.refs.resolve(name)
		if errors.Is(err, errNoRef) {
			continue
		}
		if _, ok := errors.AsType[*danglingError](err); ok {
			return Target{}, fmt.Errorf("%w: run \"git remote set-head origin --auto\"", err)
		} else if err != nil {
			return Target{}, err
		}
		c, err := r.peel(h)
		if err != nil {
			return Target{}, err
		}
		short := strings.TrimPrefix(strings.TrimPrefix(final, "refs/remotes/"), branchRefs)
		return Target{Commit: c, Name: short, Why: why}, nil
	}
	if alone, err := r.alone(head); err != nil {
		return Target{}, err
	} else if !alone {
		return Target{}, errors.New("there is no main branch to compare with (origin/HEAD, origin/main, origin/master, main or master): " +
			"run \"git fetch origin '+refs/heads/*:refs/remotes/origin/*'\" and \"git remote set-head origin --auto\", or name what to compare with: --base REV")
	}
	if head.IsZero() {
		return Target{Why: "the repository has no branch with a commit yet"}, nil
	}
	return Target{Why: "HEAD is the first commit, and nothing comes before it"}, nil
}

// alone says whether no name stands for another commit than head, which is none
// or one without parents: then nothing can come before it.
func (r *Repo) alone(head Commit) (bool, error) {
	names, err := r.refs.list("refs/")
	if err != nil || len(head.Parents) > 0 {
		return false, err
	}
	for _, name := range names {
		if c, err := r.lookupRef(name); err != nil && !errors.Is(err, errNotACommit) || err == nil && c.Hash != head.Hash {
			return false, nil // what can't be followed counts as another
		}
	}
	return true, nil
}

// releaseTarget is what the main branch itself is compared with.
func (r *Repo) releaseTarget(head Commit, main, prefix string) (Target, error) {
	tag, c, err := r.LastRelease(head, prefix)
	if err != nil {
		return Target{}, err
	}
	if tag != "" {
		return Target{Commit: c, Name: tag, Why: "HEAD is on " + main + ", and this is its last release", OnMain: true}, nil
	}
	if len(head.Parents) == 0 {
		return Target{Why: "HEAD is the first commit, and nothing comes before it", OnMain: true}, nil
	}
	if c, err = r.parent(head, 0); err != nil {
		return Target{}, err
	}
	return Target{Commit: c, Name: "the parent of HEAD", Why: "HEAD is on " + main + ", and no release tag is here", OnMain: true}, nil
}
