// Package parallel calls a function many times on all processors.
package parallel

import (
	"cmp"
	"runtime"
	"sync"
	"sync/atomic"
)

// Each calls do with each number from 0 to n-1, whichever of them fail, and returns the error with
// the lowest number.
func Each(n int, do func(i int) error) error {
	errs := make([]error, n)
	var next atomic.Int64
	var workers sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		workers.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				errs[i] = do(i)
			}
		})
	}
	workers.Wait()
	return cmp.Or(errs...)
}
