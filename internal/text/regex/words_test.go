package regex

import (
	"regexp"
	"testing"
)

func TestInsideWord(t *testing.T) {
	tests := []struct{ reason, expr, want string }{
		{"in the middle", `etc`, "etch"},
		{"with the character after it", `etc.`, "fetch"},
		{"at the end", `fast`, "breakfast"},
		{"the beginning of another word", `\bshall`, "shallow"},
		{"other forms of the word are meant", `assum`, ""},
		{"the word alone", `\bfast\b`, ""},
		{"in no word", `TBD`, ""},
	}
	for _, tt := range tests {
		if got, _ := InsideWord(regexp.MustCompile(tt.expr)); got != tt.want {
			t.Errorf("%s: %s is found in %q, want %q", tt.reason, tt.expr, got, tt.want)
		}
	}
}
