package lint

import (
	"cmp"
	"fmt"
	"regexp"
	"regexp/syntax"
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
type ruleText struct{ name, kinds, each, message, require, good, bad string }

// rulesInstead returns the rules that report what conventions reported.
func rulesInstead(conventions *yamltree.Node) string {
	rules := slices.Concat(
		metadataRules(conventions.Get("metadata")),
		artifactTypeRules(conventions.Get("artifact_types")),
		idRules(conventions.Get("ids")),
		wordRules(conventions.Get("words")),
	)
	if len(rules) == 0 {
		return "rules: {}\n"
	}
	var b strings.Builder
	b.WriteString("rules:\n")
	for i, r := range rules {
		fmt.Fprintf(&b, "  conventions/%s-%d:\n    severity: error\n    for: %s\n    each: %s\n    message: %s\n    require: %s\n    good: %s\n    bad: %s\n",
			r.name, i+1, r.kinds, r.each, quoteMessage(r.message), yamltree.QuotePattern(r.require), r.good, r.bad)
	}
	return b.String()
}

func metadataRules(list *yamltree.Node) (rules []ruleText) {
	for _, n := range list.List() {
		key, values := n.Get("key").Text(), textsOf(n.Get("values"))
		r := ruleText{name: "metadata", kinds: "document", each: "document", require: fmt.Sprintf("this.metadata[%s] != \"\"", expression.Quote(key))}
		value := "x"
		r.message = fmt.Sprintf("Add %s to the metadata.", schema.Quote(key))
		if len(values) > 0 {
			value = values[0]
			r.require = fmt.Sprintf("this.metadata[%s] in [%s]", expression.Quote(key), quoteTexts(values))
			r.message = fmt.Sprintf("%s in the metadata must be %s.", schema.Quote(key), oneOf(values))
		}
		r.message = withMore(r.message, n)
		r.good = fmt.Sprintf("{metadata: {%s: %s}}", key, yamltree.QuotePattern(value))
		r.bad = "{metadata: {}}"
		rules = append(rules, r)
	}
	return rules
}

func artifactTypeRules(list *yamltree.Node) []ruleText {
	allowed := textsOf(list)
	if len(allowed) == 0 {
		return nil
	}
	return []ruleText{{
		name: "artifact-type", kinds: "document", each: "document",
		message: "The artifact type must be " + oneOf(allowed) + ".",
		require: fmt.Sprintf("this.artifact_type in [%s]", quoteTexts(allowed)),
		good:    fmt.Sprintf("{artifact_type: %s}", yamltree.QuotePattern(allowed[0])),
		bad:     fmt.Sprintf("{artifact_type: %s}", otherThan(allowed)),
	}}
}

// otherThan returns an artifact type that is not among some.
func otherThan(types []string) string {
	other := "other"
	for slices.Contains(types, other) {
		other += "_type"
	}
	return other
}

func idRules(ids *yamltree.Node) []ruleText {
	text := ids.Get("pattern").Text()
	pattern, err := regexp.Compile(text)
	if text == "" || err != nil {
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

// wordRules returns a rule for each group of words, of which an expression has room for some.
func wordRules(list *yamltree.Node) (rules []ruleText) {
	const most = 1000 // bytes of words in a rule
	for _, n := range list.List() {
		use := n.Get("use").Text()
		var group []string
		size := 0
		flush := func() {
			if len(group) > 0 {
				rules = append(rules, wordRule(group, use, n))
			}
			group, size = nil, 0
		}
		for _, word := range textsOf(n.Get("avoid")) {
			if size += len(word); size > most {
				flush()
			}
			group = append(group, word)
		}
		flush()
	}
	return rules
}

func wordRule(words []string, use string, n *yamltree.Node) ruleText {
	var patterns []string
	for _, word := range words {
		patterns = append(patterns, strings.Join(strings.Fields(regexp.QuoteMeta(word)), `\s+`))
	}
	pattern := `(?i)(?:^|[^\pL\pN_])(?:` + strings.Join(patterns, "|") + `)(?:$|[^\pL\pN_])`
	message := "Avoid " + oneOf(words) + "."
	if use != "" {
		message = fmt.Sprintf("Write %s instead of %s.", schema.Quote(use), oneOf(words))
	}
	return ruleText{
		name: "word", kinds: "document", each: "text", message: withMore(message, n),
		require: "not (this.text matches " + expression.Quote(pattern) + ")",
		good:    `{text: "..."}`,
		bad:     fmt.Sprintf("{text: %s}", yamltree.QuotePattern(words[0])),
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

// exampleOf returns an ID in which an expression is found, or is not. If there is no simple one,
// it returns a text that the author has to replace.
func exampleOf(e *regexp.Regexp, found bool) string {
	tree, err := syntax.Parse(e.String(), syntax.Perl)
	if err != nil {
		return "x"
	}
	match := strings.ToLower(matchOf(tree))
	for _, id := range []string{match, match + "x", match + "_x", match + "_v1", match + "x_v1", "x" + match, "x_" + match, "x_" + match + "_x", "x", "z9", "other_v1", "a"} {
		if document.IsID(id) && e.MatchString(id) == found {
			return id
		}
	}
	return "replace_this_example"
}

// matchOf returns a short text that an expression matches, if it needs no look around.
func matchOf(re *syntax.Regexp) string {
	repeat := func(times int) string {
		return strings.Repeat(matchOf(re.Sub[0]), times)
	}
	switch re.Op {
	case syntax.OpLiteral:
		return string(re.Rune)
	case syntax.OpCharClass:
		for _, r := range "abcdefghijklmnopqrstuvwxyz0123456789_" {
			for i := 0; i+1 < len(re.Rune); i += 2 {
				if re.Rune[i] <= r && r <= re.Rune[i+1] {
					return string(r)
				}
			}
		}
	case syntax.OpAnyChar, syntax.OpAnyCharNotNL:
		return "x"
	case syntax.OpCapture, syntax.OpPlus, syntax.OpAlternate:
		return repeat(1)
	case syntax.OpRepeat:
		return repeat(min(re.Min, 20))
	case syntax.OpConcat:
		text := ""
		for _, sub := range re.Sub {
			text += matchOf(sub)
		}
		return text
	}
	return ""
}
