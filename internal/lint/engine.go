package lint

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
)

// engine is the state of one check. check, in run.go, calls its phases in their order.
type engine struct {
	opts  *Options // complete
	rules []*Rule  // those that run
	files *libraryFiles

	// unread are the IDs, by their file names, of documents whose content is not known, and
	// pointers the datasets of which a file is a pointer of Git LFS. No rule reports what
	// follows from that.
	unread, pointers map[string]bool
}

// newEngine returns an engine for rules. Outside of a library, no placed rule runs.
func newEngine(opts *Options, rules []*Rule, files *libraryFiles) *engine {
	if opts.Alone != nil {
		rules = slices.DeleteFunc(slices.Clone(rules), func(r *Rule) bool { return r.Placed })
	}
	return &engine{opts: opts, rules: rules, files: files, unread: map[string]bool{}, pointers: map[string]bool{}}
}

// inParallel calls do with each number from 0 to n-1, on all processors.
func inParallel(n int, do func(i int)) {
	var next atomic.Int64
	var wg sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), n) {
		wg.Go(func() {
			for i := next.Add(1) - 1; i < int64(n); i = next.Add(1) - 1 {
				do(int(i))
			}
		})
	}
	wg.Wait()
}
