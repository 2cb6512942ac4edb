package cli

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// pendingRule is an entry of a file of verdicts or checks to fill in, with the words of the
// rule. It has no reason, because an empty one would be a mistake.
type pendingRule struct {
	Rule        string           `json:"rule"`
	Verdict     *string          `json:"verdict,omitempty"`
	Checks      *[]ruleset.Check `json:"checks,omitempty"`
	Description string           `json:"description"`
	Check       string           `json:"check"`
}

// checkPending rejects an existing file: a person may have filled it in.
func checkPending(name string) error {
	if name != "" && exists(name) {
		return fmt.Errorf("%s already exists, and nothing was changed. Write another file with --pending", name)
	}
	return nil
}

// writePending writes a new file with an entry for each of the rules, under a key. Each
// entry has the empty field of blank.
func writePending(name, key string, set *ruleset.RuleSet, ids []string, blank pendingRule) error {
	entries := []pendingRule{}
	for _, id := range ids {
		for _, r := range set.Rules {
			if r.ID == id {
				entries = append(entries, pendingRule{id, blank.Verdict, blank.Checks, r.Description, r.Check})
			}
		}
	}
	data, err := render.JSON(map[string]any{key: entries})
	if err == nil {
		err = safefile.Create(name, data, 0o666)
	}
	if err != nil {
		return fmt.Errorf("%s could not be written: %w", name, safefile.Reason(err))
	}
	return nil
}
