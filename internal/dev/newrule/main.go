// Command newrule writes the skeleton of a lint rule: its Go file in the folder of its
// family, its entry in the family's list, its texts, and its archive of documents with
// findings.
//
//	go run ./internal/dev/newrule [--family FAMILY] ID
//
// The skeleton works: it finds a document by its name, and its archive has such a
// document. Replace its texts and its check.
package main

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
)

func main() {
	family := flag.String("family", "", "the `folder` below internal/lint/rules; by default the one with the most rules that start with the same word")
	flag.Usage = func() {
		fmt.Fprintln(flag.CommandLine.Output(), "Usage: go run ./internal/dev/newrule [--family FAMILY] ID")
		flag.PrintDefaults()
	}
	flag.Parse()
	if flag.NArg() != 1 {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(*family, flag.Arg(0)); err != nil {
		fmt.Fprintln(os.Stderr, "newrule:", err)
		os.Exit(2)
	}
}

func run(family, id string) error {
	if _, err := os.Stat(rulesDir); err != nil {
		return fmt.Errorf("no folder %s here. Run this command in the root of the repository", rulesDir)
	}
	s, err := newSkeleton(".", family, id)
	if err != nil {
		return err
	}
	written, err := s.write(".")
	for _, name := range written {
		fmt.Println("wrote", filepath.ToSlash(name))
	}
	if err != nil {
		return err
	}
	fmt.Printf(`
Next:
  1. Fill in %s and the end of %s.
  2. Add cases to %s.
  3. go test ./internal/lint/rules -run 'TestCorpus/%s' -update    writes what is found; read it.
  4. go test ./internal/dev/generated -update    renews the pages that list all rules.
`, filepath.ToSlash(s.source), filepath.ToSlash(s.files.texts), filepath.ToSlash(s.archive), id)
	return nil
}
