package parallel

import (
	"fmt"
	"sync/atomic"
	"testing"
)

func TestEach(t *testing.T) {
	for _, n := range []int{0, 1, 2, 1000} {
		calls := make([]atomic.Int32, n)
		err := Each(n, func(i int) error {
			calls[i].Add(1)
			if i%7 == 3 {
				return fmt.Errorf("error %d", i)
			}
			return nil
		})
		for i := range calls {
			if got := calls[i].Load(); got != 1 {
				t.Errorf("of %d: %d is called %d times", n, i, got)
			}
		}
		if want := n > 3; (err != nil) != want || want && err.Error() != "error 3" {
			t.Errorf("of %d: the error is %v", n, err)
		}
	}
}
