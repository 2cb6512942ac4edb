package pages_test

import (
	"bytes"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/cli/check"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

var programs = map[string]func(command.Streams) *cobra.Command{"rubric": cli.Rubric, "rubric-lint": check.Lint, "rubric-diff": check.Diff}

// commandOf is the command that the words of a call name, or nil if there is none.
func commandOf(words []string) *cobra.Command {
	cmd, _, err := programs[words[0]](command.Streams{}).Find(words[1:])
	if err != nil {
		return nil
	}
	cmd.InitDefaultHelpFlag()
	cmd.InitDefaultVersionFlag()
	return cmd
}

// allCommands are the commands of all programs.
func allCommands() []*cobra.Command {
	var all []*cobra.Command
	for _, path := range command.Described() {
		all = append(all, commandOf(strings.Fields(path)))
	}
	return all
}

var (
	codeBlock = regexp.MustCompile("(?ms)^ *```.*?^ *```$|^  .*?$")
	codeSpan  = regexp.MustCompile("`[^`]+`")
	// sentence matches a sentence, an item of a list, or a row of a table.
	sentence = regexp.MustCompile(`(?s).+?(?:[.?!]\s|\n\n|\n- |\n\||$)`)
	// call matches a call of one of the programs, without what the shell or a judge reads.
	call      = regexp.MustCompile("(?:^|[\\s$(\"`/])((?:rubric-lint|rubric-diff|rubric)\\b(?: [^\\s|;&<>`#]+)*)")
	namedFlag = regexp.MustCompile("(?:^|[\\s`\"'[(])--([a-z][a-z-]*)")
	helpFlag  = regexp.MustCompile(`(?m)^  +(?:-\w, )?--([a-z-]+)`)
)

// otherFlags are flags of git and gh that texts name without a call.
var otherFlags = strings.Fields("bundle custom-trusted-root signer-workflow signer-digest source-ref source-digest filter depth")

// calls are the calls in code, with their commands.
func calls(code []string) (texts []string, commands []*cobra.Command) {
	for _, m := range call.FindAllStringSubmatch(strings.Join(code, "\n"), -1) {
		ours, _, _ := strings.Cut(m[1]+" ", " -- ")
		if cmd := commandOf(strings.Fields(ours)); cmd != nil {
			texts, commands = append(texts, ours), append(commands, cmd)
		}
	}
	return texts, commands
}

// helpFlags are the flags that the help of a command shows.
func helpFlags(c *cobra.Command) map[string]bool {
	shown := map[string]bool{}
	_, list, _ := strings.Cut(c.UsageString(), "\nFlags:\n")
	for _, m := range helpFlag.FindAllStringSubmatch(list, -1) {
		shown[m[1]] = true
	}
	return shown
}

// wrongFlags are the mistakes of a text: flags in a call that the help of its command does not
// show, and flags on their own that the help of the commands in the sentence does not show, or
// without one, of those that the text is about.
func wrongFlags(text string, about []*cobra.Command) (wrong []string, checked int) {
	text = strings.ReplaceAll(text, "\\\n", " ")
	prose := codeBlock.ReplaceAllString(text, "\n\n")
	check := func(text string, commands []*cobra.Command, in string) {
		for _, f := range namedFlag.FindAllStringSubmatch(text, -1) {
			shows := func(c *cobra.Command) bool { return helpFlags(c)[f[1]] }
			checked++
			if !slices.ContainsFunc(commands, shows) && !slices.Contains(otherFlags, f[1]) {
				wrong = append(wrong, fmt.Sprintf("no help shows --%s: %s", f[1], strings.TrimSpace(in)))
			}
		}
	}
	texts, commands := calls(append(codeBlock.FindAllString(text, -1), codeSpan.FindAllString(prose, -1)...))
	for i, c := range commands {
		check(texts[i], []*cobra.Command{c}, texts[i])
	}
	for _, s := range sentence.FindAllString(prose, -1) {
		_, commands := calls(codeSpan.FindAllString(s, -1))
		if len(commands) == 0 {
			commands = about
		}
		alone := codeSpan.ReplaceAllStringFunc(s, func(code string) string {
			if strings.HasPrefix(code, "`--") {
				return code
			}
			return "``" // a call
		})
		check(alone, commands, s)
	}
	return wrong, checked
}

func TestFlagsThatAreNamedAreShownInHelp(t *testing.T) {
	all, total := allCommands(), 0
	check := func(where, text string, about []*cobra.Command) {
		wrong, checked := wrongFlags(text, about)
		total += checked
		for _, w := range wrong {
			t.Errorf("%s: %s", where, w)
		}
	}
	for _, page := range append(allPages(t), agents) {
		check(page, scripttest.Text(t, page), all)
	}
	for _, c := range all {
		check("help of "+c.CommandPath(), c.Long+"\n\n"+c.Example, []*cobra.Command{c})
		c.Flags().VisitAll(func(f *pflag.Flag) { check("help of "+c.CommandPath()+" --"+f.Name, f.Usage, []*cobra.Command{c}) })
	}
	if total < 500 {
		t.Errorf("%d flags were found", total)
	}
}

// TestFlagsAreCompleted checks that the completion of each command offers the flags that its help
// lists.
func TestFlagsAreCompleted(t *testing.T) {
	for _, c := range allCommands() {
		words := strings.Fields(c.CommandPath())
		var out, help bytes.Buffer
		s := command.Streams{In: strings.NewReader(""), Out: &out, Err: &bytes.Buffer{}, Getenv: func(string) string { return "" }}
		command.Main(programs[words[0]], slices.Concat([]string{cobra.ShellCompNoDescRequestCmd}, words[1:], []string{"--"}), s)
		s.Out = &help
		command.Main(programs[words[0]], append(words[1:], "--help"), s)
		var offered, listed []string
		for _, m := range regexp.MustCompile(`(?m)^(--[a-z-]+)`).FindAllStringSubmatch(out.String(), -1) {
			offered = append(offered, m[1])
		}
		for _, m := range helpFlag.FindAllStringSubmatch(help.String(), -1) {
			listed = append(listed, "--"+m[1])
		}
		slices.Sort(offered)
		slices.Sort(listed)
		if diff := cmp.Diff(slices.Compact(listed), slices.Compact(offered)); diff != "" || len(listed) == 0 {
			t.Errorf("%s: help (-) and completion (+) differ: %s", c.CommandPath(), diff)
		}
	}
}
