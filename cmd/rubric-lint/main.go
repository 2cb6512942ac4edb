// Command rubric-lint checks a library of rubrics and rule sets.
package main

import (
	"os"

	"github.com/rubric-library/rubric-library/internal/cli/check"
	"github.com/rubric-library/rubric-library/internal/cli/command"
)

func main() {
	os.Exit(command.Main(check.Lint, os.Args[1:], command.Standard()))
}
