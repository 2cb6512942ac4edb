package lint

import (
	"slices"
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
