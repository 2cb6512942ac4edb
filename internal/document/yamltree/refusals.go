package yamltree

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

const (
	// MaxBytes is the size of the largest file that is read.
	MaxBytes = safefile.MaxDocument
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

// The messages for what is not read, although YAML allows most of it.

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
	return feature(span,
		"Put this in quotes if it is text that starts with %[1]c. "+strings.ReplaceAll(what, "%c", "%[1]c"), sign)
}

func mergeKey(span source.Span) source.Problem {
	return feature(span, "Merge keys (<<) are not supported. Write the keys themselves here.")
}

func complexKey(span source.Span) source.Problem {
	return feature(span, "A key must be plain text on one line, followed by a colon. If this is text, put it in quotes.")
}

func inOrder(problems []source.Problem) []source.Problem {
	slices.SortStableFunc(problems, func(a, b source.Problem) int {
		return cmp.Compare(a.Span.Start, b.Span.Start)
	})
	return problems
}
