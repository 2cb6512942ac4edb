// Command rubric-bundle builds, verifies and reads released libraries of rubrics
// and rule sets.
package main

import (
	"os"

	"github.com/rubric-library/rubric-library/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.Bundle, os.Args[1:], cli.Standard()))
}
