package document

import (
	"bytes"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// CodeUnreviewed is the problem of a text that a model suggested and no person has reviewed.
const CodeUnreviewed = "unreviewed-text"

// UnreviewedTexts returns a problem for each comment that says that a text is only suggested:
//
//	# suggested by MODEL: not reviewed
//
// The words count in any order, case, and punctuation, and also if a part of them is in the comment
// of the next line. Such a comment is no problem of the structure, but a document with one is not
// released.
func (d *Document) UnreviewedTexts() []source.Problem {
	if d.Tree == nil {
		return nil
	}
	var problems []source.Problem
	for comments := d.Tree.Comments; len(comments) > 0; {
		n := d.countUnreviewed(comments)
		if n > 0 {
			at := schema.PathAt(d.Root(), d.describedBy(comments[0]))
			problems = append(problems, source.Problem{
				Code: CodeUnreviewed, Span: source.Span{Start: comments[0].Span.Start, End: comments[n-1].Span.End},
				Pointer: at.Pointer(), Path: at.String(),
				Message: "Review the text that this comment is about, and remove the comment: a model suggested the text, and no person has reviewed it.",
			})
		}
		comments = comments[max(n, 1):]
	}
	return problems
}

// countUnreviewed returns how many comments, from the first on, say together that a text is not reviewed: 0,
// 1, or 2.
func (d *Document) countUnreviewed(comments []yamltree.Comment) int {
	first := words(comments[0].Text)
	if saysUnreviewed(first) {
		return 1
	}
	if len(comments) == 1 || d.lineOf(comments[1]) != d.lineOf(comments[0])+1 {
		return 0
	}
	if next := words(comments[1].Text); !saysUnreviewed(next) && saysUnreviewed(first+next) {
		return 2
	}
	return 0
}

func (d *Document) lineOf(c yamltree.Comment) int { return d.File.Position(c.Span.Start).Line }

// words are the words of a comment in lowercase, each between two spaces.
func words(comment string) string {
	isOther := func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) }
	return " " + strings.Join(strings.FieldsFunc(strings.ToLower(comment), isOther), " ") + " "
}

// notReviewed matches "not reviewed", "not yet reviewed", and "unreviewed".
var notReviewed = lazy.Expr(` (not (\S+ ){0,2}reviewed|unreviewed) `)

func saysUnreviewed(words string) bool {
	return strings.Contains(words, " suggested by ") && notReviewed().MatchString(words)
}

// describedBy is an offset in what a comment is about: what is before it on its line, or else the
// first line after it that is not a comment.
func (d *Document) describedBy(c yamltree.Comment) int {
	data := d.File.Data
	line := d.File.LineSpan(d.lineOf(c))
	if before := bytes.TrimSpace(data[line.Start:c.Span.Start]); len(before) > 0 {
		return line.Start + bytes.LastIndexByte(data[line.Start:c.Span.Start], before[len(before)-1])
	}
	at := c.Span.Start
	for at < len(data) && strings.IndexByte("# \t\r\n-", data[at]) >= 0 {
		if data[at] == '#' {
			at = d.File.LineSpan(d.File.Position(at).Line).End
			continue
		}
		at++
	}
	return at
}
