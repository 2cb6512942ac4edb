package change

import (
	"cmp"

	"github.com/rubric-library/rubric-library/internal/change/compat"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
)

// passed is the highest class of the versions that were published up to a commit after a release,
// and that the head no longer has. A bundle has them, too, so constraints can select them.
func (s *Step) passed(from gitrepo.Commit) (class schema.Class, err error) {
	repo, released := s.Tip.repo, s.Tip.Commit
	if repo == nil || released.IsZero() || from.IsZero() || from.Hash == released.Hash {
		return schema.None, nil
	}
	differ, ids := map[string]*ChangedDocument{}, []string{}
	for _, d := range s.Documents {
		if d.Base != nil && d.Head != nil {
			differ[d.ID], ids = d, append(ids, d.ID)
		}
	}
	class = schema.None
	read, seen := readingOf(ids...), map[key]bool{}
	for p, err := range Line(repo, from, s.Tip.folder, library.Root) {
		if err != nil {
			return 0, err
		}
		for _, c := range p.Added() {
			e, err := read.edition(c)
			if err != nil {
				return 0, err
			}
			if e == nil || seen[key{e.ID, e.Version}] {
				continue
			}
			seen[key{e.ID, e.Version}] = true // an earlier text of a version is in no bundle
			if d := differ[e.ID]; e.Version != d.Head.Version && e.Version != d.Base.Version && !s.yanked(e.ID, e.Version) {
				effect, err := d.passed(c)
				if err != nil {
					return 0, err
				}
				class = max(class, effect)
			}
		}
		if p.Parent.Hash == released.Hash {
			return class, nil
		}
	}
	return schema.None, nil // the release is on another line
}

// passed is the class of a version of the document that was published after its base, or none if
// no bundle has it.
func (d *ChangedDocument) passed(c *Content) (schema.Class, error) {
	later, err := c.Parse()
	if err != nil || len(library.Problems(later)) > 0 {
		return schema.None, err
	}
	changes, err := cmp.Or(d.Instead, d.Base).changes(later, c.Hash())
	return max(schema.Patch, compat.Class(changes)), err
}
