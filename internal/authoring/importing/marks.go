package importing

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"
)

// mark says why an author has to rewrite an item of a checklist.
type mark struct {
	reason string
	// proposal is the rewritten item, or "" if no rewrite is mechanical.
	proposal string
}

const (
	negativeReason    = `it is stated negatively, so that "yes" could mean that it passes or that the fault is there.`
	conditionalReason = "it has a condition, and does not say whether it passes where the condition is not met."
)

var (
	// leading is a condition before its statement.
	leading = regexp.MustCompile(`(?i)^(if|when|whenever|where|unless|in case)\s+([^,:]+?)\s*(?:[,:]|\s+then\b),?\s*(\S.*)$`)
	// optional is a condition that leaves open when it is met.
	optional = regexp.MustCompile(`(?i)\b(?:if|where|when|as)\s+(?:applicable|appropriate|necessary|needed|required|relevant|possible|any|available|present|used|feasible|supported|desired|it makes sense)\b|\(if [^)]+\)|\(optional\)|^optional\b`)
	// negation is a word that turns a statement around.
	negation = regexp.MustCompile(`(?i)^(?:no|never|avoid|don't|do not|not|none|nothing|neither|must not|should not)\b|\b(?:is|are|was|were|does|do|did|should|must|can|could|may|will|would|has|have|had)\s+(?:not|never|no)\b|\b(?:isn't|aren't|doesn't|don't|shouldn't|mustn't|can't|cannot|won't|hasn't|haven't)\b|\b(?:contains?|includes?|uses?|with)\s+no\b`)
	// harmless are words with a negation that do not turn a statement around.
	harmless = regexp.MustCompile(`(?i)\bnot\s+(?:only|just)\b|\bno\s+(?:more|fewer|less|later|longer|earlier)\s+than\b|\bwhether or not\b|\bno\.\s*[0-9]|"[^"]*"|“[^”]*”|\bn/a\b`)
	// absent is a statement that something does not exist, before that thing.
	absent = regexp.MustCompile(`(?i)^(?:(?:there\s+(?:are|is|should be|must be)\s+|has\s+|have\s+|contains?\s+|includes?\s+|uses?\s+)?no\s+|avoid\s+(?:using\s+|the use of\s+)?|(?:do not|don't|never|must not|should not)\s+(?:use|include|contain|have)\s+)(\S.*?)[.!]?$`)
	// verb is a sign that a text is more than the name of a thing.
	verb = regexp.MustCompile(`(?i)\b(?:is|are|was|were|be|been|has|have|had|does|do|did|can|could|may|might|must|shall|should|will|would|if|unless|when|but|instead|because|so|only|use|used|just|and\s+\w+ed|need|needs|remain|remains|remaining|exist|exists|left|found|before|after|until|while)\b|[.;:?!→(]|\s[-–—]\s`)
	// article is a word that follows a verb and not the name of a thing.
	article = regexp.MustCompile(`(?i)\b[a-z]+[^s\W]s\s+(?:a|an|the|its|their|any|all|each|every|more|to|from|into|on)\b`)
	pronoun = regexp.MustCompile(`(?i)\b(?:it|its|they|their|them|this|these|those|that|he|she|otherwise)\b`)
)

// marks are the reasons why an item has to be rewritten. Only English is recognized.
func marks(text string) []mark {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "’", "'")), " ")
	var found []mark
	if m := leading.FindStringSubmatch(text); m != nil {
		found = append(found, mark{conditionalReason, withCondition(m[1], m[2], m[3])})
	} else if optional.MatchString(text) {
		found = append(found, mark{conditionalReason, ""})
	}
	bare := harmless.ReplaceAllString(text, "…")
	if negation.MatchString(bare) {
		found = append(found, mark{negativeReason, affirmed(text)})
	}
	return found
}

// withCondition is a statement that is true where a condition is not met.
func withCondition(word, condition, statement string) string {
	statement = strings.TrimSuffix(statement, ".")
	if pronoun.MatchString(statement) || strings.ContainsAny(statement, ".;:?") {
		return ""
	}
	except := ", or this does not apply: "
	if strings.EqualFold(word, "unless") {
		except = ", or this applies: "
	}
	return upper(statement) + except + condition + "."
}

// affirmed is a statement that something is absent, in words that need no negation, or "".
func affirmed(text string) string {
	m := absent.FindStringSubmatch(text)
	if m == nil || verb.MatchString(m[1]) || article.MatchString(m[1]) {
		return ""
	}
	if word, _, _ := strings.Cut(m[1], " "); strings.HasSuffix(word, "ing") || strings.HasSuffix(word, "ly") {
		return "" // storing secrets
	}
	return "The artifact is free of " + m[1] + "."
}

// upper is a text that begins with a capital.
func upper(text string) string {
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}
