// Package prose_test checks the words of the texts that people read: pages, comments,
// and the string literals of the programs.
package prose_test

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// word is one to replace. Relapse is a text that has it, and Right one that looks
// like it and is right.
type word struct {
	instead        *regexp.Regexp
	write          string
	relapse, right string
}

func replace(expression, write, relapse, right string) word {
	return word{regexp.MustCompile(`(?i)` + expression), write, relapse, right}
}

var words = []word{
	replace(`\bmend(s|ed|ing)?\b`, "fix", "--fix mends it", "an amendment"),
	replace(`\bst(and|ands|ood|anding) (here|there|in|beside|at|above|below|behind|before|after)\b`, "is, appears", `"x" stands here`, "the prefix stands for a folder"),
	replace(`\bha(s|ve) to stand\b`, "is required", "a reason has to stand", "it has to start"),
	replace(`\blies\b`, "is", "it lies in a folder", "it relies on that"),
	replace(`\b(rules?|lint|linter|which|that|often they|one) (also )?speaks?\b`, "reports, fires", "the rule speaks", "people speak"),
	replace(`\bsmall letters?\b`, "lowercase", "write small letters", "a small change"),
	replace(`\b(it|this|that|which|one|[a-z"]+"|ID|file|folder|value|number) is no [a-z]+\b`, "is not a", "this is no number", "this is no longer so"),
	replace(`\bthat is none\b`, "that is not one", "a file that is none", "there is none"),
	replace(`\btells? (whether|that)\b`, "reports whether, says that", "it tells whether", "it tells the reader"),
	replace(`\bfor ever\b`, "forever, permanently", "reserved for ever", "for every"),
	replace(`\bbesides\b`, "also, in addition", "what counts besides", "beside it"),
	replace(`\bin place of\b`, "instead of", "A in place of B", "in the place of"),
	replace(`; the standard\b|\bthe standard (value|of a flag)`, "the default", "a log; the standard", "the standard library"),
	replace(`\bweb ?site of it\b`, "generates a site from it", "makes a web site of it", "the site of it"),
	replace(`\blooks? whether\b`, "check whether", "look whether it fits", "look where"),
	replace(`\b(it|and|which|that|page|check|then) goes on\b|(?-i:\bgo on\b)`, "continues", "the page goes on", "what goes on here"),
	replace(`\b(whoever|somebody|everybody)\b`, "the role: a user, an author", "whoever reads this", "anyone"),
	replace(`\bsilenc(e|es|ed|ing)\b`, "suppress", "a finding is silenced", "silent"),
	replace(`\bnothing is set\b`, "no output is set", "Without it nothing is set", "nothing is written"),
	replace(`\bh(old|olds|eld|olding)( [a-z]+){0,3} against\b`, "compare with", "held against the base", "vote against"),
	replace(`\bworth of\b|\bc(ame|omes?) of (it|this|that)\b`, "the result of", "what came of it", "it comes from that"),
	replace(`\bsay --[a-z]`, "add, is required", "say --name", "they say so"),
}

// british has spellings that misspell -locale US does not know. Documents are checked only for
// these, because they quote artifacts.
var british = replace(`\b(judgements?|whilst|amongst|learnt|grey)\b`, "judgment, while, among, learned, gray", "in the judgement of a reader", "in the judgment of a reader")

// findings are the places of a text with a word to replace.
func findings(text string, words []word) (found []string) {
	for _, w := range append(words, british) {
		for _, at := range w.instead.FindAllString(text, -1) {
			if !strings.HasSuffix(at, "no longer") && !strings.HasSuffix(at, "no more") {
				found = append(found, fmt.Sprintf("write %q instead of %q", w.write, at))
			}
		}
	}
	return found
}

func TestEachWordIsFound(t *testing.T) {
	for _, w := range append(words, british) {
		if found := findings(w.relapse, words); len(found) != 1 {
			t.Errorf("in %q is found %v", w.relapse, found)
		}
		if found := findings(w.right, words); len(found) != 0 {
			t.Errorf("in %q is found %v", w.right, found)
		}
	}
}

// apart are folders without texts of ours, or with texts in the words of others: the
// artifacts that a rubric judges, the answers of judges, a list of words, and inputs of
// tests.
var apart = []string{".git", "testdata", "node_modules", "items.jsonl", "judges", "words.txt"}

// pages are the ends of the names of files that are read as they are.
var pages = []string{".md", ".txt", ".yml", ".html", ".py", ".js"}

func TestProse(t *testing.T) {
	must.Do(t, filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		if slices.Contains(apart, d.Name()) {
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		}
		switch end := filepath.Ext(name); {
		case err != nil || d.IsDir():
			return err
		case end == ".go" && !strings.HasSuffix(name, "_test.go"):
			return checkGo(t, name)
		case slices.Contains(pages, end):
			checkLines(t, name, words)
		case end == ".yaml":
			checkLines(t, name, nil)
		}
		return nil
	}))
}

func checkLines(t *testing.T, name string, words []word) {
	for i, line := range strings.Split(scripttest.Text(t, name), "\n") {
		report(t, fmt.Sprintf("%s:%d", name, i+1), line, words)
	}
}

// checkGo checks the comments of a file, and its string literals with more than a word.
func checkGo(t *testing.T, name string) error {
	files := token.NewFileSet()
	f, err := parser.ParseFile(files, name, nil, parser.ParseComments)
	if err != nil {
		return err
	}
	for _, c := range f.Comments {
		report(t, files.Position(c.Pos()).String(), strings.Join(strings.Fields(c.Text()), " "), words)
	}
	ast.Inspect(f, func(n ast.Node) bool {
		literal, ok := n.(*ast.BasicLit)
		if !ok || literal.Kind != token.STRING {
			return true
		}
		if text, err := strconv.Unquote(literal.Value); err == nil && strings.Contains(text, " ") {
			report(t, files.Position(literal.Pos()).String(), strings.Join(strings.Fields(text), " "), words)
		}
		return true
	})
	return nil
}

func report(t *testing.T, at, text string, words []word) {
	for _, f := range findings(text, words) {
		t.Errorf("%s: %s", at, f)
	}
}
