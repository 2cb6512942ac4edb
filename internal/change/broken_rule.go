package change

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change/comparison"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
)

// BrokenRule is a rule that a step breaks, and whether the code owners accepted that.
type BrokenRule struct {
	// Rule is the name of the rule, such as VersionTooLow.
	Rule string
	// Document is the document in question, or nil for an entry of the ledger.
	Document *JudgedDocument
	// ID and Version are those of the document or entry. For evidence, ID is the dataset, and
	// Item is the ID of the item or the name of the file.
	ID, Version, Item string
	// At is the place in the step's commit, or only a file. Pointer is the JSON pointer
	// to the value.
	At      source.Location
	Pointer string
	// Message says what to change, and why. Reasons are the changes of the document that
	// require it, in sentences, or "".
	Message, Reasons string
	// Required is the version to write instead, or "".
	Required string
	// Before is the document that the version is compared with, or nil if it is unknown.
	Before *holdings.Edition
	// Accepted is the exception that accepts it, or nil. Final says that none can, and Damage
	// that none could before it was in the history, so that only one that names the commit can.
	Accepted      *holdings.Exception
	Final, Damage bool
}

// EarlierEdition returns the document that is gone, or nil.
func (v *BrokenRule) EarlierEdition() *holdings.Edition {
	if v.Rule != DocumentGone || v.Document == nil {
		return nil
	}
	return v.Document.Bases[0]
}

// Fails reports whether the broken rule makes a change unacceptable.
func (v *BrokenRule) Fails() bool { return v.Accepted == nil && v.Rule != VersionIdle }

// Text is the message with the reasons.
func (v *BrokenRule) Text() string { return strings.TrimRight(v.Message+" "+v.Reasons, " ") }

// Entry is the exception that would accept the broken rule on a step in a commit, as one line of
// YAML without the reason.
func (v *BrokenRule) Entry(commit string) string {
	if v.Item != "" {
		return fmt.Sprintf("rule: %s, id: %s, item: %s, commit: %s", v.Rule, v.ID, schema.Quote(v.Item), commit)
	}
	return fmt.Sprintf("rule: %s, id: %s, commit: %s", v.Rule, v.ID, commit)
}

// Step is a library compared with the one before it, and the judgment of the difference.
type Step struct {
	*comparison.Comparison
	// Documents are those of the comparison that changed, with what decides about their versions.
	Documents []*JudgedDocument
	// Commit is the hash of an earlier commit of the range, or "" for its last step, the
	// library that is checked. Number counts the earlier ones from 1, oldest first.
	Commit string
	Number int
	// OnBranch says that the step was on a guarded branch before the head was checked.
	OnBranch bool
	// Broken are the rules that the step breaks.
	Broken []*BrokenRule
	// Fallbacks are what constraints select instead of the versions that the step yanks.
	Fallbacks []Fallback

	stepPlace
	past     holdings.Past
	releases *holdings.Releases // nil if the history is unknown
	stepExceptions
	unusablePast
	// end is the ledger of the library that is checked.
	end *holdings.Ledger
}

// stepPlace is where a step is in the history.
type stepPlace struct {
	reached string           // the hash of the commit that the step leads to, "" for uncommitted edits
	target  string           // the name of the target in messages
	line    []gitrepo.Commit // of the guarded branch up to what the head was compared with, if the step is all of them
}

// stepExceptions are the exceptions that matter to a step.
type stepExceptions struct {
	// added and removed are those in which its tree differs from what precedes it. counting are
	// those that can accept what the step does.
	added, removed, counting []*holdings.Exception
	// lets are those that were added for an earlier commit and accept what it did.
	lets []*holdings.Exception
}

// unusablePast are versions of the past that constraints can't select.
type unusablePast struct {
	// rejected are those that today's rules reject, as far as that is known, and unread are
	// withdrawals of versions that they can't read.
	rejected map[*holdings.Edition]bool
	unread   []holdings.LedgerLine
}

// isHistory reports whether the step is on a guarded branch already, so that nobody can change
// it any more.
func (s *Step) isHistory() bool { return s.Commit != "" && s.OnBranch }

func (s *Step) add(v *BrokenRule) {
	if d := v.Document; d != nil {
		v.ID = d.ID
		if d.Head != nil {
			v.Version = d.Head.Version
		} else if known := s.KnownEdition(d.ID); known != nil {
			v.Version = known.Version
		}
		if v.At.Start.Line == 0 {
			v.At = source.Location{File: d.Path}
		}
	}
	if !v.Final {
		v.Accepted = s.acceptsBroken(v)
	}
	s.Broken = append(s.Broken, v)
}

// accepts returns the exception that accepts a broken rule, or nil. item is "" for a document.
func (s *Step) accepts(rule, id, version, item string) *holdings.Exception {
	for _, e := range s.counting {
		if e.Covers(rule, id, version, item) {
			return e
		}
	}
	return nil
}

// acceptsBroken returns the exception that accepts a broken rule, or nil.
func (s *Step) acceptsBroken(v *BrokenRule) *holdings.Exception {
	for _, e := range s.counting {
		if e.Covers(v.Rule, v.ID, v.Version, v.Item) && (!v.Damage || e.Commit != "") {
			return e
		}
	}
	return nil
}
