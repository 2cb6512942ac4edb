package render

import (
	"crypto/sha256"
	_ "embed" // the style sheet of the pages
	"encoding/base64"
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// PageStyle is the base style sheet of pages: colors, tables, and pictures.
//
//go:embed page.css
var PageStyle string

// ContentPolicy returns a content security policy that allows only the given style sheet
// and scripts, and data URLs for images, because browsers request an icon otherwise.
func ContentPolicy(style string, scripts ...string) string {
	policy := "default-src 'none'; style-src " + hashSource(style) + "; img-src data:; base-uri 'none'; form-action 'none'"
	if len(scripts) > 0 {
		policy += "; script-src"
	}
	for _, script := range scripts {
		policy += " " + hashSource(script)
	}
	return policy
}

// hashSource allows one text in a content security policy.
func hashSource(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}

// Lines sanitizes a text and keeps its line ends.
func Lines(text string) string {
	lines := strings.Split(strings.ReplaceAll(text, "\r\n", "\n"), "\n")
	for i := range lines {
		lines[i] = sanitize.Line(lines[i])
	}
	return strings.Join(lines, "\n")
}
