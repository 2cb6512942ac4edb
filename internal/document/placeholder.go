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
	english := d.InEnglish()
	schema.EachText(d.Kind.Table, d.Root(), func(f *schema.Field, v *schema.Value, n *yamltree.Node) {
		why := ""
		switch {
		case v.Pattern != nil: // an identifier
		case isOfDraft(n.Value):
			why = "this text is from the example in a new draft."
		case isImportedCheck(n.Value):
			why = "an import writes this check into every rule that has none."
		case !v.Verbatim:
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

// copied compares texts that were copied: with other spaces, in another case, or without the
// sign at the end, a text is still the same.
type copied struct {
	texts map[string]bool
	// begins has the first letters of the texts, which rule out most others.
	begins map[string]bool
}

// firstLetters is how many bytes of a text are compared first.
const firstLetters = 12

func (c *copied) add(text string) {
	text = plainly(text)
	c.texts[text], c.begins[text[:firstLetters]] = true, true
}

func (c *copied) has(text string) bool {
	start := strings.TrimLeft(text, " \t\r\n")
	return len(start) >= firstLetters && c.begins[strings.ToLower(start[:firstLetters])] && c.texts[plainly(text)]
}

func plainly(text string) string {
	return strings.TrimRight(strings.ToLower(strings.Join(strings.Fields(text), " ")), " .,:;!?…")
}

var draftTexts = sync.OnceValue(func() *copied {
	c := &copied{map[string]bool{}, map[string]bool{}}
	for _, k := range Kinds() {
		schema.EachText(k.Table, k.Draft(), func(_ *schema.Field, v *schema.Value, n *yamltree.Node) {
			if v.Pattern == nil {
				c.add(n.Value)
			}
		})
	}
	return c
})

func isOfDraft(text string) bool { return draftTexts().has(text) }

// isImportedCheck reports whether a text is a check of an import, with or without what follows
// after Consider.
func isImportedCheck(text string) bool {
	for _, check := range []string{ImportedCheck, ImportedNegativeCheck} {
		start := strings.TrimLeft(text, " \t\r\n")
		if len(start) < firstLetters || !strings.EqualFold(start[:firstLetters], check[:firstLetters]) {
			continue
		}
		more, found := strings.CutPrefix(plainly(text), plainly(check))
		if more = strings.TrimLeft(more, ". "); found && (more == "" || strings.HasPrefix(more, strings.ToLower(Consider))) {
			return true
		}
	}
	return false
}
