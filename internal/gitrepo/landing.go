package gitrepo

import (
	"errors"
	"io/fs"
	"slices"

	"github.com/rubric-library/rubric-library/internal/files/hosts"
)

// readLanding reads from the event of a pull request which ways the target's repository allows.
func (env Env) readLanding(h hosts.Host) (Landing, error) {
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
