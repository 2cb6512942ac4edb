package document

import (
	"slices"
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/marker"
)

// CodePlaceholder is the problem of a text that only stands for one that is not written yet.
const CodePlaceholder = "placeholder-text"

// The checks that an import writes into rules that have none. What the file says beneath a rule
// follows after Consider.
const (
	ImportedCheck         = "Find the places in the artifact that show what the description says. Pass if they show all of it; fail if a part is missing or contradicted."
	ImportedNegativeCheck = "Search the artifact for a place that contradicts the description. Pass if there is none."
	Consider              = "Consider:"
)

// Placeholders returns a problem for each text of a rubric or a rule set that only stands for
// one: a text of the example in a new draft, an imported check, or a marker such as TODO. They
// are no problems of the structure, but a document with one is not released.
func (d *Document) Placeholders() []source.Problem {
	if d.Root() == nil || !slices.Contains(Kinds(), d.Kind) {
		return nil
	}
	var problems []source.Problem
	known, english := copies(), d.InEnglish()
	schema.EachText(d.Kind.Table, d.Root(), func(f *schema.Field, v *schema.Value, n *yamltree.Node) {
		if v.Pattern != nil {
			return // an identifier
		}
		why := known.why(n.Value)
		if why == "" && !v.Verbatim {
			why = standsFor(n.Value, marker.Context{English: english, Title: f.Key == "name"})
		}
		if why != "" {
			at := schema.PathAt(d.Root(), n.Span.Start)
			problems = append(problems, source.Problem{
				Code: CodePlaceholder, Span: n.Span, Pointer: at.Pointer(), Path: at.String(), Spec: f.Spec,
				Message: "Write " + meaning(f) + ": " + why,
			})
		}
	})
	return problems
}

// standsFor says that a text is a marker, or is "".
func standsFor(text string, c marker.Context) string {
	switch marker.Find(text, c) {
	case marker.Alone:
		return schema.Quote(text) + " only stands for a text."
	case marker.Remarked:
		return schema.Quote(text) + " only stands for a text. If the text is about such a marker, begin it with another word."
	}
	return ""
}

// meaning is what the text of a field must say, as an object of "write".
func meaning(f *schema.Field) string {
	text, _, _ := strings.Cut(f.Doc, ". ")
	text, _, _ = strings.Cut(strings.TrimSuffix(text, "."), ": ")
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToLower(first)) + text[size:]
}

// InEnglish reports whether the texts are in English, the default language.
func (d *Document) InEnglish() bool {
	tag := d.Text("language")
	base, _, _ := strings.Cut(tag, "-")
	return tag == "" || strings.EqualFold(base, "en")
}

// firstLetters is how many bytes of a text are compared first, which rules out most texts.
const firstLetters = 12

// copied are texts that the commands write. With other spaces, in another case, or without the
// sign at the end, a text is still the same.
type copied struct {
	begins map[[firstLetters]byte]bool
	// draft are the texts of drafts, and checks are those of imports.
	draft  map[string]bool
	checks []string
}

var copies = sync.OnceValue(func() *copied {
	c := &copied{begins: map[[firstLetters]byte]bool{}, draft: map[string]bool{}}
	for _, k := range Kinds() {
		schema.EachText(k.Table, k.Draft(), func(_ *schema.Field, v *schema.Value, n *yamltree.Node) {
			if v.Pattern == nil {
				c.begins[beginning(n.Value)], c.draft[plainly(n.Value)] = true, true
			}
		})
	}
	for _, check := range []string{ImportedCheck, ImportedNegativeCheck} {
		c.begins[beginning(check)] = true
		c.checks = append(c.checks, plainly(check))
	}
	return c
})

// beginning is the first letters of a text, in lowercase.
func beginning(text string) (begin [firstLetters]byte) {
	text = strings.TrimLeft(text, " \t\r\n")
	for i := range min(len(text), firstLetters) {
		begin[i] = text[i]
		if 'A' <= text[i] && text[i] <= 'Z' {
			begin[i] += 'a' - 'A'
		}
	}
	return begin
}

func plainly(text string) string {
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(text), " ")), " .,:;!?…")
}

// why says that a text was copied from what a command writes, or is "".
func (c *copied) why(text string) string {
	if !c.begins[beginning(text)] {
		return ""
	}
	text = plainly(text)
	if c.draft[text] {
		return "this text is from the example in a new draft."
	}
	for _, check := range c.checks {
		more, found := strings.CutPrefix(text, check)
		if more = strings.TrimLeft(more, ". "); found && (more == "" || strings.HasPrefix(more, strings.ToLower(Consider))) {
			return "an import writes this check into every rule that has none."
		}
	}
	return ""
}
