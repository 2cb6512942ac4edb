package calibration

import "testing"

func TestSameItems(t *testing.T) {
	item := func(artifact string, inputs map[string]string) Item { return Item{Artifact: artifact, Inputs: inputs} }
	for _, tt := range []struct {
		reason string
		a, b   Item
		same   bool
	}{
		{"punctuation", item("Yes.", nil), item("yes!", nil), true},
		{"no inputs, and empty ones", item("Yes.", nil), item("Yes.", map[string]string{}), true},
		{"equal inputs", item("Yes.", map[string]string{"task": "Answer?"}), item("Yes", map[string]string{"task": "answer"}), true},
		{"other inputs", item("Yes.", map[string]string{"task": "Is it?"}), item("Yes.", map[string]string{"task": "Was it?"}), false},
		{"an input more", item("Yes.", nil), item("Yes.", map[string]string{"task": "Is it?"}), false},
		{"an input that reads like a key", item("a", map[string]string{"b": "c"}), item("a b c", nil), false},
	} {
		if same := tt.a.SameKey() == tt.b.SameKey(); same != tt.same {
			t.Errorf("%s: %t, want %t", tt.reason, same, tt.same)
		}
	}
}
