package lint

import (
	lib "github.com/rubric-library/rubric-library/internal/library"

	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// The files of a library, as internal/library names them.
const (
	Root           = lib.Root
	LedgerFile     = lib.LedgerFile
	ExceptionsFile = lib.ExceptionsFile
	ConfigFile     = lib.ConfigFile
)

// BaselineFile is the name of the baseline at the root of a library.
const BaselineFile = ".rubric-lint-baseline.json"

// Stem returns the name of a file without its folder and extension.
func Stem(name string) string {
	return strings.TrimSuffix(path.Base(name), path.Ext(name))
}

// LosesVersion reports whether an ID is the name of its file without the version, such as a
// in a_v1.yaml. No fix may then assume that the document is the one of the ID.
func LosesVersion(file, id string) bool {
	version, lost := strings.CutPrefix(Stem(file), id+"_v")
	return lost && version != "" && strings.Trim(version, "0123456789") == ""
}

// Key returns the path of a top-level key of a document.
func Key(k string) *schema.Path { return (*schema.Path)(nil).Key(k, "") }
