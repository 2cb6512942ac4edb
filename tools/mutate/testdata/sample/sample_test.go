package sample

import "testing"

func TestWeight(t *testing.T) {
	for n, want := range map[int]int{-3: -1, 0: 0, 4: 8, 12: 20} {
		if got := Weight(n, 10); got != want {
			t.Errorf("Weight(%d) = %d, want %d", n, got, want)
		}
	}
}

func TestLimit(t *testing.T) {
	if got := Weight(11, 10); got != 20 {
		t.Errorf("Weight(11) = %d, want 20", got)
	}
}
