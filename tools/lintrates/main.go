// Command lintrates measures how often the wording rules report on rubrics of other
// people, and writes docs/development/lint-rates.md. It reads the rubrics from a folder, and
// judged.jsonl, which records which faults a sample of them has. The page depends only
// on these files.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"

	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

const usage = `Usage:
  go run -C tools ./lintrates FOLDER
        measure on the rubrics in FOLDER, an absolute path, and write
        docs/development/lint-rates.md
  go run -C tools ./lintrates -sample N FOLDER
        print the first N criteria of each source to judge`

// root is the repository, relative to the folder tools, in which `go run -C tools`
// starts the program; pageFile is the output, relative to root.
const (
	root     = ".."
	pageFile = "docs/development/lint-rates.md"
)

func main() {
	err := run(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		return // the flags were shown
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "lintrates:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	flags := flag.NewFlagSet("lintrates", flag.ContinueOnError)
	sample := flags.Int("sample", 0, "print the first `N` criteria of each source to judge")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("name the folder of the data\n" + usage)
	}
	if *sample > 0 {
		return printSample(os.Stdout, flags.Arg(0), *sample)
	}
	page, err := page(flags.Arg(0))
	if err != nil {
		return err
	}
	return safefile.Write(filepath.Join(root, filepath.FromSlash(pageFile)), page, 0o644)
}
