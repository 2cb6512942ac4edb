package sanitize

import "testing"

func TestALineIsReadAsItsWords(t *testing.T) {
	for _, c := range []struct {
		reason, line string
		words        []string
	}{
		{"plain words", "rubric push rubrics.zip ghcr.io/acme/x:1.4", []string{"rubric", "push", "rubrics.zip", "ghcr.io/acme/x:1.4"}},
		{"a space", "a 'b c'", []string{"a", "b c"}},
		{"an empty word", "a ''", []string{"a", ""}},
		{"a quote", `'it'\''s'`, []string{"it's"}},
		{"what a shell expands", "'$HOME' '*' '~/x' '`x`'", []string{"$HOME", "*", "~/x", "`x`"}},
		{"a name of another script", "'ä.zip'", []string{"ä.zip"}},
	} {
		if got := CommandLine(c.words...); got != c.line {
			t.Errorf("%s: %q becomes %s, want %s", c.reason, c.words, got, c.line)
		}
	}
}
