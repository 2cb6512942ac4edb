package command

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
	"unicode"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// The exit codes of every command, the same in every output format.
const (
	ExitOK       = 0 // nothing wrong
	ExitFindings = 1 // findings, or a verdict that fails
	ExitFailure  = 2 // the command failed
)

// Streams is what a command reads and writes in addition to files.
type Streams struct {
	In       io.Reader
	Out, Err io.Writer
	// Getenv looks up an environment variable.
	Getenv func(string) string
}

// Standard is the streams of the process.
func Standard() Streams {
	return Streams{In: os.Stdin, Out: os.Stdout, Err: os.Stderr, Getenv: os.Getenv}
}

// ErrFindings ends a command that did its work and has printed findings.
var ErrFindings = errors.New("findings")

// Main runs a command and returns its exit code. Every failure, including a bug, is
// one message on the error stream and exit code 2.
func Main(newCommand func(Streams) *cobra.Command, args []string, s Streams) (code int) {
	line := &status{start: time.Now()}
	s.Out, s.Err = s.wrap(s.Out, line), s.wrap(s.Err, line)
	cmd := newCommand(s)
	if len(args) > 0 && (args[0] == cobra.ShellCompRequestCmd || args[0] == cobra.ShellCompNoDescRequestCmd) {
		addCompletions(cmd)
	} else if message := wrongArgument(args); message != "" {
		fmt.Fprintf(s.Err, "%s: %s\n", cmd.Name(), message)
		return ExitFailure
	}
	defer func() {
		if cause := recover(); cause != nil {
			fmt.Fprintf(s.Err, "%s: internal error: %v\nThis is a bug in %s. Please report it with the stack trace.\n\n%s",
				cmd.Name(), cause, cmd.Name(), debug.Stack())
			code = ExitFailure
		}
	}()
	cmd.SetArgs(args)
	cmd.SetIn(s.In)
	cmd.SetOut(s.Out)
	cmd.SetErr(s.Err)
	cmd.SilenceErrors, cmd.SilenceUsage = true, true
	cmd.CompletionOptions.DisableDefaultCmd = true
	cmd.Version = ThisBuild().String()
	cmd.SetVersionTemplate("{{.Name}} {{.Version}}\n")
	cmd.SetFlagErrorFunc(flagError)
	switch err := cmd.Execute(); {
	case err == nil:
		return ExitOK
	case errors.Is(err, ErrFindings):
		return ExitFindings
	case errors.Is(err, errNoCommand):
		return ExitFailure
	default:
		fmt.Fprintf(s.Err, "%s: %s\n", cmd.Name(), InertLines(err.Error()))
		return ExitFailure
	}
}

// wrongArgument is the message about an argument that no command accepts, or "". An empty
// value is nearly always an unset variable or a missing file in a script. Ignoring it could
// disable a check. Empty arguments after -- belong to another program.
func wrongArgument(args []string) string {
	for _, arg := range args {
		if strings.ContainsFunc(arg, unicode.IsControl) {
			return "the argument " + strconv.Quote(arg) + " contains a control character. Remove it"
		}
	}
	for i, arg := range args {
		name, value, given := strings.Cut(arg, "=")
		what := ""
		switch {
		case arg == "--":
			return ""
		case arg == "" && i > 0:
			what = "the argument after " + strconv.Quote(args[i-1])
		case arg == "":
			what = "the first argument"
		case given && value == "" && strings.HasPrefix(name, "-"):
			what = "the value of " + name
		default:
			continue
		}
		return what + " is empty: expected a value. Check the variable or the file that it comes from, or remove the argument"
	}
	return ""
}

// InertLines makes a message of several lines safe to print.
func InertLines(text string) string { return render.EachLine(text, "\n", sanitize.Line) }

// Output is a format of the output, and where it goes.
type Output struct {
	Format, File string // no file means the output stream
}

