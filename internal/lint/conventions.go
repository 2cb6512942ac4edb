package lint

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint/expression"
)

// conventionsKey is the key of what the configuration had before it had rules.
const conventionsKey = "conventions"

// conventionsIn returns the error for a configuration that has conventions, with the rules to write
// instead; nil if it has none.
func conventionsIn(t *yamltree.Tree) *FileError {
	for _, e := range t.Root.Entries {
		if e.Key.Value == conventionsKey {
			message := "Conventions are no longer read. Write these rules instead, which report the same documents:\n\n" + rulesInstead(e.Value)
			return &FileError{File: t.File, message: "the configuration has conventions", Problems: []source.Problem{{
				Code: schema.CodeUnknownKey, Span: e.Key.Span, Pointer: "/" + conventionsKey, Path: conventionsKey, Message: message,
			}}}
		}
	}
	return nil
}

// withoutConventions returns the root of a configuration without conventions, which are reported
// apart.
func withoutConventions(root *yamltree.Node) *yamltree.Node {
	rest := *root
	isConventions := func(e yamltree.KeyValue) bool { return e.Key.Value == conventionsKey }
	rest.Entries = slices.DeleteFunc(slices.Clone(root.Entries), isConventions)
	return &rest
}

// ruleText is a rule as text for a configuration.
type ruleText struct{ name, kinds, each, message, when, require, good, bad string }

// mostRules is how many rules a configuration can have.
const mostRules = 100

// rulesInstead returns the rules that report what conventions reported.
func rulesInstead(conventions *yamltree.Node) string {
	conventions = document.InNFC(conventions) // as conditions see texts
	rules := slices.Concat(
		metadataRules(conventions.Get("metadata")),
		artifactTypeRules(conventions.Get("artifact_types")),
		idRules(conventions.Get("ids")),
	)
	rules = append(rules, wordRules(conventions.Get("words"), mostRules-len(rules))...)
	if len(rules) == 0 {
		return "rules: {}\n"
	}
	var b strings.Builder
	b.WriteString("rules:\n")
	for i, r := range rules {
		fmt.Fprintf(&b, "  conventions/%s-%d:\n    severity: error\n    for: %s\n    each: %s\n    message: %s\n",
			r.name, i+1, r.kinds, r.each, quoteMessage(r.message))
		if r.when != "" {
			fmt.Fprintf(&b, "    when: %s\n", yamltree.QuotePattern(r.when))
		}
		fmt.Fprintf(&b, "    require: %s\n    good: %s\n    bad: %s\n", yamltree.QuotePattern(r.require), r.good, r.bad)
	}
	return b.String()
}

func metadataRules(list *yamltree.Node) (rules []ruleText) {
	for _, n := range list.List() {
		key, values := n.Get("key").Text(), textsOf(n.Get("values"))
		this := fmt.Sprintf("this.metadata[%s]", expression.Quote(key))
		element := func(value string) string {
			return fmt.Sprintf("{metadata: {%s: %s}}", key, yamltree.QuotePattern(value))
		}
		r := ruleText{name: "metadata", kinds: "document", each: "document"}
		if len(values) > 0 {
			r.message = withMore(fmt.Sprintf("%s in the metadata must be %s.", schema.Quote(key), oneOf(values)), n)
			rules = append(rules, rulesFor(values, r, this, element)...)
			continue
		}
		r.message = withMore(fmt.Sprintf("Add %s to the metadata.", schema.Quote(key)), n)
		r.require, r.good, r.bad = this+` != ""`, element("x"), "{metadata: {}}"
		rules = append(rules, r)
	}
	return rules
}

func artifactTypeRules(list *yamltree.Node) []ruleText {
	allowed := textsOf(list)
	if len(allowed) == 0 {
		return nil
	}
	r := ruleText{
		name: "artifact-type", kinds: "document", each: "document",
		message: "The artifact type must be " + oneOf(allowed) + ".",
	}
	return rulesFor(allowed, r, "this.artifact_type", func(value string) string {
		return fmt.Sprintf("{artifact_type: %s}", yamltree.QuotePattern(value))
	})
}

// rulesFor returns rules like r by which a value, this, must be one of some values. A rule has room
// for some of them, so that each is about a range of values. element is a document with a value.
func rulesFor(values []string, r ruleText, this string, element func(value string) string) (rules []ruleText) {
	const most, marks = 2500, 4 // bytes of values in a rule, and around each
	values = slices.Compact(slices.Sorted(slices.Values(values)))
	for from, to := 0, 0; from < len(values); from = to {
		for size := 0; to < len(values) && (size == 0 || size+len(values[to])+marks <= most); to++ {
			size += len(values[to]) + marks
		}
		var bounds []string
		if from > 0 {
			bounds = append(bounds, this+" >= "+expression.Quote(values[from]))
		}
		if to < len(values) {
			bounds = append(bounds, this+" < "+expression.Quote(values[to]))
		}
		r.when = strings.Join(bounds, " and ")
		r.require = fmt.Sprintf("%s in [%s]", this, quoteTexts(values[from:to]))
		r.good, r.bad = element(values[from]), element(after(values[from], values))
		rules = append(rules, r)
	}
	return rules
}

