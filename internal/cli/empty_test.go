package cli

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
)

// flagName is a flag as the usage of a command lists it.
var flagName = regexp.MustCompile(`(?m)^ +(?:-\w, )?--([a-z-]+)`)

// TestNoArgumentIsTakenWhereItIsEmpty sets every flag that takes a value to an empty
// one, in every syntax.
func TestNoArgumentIsTakenWhereItIsEmpty(t *testing.T) {
	refused := func(args ...string) {
		t.Helper()
		var out, stderr bytes.Buffer
		code := command.Main(Rubric, args, command.Streams{In: strings.NewReader(""), Out: &out, Err: &stderr, Getenv: func(string) string { return "" }})
		if code != command.ExitFailure || !strings.Contains(stderr.String(), "is empty: expected a value") || out.Len() > 0 {
			t.Errorf("%q: exit code %d, want %d\n%s%s", args, code, command.ExitFailure, &out, &stderr)
		}
	}
	flags := 0
	walk(Rubric(command.Streams{}), func(cmd *cobra.Command) {
		path := strings.Fields(cmd.CommandPath())[1:]
		refused(append(path, "")...)
		for _, name := range flagName.FindAllStringSubmatch(cmd.LocalFlags().FlagUsages()+cmd.InheritedFlags().FlagUsages(), -1) {
			f := cmd.Flag(name[1])
			if f.Value.Type() == "bool" {
				continue
			}
			flags++
			refused(append(path, "--"+f.Name, "")...)
			refused(append(path, "--"+f.Name+"=")...)
			if f.Shorthand != "" {
				refused(append(path, "-"+f.Shorthand, "")...)
			}
		}
	})
	if flags < 60 {
		t.Errorf("%d flags were tried: the commands have more", flags)
	}
}
