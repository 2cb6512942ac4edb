package yamltree

import (
	"regexp"
	"strings"
)

// The numbers of YAML 1.2's core schema.
var (
	integer12 = regexp.MustCompile(`^(?:[-+]?[0-9]+|0o[0-7]+|0x[0-9a-fA-F]+)$`)
	float12   = regexp.MustCompile(`^(?:[-+]?(?:\.[0-9]+|[0-9]+(?:\.[0-9]*)?)(?:[eE][-+]?[0-9]+)?` +
		`|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)
)

// agreed is the numbers of YAML 1.2 that parsers of 1.1 read as the same number. It
// excludes these: in 1.1, a leading 0 makes an octal number (but 07 is 7), 0o is
// unknown, an exponent needs a point and a sign, and PyYAML reads no sign before a
// point.
var agreed = regexp.MustCompile(`^(?:[-+]?(?:[1-9][0-9]*|0+[0-7]?)|0x[0-9a-fA-F]+` +
	`|(?:[-+]?[0-9]+\.[0-9]*|\.[0-9]+)(?:[eE][-+][0-9]+)?` +
	`|[-+]?\.(?:inf|Inf|INF)|\.(?:nan|NaN|NAN))$`)

// old11 is the numbers, times, and dates of YAML 1.1 that are text in 1.2, in the
// widest sense of its type repository (yaml.org/type), of PyYAML, and of Ruby's Psych,
// which also reads 1,000 as a number.
var old11 = regexp.MustCompile(`^(?:` +
	`[-+]?0b[01_]+` + // binary
	`|[-+]?0x[0-9a-fA-F_]+` +
	`|[-+]?[0-9](?:[0-9_]|,[0-9])*` + // 1_000, and octal 0_17
	`|[-+]?(?:[0-9](?:[0-9_]|,[0-9])*\.[0-9_]*|\.[0-9][0-9_]*)(?:[eE][-+]?[0-9]+)?` +
	`|[-+]?[0-9][0-9_]*(?::[0-5]?[0-9])+(?:\.[0-9_]*)?` + // base 60
	`|[0-9]{4}-[0-9]{1,2}-[0-9]{1,2}(?:(?:[Tt]|[ \t]+)[0-9]{1,2}:[0-9]{2}:[0-9]{2}(?:\.[0-9]*)?` +
	`(?:[ \t]*(?:Z|[-+][0-9]{1,2}(?::?[0-9]{2})?))?)?` +
	`)$`)

// resolve returns the type of a plain scalar in YAML 1.2, and reports whether parsers
// of YAML 1.1 read something else.
func resolve(text string) (t Type, ambiguous bool) {
	if text == "" {
		return Null, false
	}
	switch c := text[0]; {
	case '0' <= c && c <= '9', c == '.', c == '+', c == '-':
		return resolveNumber(text)
	case len(text) <= len("false"):
		return resolveWord(text)
	}
	return String, false
}

func resolveNumber(text string) (t Type, ambiguous bool) {
	if len(text) == 1 && '0' <= text[0] && text[0] <= '9' {
		return Integer, false // the keys of all anchors
	}
	switch {
	case integer12.MatchString(text):
		return Integer, !agreed.MatchString(text)
	case float12.MatchString(text):
		return Float, !agreed.MatchString(text)
	}
	return String, old11.MatchString(text)
}

// resolveWord recognizes the words of YAML 1.2 in their three spellings. YAML 1.1 has
// more words, and Ruby accepts any mix of uppercase and lowercase.
func resolveWord(text string) (t Type, ambiguous bool) {
	switch text {
	case "null", "Null", "NULL", "~":
		return Null, false
	case "true", "True", "TRUE", "false", "False", "FALSE":
		return Bool, false
	}
	switch strings.ToLower(text) {
	case "null", "true", "false", "yes", "no", "on", "off", "y", "n",
		"=", "<<": // two types that only 1.1 has: default value and merge
		return String, true
	}
	return String, false
}
