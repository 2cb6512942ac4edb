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
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

const (
	// MaxBytes is the size of the largest file that is read.
	MaxBytes = limits.Document
	// MaxDepth is the maximum nesting of mappings and sequences.
	MaxDepth = 20
)

// The codes of the problems that Parse reports.
const (
	CodeEncoding       = "encoding"          // not UTF-8, or a character that is not allowed in a file
	CodeTooLarge       = "file-too-large"    // more than MaxBytes
	CodeEmpty          = "empty-file"        // no value, or null
	CodeSyntax         = "yaml-syntax"       // not YAML
	CodeSecondDocument = "several-documents" // something after the first document
	CodeFeature        = "yaml-feature"      // YAML that is not supported, such as an anchor
	CodeDepth          = "too-deep"          // nested deeper than MaxDepth
	CodeDuplicateKey   = "duplicate-key"     // two keys with the same text in one mapping
	CodeLineEndings    = "line-endings"      // CRLF
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

func inOrder(problems []source.Problem) []source.Problem {
	slices.SortStableFunc(problems, func(a, b source.Problem) int {
		return cmp.Compare(a.Span.Start, b.Span.Start)
	})
	return problems
}

// The messages for YAML that is not supported.

func refuse(code string, span source.Span, format string, args ...any) source.Problem {
	return source.Problem{Code: code, Span: span, Message: fmt.Sprintf(format, args...)}
}

func emptyFile() source.Problem {
	return refuse(CodeEmpty, source.Span{},
		"The file is empty or has only comments. Add content, or delete the file.")
}

func secondDocument(span source.Span) source.Problem {
	return refuse(CodeSecondDocument, span,
		"A second document starts here: a file can have only one. Move the second document to another file,"+
			" or remove this line if nothing follows it.")
}

func tooDeep(f *source.File, i, limit int) source.Problem {
	return refuse(CodeDepth, oneCharacter(f.Data, i),
		"The nesting is too deep here: at most %d levels of lists and groups of keys are allowed. Reduce the nesting.", limit)
}

func feature(span source.Span, format string, args ...any) source.Problem {
	return refuse(CodeFeature, span, format, args...)
}

// anchorAliasOrTag reports one of the signs & * ! before a value.
func anchorAliasOrTag(sign byte, span source.Span) source.Problem {
	what := map[byte]string{
		'&': "Anchors (%c) are not supported: remove an anchor, and write each value where it belongs.",
		'*': "Aliases (%c) are not supported: write the value of an alias itself.",
		'!': "Tags (%c) are not supported: remove a tag.",
	}[sign]
	return feature(span, "Put this in quotes if it is text that starts with %[1]c. "+strings.ReplaceAll(what, "%c", "%[1]c"), sign)
}

func mergeKey(span source.Span) source.Problem {
	return feature(span, "Merge keys (<<) are not supported. Write the keys themselves here.")
}

func complexKey(span source.Span) source.Problem {
	return feature(span, "A key must be plain text on one line, followed by a colon. If this is text, put it in quotes.")
}

// conflict matches the two versions of a text that Git writes if it can't merge, and
// marker matches a remaining line of them.
var (
	conflict = lazy.Expr(`(?ms)^<{7} ([^\r\n]+)\r?\n.*?^(={7})\r?\n.*?^(>{7}) ([^\r\n]+)\r?$`)
	marker   = lazy.Expr(`(?m)^(?:<{7}|>{7}) [^\r\n]+\r?$`)
)

// conflicts reports merge conflicts. All other problems of the file follow from them.
func conflicts(f *source.File) []source.Problem {
	var problems []source.Problem
	for _, m := range conflict().FindAllSubmatchIndex(f.Data, maxRepeated) {
		p := mistake(source.Span{Start: m[0], End: m[3]},
			"A merge conflict: Git could not choose between the version of %s above line %d and the version of %s below it."+
				" Keep one of them, or combine them, and remove the lines that begin with <<<<<<<, =======, and >>>>>>>.",
			shown(f.Data[m[2]:m[3]]), f.Position(m[4]).Line, shown(f.Data[m[8]:m[9]]))
		p.Related = []source.Related{
			{Span: source.Span{Start: m[4], End: m[5]}, Message: "the second version begins"},
			{Span: source.Span{Start: m[6], End: m[9]}, Message: "the second version ends"},
		}
		problems = append(problems, p)
	}
	if m := marker().FindIndex(f.Data); m != nil && len(problems) == 0 {
		return []source.Problem{mistake(source.Span{Start: m[0], End: m[1]}, "This line is left from a merge conflict. Remove it.")}
	}
	return problems
}
