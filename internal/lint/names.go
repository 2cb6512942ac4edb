package lint

import (
	"path"
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// IDMajor matches the end of an ID that contains the major version.
var IDMajor = regexp.MustCompile(`_v(0|[1-9][0-9]*)$`)

// Stem returns the name of a file without its folder and extension.
func Stem(name string) string {
	return strings.TrimSuffix(path.Base(name), path.Ext(name))
}

// Key returns the path of a top-level key of a document.
func Key(k string) *schema.Path { return (*schema.Path)(nil).Key(k, "") }
