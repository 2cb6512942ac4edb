package marker

import (
	"strings"

	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// longestPhrase is how many bytes a phrase can have that stands for a text.
const longestPhrase = 80

// phrases matches what English authors write instead of a text, without the signs around it.
var phrases = lazy.Expr(`^(?:` + strings.Join([]string{
	`(?:still |yet )?to be (?:added|announced|completed|confirmed|decided|defined|described|determined|discussed|done|filled(?: in)?|specified|written)(?: later)?`,
	`not yet (?:decided|defined|described|specified|written)|not (?:decided|defined|described|specified|written) yet`,
	`(?:a |just a )?place ?holder(?: text)?(?: for .*)?`,
	`wip|work in progress|tk|tktk|coming soon|ditto|idem|see above|as above`,
	`fill (?:(?:me|this|it) )?in(?: later| please)?`,
	`(?:(?:add|enter|describe|insert|put|type|write) )?(?:(?:a|an|my|some|the|your) )?` + asks + `(?: goes)? here`,
	`(?:dummy|sample|example|your|insert|enter|add) ` + asks,
	`(?:asdf|qwert)\w*|foo(?:[ /]?bar)*|bla(?: ?bla)*|blah(?: ?blah)*`,
}, "|") + `)$`)

// asks matches what a phrase asks for.
const asks = `(?:anchor|content|criterion|description|example|excerpt|level|name|score|text|words?)(?: \d| for .{1,30})?`

// asked matches a text in brackets that asks for another: "[describe level 1]".
var asked = lazy.Expr(`^[\[<{(]+ ?(?:add|define|describe|enter|explain|fill|insert|put|specify|state|tbd|todo|what|write|your)\b[^\[\]<>{}()]*[\]>})]+\.?$`)

// isPhrase reports whether an English text is a phrase that stands for another text.
func isPhrase(text string) bool {
	if len(text) > longestPhrase {
		return false
	}
	text = strings.ToLower(strings.Join(strings.Fields(text), " "))
	return phrases().MatchString(strings.Trim(text, signs+"#|")) || asked().MatchString(text)
}
