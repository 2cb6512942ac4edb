package command

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// notInside is the error for something with a name in a folder that is in no library, or for the
// working folder if the name is "". advice is what to do, unless Git says where the library is.
func notInside(name, dir, advice string) error {
	subject, there := "not inside a library", "here"
	if name != "" {
		subject, there = name+" is not inside a library", "there"
	}
	if why := gitrepo.Missing(dir, library.Root); why != nil {
		return fmt.Errorf("%s: %w", subject, why)
	}
	return fmt.Errorf("%s: no %s/ folder %s or in any parent. %s", subject, library.Root, there, advice)
}

// missing is the error that a named file does not exist, with the file that was probably meant, or
// where it is if Git tracks it.
func missing(name string, err error) error {
	if !errors.Is(err, fs.ErrNotExist) || name == "" {
		return InputError(cmp.Or(name, `""`), err)
	}
	if here, _, err := Locate("."); err == nil && filepath.IsLocal(name) {
		if why := gitrepo.NewWorkTree(here).WhyMissing(filepath.ToSlash(filepath.Clean(name))); why != nil {
			return fmt.Errorf("%s does not exist: %w", name, why)
		}
	}
	if meant := meantFile(name); meant != "" {
		return fmt.Errorf("%s does not exist. Did you mean %s?", name, meant)
	}
	return InputError(name, err)
}

// meantFile is the file that was probably meant by a name that does not exist, or "": one with the
// other extension of YAML, with a similar name in the same folder, or that of a document with that ID
// or a similar one.
func meantFile(name string) string {
	stem := strings.TrimSuffix(name, filepath.Ext(name))
	for _, ext := range []string{".yaml", ".yml"} {
		if info, err := os.Stat(stem + ext); err == nil && info.Mode().IsRegular() {
			return stem + ext
		}
	}
	var beside []string
	entries, _ := os.ReadDir(filepath.Dir(name)) // they only help
	for _, e := range entries {
		beside = append(beside, e.Name())
	}
	if word := suggest.Word(filepath.Base(name), beside); word != "" {
		return filepath.ToSlash(filepath.Join(filepath.Dir(name), word))
	}
	root := nearest()
	id := filepath.Base(stem)
	if root == "" || !document.IsID(id) {
		return ""
	}
	files := map[string]string{} // of documents, by name without extension
	found, _ := filepath.Glob(filepath.Join(root, library.Root, "*", "*.yaml"))
	for _, file := range found {
		files[strings.TrimSuffix(filepath.Base(file), ".yaml")] = file
	}
	ids := slices.Sorted(maps.Keys(files))
	longer := slices.DeleteFunc(slices.Clone(ids), func(other string) bool { return !strings.HasPrefix(other, id+"_") })
	if len(longer) == 1 {
		id = longer[0]
	}
	file := files[cmp.Or(suggest.Word(id, ids), id)]
	if file == "" {
		return ""
	}
	return path.Join(PrefixTo(filepath.Dir(file)), filepath.Base(file))
}
