package cli

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/cli/stepoutput"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
	"github.com/rubric-library/rubric-library/internal/render"
)

// lintFormat is an output format of a check. Formats for services name files relative
// to the root of the repository; formats for people, to the working folder.
type lintFormat struct {
	name  string
	print func(l *lintCommand, w io.Writer, toFile bool, r *lint.Report) error
}

// lintFormatTable are the values of --format, the default first.
var lintFormatTable = []lintFormat{
	{"text", func(l *lintCommand, w io.Writer, toFile bool, r *lint.Report) error {
		return printer.Text(w, r, printer.TextOptions{
			TextOptions: render.TextOptions{Color: !toFile && l.color(w), Prefix: l.library.prefix},
			Named:       l.library.only, Notes: l.show == showNotes,
		})
	}},
	{"json", func(_ *lintCommand, w io.Writer, _ bool, r *lint.Report) error { return printer.JSON(w, r) }},
	{"github", func(l *lintCommand, w io.Writer, _ bool, r *lint.Report) error {
		return printer.GitHub(w, r, l.library.inRepository())
	}},
	{"sarif", func(l *lintCommand, w io.Writer, _ bool, r *lint.Report) error {
		return printer.SARIF(w, r, rules.All(), l.library.inRepository(), version())
	}},
	{"junit", func(l *lintCommand, w io.Writer, _ bool, r *lint.Report) error {
		return printer.JUnit(w, r, l.library.inRepository(), l.failing())
	}},
	{"markdown", func(l *lintCommand, w io.Writer, _ bool, r *lint.Report) error {
		return printer.Markdown(w, r, l.library.inRepository(), render.MaxMarkdown)
	}},
}

func lintFormats() []string {
	var names []string
	for _, f := range lintFormatTable {
		names = append(names, f.name)
	}
	return names
}

// failing is the lowest severity that makes the exit code 1.
func (l *lintCommand) failing() lint.Severity {
	if l.failLevel == "warning" {
		return lint.Warning
	}
	return lint.Error
}

// annotates reports whether findings become annotations of a change.
func (l *lintCommand) annotates() bool {
	return slices.ContainsFunc(l.outputs, func(o output) bool { return o.format == "github" })
}

func (l *lintCommand) write(report *lint.Report) error {
	for _, o := range l.outputs {
		i := slices.IndexFunc(lintFormatTable, func(f lintFormat) bool { return f.name == o.format })
		if err := o.write(l.Out, func(w io.Writer, toFile bool) error { return lintFormatTable[i].print(l, w, toFile, report) }); err != nil {
			return err
		}
		if o.format == "github" {
			if err := l.summarize(report); err != nil {
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
	return l.stepOutputs.set(l.Streams,
		stepoutput.Output{Name: "errors", Value: strconv.Itoa(report.Summary.Errors)},
		stepoutput.Output{Name: "warnings", Value: strconv.Itoa(report.Summary.Warnings)},
		stepoutput.Output{Name: "findings", Value: strconv.Itoa(len(report.Findings))},
		stepoutput.Output{Name: "base", Value: base},
	)
}

// summarize adds the report to the job summary if the command runs in a GitHub job.
// GitHub drops a summary that is too long, so the existing text counts.
func (l *lintCommand) summarize(report *lint.Report) (err error) {
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
	if err := printer.Markdown(&b, report, l.library.inRepository(), room); err != nil {
		return err
	}
	f, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666)
	if err != nil {
		return err
	}
	_, err = f.WriteString(b.String())
	return errors.Join(err, f.Close())
}
