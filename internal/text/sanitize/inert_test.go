package sanitize

import (
	"strings"
	"testing"
)

func TestJSONStaysTheSameJSON(t *testing.T) {
	in := `{"a": "##[add-mask]x ` + "\u009b\u202e\U000e0041é🙂" + `"}`
	got := string(JSON([]byte(in)))
	want := `{"a": "##\u005badd-mask]x \u009b\u202e\udb40\udc41é🙂"}`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestYAMLStaysTheSameYAML(t *testing.T) {
	got := string(YAML([]byte(`"##[add-mask]x ` + "\u009b\u202e\U000e0041é🙂" + `"`)))
	want := `"##\u005badd-mask]x \u009b\u202e\U000e0041é🙂"`
	if got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestLineKeepsScriptsAndEmoji(t *testing.T) {
	for _, text := range []string{"می\u200cخواهم", "क्\u200dष", "👩\u200d💻", "1.0 ≥ 0.7", "naïve"} {
		if got := Line(text); got != text {
			t.Errorf("Line(%q) = %q", text, got)
		}
	}
	if got := Line("a\nb\rc\x00"); strings.ContainsAny(got, "\n\r\x00") {
		t.Errorf("Line lets line ends through: %q", got)
	}
}

func TestLineShowsHiddenCharactersByNumber(t *testing.T) {
	for text, want := range map[string]string{
		"a\u200db":                  "a<U+200D>b",
		"1\ufe0f":                   "1<U+FE0F>",
		"✔\ufe0f\ufe0f":             "✔\ufe0f<U+FE0F>",
		"a\u034fb\u3164c\u2800d":    "a<U+034F>b<U+3164>c<U+2800>d",
		"\U0001f3f4\U000e0041":      "\U0001f3f4<U+E0041>",
		"می\u200cخواهم\u202e\u202e": "می\u200cخواهم<U+202E><U+202E>",
		"a\r\nb\x1b\xff":            "a<U+000D><U+000A>b<U+001B><U+FFFD>",
	} {
		if got := Line(text); got != want {
			t.Errorf("Line(%+q) = %+q, want %+q", text, got, want)
		}
	}
}
