// Command rubric-rules applies a rule set: normalize, init, prepare, evaluate,
// score.
package main

import (
	"os"

	"github.com/rubric-library/rubric-library/internal/cli"
)

func main() {
	os.Exit(cli.Main(cli.Rules, os.Args[1:], cli.Standard()))
}
