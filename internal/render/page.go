package render

import (
	"crypto/sha256"
	_ "embed" // the style sheet of the pages
	"encoding/base64"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// PageStyle is the base style sheet of pages: colors, tables, and pictures.
//
//go:embed page.css
var PageStyle string

// ContentPolicy returns a content security policy that allows only the given style sheet
// and data URLs for images, because browsers request an icon otherwise.
func ContentPolicy(style string) string {
	sum := sha256.Sum256([]byte(style))
	return fmt.Sprintf("default-src 'none'; style-src 'sha256-%s'; img-src data:; base-uri 'none'; form-action 'none'", base64.StdEncoding.EncodeToString(sum[:]))
}

// Lines sanitizes a text and keeps its line ends.
func Lines(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = sanitize.Line(lines[i])
	}
	return strings.Join(lines, "\n")
}