// after returns a text that is not among some, and just after one of them in their order.
func after(text string, others []string) string {
	for slices.Contains(others, text) {
		text += " "
	}
	return text
}

func idRules(ids *yamltree.Node) []ruleText {
	const most = 1024 // bytes of a pattern of conventions, of which repetitions make 1000 times as much
	text := ids.Get("pattern").Text()
	if text == "" || len(text) > most {
		return nil
	}
	pattern, err := regexp.Compile(text)
	if err != nil {
		return nil
	}
	return []ruleText{{
		name: "id", kinds: "document", each: "document",
		message: cmp.Or(ids.Get("message").Text(), "Rename the document."),
		require: "id matches " + expression.Quote(text),
		good:    fmt.Sprintf("{rubric_id: %s}", yamltree.QuotePattern(exampleOf(pattern, true))),
		bad:     fmt.Sprintf("{rubric_id: %s}", yamltree.QuotePattern(exampleOf(pattern, false))),
	}}
}

// wordGroup is a group of words to avoid, and what the finding says.
type wordGroup struct {
	words   []string
	message string
}

// mostWordBytes is how many bytes of words, and of what is said about them, a rule has room for.
const mostWordBytes = 1000

// wordRules returns a rule for each group of words. If these are more rules than the configuration
// has room for, each is for several groups.
func wordRules(list *yamltree.Node, room int) (rules []ruleText) {
	groups := wordGroups(list)
	if len(groups) > room {
		groups = joinGroups(groups)
	}
	for _, g := range groups {
		rules = append(rules, g.rule())
	}
	return rules
}

// wordGroups returns the groups of words of conventions, divided where they are too large.
func wordGroups(list *yamltree.Node) (groups []wordGroup) {
	for _, n := range list.List() {
		words := textsOf(n.Get("avoid"))
		for from, to := 0, 0; from < len(words); from = to {
			for size := 0; to < len(words) && (size == 0 || size+len(words[to]) <= mostWordBytes); to++ {
				size += len(words[to])
			}
			group := words[from:to]
			message := "Avoid " + oneOf(group) + "."
			if use := n.Get("use").Text(); use != "" {
				message = fmt.Sprintf("Write %s instead of %s.", schema.Quote(use), oneOf(group))
			}
			groups = append(groups, wordGroup{group, withMore(message, n)})
		}
	}
	return groups
}

// joinGroups joins neighbors as long as there is room for them in a rule.
func joinGroups(groups []wordGroup) (joined []wordGroup) {
	size := func(g wordGroup) int { return max(len(strings.Join(g.words, "")), len(g.message)) }
	for _, g := range groups {
		last := len(joined) - 1
		if last < 0 || size(joined[last])+size(g) >= mostWordBytes {
			joined = append(joined, g)
			continue
		}
		joined[last].words = slices.Concat(joined[last].words, g.words)
		joined[last].message += " " + g.message
	}
	return joined
}

// rule returns the rule by which the words are avoided.
func (g wordGroup) rule() ruleText {
	var patterns []string
	for _, word := range g.words {
		patterns = append(patterns, strings.Join(strings.Fields(regexp.QuoteMeta(word)), `\s+`))
	}
	pattern := `(?i)(?:^|[^\pL\pN_])(?:` + strings.Join(patterns, "|") + `)(?:$|[^\pL\pN_])`
	return ruleText{
		name: "word", kinds: "document", each: "text", message: g.message,
		require: "not (this.text matches " + expression.Quote(pattern) + ")",
		good:    `{text: ""}`,
		bad:     fmt.Sprintf("{text: %s}", yamltree.QuotePattern(strings.Join(strings.Fields(g.words[0]), " "))),
	}
}

// withMore returns a message with that of a convention.
func withMore(message string, convention *yamltree.Node) string {
	return strings.TrimSpace(message + " " + convention.Get("message").Text())
}

// oneOf lists some values for a message.
func oneOf(values []string) string {
	const most = 5
	var quoted []string
	for _, v := range values[:min(len(values), most)] {
		quoted = append(quoted, schema.Quote(v))
	}
	if len(values) > most {
		quoted = append(quoted, "another value from "+ConfigFile)
	}
	return schema.Or(quoted, "or")
}

func textsOf(list *yamltree.Node) (texts []string) {
	for _, n := range list.List() {
		if n.Value != "" {
			texts = append(texts, n.Value)
		}
	}
	return texts
}

func quoteTexts(texts []string) string {
	var all []string
	for _, text := range texts {
		all = append(all, expression.Quote(text))
	}
	return strings.Join(all, ", ")
}

// quoteMessage returns a message, which is one line, as YAML.
func quoteMessage(text string) string {
	return yamltree.QuotePattern(strings.Join(strings.Fields(text), " "))
}
