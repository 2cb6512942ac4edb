package jsontext

import "testing"

// The sample is that of RFC 8785, section 3.2.2, and some more characters.
func TestTextsAreWrittenAsRFC8785Says(t *testing.T) {
	in := "\u20ac$\u000F\u000aA'\u0042\u0022\u005c\\\"\u2028</script>\x7f\b\t\f\r"
	want := `"€$\u000f\nA'B\"\\\\\"` + "\u2028" + `</script>` + "\x7f" + `\b\t\f\r"`
	if got := string(Append(nil, in)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}
