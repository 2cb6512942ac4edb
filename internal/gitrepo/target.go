package gitrepo

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
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

// pullRef is the name of the merge that GitHub makes to test a pull request.
var pullRef = regexp.MustCompile(`^refs/pull/[0-9]+/merge$`)

// Target finds out what HEAD is to be compared with. In a merge queue of GitHub
// Actions it is the queue's base, for a pull request the branch it goes to;
// elsewhere the main branch (origin/HEAD, origin/main, origin/master, main,
// master: the first that is there). On the main branch itself it is the last
// release, or without one the parent of HEAD.
//
// HEAD is on the main branch if the current branch has its name, or if HEAD is
// at its tip and on no branch.
func (r *Repo) Target(env Env) (Target, error) {
	switch env.Getenv("GITHUB_EVENT_NAME") {
	case "merge_group":
		return r.queueTarget(env)
	case "pull_request", "pull_request_target":
		return r.pullTarget(env)
	}
	main, err := r.mainBranch()
	if err != nil {
		return Target{}, err
	}
	branch, err := r.Branch()
	if err != nil {
		return Target{}, err
	}
	head, err := r.Head()
	switch {
	case errors.Is(err, ErrNoCommit):
		return main, nil
	case err != nil:
		return Target{}, err
	case branch != "" && branch == strings.TrimPrefix(main.Name, "origin/") && head.Hash != main.Commit.Hash:
		return main, nil // not pushed yet, or behind what others pushed
	case branch == strings.TrimPrefix(main.Name, "origin/"), branch == "" && head.Hash == main.Commit.Hash:
		return r.releaseTarget(head, main.Name, env.TagPrefix)
	}
	return main, nil
}

// queueTarget reads the base of a merge queue from the event.
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

// pullTarget finds the tip of the branch that a pull request goes to. The hash
// in the event is not used, because it is that of the time when the pull request
// was last changed.
func (r *Repo) pullTarget(env Env) (Target, error) {
	head, err := r.Head()
	if err != nil {
		return Target{}, err
	}
	base := env.Getenv("GITHUB_BASE_REF")
	// A branch that main was merged into also ends in a merge, whose first parent
	// is the branch itself: only GitHub's own merge has main there.
	if pullRef.MatchString(env.Getenv("GITHUB_REF")) && env.Getenv("GITHUB_SHA") == head.Hash && len(head.Parents) == 2 {
		c, err := r.parent(head, 0)
		if err != nil {
			return Target{}, err
		}
		return Target{Commit: c, Name: cmp.Or(base, "the base of the pull request"), Why: "GitHub has merged the pull request into it for this check"}, nil
	}
	if base == "" {
		return Target{}, errors.New("the event is a pull request, and GITHUB_BASE_REF does not say which branch it goes to")
	}
	c, err := r.lookupRef("refs/remotes/origin/" + base)
	if errors.Is(err, errNoRef) {
		return Target{}, fmt.Errorf("the branch %s that the pull request goes to was not fetched: set fetch-depth: 0 for actions/checkout, "+
			"or run \"git fetch origin +refs/heads/%s:refs/remotes/origin/%s\"", base, base, base)
	} else if err != nil {
		return Target{}, err
	}
	return Target{Commit: c, Name: "origin/" + base, Why: "the pull request goes to it"}, nil
}

// mainBranch finds the main branch by its full name, so that no tag can take its
// place. In a repository without any branch it is a Target without a commit.
func (r *Repo) mainBranch() (Target, error) {
	for _, name := range []string{"refs/remotes/origin/HEAD", "refs/remotes/origin/main", "refs/remotes/origin/master", "refs/heads/main", "refs/heads/master"} {
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
		short := strings.TrimPrefix(strings.TrimPrefix(final, "refs/remotes/"), "refs/heads/")
		return Target{Commit: c, Name: short, Why: "it is the main branch"}, nil
	}
	for _, prefix := range []string{"refs/heads/", "refs/remotes/"} {
		if branches, err := r.refs.list(prefix); err != nil {
			return Target{}, err
		} else if len(branches) > 0 {
			return Target{}, errors.New("there is no main branch to compare with (origin/HEAD, origin/main, origin/master, main or master): " +
				"run \"git remote set-head origin --auto\", or say which revision to compare with")
		}
	}
	return Target{Why: "the repository has no branch with a commit yet"}, nil
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
