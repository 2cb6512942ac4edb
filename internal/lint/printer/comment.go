package printer

import (
	"crypto/sha256"
	"fmt"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// MaxComment is the maximum length in bytes of Markdown for a comment. GitHub takes 65,536
// characters, GitLab 1,000,000, and Gitea any number, but nobody reads as many.
const MaxComment = 60_000

// Mark is the first line of Markdown for a comment, which a page does not show.
type Mark struct {
	// Library tells the comments on several libraries of a repository apart. It is made of the
	// path from the repository's root to the library.
	Library string
	// Clean says that the rest reports no error, no warning, and no change.
	Clean bool
}

// MarkOf is the mark of a library. prefix is the path from the repository's root to it.
func MarkOf(prefix string, clean bool) Mark {
	sum := sha256.Sum256([]byte(prefix))
	return Mark{fmt.Sprintf("%x", sum[:16]), clean}
}

// Start is how the first line of all comments on the library begins.
func (m Mark) Start() string { return "<!-- rubric lint " + m.Library + " " }

// String is the first line with its end.
func (m Mark) String() string {
	result := "findings"
	if m.Clean {
		result = "clean"
	}
	return m.Start() + result + " -->\n"
}

var markPattern = lazy.Expr(`\A<!-- rubric lint ([0-9a-f]{32}) (findings|clean) -->\n`)

// ReadMark returns the mark at the beginning of Markdown.
func ReadMark(text []byte) (m Mark, found bool) {
	parts := markPattern().FindSubmatch(text)
	if parts == nil {
		return Mark{}, false
	}
	return Mark{string(parts[1]), string(parts[2]) == "clean"}, true
}
