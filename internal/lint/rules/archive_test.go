package rules

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
)

// The corpus is the broken libraries for the tests of lint rules. Each rule has one archive,
// testdata/RULE.txtar.
//
// An archive contains cases. A case is a library with one mistake, which is in its name:
//
//	-- NAME.yaml --          a library with this document alone, at corpusPath
//	-- NAME/path/of/file --  or the files of a library
//	-- NAME.golden --        what the rule finds in it
//
// A file that ends in .quoted has one Go string per line, because an editor or Git would
// change it, it has invisible characters, or one of its lines looks like the start of a
// file. The comment of an archive has a line "NAME also RULE, RULE: reason" for a mistake
// with more than one finding; it includes the rule of the archive if that finds several
// things.

// corpusPath and corpusID are the path and the ID of the document in a case with a single document.
const (
	corpusPath = "rubrics/corpus/broken_v1.yaml"
	corpusID   = "broken_v1"
)

// corpusCase is a library with one mistake.
type corpusCase struct {
	// Name describes the mistake, and Rule is the lint rule that finds it.
	Name, Rule string
	// Also are the other rules that find something, and Rule if it finds several things.
	Also []string
	// Files is the library. Single says that it is a single document, at corpusPath.
	Files  fstest.MapFS
	Single bool
	// Golden is the expected findings, as text.
	Golden string

	// Archive is the path of its archive.
	Archive string
}

// quotedExt is the extension of a file that is written as Go strings.
const quotedExt = ".quoted"

// corpusCases reads all archives and returns the cases sorted by name.
func corpusCases(t testing.TB) []corpusCase {
	t.Helper()
	archives, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(archives) == 0 {
		t.Fatalf("no archives of broken libraries: %v", err)
	}
	var all []corpusCase
	for _, name := range archives {
		data, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		cases, err := parseArchive(strings.TrimSuffix(filepath.Base(name), ".txtar"), data)
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		for i := range cases {
			cases[i].Archive = name
		}
		all = append(all, cases...)
	}
	slices.SortFunc(all, func(a, b corpusCase) int { return strings.Compare(a.Name, b.Name) })
	return all
}

// corpusDocuments returns the cases with a single document, by name.
func corpusDocuments(t testing.TB) map[string][]byte {
	t.Helper()
	documents := map[string][]byte{}
	for _, c := range corpusCases(t) {
		if c.Single {
			documents[c.Name] = c.Files[corpusPath].Data
		}
	}
	return documents
}

// parseArchive reads the archive of a rule.
func parseArchive(rule string, data []byte) ([]corpusCase, error) {
	archive := txtar.Parse(data)
	var cases []corpusCase
	byName := func(name string) *corpusCase {
		i := slices.IndexFunc(cases, func(c corpusCase) bool { return c.Name == name })
		if i < 0 {
			i = len(cases)
			cases = append(cases, corpusCase{Name: name, Rule: rule, Files: fstest.MapFS{}})
		}
		return &cases[i]
	}
	for _, f := range archive.Files {
		content, name, err := unquoteFile(f)
		if err != nil {
			return nil, err
		}
		of, path, isTree := strings.Cut(name, "/")
		switch {
		case isTree:
			byName(of).Files[path] = &fstest.MapFile{Data: content}
		case strings.HasSuffix(name, ".golden"):
			byName(strings.TrimSuffix(name, ".golden")).Golden = string(content)
		case strings.HasSuffix(name, ".yaml"):
			c := byName(strings.TrimSuffix(name, ".yaml"))
			c.Files[corpusPath], c.Single = &fstest.MapFile{Data: content}, true
		default:
			return nil, fmt.Errorf("%s must be NAME.yaml, NAME/FILE, or NAME.golden", f.Name)
		}
	}
	for i := range cases {
		c := &cases[i]
		if len(c.Files) == 0 || c.Single && len(c.Files) > 1 {
			return nil, fmt.Errorf("the case %s must be one document, or the files of a library", c.Name)
		}
		c.Also = alsoFoundBy(archive.Comment, c.Name)
	}
	return cases, nil
}

// alsoFoundBy returns the rules that a comment names for a case.
func alsoFoundBy(comment []byte, name string) []string {
	for line := range strings.Lines(string(comment)) {
		if rest, ok := strings.CutPrefix(line, name+" also "); ok {
			rules, _, _ := strings.Cut(rest, ": ")
			return strings.Split(rules, ", ")
		}
	}
	return nil
}

func unquoteFile(f txtar.File) (content []byte, name string, err error) {
	name, ok := strings.CutSuffix(f.Name, quotedExt)
	if !ok {
		return f.Data, f.Name, nil
	}
	for line := range strings.Lines(string(f.Data)) {
		text, err := strconv.Unquote(strings.TrimSuffix(line, "\n"))
		if err != nil {
			return nil, "", fmt.Errorf("%s: %q is not a Go string", f.Name, line)
		}
		content = append(content, text...)
	}
	return content, name, nil
}

// quoteFile returns a file for an archive, written as Go strings if necessary.
func quoteFile(name string, content []byte) txtar.File {
	odd := func(r rune) bool { return r == utf8.RuneError || r != '\n' && r != '\t' && !strconv.IsPrint(r) }
	if !bytes.ContainsFunc(content, odd) && !txtar.NeedsQuote(content) && (len(content) == 0 || bytes.HasSuffix(content, []byte("\n"))) {
		return txtar.File{Name: name, Data: content}
	}
	var lines []byte
	for line := range bytes.Lines(content) {
		lines = append(strconv.AppendQuote(lines, string(line)), '\n')
	}
	return txtar.File{Name: name + quotedExt, Data: lines}
}
