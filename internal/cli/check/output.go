package check

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// lintFormat is an output format of a check. Formats for services name files relative
// to the root of the repository; formats for people, to the working folder.
type lintFormat struct {
	name string
	// counts says that the format has a place for --statistics.
	counts bool
	print  func(l *lintCommand, w io.Writer, r *lint.Report) error
}

// lintFormatTable are the values of --format, the default first.
var lintFormatTable = []lintFormat{
	{"text", true, func(l *lintCommand, w io.Writer, r *lint.Report) error {
		return printer.Text(w, r, printer.TextOptions{
			TextOptions: l.Streams.TextOptions(w, l.library.Prefix),
			Named:       l.library.Only, Notes: l.show == command.ShowNotes,
			NoRepository: l.base == "" && l.opts.History == nil && l.span == nil && l.documents == nil,
			Alone:        l.alone(),
			End:          l.end(w, r),
		})
	}},
	{"json", true, func(_ *lintCommand, w io.Writer, r *lint.Report) error { return printer.JSON(w, r) }},
	{"github", true, func(l *lintCommand, w io.Writer, r *lint.Report) error {
		return printer.GitHub(w, r, l.library.InRepository())
	}},
	{"sarif", false, func(l *lintCommand, w io.Writer, r *lint.Report) error {
		return printer.SARIF(w, r, l.library.InRepository(), command.ThisBuild().Version)
	}},
	{"gitlab", false, func(l *lintCommand, w io.Writer, r *lint.Report) error {
		return printer.GitLab(w, r, l.library.InRepository())
	}},
	{"junit", false, func(l *lintCommand, w io.Writer, r *lint.Report) error {
		return printer.JUnit(w, r, l.library.InRepository(), l.failing())
	}},
	{"markdown", true, func(l *lintCommand, w io.Writer, r *lint.Report) error { return l.comment(w, r) }},
}

func lintFormats() []string {
	var names []string
	for _, f := range lintFormatTable {
		names = append(names, f.name)
	}
	return names
}

// checkStatistics refuses --statistics if no output has a place for counts.
func (l *lintCommand) checkStatistics() error {
	if !l.statistics {
		return nil
	}
	var counting []string
	for _, f := range lintFormatTable {
		if f.counts {
			counting = append(counting, f.name)
		}
	}
	if slices.ContainsFunc(l.outputs, func(o command.Output) bool { return slices.Contains(counting, o.Format) }) {
		return nil
	}
	return fmt.Errorf("--statistics: the format %s has no place for counts. Add --format %s", l.outputs[0].Format, schema.Or(counting, "or"))
}

// failing is the lowest severity that makes the exit code 1.
func (l *lintCommand) failing() lint.Severity {
	if l.failLevel == "warning" {
		return lint.Warning
	}
	return lint.Error
}

func (l *lintCommand) write(report *lint.Report) error {
	if l.statistics {
		counted := *report
		counted.Statistics = lint.CountRules(report.Findings)
		report = &counted
	}
	report = report.Shortened()
	print := func(w io.Writer, format string) error {
		return lintFormatTable[slices.Index(lintFormats(), format)].print(l, w, report)
	}
	for _, o := range l.outputs {
		if err := o.Write(l.Out, print); err != nil {
			return err
		}
		if o.Format == "github" {
			if err := l.summarize(report, cmp.Or(o.File, "the log of this step")); err != nil {
				return err
			}
		}
	}
	return nil
}

// setOutputs sets the numbers of findings for later steps; notes are findings, too. It
// also sets the commit since which the library changed, empty if there is none.
func (l *lintCommand) setOutputs(report *lint.Report) error {
	base := ""
	if report.Base != nil && len(report.Base.MergeBases) > 0 {
		base = report.Base.MergeBases[0]
	}
	return l.stepOutputs.Set(l.Streams,
		command.StepOutput{Name: "errors", Value: strconv.Itoa(report.Summary.Errors)},
		command.StepOutput{Name: "warnings", Value: strconv.Itoa(report.Summary.Warnings)},
		command.StepOutput{Name: "findings", Value: strconv.Itoa(len(report.Findings))},
		command.StepOutput{Name: "base", Value: base},
	)
}

