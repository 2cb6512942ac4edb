package rules

import (
	"html"
	"regexp"
	"regexp/syntax"
	"slices"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// hiddenRules check everything that the authors of a library write. The items of a dataset
// are texts by others, which can contain anything.
var hiddenRules = map[string]lint.Rule{
	document.CodeHiddenText: {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(hiddenText)},
	document.CodeNotNFC:     {Severity: lint.Error, Fixable: true, Check: lint.OfDocument(notNFC)},
	document.CodeText:       {Severity: lint.Warning, Fixable: true, Check: lint.OfDocument(notNFC)},
	"judge-delimiter": {Severity: lint.Warning, Check: inTexts(first(mayHave("<[#{"), delimiters),
		"Remove %s, or describe it in words: models treat it as the end of a part of their prompt, and what follows as something other than the rubric.")},
	"judge-instruction": {Severity: lint.Warning, Check: inTexts(firstInstruction,
		"Describe the artifact instead of %s: this tells the judge what to answer, whatever the artifact is. If an example needs these words, add an ignore comment that says so.")},
	"judge-template": {Severity: lint.Warning, Check: judgeTemplate(
		"Remove %s, or describe it in words: systems that fill prompts from templates execute what follows, and the judge reads the result. If an example needs it, add an ignore comment that says so.")},
	"look-alike-letters": {Severity: lint.Warning, Check: inTexts(sanitize.LookAlike,
		"Type %s again in letters of one script: some of its letters only look like Latin ones, and to a judge it is another word.")},
	hiddenMarkup: {Severity: lint.Warning, Check: inKeys(writtenKeys, firstMarkup,
		"Remove %s, or write the text that it stands for: a page or an editor shows something else here than a judge reads.")},
}

// judgeTemplate finds the marks of templates, and names in braces outside examples: an artifact can
// have these.
func judgeTemplate(message string) lint.OfDocument {
	marks, names := inTexts(first(mayHave("{"), templates), message), inKeys(writtenKeys, firstField, message)
	return func(p *lint.DocumentPass) {
		marks(p)
		names(p)
	}
}

// hiddenMarkup is the rule that leaves examples alone: an artifact can have markup.
const hiddenMarkup = "hidden-markup"

func hiddenText(p *lint.DocumentPass) {
	if found := sanitize.FindHidden(p.Entry.Path); len(found) > 0 {
		p.ReportFile(nil, "Rename this: %s. %s", document.DescribeHidden(found[:1], "its path contains the hidden"),
			document.WhyHidden[found[0].Kind])
	}
	p.ReportAll(document.HiddenText(p.Doc))
}

// notNFC reports the problems with the name of the running rule.
func notNFC(p *lint.DocumentPass) {
	for _, problem := range notNFCOf(p) {
		if problem.Code == p.RunningRule() {
			p.Report(problem)
		}
	}
}

var notNFCOf = lint.Once(func(p *lint.DocumentPass) []source.Problem { return document.NotNFC(p.Doc) })

// delimiters are marks that end a part of a prompt: those of chat templates, the tags
// that prompts put around a rubric and its artifact, and the beginning of the expected
// answer (docs/calibration-reference.md). Code fences and role names are not among them,
// because artifacts have them too.
var delimiters = lazy.Expr(`(?i)<[|｜][a-z0-9_▁-]{1,40}[|｜]>` +
	`|\[/?INST\]|<</?SYS>>|<(?:start|end)_of_turn>` +
	`|</?\s*(?:rubric|criteria|criterion|anchors?|artifact|submission|scores?|verdict|system|instructions?|judge|evaluation)(?:\s+[a-z_-]+\s*=[^<>]*)?\s*/?>` +
	`|#{2,4} ?(?:instruction|response|system|input):` +
	`|\{\s*"scores"\s*:`)

// instruction matches words that are about the answer of the judge instead of the
// artifact, at the beginning of a text. The list is short, because a rubric can be about
// instructions, or say what must not cost points.
var instruction = lazy.Expr(`(?i)^(?:` +
	`(?:ignore|disregard|forget|override)\s+(?:\w+\s+){0,3}?(?:previous|prior|above|earlier|preceding)\s+(?:\w+\s+)?(?:instructions?|prompts?|rules|criteria|criterion|anchors?|guidelines|text)` +
	`|(?:ignore|disregard|forget)\s+(?:all\s+|of\s+|the\s+|this\s+|these\s+|your\s+)*(?:rubric|anchors?|scoring)\b` +
	`|(?:always|automatically)\s+(?:score|rate|grade)\b` +
	`|(?:always|automatically|please)\s+(?:give|award|assign|return|output)\s+(?:\w+\s+){0,5}?(?:scores?|ratings?|grades?|marks|points|[1-5]\b)` +
	`|(?:give|award|assign)\s+(?:it|this(?:\s+\w+)?|everything|every\s+\w+|all\s+\w+|the\s+\w+)\s+(?:an?\s+|the\s+)?(?:[1-5]\b|full\s|highest|maximum|top\s|perfect)` +
	`|you\s+are\s+(?:now\s+)?(?:an?|the)\s+(?:\w+\s+)?(?:judge|grader|evaluator|rater)` +
	`|(?:respond|reply|answer|output|return)\s+(?:only|nothing\s+but|just)\s+(?:with\s+)?(?:an?\s+|the\s+)?(?:scores?|numbers?|digits?|json|[1-5]\b)` +
	`|your\s+(?:new|real|actual|true)\s+(?:instructions?|task|role)` +
	`)`)

// openings are the words that a match of instruction can begin with, by their first letters.
var openings [1 << 8][]string

func init() {
	const words = "ignore disregard forget override always automatically please give award assign " +
		"you respond reply answer output return your"
	for word := range strings.FieldsSeq(words) {
		openings[word[0]] = append(openings[word[0]], word)
	}
}

// firstInstruction returns the place of the first instruction in a text. Looking for the openings
// costs far less than a search.
func firstInstruction(text string) (start, end int) {
	for i := range len(text) {
		if openings[text[i]|0x20] == nil || i > 0 && syntax.IsWordChar(rune(text[i-1])) {
			continue
		}
		word := text[i : i+max(0, strings.IndexFunc(text[i:], unicode.IsSpace))] // a space follows each of them
		if slices.ContainsFunc(openings[text[i]|0x20], func(w string) bool { return strings.EqualFold(w, word) }) {
			if m := instruction().FindStringIndex(text[i:]); m != nil {
				return i, i + m[1]
			}
		}
	}
	return 0, 0
}

// templates are the marks of template languages in which prompts are written: Jinja,
// Handlebars, and the templates of JavaScript and shells.
var templates = lazy.Expr(`\{[{%]|\$\{`)

// longSpaces and longWord are how many spaces and how many bytes of a word are too many.
const longSpaces, longWord = 20, 40

// markup is text that a page or an editor does not show as it is: HTML comments and
// entities, hidden elements, encoded text, and spaces that push text out of view.
var markup = lazy.Expr(`(?i)<!--|&(?:#\d{1,7}|#x[0-9a-f]{1,6}|[a-z][a-z0-9]{1,30});|<[^<>]*display\s*:\s*none|[a-z0-9+/]{40,}={0,2}|[\s\p{Z}]{20,}`)

// firstMarkup returns the place of the first markup that is what it looks like: an entity
// that exists, or a long word with letters of both cases and digits, unlike a digest.
func firstMarkup(text string) (start, end int) {
	if !mayHide(text) {
		return 0, 0
	}
	for _, m := range markup().FindAllStringIndex(text, -1) {
		found := text[m[0]:m[1]]
		isWord := len(found) >= longWord && strings.TrimSpace(found) == found && found[0] != '<'
		isMixed := strings.ContainsAny(found, "0123456789") &&
			strings.ToLower(found) != found && strings.ToUpper(found) != found
		switch {
		case found[0] == '&' && html.UnescapeString(found) == found:
		case isWord && !isMixed:
		default:
			return m[0], m[1]
		}
	}
	return 0, 0
}

// mayHave returns a fast check for any of some characters.
func mayHave(chars string) func(text string) bool {
	return func(text string) bool {
		return slices.ContainsFunc([]byte(chars), func(c byte) bool { return strings.IndexByte(text, c) >= 0 })
	}
}

// mayHide rules out texts without a tag, an entity, a long word, or many spaces, which are
// nearly all of them.
func mayHide(text string) bool {
	spaces, others := 0, 0
	for i := range len(text) {
		if text[i] <= ' ' {
			spaces, others = spaces+1, 0
		} else {
			spaces, others = 0, others+1
		}
		if spaces >= longSpaces || others >= longWord {
			return true
		}
	}
	return mayHave("<&")(text)
}

// first returns a function that finds the first match of a pattern. may is a fast check that
// rules out most texts.
func first(may func(text string) bool, pattern func() *regexp.Regexp) func(text string) (start, end int) {
	return func(text string) (start, end int) {
		if may(text) {
			if m := pattern().FindStringIndex(text); m != nil {
				return m[0], m[1]
			}
		}
		return 0, 0
	}
}

// inTexts returns a rule that reports the first place that find finds in each text of the
// criteria or rules that a judge reads; the message has a verb for what is found.
func inTexts(find func(text string) (start, end int), message string) lint.OfDocument {
	return inKeys(append(slices.Clone(writtenKeys), "examples"), find, message)
}

// writtenKeys are the keys of a criterion or a rule whose texts are about an artifact.
var writtenKeys = []string{"name", "id", "description", "anchors", "check"}

// inKeys is inTexts for some keys.
func inKeys(keys []string, find func(text string) (start, end int), message string) lint.OfDocument {
	return func(p *lint.DocumentPass) {
		check := func(n *yamltree.Node, isKey bool) {
			if start, end := find(n.Value); start < end && !isKey {
				span := p.Doc.Tree.SpanInside(n, start, end)
				p.ReportIn(schema.PathAt(p.Root(), span.Start), span, message, schema.Quote(n.Value[start:end]))
			}
		}
		for _, list := range [...]string{"criteria", "rules"} {
			for _, n := range p.Root().Get(list).List() {
				for _, key := range keys {
					n.Get(key).EachScalar(check)
				}
			}
		}
	}
}
