package intake

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// Why an author has to rewrite an item of a checklist.
const (
	negativeReason    = `it is stated negatively, so that "yes" could mean that it passes or that the fault is there.`
	conditionalReason = "it has a condition, and does not say whether it passes where the condition is not met."
)

var (
	// label is a code before a statement, such as "SEC-12: ".
	label = lazy.Expr(`^(?:[A-Z]+[0-9]+|[A-Z][A-Z0-9]*[-_.][A-Z0-9._-]*)(?:\s*[—–:]\s*|\s+-\s+)`)
	// heading is a label such as "When to use: ", and aside is what is said in passing.
	heading = lazy.Expr(`(?i)^(?:if|when|whenever|where|how|what)\s+(?:not\s+)?to\b[^,:?]*:\s*`)
	aside   = lazy.Expr(`\s*\([^()]*\)`)
	// leading is a condition before its statement.
	leading = lazy.Expr(`(?i)^(?:if|when|whenever|where|unless|in case)\s+[^,:?]+(?:[,:]|\s+then\b),?\s*\S`)
	// optional is a condition that leaves open when it is met.
	optional = lazy.Expr(`(?i)\b(?:if|where|when|as)\s+(?:applicable|appropriate|necessary|needed|required|relevant|any|available|present|used|feasible|supported|desired)(?:$|[.,;:)]|\s+(?:and|or)\b)|\b(?:if|where|when)\s+(?:possible|it makes sense)\b|^optional\b`)
	// marked says in parentheses that a statement need not be met.
	marked = lazy.Expr(`(?i)\(optional\)`)
	// later is a condition after its statement, about the artifact and not about what it describes.
	later = lazy.Expr(`(?i)\bunless\s|\bif\s+(?:provided|given|specified|supplied|set|enabled|configured|known|changed|touched|affected|modified|added|you|there|your)\b|\bif\s+(?:the|this|that|a|an|any)\s+(?:[a-z]+\s+)?(?:changes?|pr|pull request|merge request|diff|patch|commit|branch|code|feature|ticket|issue|story|project|team|repository|library|package|module|artifact|document|text|answer|response)s?\b`)

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
	romance  = lazy.Expr(`(?i)\b(?:de|del|el|la|los|las|les|un|una|uma|que|para|per|por|em|il|che|și)\b`)
)

// IsRomance reports whether a checklist may be in a language in which "no" turns a verb
// around, such as Spanish: one in five items has a common word of such languages.
func IsRomance(items []Rule) bool {
	count := 0
	for _, i := range items {
		if romance().MatchString(i.Description) {
			count++
		}
	}
	return count*5 >= max(len(items), 1)
}

// marks are the reasons why an English item has to be rewritten.
func marks(text string) (reasons []string) {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "’", "'")), " ")
	text = text[len(label().FindString(text)):]
	isOptional := marked().MatchString(text)
	text = aside().ReplaceAllString(text[len(heading().FindString(text)):], "")
	if isOptional || leading().MatchString(text) || optional().MatchString(text) || later().MatchString(text) {
		reasons = append(reasons, conditionalReason)
	}
	if isNegative(text) {
		reasons = append(reasons, negativeReason)
	}
	return reasons
}

// isNegative reports whether a text is a negative statement or instruction.
func isNegative(text string) bool {
	text = harmless().ReplaceAllString(text[len(label().FindString(text)):], "…")
	if end := laterClause().FindStringIndex(text); end != nil && !negativeStart().MatchString(text) {
		text = text[:end[0]]
	}
	return negativeStart().MatchString(text) || negativeVerb().MatchString(text)
}
