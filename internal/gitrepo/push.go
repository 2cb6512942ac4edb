package gitrepo

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
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
		target = Target{Commit: before, Name: "the commit before the push", Why: why, OnMain: true, Unreleased: target.Unreleased}
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
	hash, ok := parseHash(text)
	if !ok {
		return Commit{}, false, fmt.Errorf("the commit before the push is unknown: %s must be a full hash, got %q. Add --base REV", from, text)
	}
	before, err = r.lookupHash(hash)
	return before, true, err
}

// readEvent reads the event of GitHub, or of a host like it, and returns its file.
func (env Env) readEvent(what string, into any) (path string, err error) {
	const variable = "GITHUB_EVENT_PATH"
	path = env.Getenv(variable)
	if path == "" {
		return path, fmt.Errorf("can't read the %s event: %s is not set. The runner sets it to the file of the event: pass both on to this program, for example into its container, or set --base", what, variable)
	}
	data, err := env.ReadFile(path)
	if err != nil {
		return path, fmt.Errorf("can't read the %s event in %s, which %s names: %w. In a container, this program needs the file, too", what, path, variable, safefile.Reason(err))
	}
	if err := json.Unmarshal(data, into); err != nil {
		return path, fmt.Errorf("can't read the %s event in %s: expected the JSON that GitHub writes", what, path)
	}
	return path, nil
}

// Landing says how the commits of a pull request can get to its target, as far as the host says
// it.
type Landing uint8

// The ways: all at once, or each by itself. CanLandApart means that a person chooses.
const (
	LandsTogether Landing = iota
	CanLandApart
	LandsApart
)

// landing reads from the event of a pull request which ways the target's repository allows.
func (env Env) landing(h hosts.Host) (Landing, error) {
	if len(h.Apart) == 0 || env.Getenv("GITHUB_EVENT_PATH") == "" {
		return LandsTogether, nil
	}
	var event struct {
		PullRequest struct {
			Base struct {
				Repo map[string]any `json:"repo"`
			} `json:"base"`
		} `json:"pull_request"`
	}
	_, err := env.readEvent(h.Noun, &event)
	if errors.Is(err, fs.ErrNotExist) {
		return LandsTogether, nil // in a container, which may lack the file
	} else if err != nil {
		return LandsTogether, err
	}
	is := func(value bool) func(string) bool {
		return func(setting string) bool { return event.PullRequest.Base.Repo[setting] == value }
	}
	switch {
	case !slices.ContainsFunc(h.Apart, is(true)):
		return LandsTogether, nil
	case slices.ContainsFunc(h.Together, func(setting string) bool { return !is(false)(setting) }):
		return CanLandApart, nil
	}
	return LandsApart, nil
}
