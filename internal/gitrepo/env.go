package gitrepo

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// Target is the commit to compare with: the one that a change will be merged into, or
// the one that it follows.
type Target struct {
	// Commit is zero if there is no earlier commit; Why has the reason.
	Commit Commit
	// Name is the target's name in messages: "origin/main", "library-v1.2.0".
	Name string
	// Why is a short explanation of the choice.
	Why string
	// OnMain is true if HEAD itself is on the main branch. Commit is then the previous
	// state of that branch.
	OnMain bool
	// Unreleased is true if Commit is the parent of HEAD only because no release came before:
	// the first one will have every step up to HEAD.
	Unreleased bool
	// Named is true if a person or a program named the commit.
	Named bool
	// Queued is true if HEAD is in a merge queue: its first parents since the commit
	// will be those of the main branch.
	Queued bool
	// Landing is how the commits of a pull request can get there.
	Landing Landing
	// Ignored are the release tags that do not count, and are higher than the last release,
	// if that was asked for.
	Ignored []ReleaseTag
}

// Env gives Target access to the process.
type Env struct {
	// Getenv reads an environment variable, as os.Getenv does.
	Getenv func(name string) string
	// ReadFile reads the file of the CI event, as os.ReadFile does.
	ReadFile func(path string) ([]byte, error)
	// BeforeHead ignores a release at HEAD, because the step to HEAD is judged too.
	BeforeHead bool
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
		return path, fmt.Errorf("can't read the %s event in %s, which %s names: %w. In a container, this program needs the file, too",
			what, path, variable, safefile.Reason(err))
	}
	if err := json.Unmarshal(data, into); err != nil {
		return path, fmt.Errorf("can't read the %s event in %s: expected the JSON that GitHub writes", what, path)
	}
	return path, nil
}

// branchName returns the name of the branch in a variable, which can be a full name,
// or "" for anything else, such as a tag.
func branchName(value string) string {
	if branch, ok := strings.CutPrefix(value, branchRefs); ok {
		return branch
	}
	if strings.HasPrefix(value, "refs/") {
		return ""
	}
	return value
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
