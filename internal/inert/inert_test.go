package inert

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
