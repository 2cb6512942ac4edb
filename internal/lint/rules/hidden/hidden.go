// Package hidden has the lint rules about what the reviewer of a text does not see, and
// about words that address the judge as a program.
package hidden

import (
	_ "embed"
	"fmt"
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/hiddentext"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/invisible"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Rules check everything that the authors of a library write. The items of a dataset
// are texts by others, which can contain anything.
var Rules = lint.Describe(texts, map[string]lint.Rule{
	hiddentext.Code:       {Document: hiddenText},
	hiddentext.CodeNotNFC: {Document: func(p *lint.DocumentPass) { p.ReportAll(hiddentext.NotNFC(p.Doc)) }},
	"judge-delimiter":     {Document: judgeDelimiters},
	"judge-instruction":   {Document: judgeInstructions},
})

//go:embed rules.txt
var texts string

func hiddenText(p *lint.DocumentPass) {
	if found := invisible.Find(p.Entry.Path); len(found) > 0 {
		p.ReportFile(nil, "Rename this: %s. %s", hiddentext.Describe(found[:1], "its path contains the hidden"), hiddentext.Why[found[0].Kind])
	}
	p.ReportAll(hiddentext.Find(p.Doc))
}

// delimiters are marks that end a part of a prompt: those of chat templates, the tags
// that prompts put around a rubric and its artifact, and the beginning of the expected
// answer (docs/judge-protocol.md). Code fences and role names are not among them,
// because artifacts have them too.
var delimiters = lazy.Expr(`(?i)<[|｜][a-z0-9_▁-]{1,40}[|｜]>` +
	`|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>` +
	`|</?\s*(?:rubric|criteria|criterion|anchors?|artifact|submission|scores?|verdict|system|instructions?|judge|evaluation)(?:\s+[a-z_-]+\s*=[^<>]*)?\s*/?>` +
	`|#{2,4} ?(?:instruction|response|system|input):` +
	`|\{\s*"scores"\s*:`)

// instructions matches words that are about the answer of the judge instead of the
// artifact. The list is short, because a rubric can be about instructions, or say what
// must not cost points.
var instructions = lazy.Expr(`(?i)\b(?:` +
	`(?:ignore|disregard|forget|override)\s+(?:\w+\s+){0,3}?(?:previous|prior|above|earlier|preceding)\s+(?:\w+\s+)?(?:instructions?|prompts?|rules|criteria|criterion|anchors?|guidelines|text)` +
	`|(?:ignore|disregard|forget)\s+(?:all\s+|of\s+|the\s+|this\s+|these\s+|your\s+)*(?:rubric|anchors?|scoring)\b` +
	`|(?:always|automatically)\s+(?:score|rate|grade)\b` +
	`|(?:always|automatically|please)\s+(?:give|award|assign|return|output)\s+(?:\w+\s+){0,5}?(?:scores?|ratings?|grades?|marks|points|[1-5]\b)` +
	`|(?:give|award|assign)\s+(?:it|this(?:\s+\w+)?|everything|every\s+\w+|all\s+\w+|the\s+\w+)\s+(?:an?\s+|the\s+)?(?:[1-5]\b|full\s|highest|maximum|top\s|perfect)` +
	`|you\s+are\s+(?:now\s+)?(?:an?|the)\s+(?:\w+\s+)?(?:judge|grader|evaluator|rater)` +
	`|(?:respond|reply|answer|output|return)\s+(?:only|nothing\s+but|just)\s+(?:with\s+)?(?:an?\s+|the\s+)?(?:scores?|numbers?|digits?|json|[1-5]\b)` +
	`|your\s+(?:new|real|actual|true)\s+(?:instructions?|task|role)` +
	`)`)

// openings has, by first letter, the words in lowercase that a match of instructions
// can begin with.
var openings = func() (byLetter [256][]string) {
	for word := range strings.FieldsSeq("ignore disregard forget override always automatically please give award assign you respond reply answer output return your") {
		byLetter[word[0]] = append(byLetter[word[0]], word)
	}
	return byLetter
}()

// inWord says for each byte whether \w matches it.
var inWord = func() (in [256]bool) {
	for c := range rune(utf8.RuneSelf) {
		in[c] = syntax.IsWordChar(c)
	}
	return in
}()

// opens reports whether a text has one of the openings. Checking that first costs far
// less than the search itself.
func opens(text string) bool {
	for i := 0; i < len(text); i++ {
		start := i
		for i < len(text) && inWord[text[i]] {
			i++
		}
		if start == i {
			continue
		}
		for _, word := range openings[text[start]|' '] {
			if strings.EqualFold(text[start:i], word) {
				return true
			}
		}
	}
	return strings.Contains(text, "ſ") || strings.Contains(text, "\u212a") // match s and k when case is ignored
}

func judgeDelimiters(p *lint.DocumentPass) {
	mayDelimit := func(text string) bool { return strings.ContainsAny(text, "<[#{") }
	eachMatch(p, mayDelimit, delimiters(), func(found string) string {
		return fmt.Sprintf("Remove %s, or describe it in words: models treat it as the end of a part of their prompt, and what follows as something other than the rubric.", schema.Quote(found))
	})
}

func judgeInstructions(p *lint.DocumentPass) {
	eachMatch(p, opens, instructions(), func(found string) string {
		return fmt.Sprintf("Describe the artifact instead of %s: this tells the judge what to answer, whatever the artifact is. If an example needs these words, add an ignore comment that says so.", schema.Quote(found))
	})
}

// eachMatch reports the first match of a pattern in each text of the criteria, which
// are all that a judge reads of a rubric. may is a fast check that rules out most texts.
func eachMatch(p *lint.DocumentPass, may func(text string) bool, pattern *regexp.Regexp, message func(found string) string) {
	if !p.Is(&document.Rubric) {
		return
	}
	p.Root().Get("criteria").EachScalar(func(n *yamltree.Node, isKey bool) {
		if isKey || !may(n.Value) {
			return
		}
		m := pattern.FindStringIndex(n.Value)
		if m == nil {
			return
		}
		span := p.Doc.Tree.Inside(n, m[0], m[1])
		p.ReportIn(schema.PathAt(p.Root(), span.Start), span, "%s", message(n.Value[m[0]:m[1]]))
	})
}
