package yamltree

import (
	"fmt"
	"regexp"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// The messages for YAML that is not supported.

func refuse(code string, span source.Span, format string, args ...any) source.Problem {
	return source.Problem{Code: code, Span: span, Message: fmt.Sprintf(format, args...)}
}

func tooLarge(size int) source.Problem {
	return refuse(CodeTooLarge, source.Span{},
		"The file has %d bytes: at most %d (%d KiB) are allowed. Split the file, or shorten its texts.",
		size, MaxBytes, MaxBytes>>10)
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
		'&': "Anchors (%c) are not supported. Remove the anchor, and write each value where it belongs",
		'*': "Aliases (%c) are not supported. Write the value itself here",
		'!': "Tags (%c) are not supported. Remove the tag",
	}[sign]
	return feature(span, what+". If this is text that starts with %[1]c, put it in quotes.", sign)
}

func mergeKey(span source.Span) source.Problem {
	return feature(span, "Merge keys (<<) are not supported. Write the keys themselves here.")
}

func complexKey(span source.Span) source.Problem {
	return feature(span, "A key must be plain text on one line, followed by a colon. If this is text, put it in quotes.")
}

// unknownFeature is the problem if explain finds none.
func unknownFeature(f *source.File, i int) source.Problem {
	return feature(f.LineSpan(f.Position(i).Line),
		"This line uses YAML that is not supported. Write plain keys, lists, and text.")
}

// conflict matches the two versions of a text that Git writes if it can't merge, and
// marker matches a remaining line of them.
var (
	conflict = regexp.MustCompile(`(?ms)^<{7} ([^\r\n]+)\r?\n.*?^(={7})\r?\n.*?^(>{7}) ([^\r\n]+)\r?$`)
	marker   = regexp.MustCompile(`(?m)^(?:<{7}|>{7}) [^\r\n]+\r?$`)
)

// conflicts reports merge conflicts. All other problems of the file follow from them.
func conflicts(f *source.File) []source.Problem {
	var problems []source.Problem
	for _, m := range conflict.FindAllSubmatchIndex(f.Data, maxFeatures) {
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
	if m := marker.FindIndex(f.Data); m != nil && len(problems) == 0 {
		return []source.Problem{mistake(source.Span{Start: m[0], End: m[1]}, "This line is left from a merge conflict. Remove it.")}
	}
	return problems
}
