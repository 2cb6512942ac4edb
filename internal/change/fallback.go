package change

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// Fallback is what a constraint that selected a yanked version selects instead: the highest
// earlier version, with the class of the change to it. To is "" if there is none.
type Fallback struct {
	ID      string `json:"id"`
	Version string `json:"version"`
	Reason  string `json:"reason"`
	// Withdrawn says that the text of the version is gone, too. A reference to exactly this
	// version then fails, so the library's next version is major.
	Withdrawn bool `json:"withdrawn"`
	// To is the version that constraints select instead, if there is an earlier one, and if they
	// selected the yanked version.
	To      string                 `json:"fallback,omitempty"`
	Class   schema.Class           `json:"class"`
	Changes []compat.MeaningChange `json:"-"`
}

// String says in sentences what the yank does. It does not quote the text of a version that is
// withdrawn.
func (f *Fallback) String() string {
	text := fmt.Sprintf("%s %s is yanked: %s", f.ID, f.Version, f.Reason)
	if f.Withdrawn {
		text = fmt.Sprintf("%s %s is withdrawn: %s Bundles no longer have its text, "+
			"so references to exactly this version fail (major).", f.ID, f.Version, f.Reason)
	}
	switch {
	case f.To == "" && f.Withdrawn:
		return text
	case f.To == "":
		return text + " No constraint that selected it selects an earlier version."
	}
	text += fmt.Sprintf(" Constraints fall back to %s (%s).", f.To, f.Class)
	if len(f.Changes) > 0 && !f.Withdrawn {
		text += " " + reasons(f.Changes)
	}
	return text
}

// effect is the class of the yank for the library.
func (f *Fallback) effect() schema.Class {
	if f.Withdrawn || f.Class == schema.Major {
		return schema.Major
	}
	return schema.Patch
}

// fallbackOf is the fallback of an entry, as long as nothing is known about other versions.
func fallbackOf(e *holdings.LedgerLine) Fallback {
	return Fallback{ID: e.ID, Version: e.Yanked, Reason: e.Reason, Withdrawn: e.Withdrawn, Class: schema.Patch}
}

// mostReasons is how many changes a message names.
const mostReasons = 3

// reasons lists the changes that require the version: those of the highest class.
func reasons(changes []compat.MeaningChange) string {
	class := compat.Class(changes)
	var messages []string
	for _, c := range changes {
		if c.Class == class {
			messages = append(messages, c.Message)
		}
	}
	more := ""
	if n := len(messages) - mostReasons; n > 0 {
		messages, more = messages[:mostReasons], fmt.Sprintf(" (and %d more)", n)
	}
	return strings.Join(messages, " ") + more
}
