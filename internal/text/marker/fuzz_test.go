package marker

import "testing"

// FuzzFind: no text is too odd, and what surrounds a marker does not hide it.
func FuzzFind(f *testing.F) {
	for _, text := range []string{"TODO describe 1", "Level 2: TBD", "... (later)", "ＴＯＤＯ", "\xff", "(TODO", "TODO/TBD"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if Find(text, Context{}) == Alone && Find("("+text+")", Context{}) == None {
			t.Errorf("%q stands for a text, but not in brackets", text)
		}
	})
}
