package lint

import (
	"path"
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// IDMajor is the end of an ID that carries the major version.
var IDMajor = regexp.MustCompile(`_v(0|[1-9][0-9]*)$`)

// Stem is the name of a file without folder and extension.
func Stem(name string) string {
	return strings.TrimSuffix(path.Base(name), path.Ext(name))
}

// Key is the path of a key at the top of a document.
func Key(k string) *schema.Path { return (*schema.Path)(nil).Key(k, "") }
