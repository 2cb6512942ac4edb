// Package yamltree reads JSON and a safe subset of YAML. The result is a tree with
// the exact span of every value, or problems with a place and a message for the
// author.
//
// Its reader is strict: what it accepts, yaml.v3 reads the same way. Tests compare the two on
// generated files. Files from outside a library, such as contracts, can use all of YAML
// (ParseLoose), and yaml.v3 reads them. Parse rejects anchors,
// aliases, merge keys, tags, directives, keys that are not plain text, a second document,
// deep nesting, and every character that parsers treat differently. Parse never panics,
// and its time is linear in the size of the file, which is at most MaxBytes.
package yamltree

import (
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// Parse reads a file. The problems are in the order of the file. Without a tree, at
// least one of them says why. Repeated keys (CodeDuplicateKey) and CRLF line endings
// (CodeLineEndings) are problems that still give a tree.
func Parse(f *source.File) (*Tree, []source.Problem) {
	problems, crlf := checkText(f)
	if len(problems) > 0 {
		return nil, problems
	}
	if crlf > 0 {
		problems = append(problems, lineEndings(f, crlf))
	}
	t, refused := read(f)
	if len(refused) > 0 {
		return nil, inOrder(append(problems, refused...))
	}
	return t, inOrder(append(problems, duplicateKeys(f, t.Root)...))
}
