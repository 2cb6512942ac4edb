// Command rubric writes, checks, releases, and reads libraries of rubrics and rule
// sets.
package main

import (
	"os"

	"github.com/rubric-library/rubric-library/internal/cli"
	"github.com/rubric-library/rubric-library/internal/cli/command"
)

func main() {
	os.Exit(command.Main(cli.Rubric, os.Args[1:], command.Standard()))
}
