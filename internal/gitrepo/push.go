package gitrepo

import (
	"errors"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

// pushTarget returns the commit before the push that this run is for, if it is older than
// the target without it. If it is unknown what the push brought, the target has no commit,
// which means the whole history.
func (r *Repo) pushTarget(head Commit, main string, target Target, env Env) (Target, error) {
	all := func(why string) (Target, error) {
		return Target{Why: "HEAD is on " + main + ", " + why + ", so all steps are checked", OnMain: true}, nil
	}
	before, pushed, err := r.beforePush(env, strings.TrimPrefix(main, "origin/"))
	switch {
	case errors.Is(err, errNoRef):
		return all("and the commit before the push is not in this repository")
	case err != nil:
		return Target{}, err
	case !pushed || before.Hash == head.Hash || before.Hash == target.Commit.Hash:
		return target, nil
	case before.IsZero():
		return all("which the push created")
	}
	on, err := r.OnLine(before, head)
	if err != nil {
		return Target{}, err
	}
	if !on {
		return all("and the commit before the push is not among its first parents")
	}
	older, err := r.OnLine(before, target.Commit)
	if err != nil {
		return Target{}, err
	}
	if older {
		why := "HEAD is on " + main + ", and this is where the push began"
		target = Target{
			Commit: before, Name: "the commit before the push", Why: why, OnMain: true,
			Unreleased: target.Unreleased,
		}
	}
	return target, nil
}

// beforePush returns the commit that a branch had before the push that this run is for, zero
// if the push created the branch. If the run is not for a push to the branch, pushed is false.
func (r *Repo) beforePush(env Env, branch string) (before Commit, pushed bool, err error) {
	h := hosts.OfRun(env.Getenv)
	if !hosts.Holds(env.Getenv, h.Push) || branchName(env.Getenv(h.Branch)) != branch {
		return Commit{}, false, nil
	}
	text, from := env.Getenv(h.Before), h.Before
	if h.Before == "" {
		var event struct {
			Before string `json:"before"`
		}
		path, err := env.readEvent("push", &event)
		if err != nil {
			return Commit{}, false, err
		}
		text, from = event.Before, "before in the push event "+path
	}
	if text == strings.Repeat("0", 40) {
		return Commit{}, true, nil
	}
	hash, ok := objects.ParseHash(text)
	if !ok {
		return Commit{}, false, fmt.Errorf("the commit before the push is unknown: %s must be a full hash, got %q. Add --base REV",
			from, text)
	}
	before, err = r.lookupHash(hash)
	return before, true, err
}
