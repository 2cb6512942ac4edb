package main

import (
	"bytes"
	"cmp"
	"go/ast"
	"go/token"
	"slices"
	"strings"

	"golang.org/x/tools/go/analysis"
)

// mostBytes is how long a line can be without its texts and comments.
const mostBytes = 140

// lines reports lines that are too long to be read at once. A text does not count, because a message
// in one piece is easier to read and to find, and neither do comments and tests.
func lines() *analysis.Analyzer {
	return &analysis.Analyzer{
		Name: "lines",
		Doc:  "report lines that are too long to be read at once",
		Run: func(pass *analysis.Pass) (any, error) {
			for _, file := range pass.Files {
				f := pass.Fset.File(file.Package)
				if strings.HasSuffix(f.Name(), "_test.go") {
					continue
				}
				data, err := pass.ReadFile(f.Name())
				if err != nil {
					return nil, err
				}
				for i, line := range bytes.Split(code(f, file, data), []byte("\n")) {
					line = bytes.TrimRight(line, " \t")
					if len(line) > mostBytes {
						pass.Reportf(f.LineStart(i+1),
							"the line has %d bytes without its texts, at most %d: give its parts names, or break it",
							len(line), mostBytes)
					}
				}
			}
			return nil, nil
		},
	}
}

// code returns the lines of a file without texts and comments.
func code(f *token.File, file *ast.File, data []byte) (rest []byte) {
	var apart []ast.Node
	for _, c := range file.Comments {
		apart = append(apart, c)
	}
	ast.Inspect(file, func(n ast.Node) bool {
		if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
			apart = append(apart, text)
		}
		return true
	})
	slices.SortFunc(apart, func(a, b ast.Node) int { return cmp.Compare(a.Pos(), b.Pos()) })
	at := 0
	for _, n := range apart {
		start, end := f.Offset(n.Pos()), f.Offset(n.End())
		rest = append(rest, data[at:start]...)
		rest = append(rest, bytes.Repeat([]byte("\n"), bytes.Count(data[start:end], []byte("\n")))...)
		at = end
	}
	return append(rest, data[at:]...)
}
