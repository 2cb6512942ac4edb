package author

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// copy creates a document that begins with the text of another one.
func (c *editCommand) copy(l *authoring.Local, n *newDocument) (*authoring.Edit, error) {
	if n.criteria != "" || n.rules != "" {
		return nil, errors.New("--criteria and --rules are for an example, but with --from, the draft has the parts of that document")
	}
	original, warning, err := c.findOriginal(l, n)
	if err != nil {
		return nil, err
	}
	if n.kind != "" {
		if n.Kind, err = kindOf(n.kind); err != nil {
			return nil, err
		}
		if n.Kind != original.Kind {
			return nil, fmt.Errorf("%s is a %s, not a %s", original.ID(), original.Kind.Noun, n.Kind.Noun)
		}
	}
	n.Kind, n.Original = original.Kind, original
	n.ArtifactType = cmp.Or(n.ArtifactType, original.ArtifactType())
	if err := c.Answer(&command.Question{
		Flag: "--id", Text: "ID of the new document", Value: &n.ID,
		Check: func(id string) error { return l.CheckID(n.Kind, id) },
	}); err != nil {
		return nil, err
	}
	n.Name = cmp.Or(n.Name, authoring.NameOf(n.ID))
	e, err := l.Create(n.Draft)
	if err == nil && warning != "" {
		e.Warnings = append(e.Warnings, warning)
	}
	return e, err
}

// findOriginal finds the document to copy in FROM, or in the library and its history, with what its
// author should know about it.
func (c *editCommand) findOriginal(l *authoring.Local, n *newDocument) (d *document.Document, warning string, err error) {
	r, err := release.ParseReference(n.from)
	if err != nil {
		return nil, "", fmt.Errorf("--from: %w", err)
	}
	if n.library != "" {
		if d, err = c.inLibrary(n.library, r); err == nil {
			_, err = l.CheckCopied(d) // Find said the rest
		}
		return d, "", err
	}
	if r.Version != "" && !bundlefile.IsVersion(r.Version) {
		return nil, "", fmt.Errorf("--from: %q is not a version: expected three numbers, such as %s@1.2.0", r.Version, r.ID)
	}
	if d, err = l.OriginalText(r.ID, r.Version, r.Digest); err == nil {
		warning, err = l.CheckCopied(d)
	}
	return d, warning, err
}

// inLibrary reads a document of a bundle or of a folder.
func (c *editCommand) inLibrary(from string, r library.Reference) (parsed *document.Document, err error) {
	other, err := command.FindLibrary(command.Place{From: from}, nil)
	if err != nil {
		return nil, err
	}
	err = c.ReadLibrary(other, func(l *command.Opened) error {
		found, d, err := c.Find(l, r.String())
		if err != nil {
			return err
		}
		k := &document.Rubric
		if d.RuleSet != nil {
			k = &document.RuleSet
		}
		parsed, err = document.ParseCanonical(found.ID, d.JSON(), k)
		return err
	})
	return parsed, err
}
