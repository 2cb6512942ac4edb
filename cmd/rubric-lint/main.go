// Command rubric-lint checks a library of rubrics and rule sets.
package main

import (
	"os"

	"github.com/rubric-library/rubric-library/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.Lint, os.Args[1:], cli.Standard()))
}
