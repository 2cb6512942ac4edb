package jsontext

import "testing"

func TestHalfPair(t *testing.T) {
	for _, tt := range []struct {
		reason, json string
		want         int
	}{
		{"no escape", `"a"`, -1},
		{"other escapes", `"\n\u0041\\\/"`, -1},
		{"a pair", `"\ud83d\uDE00"`, -1},
		{"pairs", `["\ud83d\ude00\ud83d\ude00","\ud83d\ude00"]`, -1},
		{"an escaped backslash before what looks like an escape", `"\\ud800"`, -1},
		{"a high half", `"a\ud800b"`, 2},
		{"a high half at the end", `"\uD800"`, 1},
		{"a low half", `{"\udc00":1}`, 2},
		{"halves in reverse order", `"\ude00\ud83d"`, 1},
		{"two high halves", `"\ud83d\ud83d\ude00"`, 1},
		{"a low half after a pair", `"\ud83d\ude00\ude00"`, 13},
		{"a high half before another escape", `"\ud83d\n"`, 1},
		{"halves in two texts", `["\ud83d","\ude00"]`, 2},
		{"after an escaped backslash", `"\\\ud800"`, 3},
	} {
		if got := HalfPair([]byte(tt.json)); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.reason, got, tt.want)
		}
	}
}
