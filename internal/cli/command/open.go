package command

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/gitrepo"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/internal/release"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// ReadsFrom makes a command read FROM, a bundle or a folder, and after it least to most
// arguments, or any number if most is negative. FROM is the first argument if that can only be
// one, and else the library that contains the working folder.
func ReadsFrom(cmd *cobra.Command, least, most int, what string, read func(from string, args []string) error) {
	rest := Arguments(least, most, what+". FROM is optional: a file that ends in .zip, or a folder, written as . or with a / in its path")
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		_, args = SplitFrom(args)
		return rest(cmd, args)
	}
	cmd.RunE = func(cmd *cobra.Command, args []string) error {
		from, args := SplitFrom(args)
		if from == "" {
			here := Nearest()
			if here == "" {
				return fmt.Errorf("not inside a library: no %s/ folder here or in any parent. Name a bundle or a folder: `%s FROM`", lib.Root, cmd.CommandPath())
			}
			from = cmp.Or(PrefixTo(here), ".")
		}
		return read(from, args)
	}
}

// SplitFrom splits arguments into FROM, "" if it is missing, and the rest.
func SplitFrom(args []string) (from string, rest []string) {
	if len(args) > 0 && (args[0] == "." || strings.Contains(args[0], "/") || strings.HasSuffix(args[0], ".zip")) {
		return args[0], args[1:]
	}
	return "", args
}

// OpenLibrary opens a bundle or a folder, or for "" the library that contains the working
// folder.
func OpenLibrary(name string) (*library.Library, error) {
	if name == "" {
		name = Nearest()
	}
	if name == "" {
		return nil, errors.New("not inside a library: no rubrics/ folder here or in any parent. Set --library to a bundle or a folder, or --template to a file of rows")
	}
	info, err := os.Stat(name)
	var l *library.Library
	switch {
	case err != nil:
	case info.IsDir():
		l, err = library.OpenDir(gitrepo.NewWorkTree(name), library.WithoutCache())
	default:
		l, err = library.Open(name, library.WithoutCache())
	}
	invalid, isInvalid := errors.AsType[*lib.InvalidError](err)
	switch {
	case isInvalid:
		invalid.Folder = filepath.ToSlash(name)
		return nil, invalid
	case err != nil && info != nil && info.IsDir():
		if err = errors.Unwrap(err); errors.Is(err, fs.ErrNotExist) {
			return nil, fmt.Errorf("%s is not a library: it has no folder %s/", name, lib.Root)
		}
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return l, bundlefile.FileError(name, err)
}

// WithLibrary calls use with an open bundle or folder, and closes it.
func WithLibrary(name string, use func(*library.Library) error) error {
	l, err := OpenLibrary(name)
	if err != nil {
		return err
	}
	defer l.Close()
	err = use(l)
	// Other errors can be about other files.
	if errors.As(err, new(*bundlefile.FormatError)) || errors.As(err, new(*bundlefile.IntegrityError)) {
		return bundlefile.FileError(name, err)
	}
	return err
}

// Find resolves a reference, and reads the document. It reports one that is yanked or retired.
func (s Streams) Find(l *library.Library, text string) (*release.Resolved, *library.Document, error) {
	r, err := release.ParseReference(text)
	if err != nil {
		return nil, nil, err
	}
	found, err := release.Resolve(l, r)
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
