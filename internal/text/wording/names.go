package wording

import (
	"slices"
	"strings"
)

// readNames returns the stems of the words that name what a quantity counts.
func readNames(text string) (names []string, rest string) {
	rest = text
	for found := true; found; {
		rest, found = skip(rest, "of", "the", "its", "these", "those", "their", "all")
	}
	for len(names) < nameReach {
		token, after := nextToken(rest)
		isNoun := slices.Contains(commonNouns, token)
		if token == "" || token[0] < 'a' || 'z' < token[0] ||
			lexicon().kinds[token]&(idle|absent|number) != 0 && !isNoun || slices.Contains(excepting, token) {
			break
		}
		names, rest = append(names, unitOf(token)), after
	}
	return names, rest
}

// commonNouns are idle words that can name what is counted.
var commonNouns = strings.Fields(`answer answers response responses output outputs artifact artifacts
	result results item items document documents criterion criteria aspect aspects task`)

// nameBefore returns the stem of the last word with a meaning in a text, as in "Names three". It
// reports false for "and three" in another clause.
func nameBefore(text string) (name []string, ok bool) {
	start := strings.LastIndexAny(text, ",:(–—") + 1
	for w := range Read(text[start:]).Words() {
		if lexicon().kinds[w]&(idle|degree|absent) == 0 && !slices.Contains(limiting, w) {
			name = []string{unitOf(w)}
		}
	}
	return name, start == 0 || len(name) > 0
}

// limiting are words that make a number a limit, or say how exact it is.
var limiting = strings.Fields("than least most only exactly about around roughly approximately just over under up above fewer between some")

// unitOf returns the stem of a word, which is the same in its plural.
func unitOf(word string) string {
	switch {
	case strings.HasSuffix(word, "ies"):
		word = strings.TrimSuffix(word, "ies") + "y"
	case strings.HasSuffix(word, "sses"), strings.HasSuffix(word, "xes"), strings.HasSuffix(word, "ches"),
		strings.HasSuffix(word, "shes"):
		word = strings.TrimSuffix(word, "es")
	case !strings.HasSuffix(word, "ss"):
		word = strings.TrimSuffix(word, "s")
	}
	return stem(word)
}

// canBeAlone reports whether a quantity can name nothing that it counts, as in "Three are named", and
// is not a label, as in "3: three are named".
func canBeAlone(word, rest string) bool {
	if _, isLabel := skip(rest, ":", ")", "-", "–", "—"); isLabel {
		return false
	}
	_, isNumber := numberOf(word)
	return isNumber || parts[word] > 0 || slices.Contains(pronouns, word)
}

// pronouns are the quantifiers that can be without a noun.
var pronouns = strings.Fields("all each most some none few both neither many several majority minority handful single couple")

func endsWith(text string, ends ...string) bool {
	return slices.ContainsFunc(ends, func(end string) bool { return strings.HasSuffix(text, end) })
}
