package change

import (
	"fmt"
	"path"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/change/comparison"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
)

// Removed counts the items of a dataset that exceptions let the history remove.
func Removed(exceptions []*holdings.Exception, d *calibration.Dataset) int {
	removed := map[string]bool{}
	for _, e := range exceptions {
		there := func(item calibration.Item) bool { return item.ID == e.Item }
		isFile := e.Item == calibration.DatasetFile
		if e.Rule == EvidenceChanged && e.ID == d.Name && !isFile && !slices.ContainsFunc(d.Items, there) {
			removed[e.Item] = true
		}
	}
	return len(removed)
}

func (s *Step) judgeEvidence() {
	for _, r := range s.Rewrites {
		v := &BrokenRule{
			Rule: EvidenceChanged, ID: r.Dataset, Item: r.Item, At: r.At, Message: r.Message,
			Final: r.Final && !s.isHistory(), Damage: r.Final && s.isHistory(),
		}
		if v.Final {
			v.Message += " An exception lets all answers to an item be removed, but not this."
		}
		s.add(v)
	}
}

func (s *Step) judgeLeft() {
	for _, l := range s.Left {
		file, id := path.Join(calibration.Root, l.Dataset, calibration.DatasetFile), l.Document.ID
		message := fmt.Sprintf("Write calibration_dataset: %s: judges answered there for the same words, "+
			"and what they answered stays the evidence until the words change.", file)
		if !l.Lists {
			message += fmt.Sprintf(" Add %s to its applies_to.", id)
		}
		if l.Names != "" {
			message += fmt.Sprintf(" Add the items of %s to that dataset.", path.Join(calibration.Root, l.Names))
		}
		s.add(&BrokenRule{
			Rule: DatasetLeft, Document: s.judgedDocument(l.Document),
			At: l.At, Pointer: "/calibration_dataset", Message: message,
		})
	}
}

// judgedDocument is the document of the step that changed as the comparison says.
func (s *Step) judgedDocument(changed *comparison.ChangedDocument) *JudgedDocument {
	i := slices.IndexFunc(s.Documents, func(d *JudgedDocument) bool { return d.ChangedDocument == changed })
	return s.Documents[i]
}
