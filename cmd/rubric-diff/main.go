// Command rubric-diff compares two libraries of rubrics and rule sets.
package main

import (
	"os"

	"github.com/rubric-library/rubric-library/internal/cli/check"
	"github.com/rubric-library/rubric-library/internal/cli/command"
)

func main() {
	os.Exit(command.Main(check.Diff, os.Args[1:], command.Standard()))
}
