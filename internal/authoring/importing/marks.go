package importing

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// mark says why an author has to rewrite an item of a checklist.
type mark struct {
	reason string
	// proposal has the rewritten item, or is "" if no rewrite is mechanical.
	proposal string
}

const (
	negativeReason    = `it is stated negatively, so that "yes" could mean that it passes or that the fault is there.`
	conditionalReason = "it has a condition, and does not say whether it passes where the condition is not met."
)

var (
	// label is a code before a statement, such as "SEC-12: ".
	label = lazy.Expr(`^(?:[A-Z]+[0-9]+|[A-Z][A-Z0-9]*[-_.][A-Z0-9._-]*)(?:\s*[—–:]\s*|\s+-\s+)`)
	// leading is a condition before its statement.
	leading = lazy.Expr(`(?i)^(if|when|whenever|where|unless|in case)\s+([^,:?]+?)\s*(?:[,:]|\s+then\b),?\s*(\S.*)$`)
	// optional is a condition that leaves open when it is met.
	optional = lazy.Expr(`(?i)\b(?:if|where|when|as)\s+(?:applicable|appropriate|necessary|needed|required|relevant|any|available|present|used|feasible|supported|desired)(?:$|[.,;:)]|\s+(?:and|or)\b)|\b(?:if|where|when)\s+(?:possible|it makes sense)\b|\(if [^)]+\)|\(optional\)|^optional\b`)
	// negativeStart is the start of a statement or an instruction that is negative as a
	// whole.
	negativeStart = lazy.Expr(`(?i)^(?:no|never|avoid|don't|do not|not|none|nothing|neither|must not|should not)\s`)
	// negativeVerb makes the first clause negative.
	negativeVerb = lazy.Expr(`(?i)\b(?:is|are|was|were|does|do|did|should|must|can|could|may|will|would|has|have|had)\s+(?:not|never|no)\b|\b(?:isn't|aren't|doesn't|don't|shouldn't|mustn't|can't|cannot|won't|hasn't|haven't)\b|\b(?:contains?|includes?|uses?)\s+no\b`)
	// laterClause ends the part of a text in which a negative verb makes the whole
	// negative.
	laterClause = lazy.Expr(`(?i)[.;:?!,]\s|\(|\s[-–—]\s|\b(?:that|which|who|whose|why|how|what|if|when|where|while|until|unless|because|since|so|than|to|but|and|or|whether|even|though)\b`)
	// harmless are words with a negation that do not turn a statement around.
	harmless = lazy.Expr(`(?i)\bnot\s+(?:only|just)\b|\bno\s+(?:more|fewer|less|later|longer|earlier)\s+than\b|\bno\.\s*[0-9]|"[^"]*"|“[^”]*”|\bn/a\b`)
	// absent is a statement that something does not exist, before that thing.
	absent = lazy.Expr(`(?i)^(?:(?:there\s+(?:are|is|should be|must be)\s+|has\s+|have\s+|contains?\s+|includes?\s+|uses?\s+)?no\s+|avoid\s+(?:using\s+|the use of\s+)?|(?:do not|don't|never|must not|should not)\s+(?:use|include|contain|have)\s+)(\S.*?)[.!]?$`)
	// verb is a sign that a text is more than the name of a thing.
	verb = lazy.Expr(`(?i)\b(?:is|are|was|were|be|been|has|have|had|does|do|did|can|could|may|might|must|shall|should|will|would|if|unless|when|but|instead|because|so|only|still|ever|always|already|use|used|just|and\s+\w+ed|need|needs|remain|remains|remaining|exist|exists|left|found|before|after|until|while|allowed|permitted|needed|required|expected|exceeds|returns|requires|depends|relies|breaks|emits|exposes|fails|causes|appears|occurs|bypasses|violates|prevents|allows|sends|throws)\b|[.;:?!→(]|\s[-–—]\s`)
	// article is a word that follows a verb and not the name of a thing.
	article = lazy.Expr(`(?i)\b[a-z]+[^s\W]s\s+(?:a|an|the|its|their|any|all|each|every|more|to|from|into|on)\b`)
	how     = lazy.Expr(`(?i)\b(?:use|using)\b.*\b(?:to|for)\b`)
	pronoun = lazy.Expr(`(?i)\b(?:it|its|they|their|them|this|these|those|that|he|she|otherwise)\b`)
	romance = lazy.Expr(`(?i)\b(?:de|del|el|la|los|las|les|un|una|uma|que|para|per|por|em|il|che|și)\b`)
)

// isRomance reports whether a checklist may be in a language in which "no" turns a verb
// around, such as Spanish: one in five items has a common word of such languages.
func isRomance(items []item) bool {
	count := 0
	for _, i := range items {
		if romance().MatchString(i.text) {
			count++
		}
	}
	return count*5 >= max(len(items), 1)
}

// marks are the reasons why an English item has to be rewritten.
func marks(text string) []mark {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "’", "'")), " ")
	text = text[len(label().FindString(text)):]
	var found []mark
	if m := leading().FindStringSubmatch(text); m != nil {
		found = append(found, mark{conditionalReason, withCondition(m[1], m[2], m[3])})
	} else if optional().MatchString(text) {
		found = append(found, mark{conditionalReason, ""})
	}
	if isNegative(text) {
		found = append(found, mark{negativeReason, affirmed(text)})
	}
	return found
}

// isNegative reports whether a text is a negative statement or instruction.
func isNegative(text string) bool {
	text = harmless().ReplaceAllString(text[len(label().FindString(text)):], "…")
	if end := laterClause().FindStringIndex(text); end != nil && !negativeStart().MatchString(text) {
		text = text[:end[0]]
	}
	return negativeStart().MatchString(text) || negativeVerb().MatchString(text)
}

// withCondition is a statement that is true where a condition is not met, or "". More
// than two simple clauses could be read in two ways.
func withCondition(word, condition, statement string) string {
	statement = strings.TrimSuffix(statement, ".")
	if pronoun().MatchString(statement) || pronoun().MatchString(condition) || strings.ContainsAny(statement, ".,;:?()") || len(strings.Fields(condition)) < 3 {
		return ""
	}
	except := ", or this does not apply: "
	if strings.EqualFold(word, "unless") {
		except = ", or this applies: "
	}
	letters := []rune(statement)
	return " Proposed: " + strings.ToUpper(string(letters[:1])) + string(letters[1:]) + except + condition + "."
}

// affirmed is a statement that something is absent, in words that need no negation, or "".
func affirmed(text string) string {
	m := absent().FindStringSubmatch(text)
	if m == nil || verb().MatchString(m[1]) || article().MatchString(m[1]) {
		return ""
	}
	if how().MatchString(text) || strings.Contains(strings.ReplaceAll(text, "such as ", ""), " as ") {
		return "" // what the thing is used for, not the thing, is wrong
	}
	if word, _, _ := strings.Cut(m[1], " "); strings.HasSuffix(word, "ing") || strings.HasSuffix(word, "ly") {
		return "" // storing secrets
	}
	return " Proposed: The artifact is free of " + m[1] + "."
}
