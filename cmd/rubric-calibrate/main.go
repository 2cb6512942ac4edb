// Command rubric-calibrate measures how well judges agree with people.
package main

import (
	"os"

	"github.com/rubric-library/rubric-library/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.Calibrate, os.Args[1:], cli.Standard()))
}
