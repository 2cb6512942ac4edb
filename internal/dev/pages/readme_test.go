package pages_test

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// TestReadmeListsTheCommands in the row of each group, so that none is missing.
func TestReadmeListsTheCommands(t *testing.T) {
	readme := scripttest.Text(t, "README.md")
	root := cli.Rubric(command.Streams{})
	for _, c := range root.Commands() {
		if c.GroupID == "" {
			continue
		}
		_, row, _ := strings.Cut(readme, "\n| "+c.GroupID+" |")
		row, _, _ = strings.Cut(row, "\n")
		names := []string{c.Name()}
		for i, inner := range c.Commands() {
			if i == 0 {
				names[0] += " " + inner.Name()
			} else {
				names = append(names, inner.Name())
			}
		}
		for _, name := range names {
			if !strings.Contains(row, "`"+name+"`") {
				t.Errorf("the row %s of the README does not list %s", c.GroupID, name)
			}
		}
	}
}
