package main

import (
	"bytes"
	"fmt"
	"go/format"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/lint/corpus"
	"github.com/rubric-library/rubric-library/internal/lint/linttest"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

var rulesDir = filepath.Join("internal", "lint", "rules")

// skeleton is a lint rule to be written.
type skeleton struct {
	// name is the ID as a Go identifier.
	id, family, name string
	// constant is the family's constant, such as lint.FamilyWording.
	constant string
	// source and archive are the new files, and list is the file with the family's
	// list of rules. All are relative to the root.
	source, archive, list string
	listed                []byte
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
		id: id, family: family, constant: f.constant, list: f.list,
		source:  filepath.Join(rulesDir, family, strings.ReplaceAll(id, "-", "_")+".go"),
		archive: filepath.Join(rulesDir, family, "testdata", id+".txtar"),
	}
	for word := range strings.SplitSeq(id, "-") {
		if s.name != "" {
			word = strings.ToUpper(word[:1]) + word[1:]
		}
		s.name += word
	}
	s.listed = slices.Concat(f.source[:f.end], []byte("\t"+s.name+"Rule,\n"), f.source[f.end:])
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
	var all []string
	for name := range families {
		all = append(all, name)
	}
	slices.Sort(all)
	return strings.Join(all, ", ")
}

// family is a package of lint rules.
type family struct {
	list     string // the file with the list of rules
	source   []byte // its content
	end      int    // the offset of the end of the list
	constant string
	ids      []string // of rules that have an archive
}

// readFamilies reads the packages below rulesDir, by folder.
func readFamilies(root string) (map[string]*family, error) {
	lists, err := filepath.Glob(filepath.Join(root, rulesDir, "*", "*.go"))
	if err != nil {
		return nil, err
	}
	families := map[string]*family{}
	for _, name := range lists {
		folder := filepath.Base(filepath.Dir(name))
		if strings.HasSuffix(name, "_test.go") {
			continue
		}
		f, err := readList(name)
		if err != nil {
			return nil, err
		}
		if f == nil {
			continue
		}
		f.list = filepath.Join(rulesDir, folder, filepath.Base(name))
		archives, err := filepath.Glob(filepath.Join(filepath.Dir(name), "testdata", "*.txtar"))
		if err != nil {
			return nil, err
		}
		for _, a := range archives {
			f.ids = append(f.ids, strings.TrimSuffix(filepath.Base(a), ".txtar"))
		}
		families[folder] = f
	}
	return families, nil
}

var familyConstant = regexp.MustCompile(`Family: (lint\.Family\w+)`)

// readList finds a family's list of rules in one of its files, or returns nil if the
// file does not declare Rules. If Rules joins lists, it is the last list of the file.
func readList(name string) (*family, error) {
	src, err := os.ReadFile(name)
	if err != nil || !bytes.Contains(src, []byte("\nvar Rules = ")) {
		return nil, err
	}
	start := bytes.LastIndex(src, []byte("[]*lint.Rule{\n"))
	if start < 0 {
		return nil, fmt.Errorf("%s declares Rules, but has no list of rules", name)
	}
	end := start + bytes.Index(src[start:], []byte("\n}\n")) + 1
	constants := familyConstant.FindAllSubmatch(src[start:end], -1)
	if len(constants) == 0 {
		return nil, fmt.Errorf("the rules in %s don't name a family", name)
	}
	return &family{source: src, end: end, constant: string(constants[len(constants)-1][1])}, nil
}

// write writes the files below root and returns their names. It overwrites only the
// list.
func (s *skeleton) write(root string) (written []string, err error) {
	code, err := format.Source([]byte(s.fill(code)))
	if err != nil {
		return nil, err
	}
	for _, name := range []string{s.source, s.archive} {
		if _, err := os.Lstat(filepath.Join(root, name)); err == nil {
			return nil, fmt.Errorf("%s exists already", name)
		}
	}
	for name, data := range map[string][]byte{s.source: code, s.archive: []byte(s.cases()), s.list: s.listed} {
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
	return strings.NewReplacer("PACKAGE", s.family, "NAME", s.name, "CONSTANT", s.constant, "RULE-ID", s.id).Replace(text)
}

const code = `package PACKAGE

import "github.com/rubric-library/rubric-library/internal/lint"

var NAMERule = &lint.Rule{
	ID: "RULE-ID", Family: CONSTANT, Severity: lint.Warning,
	Summary:  "a document that is named after this rule",
	Why:      "Say what goes wrong for a judge or a consumer.",
	Source:   "the standard, paper, or page that the rule follows",
	Bad:      "name: Breaks RULE-ID",
	Good:     "name: Release notes",
	Document: NAMECheck,
}

// NAMECheck reports a document that is named after the rule.
func NAMECheck(p *lint.DocumentPass) {
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
