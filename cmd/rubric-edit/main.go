// Command rubric-edit does an author's chores: new, fork, retire.
package main

import (
	"os"

	"github.com/rubric-library/rubric-library/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.Edit, os.Args[1:], cli.Standard()))
}
