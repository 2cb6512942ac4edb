package yamltree

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

// The words for what is YAML and not accepted.

func refuse(code string, span source.Span, format string, args ...any) source.Problem {
	return source.Problem{Code: code, Span: span, Message: fmt.Sprintf(format, args...)}
}

func tooLarge(size int) source.Problem {
	return refuse(CodeTooLarge, source.Span{},
		"The file has %d bytes, more than the %d (%d KiB) that are read. Split it, or shorten its texts.",
		size, MaxBytes, MaxBytes>>10)
}

func emptyFile() source.Problem {
	return refuse(CodeEmpty, source.Span{},
		"The file is empty, or holds comments only. Write its content, or delete the file.")
}

func secondDocument(span source.Span) source.Problem {
	return refuse(CodeSecondDocument, span,
		"A second document starts here, and only the first one of a file is read. Move it to a file of its own,"+
			" or remove this line if there is none.")
}

func tooDeep(f *source.File, i, limit int) source.Problem {
	return refuse(CodeDepth, oneCharacter(f.Data, i),
		"This stands in %d lists or groups of keys, one in the other, which is deeper than is read. Nest it less.", limit)
}

func feature(span source.Span, format string, args ...any) source.Problem {
	return refuse(CodeFeature, span, format, args...)
}

// anchorAliasOrTag words why the sign & * or ! can't stand before a value.
func anchorAliasOrTag(sign byte, span source.Span) source.Problem {
	what := map[byte]string{
		'&': "%c names a value so that other places can repeat it (an anchor). Remove it, and write each value where it belongs",
		'*': "%c repeats a value from another place (an alias). Write the value itself here",
		'!': "%c changes the type of a value (a tag). Remove it",
	}[sign]
	return feature(span, what+"; or, if this is a text that starts with %[1]c, put it in quotes.", sign)
}

func mergeKey(span source.Span) source.Problem {
	return feature(span, "<< copies keys from another place (a merge key). Write the keys themselves here.")
}

func directive(span source.Span) source.Problem {
	return feature(span,
		"A line that starts with %% tells readers how to read (a directive). Remove it; or, if it is a text, put it in quotes.")
}

func complexKey(span source.Span) source.Problem {
	return feature(span, "A key has to be a plain text on one line, followed by a colon. If this is a text, put it in quotes.")
}

// unknownFeature is for what explain doesn't find.
func unknownFeature(f *source.File, i int) source.Problem {
	return feature(f.LineSpan(f.Position(i).Line),
		"Something in this line is not read here. Write it as plain keys, lists and texts.")
}
