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
	"bytes"
	"flag"
	"fmt"
	"go/format"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/lint/corpus"
	"github.com/rubric-library/rubric-library/internal/lint/linttest"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
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

var rulesDir = filepath.Join("internal", "lint", "rules")

// skeleton is a lint rule to be written.
type skeleton struct {
	// name is the ID as a Go identifier.
	id, family, name string
	// source and archive are the new files. The others are those of the family. All are
	// relative to the root.
	source, archive string
	files           *family
}

var ruleID = regexp.MustCompile(`^[a-z]+(-[a-z]+)*$`)

// newSkeleton determines where a rule belongs. By default, that is the family with the
// most rules whose IDs start with the same word.
func newSkeleton(root, family, id string) (*skeleton, error) {
	if !ruleID.MatchString(id) {
		return nil, fmt.Errorf("%q is not the ID of a lint rule: expected lowercase words joined by hyphens", id)
	}
	if rules.Find(id) != nil {
		return nil, fmt.Errorf("the lint rule %s exists already", id)
	}
	families, err := readFamilies(root)
	if err != nil {
		return nil, err
	}
	if family == "" {
		if family, err = familyOf(families, id); err != nil {
			return nil, err
		}
	}
	f := families[family]
	if f == nil {
		return nil, fmt.Errorf("no family is named %q: expected one of %s", family, names(families))
	}
	s := &skeleton{
		id: id, family: family, files: f,
		source:  filepath.Join(rulesDir, family, strings.ReplaceAll(id, "-", "_")+".go"),
		archive: filepath.Join(rulesDir, family, "testdata", id+".txtar"),
	}
	for word := range strings.SplitSeq(id, "-") {
		if s.name != "" {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		s.name += word
	}
	return s, nil
}

// familyOf returns the family that has the most rules with the same first word.
func familyOf(families map[string]*family, id string) (string, error) {
	first, _, _ := strings.Cut(id, "-")
	best, most, tie := "", 0, false
	for name, f := range families {
		n := 0
		for _, other := range f.ids {
			if word, _, _ := strings.Cut(other, "-"); word == first {
				n++
			}
		}
		switch {
		case n > most:
			best, most, tie = name, n, false
		case n == most:
			tie = true
		}
	}
	if tie || most == 0 {
		return "", fmt.Errorf("--family is required: no single family has the most rules that start with %q. The families are %s", first, names(families))
	}
	return best, nil
}

func names(families map[string]*family) string {
	return strings.Join(slices.Sorted(maps.Keys(families)), ", ")
}

// family is a package of lint rules.
type family struct {
	list, texts string // the file with the functions of its rules, and the one with their texts
	ids         []string
}

var ruleLine = regexp.MustCompile(`(?m)^rule: (.*)$`)

// readFamilies reads the packages below rulesDir, by folder.
func readFamilies(root string) (map[string]*family, error) {
	texts, err := filepath.Glob(filepath.Join(root, rulesDir, "*", "rules.txt"))
	if err != nil {
		return nil, err
	}
	families := map[string]*family{}
	for _, name := range texts {
		data, err := os.ReadFile(name)
		if err != nil {
			return nil, err
		}
		folder := filepath.Base(filepath.Dir(name))
		f := &family{texts: filepath.Join(rulesDir, folder, "rules.txt")}
		for _, line := range ruleLine.FindAllSubmatch(data, -1) {
			f.ids = append(f.ids, string(line[1]))
		}
		sources, err := filepath.Glob(filepath.Join(filepath.Dir(name), "*.go"))
		if err != nil {
			return nil, err
		}
		for _, source := range sources {
			if src, err := os.ReadFile(source); err != nil {
				return nil, err
			} else if bytes.Contains(src, []byte("\nvar Rules = ")) {
				f.list = filepath.Join(rulesDir, folder, filepath.Base(source))
			}
		}
		families[folder] = f
	}
	return families, nil
}

// write writes the files below root and returns their names. It overwrites only those of
// the family.
func (s *skeleton) write(root string) (written []string, err error) {
	for _, name := range []string{s.source, s.archive} {
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil {
			return nil, fmt.Errorf("%s exists already", name)
		}
	}
	list, err := os.ReadFile(filepath.Join(root, s.files.list))
	if err != nil {
		return nil, err
	}
	texts, err := os.ReadFile(filepath.Join(root, s.files.texts))
	if err != nil {
		return nil, err
	}
	end := bytes.Index(list, []byte("\n})\n")) + 1
	list, err = format.Source(slices.Concat(list[:end], []byte(s.fill("\t\"RULE-ID\": {Document: NAME},\n")), list[end:]))
	if err != nil {
		return nil, err
	}
	for name, data := range map[string][]byte{
		s.source: []byte(s.fill(code)), s.archive: []byte(s.cases()), s.files.list: list, s.files.texts: append(texts, s.fill(text)...),
	} {
		if err := os.MkdirAll(filepath.Dir(filepath.Join(root, name)), 0o777); err != nil {
			return nil, err
		}
		if err := os.WriteFile(filepath.Join(root, name), data, 0o666); err != nil {
			return written, err
		}
		written = append(written, name)
	}
	slices.Sort(written)
	return written, nil
}

func (s *skeleton) fill(text string) string {
	return strings.NewReplacer("PACKAGE", s.family, "NAME", s.name, "RULE-ID", s.id).Replace(text)
}

const text = `
rule: RULE-ID
is: warning
finds: a document that is named after this rule
why: Say what goes wrong for a judge or a consumer.
source: the standard, paper, or page that the rule follows
bad: name: Breaks RULE-ID
good: name: Release notes
`

const code = `package PACKAGE

import "github.com/rubric-library/rubric-library/internal/lint"

// NAME reports a document that is named after the rule.
func NAME(p *lint.DocumentPass) {
	if n := p.Root().Get("name"); n.Text() == "Breaks RULE-ID" {
		p.ReportAt(lint.Key("name"), n, "Say what to change, and why.")
	}
}
`

// cases returns an archive with a document that the skeleton finds.
func (s *skeleton) cases() string {
	name := "Breaks " + s.id
	text := strings.NewReplacer("good_v1", corpus.ID, "name: Release notes", "name: "+name).Replace(linttest.GoodRubric)
	return fmt.Sprintf("-- %s.yaml --\n%s-- %[1]s.golden --\n2:7-2:%[3]d warning[%[1]s] /name: Say what to change, and why.\n", s.id, text, 7+len(name))
}
