package yamltree

import "testing"

func TestResolve(t *testing.T) {
	for _, c := range []struct {
		reason    string
		texts     []string
		want      Type
		ambiguous bool
	}{
		{"words of YAML 1.2", []string{"true", "True", "TRUE", "false", "False", "FALSE"}, Bool, false},
		{"nothing", []string{"", "~", "null", "Null", "NULL"}, Null, false},
		{"words of YAML 1.1", []string{"yes", "No", "ON", "off", "y", "N", "yEs"}, String, true},
		{"Ruby ignores capitals", []string{"tRUE", "faLse", "nuLL"}, String, true},
		{"types that only YAML 1.1 has", []string{"=", "<<"}, String, true},
		{"words that only start so", []string{"yesterday", "nope", "only", "nullable", "=="}, String, false},
		{"integers", []string{"0", "7", "12", "-3", "+3", "0x1F", "0xff"}, Integer, false},
		{"one digit is the same in base 8", []string{"00", "07", "-01"}, Integer, false},
		{"octal in YAML 1.1", []string{"010", "0755", "-012"}, Integer, true},
		{"no octal number in YAML 1.1, so a text", []string{"08", "019"}, Integer, true},
		{"octal in YAML 1.2 only", []string{"0o17"}, Integer, true},
		{"integers in YAML 1.1 only", []string{"1_000", "0b101", "-0x1F", "0x_1", "1,000", "0_17"}, String, true},
		{"floats", []string{"1.5", "1.10", "-0.5", ".5", "1.", "1.5e+3", "1.5E-3"}, Float, false},
		{"floats that are no numbers", []string{".inf", "-.Inf", "+.INF", ".nan", ".NaN", ".NAN"}, Float, false},
		{"an exponent without point or sign is text in PyYAML", []string{"1e3", "1e+3", "1.5e3"}, Float, true},
		{"so is a sign before a point", []string{"-.5", "+.5"}, Float, true},
		{"floats in YAML 1.1 only", []string{"1_000.5", "1._5", "1,000.5"}, String, true},
		{"base 60", []string{"1:30", "12:30:45", "190:20:30.15", "-1:30", "01:30"}, String, true},
		{"dates and times", []string{"2024-01-31", "2024-1-3", "2024-01-31T10:00:00Z", "2024-01-31t10:00:00.5+02:00", "2024-01-31 10:00:00 -5"}, String, true},
		{"not quite numbers or dates", []string{"1.2.3", "1.2.0-rc1", "3rd", "1-2", "24-01-31", "2024-01", "1:60", "v1.0", "-", "--", "...", ".", "+", "-x", "0x", "0b2", "1,", ".e5", "inf", "nan"}, String, false},
	} {
		for _, text := range c.texts {
			got, ambiguous := resolve(text)
			if got != c.want || ambiguous != c.ambiguous {
				t.Errorf("%s: %q is %v, ambiguous %v; want %v, %v", c.reason, text, got, ambiguous, c.want, c.ambiguous)
			}
		}
	}
}

func TestOnlyPlainScalarsAreResolved(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		want         Type
		ambiguous    bool
	}{
		{"plain", "a: no", String, true},
		{"single-quoted", "a: 'no'", String, false},
		{"double-quoted", `a: "1.10"`, String, false},
		{"literal", "a: |-\n  1", String, false},
		{"folded", "a: >-\n  null", String, false},
		{"plain over two lines", "a: 1\n  2", String, false},
	} {
		n := mustParse(t, c.text).Root.Get("a")
		if n.Type != c.want || n.Ambiguous != c.ambiguous {
			t.Errorf("%s: %v, ambiguous %v; want %v, %v", c.reason, n.Type, n.Ambiguous, c.want, c.ambiguous)
		}
	}
	if key := mustParse(t, "no: 1").Root.Entries[0].Key; !key.Ambiguous {
		t.Error("a key can be ambiguous, too")
	}
}
