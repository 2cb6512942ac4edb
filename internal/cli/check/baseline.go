package check

import (
	"fmt"
	"os"
	"path"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// loadBaseline reads the library's baseline, unless --write-baseline replaces it.
func (l *lintCommand) loadBaseline() (*lint.Baseline, error) {
	if l.writeBaseline {
		return nil, nil
	}
	b, err := lint.LoadBaseline(l.fsys)
	if err == nil && l.prune && b == nil {
		return nil, fmt.Errorf("there is no %s to prune. --write-baseline writes one", lint.BaselineFile)
	}
	return b, err
}

// renewBaseline writes a baseline of the current findings, or removes the entries
// that are no longer found. It returns the baseline that was written.
func (l *lintCommand) renewBaseline() (*lint.Baseline, error) {
	opts := l.opts
	opts.Allowance = lint.Allowance{}
	report, err := l.check(opts)
	if err != nil {
		return nil, err
	}
	b := lint.NewBaseline(report.Findings)
	if l.prune {
		known, running := opts.Own.AddOwn(rules.All()), opts.Config.AddOwn(rules.All())
		b = l.opts.Allowance.Own.Prune(b, known, running, opts.Repository != nil)
	}
	data, err := b.Bytes()
	if err != nil {
		return nil, err
	}
	name := l.library.File(lint.BaselineFile)
	info, err := os.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is not a regular file, so it was not written. Remove it", lint.BaselineFile)
	}
	if err := safefile.Write(name, data, 0o666); err != nil {
		return nil, fmt.Errorf("%s could not be written: %w", lint.BaselineFile, safefile.Reason(err))
	}
	written, err := lint.ParseBaseline(source.NewFile(lint.BaselineFile, data))
	if err != nil {
		return nil, err
	}
	_, err = fmt.Fprintf(l.Err, "%s: written: it counts %s\n",
		sanitize.Line(path.Join(l.library.Prefix, lint.BaselineFile)), render.Count(b.Len(), "finding"))
	return written, err
}
