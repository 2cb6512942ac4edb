package check

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/render"
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
			Alone:        l.describeAlone(),
			End:          l.end(w, r),
		})
	}},
	{"json", true, func(_ *lintCommand, w io.Writer, r *lint.Report) error { return printer.JSON(w, r) }},
	{"github", true, func(l *lintCommand, w io.Writer, r *lint.Report) error {
		return printer.GitHub(w, r, l.library.InRepository(), l.end(w, r))
	}},
	{"sarif", false, func(l *lintCommand, w io.Writer, r *lint.Report) error {
		return printer.SARIF(w, r, l.library.InRepository(), command.ThisBuild().Version)
	}},
	{"gitlab", false, func(l *lintCommand, w io.Writer, r *lint.Report) error {
		return printer.GitLab(w, r, l.library.InRepository())
	}},
	{"junit", false, func(l *lintCommand, w io.Writer, r *lint.Report) error {
		return printer.JUnit(w, r, l.library.InRepository(), l.failingSeverity())
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

func (l *lintCommand) write(report *lint.Report) error {
	if l.statistics {
		counted := *report
		counted.Statistics = lint.CountRules(report.Findings)
		report = &counted
	}
	report = report.Shorten()
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
