package change

import (
	"cmp"
	"maps"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// passedClass is the highest class of the versions that were published up to a commit after a release,
// and that the head no longer has. A bundle has them, too, so constraints can select them.
func (s *Step) passedClass(from gitrepo.Commit) (class schema.Class, err error) {
	repo, released := s.Tip.Repo, s.Tip.Commit
	if repo == nil || released.IsZero() || from.IsZero() || from.Hash == released.Hash {
		return schema.None, nil
	}
	changed := map[string]*JudgedDocument{}
	for _, d := range s.Documents {
		if d.Base != nil && d.Head != nil {
			changed[d.ID] = d
		}
	}
	class = schema.None
	read, seen := holdings.ReadingOf(slices.Collect(maps.Keys(changed))...), map[string]bool{}
	for p, err := range holdings.Line(repo, from, s.Tip.Folder, library.Root) {
		if err != nil {
			return 0, err
		}
		for _, c := range p.AddedContents() {
			e, err := read.Edition(c)
			if err != nil {
				return 0, err
			}
			if e == nil || seen[e.ID+" "+e.Version] {
				continue
			}
			seen[e.ID+" "+e.Version] = true // an earlier text of a version is in no bundle
			effect, err := s.effectOf(e, c, changed[e.ID])
			if err != nil {
				return 0, err
			}
			class = max(class, effect)
		}
		if p.Parent.Hash == released.Hash {
			return class, nil
		}
	}
	return schema.None, nil // the release is on another line
}

// effectOf is the class of a version of a document, with its content, that was published after the
// base of the document, or none if no bundle has it.
func (s *Step) effectOf(e *holdings.Edition, c *holdings.Content, d *JudgedDocument) (schema.Class, error) {
	if e.Version == d.Head.Version || e.Version == d.Base.Version || s.IsYanked(e.ID, e.Version) {
		return schema.None, nil
	}
	later, err := c.Parse()
	if err != nil || len(library.Problems(later)) > 0 {
		return schema.None, err
	}
	changes, err := cmp.Or(d.Instead, d.Base).ChangesTo(later, c.Hash())
	return max(schema.Patch, compat.Class(changes)), err
}