// OutputsOf reads the values of --format, FORMAT or FORMAT=FILE. Without any, it is the
// first known format.
func OutputsOf(values, known []string) ([]Output, error) {
	if len(values) == 0 {
		return []Output{{Format: known[0]}}, nil
	}
	var outputs []Output
	printed := false
	for _, value := range values {
		format, file, toFile := strings.Cut(value, "=")
		switch {
		case !slices.Contains(known, format):
			return nil, fmt.Errorf("unknown format %q. The formats are %s", format, strings.Join(known, ", "))
		case toFile && file == "":
			return nil, fmt.Errorf("--format %s: a file name is missing after the =", value)
		case !toFile && printed:
			return nil, errors.New("--format: two formats can't be written to standard output. Write one of them to a file: --format FORMAT=FILE")
		}
		printed = printed || !toFile
		outputs = append(outputs, Output{format, file})
	}
	return outputs, nil
}

// Write prints to the output stream, or writes the file as a whole.
func (o Output) Write(out io.Writer, print func(w io.Writer, format string) error) error {
	if o.File == "" && o.Format != "text" {
		out = Raw(out)
	}
	if o.File == "" {
		return print(out, o.Format)
	}
	var b strings.Builder
	if err := print(&b, o.Format); err != nil {
		return err
	}
	return NotWritten(o.File, safefile.Write(filepath.FromSlash(o.File), []byte(b.String()), 0o666))
}

// InOrder are the flags of a command, which its help shows in the order in which they are added.
func InOrder(cmd *cobra.Command) *pflag.FlagSet {
	cmd.Flags().SortFlags = false
	return cmd.Flags()
}

// FormatFlag adds the flag --format, whose default is the first known format.
func FormatFlag(cmd *cobra.Command, formats *[]string, known []string) {
	cmd.Flags().StringArrayVar(formats, "format", nil, fmt.Sprintf("the output as `FORMAT[=FILE]`: %s; printed without FILE (repeatable, default: %s)",
		schema.Or(known, "or"), known[0]))
	_ = cmd.Flags().SetAnnotation("format", ValuesKey, known) // the flag is there
}

// FailLevelFlag adds the flag --fail-level, whose value CheckFailLevel checks.
func FailLevelFlag(cmd *cobra.Command, level *string) {
	cmd.Flags().StringVar(level, "fail-level", "error", "the lowest severity that makes the exit code 1: error or warning")
}

// CheckFailLevel rejects what is not a level of FailLevelFlag.
func CheckFailLevel(level string) error {
	if level != "error" && level != "warning" {
		return fmt.Errorf("--fail-level must be error or warning, got %q", level)
	}
	return nil
}

// OutputFlag adds the required flag -o.
func OutputFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVarP(file, "output", "o", "", "the file to write (required)")
}

// PrintOutputs writes the output in every format.
func PrintOutputs(out io.Writer, outputs []Output, print func(w io.Writer, format string) error) error {
	for _, o := range outputs {
		if err := o.Write(out, print); err != nil {
			return err
		}
	}
	return nil
}

// UntilInterrupted is a context that ends when the process is asked to end: with
// Ctrl-C or Ctrl-\, by closing the terminal, or by a service manager. A signal that the
// process ignores, for example under nohup, stays ignored. The signals of but do not end it.
func UntilInterrupted(but ...os.Signal) (ctx context.Context, stop context.CancelFunc) {
	signals := slices.DeleteFunc(ending(), func(s os.Signal) bool { return slices.Contains(but, s) })
	if len(signals) == 0 { // NotifyContext without signals means all signals
		return context.WithCancel(context.Background())
	}
	return signal.NotifyContext(context.Background(), signals...)
}

// ending are the signals that ask the process to end and that it does not ignore.
func ending() []os.Signal {
	return slices.DeleteFunc([]os.Signal{os.Interrupt, syscall.SIGTERM, syscall.SIGHUP, syscall.SIGQUIT}, signal.Ignored)
}
