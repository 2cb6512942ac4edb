package command

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/gitrepo"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// ReadsFrom makes a command read FROM, a bundle or a folder, and after it least to most
// arguments, or any number if most is negative. FROM is the first argument if that can only be
// one, and else the library that contains the working folder.
func ReadsFrom(cmd *cobra.Command, least, most int, what string, read func(from *Located, args []string) error) {
	rest := Arguments(least, most, what+". FROM is optional: a file that ends in .zip, or a folder, written as . or with a / in its path")
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		_, args = SplitFrom(args)
		return rest(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		from, args := SplitFrom(args)
		l, err := FindLibrary(Place{From: from, Advice: AdviceToName(cmd)}, nil)
		if err != nil {
			return err
		}
		return read(l, args)
	}
}

// AdviceToName is the advice to name FROM.
func AdviceToName(cmd *cobra.Command) string {
	return "Name a bundle or a folder: `" + cmd.CommandPath() + " FROM`"
}

// SplitFrom splits arguments into FROM, "" if it is missing, and the rest.
func SplitFrom(args []string) (from string, rest []string) {
	if len(args) > 0 && (args[0] == "." || strings.Contains(args[0], "/") || strings.HasSuffix(args[0], ".zip")) {
		return args[0], args[1:]
	}
	return "", args
}

// Opened is an open library. Of a folder, it has only the documents that can be used.
type Opened struct {
	*library.Library
	from *Located
	// broken are the problems of the documents that can't be used, sorted by place.
	broken []lib.FolderProblem
}

// ReadLibrary opens a bundle or a folder, calls use with it, and closes it. It names the documents
// that can't be used on the error stream.
func (s Streams) ReadLibrary(from *Located, use func(*Opened) error) error {
	o, err := s.open(from)
	if err != nil {
		return err
	}
	defer o.Close()
	err = use(o)
	// Other errors can be about other files.
	if missing := (*library.NotFoundError)(nil); errors.As(err, &missing) {
		return o.notFound(missing)
	}
	if errors.As(err, new(*library.FormatError)) || errors.As(err, new(*library.IntegrityError)) {
		return bundlefile.FileError(from.Name(), err)
	}
	return err
}

func (s Streams) open(from *Located) (*Opened, error) {
	watch := s.Watch()
	defer watch.Stop()
	watch.Report("reading the library", 0, 0)
	if from.Bundle == "" {
		return s.openFolder(from)
	}
	l, err := library.Open(from.Bundle, library.WithoutCache())
	if err != nil {
		return nil, bundlefile.FileError(from.Bundle, err)
	}
	return &Opened{Library: l, from: from}, nil
}

func (s Streams) openFolder(from *Located) (*Opened, error) {
	o := &Opened{from: from}
	var fsys fs.FS = gitrepo.NewWorkTree(from.Root)
	l, err := library.OpenDir(fsys, library.WithoutCache())
	strict := err
	if errors.As(err, new(*library.InvalidError)) {
		if fsys, o.broken, err = lib.Sound(fsys); err == nil {
			l, err = library.OpenDir(fsys, library.WithoutCache())
		}
		if err != nil { // nothing is left, or what all documents depend on is broken
			err = strict
		} else {
			s.warn(from, o.broken)
		}
	}
	if err != nil {
		return nil, FolderError(from.Name(), err)
	}
	o.Library = l
	return o, nil
}

// FolderError names the folder in an error of opening the library in it, which can be nil.
func FolderError(name string, err error) error {
	if invalid, ok := errors.AsType[*library.InvalidError](err); ok {
		return lib.FirstOf(invalid.Problems, filepath.ToSlash(name))
	}
	switch {
	case err == nil:
		return nil
	case errors.Is(err, fs.ErrNotExist):
		return fmt.Errorf("%s is not a library: it has no folder %s/", name, lib.Root)
	default:
		return fmt.Errorf("%s: %w", name, err)
	}
}

// mostBroken is how many broken documents are named.
const mostBroken = 10

// ReadSound reads the library in a folder without the documents that can't be used, which it names on
// the error stream.
func (s Streams) ReadSound(from *Located) (fs.FS, error) {
	fsys, broken, err := lib.Sound(gitrepo.NewWorkTree(from.Root))
	s.warn(from, broken)
	return fsys, err
}

// warn names the documents that can't be used.
func (s Streams) warn(from *Located, broken []lib.FolderProblem) {
	named := map[string]bool{}
	for _, p := range broken {
		if named[p.Path] {
			continue
		}
		if named[p.Path] = true; len(named) > mostBroken {
			continue
		}
		p.Path = path.Join(from.Prefix, p.Path)
		fmt.Fprintf(s.Err, "warning: left out: %s\n", sanitize.Line(p.String()))
	}
	if more := len(named) - mostBroken; more > 0 {
		fmt.Fprintf(s.Err, "warning: left out: %d more. `rubric lint` lists all problems\n", more)
	}
}

// CountMissing counts the documents that can't be used.
func (o *Opened) CountMissing() int {
	files := map[string]bool{}
	for _, p := range o.broken {
		files[p.Path] = true
		if p.Other != "" {
			files[p.Other] = true
		}
	}
	return len(files)
}

// Problem is why the document with an ID can't be used, or nil.
func (o *Opened) Problem(id string) error {
	for _, p := range o.broken {
		if p.ID == id || p.ID == "" && strings.TrimSuffix(path.Base(p.Path), path.Ext(p.Path)) == id {
			return lib.FirstOf([]lib.FolderProblem{p}, o.from.Prefix)
		}
	}
	return nil
}

// notFound says about an ID that is near no other one which longer IDs begin with it, or which
// command lists all IDs.
func (o *Opened) notFound(err *library.NotFoundError) error {
	if err.Found != "" || len(err.Near()) > 0 {
		return err
	}
	var known []string
	ids, _ := o.IDs() // they only help
	for _, id := range ids {
		known = append(known, id.ID)
	}
	return fmt.Errorf("the library has no document %q. %s", err.ID,
		suggest.ID(err.ID, known, o.from.listCommand()))
}

// Find resolves a reference, and reads the document. It reports one that is yanked or retired.
func (s Streams) Find(l *Opened, text string) (*release.Resolved, *library.Document, error) {
	r, err := release.ParseReference(text)
	if err != nil {
		return nil, nil, err
	}
	if err := l.Problem(r.ID); err != nil {
		return nil, nil, err
	}
	found, err := release.Resolve(l.Library, r)
	if err != nil {
		return nil, nil, err
	}
	d, err := l.Get(context.Background(), found.ID, found.Version)
	if err == nil && d.Yanked != "" {
		fmt.Fprintf(s.Err, "%s %s is yanked: %s\n", found.ID, found.Version, sanitize.Line(d.Yanked))
	}
	if err == nil && found.Retired != nil {
		fmt.Fprintf(s.Err, "%s is retired: the library no longer has it.\n", found.ID)
	}
	return found, d, err
}
