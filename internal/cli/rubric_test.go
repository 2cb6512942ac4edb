package cli

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
)

// TestEveryCommandHasItsHelp checks that each command has a summary and an example, and
// is in a group unless it is about the program itself.
func TestEveryCommandHasItsHelp(t *testing.T) {
	root := Rubric(command.Streams{})
	walk(root, func(cmd *cobra.Command) {
		path := cmd.CommandPath()
		if cmd.Short == "" || strings.HasSuffix(cmd.Short, ".") {
			t.Errorf("%s has no summary, or one that ends in a period: %q", path, cmd.Short)
		}
		for line := range strings.Lines(cmd.Example) {
			if !strings.HasPrefix(line, "  ") {
				t.Errorf("an example of %s is not indented: %q", path, line)
			}
		}
		if !strings.Contains(cmd.Example, path+" ") && !strings.HasSuffix(strings.TrimSpace(cmd.Example), path) {
			t.Errorf("no example of %s calls it:\n%s", path, cmd.Example)
		}
		ofProgram := slices.Contains([]string{"help", "version", "completion"}, cmd.Name())
		if cmd.Parent() == root && (cmd.GroupID == "") != ofProgram {
			t.Errorf("%s is in the group %q", path, cmd.GroupID)
		}
	})
}

// TestEveryHelpHasItsCommand finds entries of help.txt that no command reads.
func TestEveryHelpHasItsCommand(t *testing.T) {
	want := []string{"rubric-lint", "rubric-diff"}
	walk(Rubric(command.Streams{}), func(cmd *cobra.Command) { want = append(want, cmd.CommandPath()) })
	want = slices.DeleteFunc(want, func(path string) bool { return path == "rubric lint" || path == "rubric diff" })
	slices.Sort(want)
	if diff := cmp.Diff(want, command.Described()); diff != "" {
		t.Error(diff)
	}
}
