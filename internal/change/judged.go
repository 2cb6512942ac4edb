package change

import (
	"github.com/Masterminds/semver/v3"

	"github.com/rubric-library/rubric-library/internal/change/comparison"
	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
)

// JudgedDocument is a changed document with what decides about its version.
type JudgedDocument struct {
	*comparison.ChangedDocument
	// Instead is the version that constraints select if the version of Base is yanked: then, the
	// changes are those since this one.
	Instead *holdings.Edition
	// Hidden says that the changes are those since a version whose text is withdrawn, so that no
	// output shows them.
	Hidden bool

	judged
}

// judgedDocuments are the documents of a comparison, not yet judged.
func judgedDocuments(c *comparison.Comparison) []*JudgedDocument {
	var documents []*JudgedDocument
	for _, d := range c.Changed {
		documents = append(documents, &JudgedDocument{ChangedDocument: d})
	}
	return documents
}

// judged is what the judgment finds out about the version of a document that the head has and
// that the repository has or had.
type judged struct {
	head, base *semver.Version
	// base is the version of Base, or the last one of a retired document whose history is
	// unknown. floor is the version that the next one counts from: the higher of the
	// target's tip and base.
	floor *semver.Version
	// before is the document that has the floor's version, where it is known.
	before *holdings.Edition
	// highest is the highest version that the document ever had, or nil.
	highest *semver.Version
	// rolledBack says that a bundle yanks the version of the base, so that its latest version
	// is another one.
	rolledBack bool
	// elsewhere says that the ID contains the major version and the changes need another
	// one. accepted says that an exception allows them under this ID.
	elsewhere, accepted bool
	// owner is the first text that was published under the ID, if it is of the other kind: an ID
	// belongs to one kind.
	owner *holdings.Edition
	// free is set if the head has the number of a draft that no release carried, with another
	// text.
	free *freeDraft
}

// freeDraft is a draft that no release carried, so that another text can have its number. What
// consumers have is the last version that a release carried, nil if there is none: the changes
// since then need a step.
type freeDraft struct {
	since   *holdings.Edition
	changes []compat.MeaningChange
}