// summarize adds the report to the job summary if the command runs in a GitHub job.
// GitHub drops a summary that is too long, so the existing text counts. rest is the
// output that has the findings for which there is no room.
func (l *lintCommand) summarize(report *lint.Report, rest string) (err error) {
	name := l.Getenv("GITHUB_STEP_SUMMARY")
	if name == "" {
		return nil
	}
	defer func() {
		if err != nil {
			err = fmt.Errorf("the job summary (GITHUB_STEP_SUMMARY) could not be written: %s: %w", name, safefile.Reason(err))
		}
	}()
	room := render.MaxMarkdown
	if info, err := os.Stat(name); err == nil {
		room -= int(min(info.Size(), render.MaxMarkdown))
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	var b strings.Builder
	b.WriteByte('\n') // the existing text can end within a line
	if err := printer.Markdown(&b, report, l.library.InRepository(), rest, room); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(b.String())
	return errors.Join(err, f.Close())
}

// loadBaseline reads the library's baseline, unless --write-baseline replaces it.
func (l *lintCommand) loadBaseline() (err error) {
	if l.writeBaseline {
		return nil
	}
	l.opts.Allowance.Own, err = lint.LoadBaseline(l.fsys)
	if err == nil && l.prune && l.opts.Allowance.Own == nil {
		return fmt.Errorf("there is no %s to prune. --write-baseline writes one", lint.BaselineFile)
	}
	return err
}

// renewBaseline writes a baseline of the current findings, or removes the entries
// that are no longer found.
func (l *lintCommand) renewBaseline() error {
	opts := l.opts
	opts.Allowance = lint.Allowance{}
	report, err := l.check(opts)
	if err != nil {
		return err
	}
	b := lint.NewBaseline(report.Findings)
	if l.prune {
		b = l.opts.Allowance.Own.Prune(b, rules.All(), opts.Repository != nil)
	}
	data, err := b.Bytes()
	if err != nil {
		return err
	}
	name := l.library.File(lint.BaselineFile)
	info, err := os.Lstat(name)
	if err == nil && !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a regular file, so it was not written. Remove it", lint.BaselineFile)
	}
	if err := safefile.Write(name, data, 0o666); err != nil {
		return fmt.Errorf("%s could not be written: %w", lint.BaselineFile, safefile.Reason(err))
	}
	if l.opts.Allowance.Own, err = lint.ParseBaseline(source.NewFile(lint.BaselineFile, data)); err != nil {
		return err
	}
	_, err = fmt.Fprintf(l.Err, "%s: written: it counts %s\n", sanitize.Line(path.Join(l.library.Prefix, lint.BaselineFile)), render.Count(b.Len(), "finding"))
	return err
}

// fixFindings applies or shows the fixes of the findings, and returns a report of what
// is left. A file that can't be changed is an additional error; the other files are
// still fixed.
func (l *lintCommand) fixFindings(report *lint.Report) (*lint.Report, error) {
	changes, err := lint.FixAll(l.fsys, rules.All(), l.opts, report)
	if err != nil {
		return nil, err
	}
	if l.diff {
		return report, printer.Diff(command.Raw(l.Out), changes, l.library.Prefix)
	}
	done := l.Err // other formats are for programs
	if slices.ContainsFunc(l.outputs, func(o command.Output) bool { return o.Format == "text" && o.File == "" }) {
		done = l.Out
	}
	var failed []error
	for _, c := range changes {
		if err := l.apply(c); err != nil {
			failed = append(failed, err)
			continue
		}
		for _, fix := range c.Fixes {
			if _, err := fmt.Fprintf(done, "%s: fixed: %s\n", sanitize.Line(path.Join(l.library.Prefix, c.Path)), sanitize.Line(fix.Message)); err != nil {
				return nil, err
			}
		}
		if i := slices.Index(l.opts.Only, c.Path); i >= 0 {
			l.opts.Only[i] = c.NewPath // it is still checked
		}
	}
	report, err = l.check(l.opts)
	if err != nil {
		return nil, err
	}
	return report, errors.Join(failed...)
}

// apply changes one file: first its content, so that a failed rename leaves a complete
// file under the old name.
func (l *lintCommand) apply(c lint.FileChange) error {
	name := l.library.File(c.Path)
	if string(c.Before) != string(c.After) {
		if err := safefile.Write(name, c.After, 0o666); err != nil {
			return fmt.Errorf("%s could not be changed: %w", c.Path, safefile.Reason(err))
		}
	}
	if c.NewPath == c.Path {
		return nil
	}
	if err := safefile.Move(name, l.library.File(c.NewPath)); err != nil {
		return fmt.Errorf("%s could not be renamed to %s: %w", c.Path, c.NewPath, safefile.Reason(err))
	}
	return nil
}
