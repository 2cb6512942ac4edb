package yamltree

import (
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

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
		return []source.Problem{
			mistake(source.Span{Start: m[0], End: m[1]}, "This line is left from a merge conflict. Remove it."),
		}
	}
	return problems
}
