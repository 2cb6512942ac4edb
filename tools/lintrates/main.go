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
  go run -C tools ./lintrates -gather CLONES FOLDER
        read the files of sources.txt from the clones CLONES/OWNER/NAME, and write
        their criteria into FOLDER, an absolute path
  go run -C tools ./lintrates -sample N FOLDER
        print the first N criteria to judge
  go run -C tools ./lintrates FOLDER
        measure on the rubrics in FOLDER, and write docs/development/lint-rates.md`

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
	clones := flags.String("gather", "", "read the files of sources.txt from these `CLONES`")
	sample := flags.Int("sample", 0, "print the first `N` criteria to judge")
	if err := flags.Parse(args); err != nil {
		return err
	}
	if flags.NArg() != 1 {
		return errors.New("name the folder of the data\n" + usage)
	}
	folder := flags.Arg(0)
	switch {
	case *clones != "":
		return gather(*clones, folder)
	case *sample > 0:
		return printSample(os.Stdout, folder, *sample)
	}
	page, err := page(folder)
	if err != nil {
		return err
	}
	return safefile.Write(filepath.Join(root, filepath.FromSlash(pageFile)), page, 0o644)
}
