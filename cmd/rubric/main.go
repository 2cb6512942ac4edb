// Command rubric writes, checks, releases, and reads libraries of rubrics and rule
// sets.
package main

import (
	"os"

	"github.com/rubric-library/rubric-library/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.Rubric, os.Args[1:], cli.Standard()))
}
