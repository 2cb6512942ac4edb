package lint

import (
	"fmt"
	"slices"

	lib "github.com/rubric-library/rubric-library/internal/library"
)

// mostIgnored is how many of the ignored files are listed.
const mostIgnored = 100

// listIgnored lists the files that the check would read if Git did not ignore them.
func (r *Report) listIgnored(opts *Options) {
	if opts.Ignored == nil {
		return
	}
	reads := []string{LedgerFile, ExceptionsFile, ConfigFile, BaselineFile}
	for _, name := range opts.Ignored() {
		_, instead := opts.Instead[name]
		if instead || !lib.IsDocument(name) && !slices.Contains(reads, name) || len(opts.Only) > 0 && !within(name, opts.Only) {
			continue
		}
		r.Summary.Ignored++
		if len(r.Ignored) < mostIgnored {
			r.Ignored = append(r.Ignored, name)
		}
	}
}

// nothingToCheck returns the error for a library without documents.
func nothingToCheck(opts *Options) error {
	r := &Report{}
	r.listIgnored(opts)
	if r.Summary.Ignored > 0 {
		return fmt.Errorf("the folder %s has no documents, so there is nothing to check: Git ignores all files that it has, such as %s. `git check-ignore -v %[2]s` shows the rule", Root, r.Ignored[0])
	}
	return fmt.Errorf("the folder %s has no documents, so there is nothing to check", Root)
}
