package objects

import "testing"

func TestACacheIsBounded(t *testing.T) {
	const bound, size = 200_000, 1000
	c := NewCache[int, []int](bound)
	for i := range 3 * bound / size {
		c.Put(i, make([]int, size), size)
		if _, ok := c.Get(i); !ok {
			t.Fatalf("value %d is gone at once", i)
		}
		n := 0
		for _, kept := range []map[int]cached[[]int]{c.young, c.old} {
			for _, k := range kept {
				n += len(k.value)
			}
		}
		if n > bound {
			t.Fatalf("%d numbers are kept, more than %d", n, bound)
		}
	}
	if _, ok := c.Get(0); ok {
		t.Error("the value that was used longest ago is kept")
	}
	c.Put(-2, make([]int, 2*bound), 2*bound)
	if _, ok := c.Get(-2); !ok {
		t.Error("a value that is larger than the bound is not kept at all")
	}
}
