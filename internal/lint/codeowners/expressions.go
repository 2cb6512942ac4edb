package codeowners

import (
	"regexp"
	"regexp/syntax"
	"strings"
	"unicode"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// The limits of the expressions in a file. One of them takes at most time in proportion to its
// instructions and the length of a path.
const (
	mostExpressionBytes = 1000
	mostInstructions    = 100_000
)

// expression is the pattern of a line for Gitea or Forgejo.
type expression struct {
	*regexp.Regexp
	tree         *syntax.Regexp
	instructions int
	prefix       string // with which each match begins
}

// matches reports whether a path matches.
func (e *expression) matches(path string) bool {
	return strings.HasPrefix(path, e.prefix) && e.MatchString(path)
}

// cost is the maximum time of a match in steps.
func (e *expression) cost(path string) int {
	if !strings.HasPrefix(path, e.prefix) {
		return 1
	}
	return e.instructions * (len(path) + 1)
}

// parseExpression reads one line of a file for Gitea or Forgejo: an expression for whole paths, or
// with "!" for all others, and the owners. What these hosts would skip is a Problem.
func (f *File) parseExpression(file *source.File, line source.Span) {
	all := escapedWords(file, line)
	if len(all) == 0 || f.instructions > mostInstructions {
		return
	}
	pattern := all[0]
	if len(all) == 1 {
		f.report(pattern.Span, "Add owners to this line, or remove it: Gitea and Forgejo skip a line without any.")
		return
	}
	r := &Rule{Pattern: file.Text(pattern.Span), Span: pattern.Span}
	text, excludes := strings.CutPrefix(pattern.text, "!")
	r.excludes = excludes
	var problem string
	if r.expression, problem = compileExpression(text); problem != "" {
		f.report(pattern.Span, problem)
		return
	}
	if f.instructions += r.expression.instructions; f.instructions > mostInstructions {
		f.report(pattern.Span, "Simplify this file: it has too many or too large expressions, so this line and those after it are not read.")
		return
	}
	if lostBackslash().MatchString(r.Pattern) {
		f.report(pattern.Span, "Write each backslash in this expression twice: Gitea and Forgejo remove one before they read it.")
	}
	for _, w := range all[1:] {
		if !giteaOwner().MatchString(w.text) {
			f.report(w.Span, "Write an owner as @user or @organization/team. Gitea and Forgejo do not understand this one and ignore it.")
			continue
		}
		r.Owners = append(r.Owners, "@"+strings.TrimPrefix(w.text, "@"))
	}
	if len(r.Owners) > 0 {
		f.Rules = append(f.Rules, r)
	}
}

// compileExpression compiles a pattern as Gitea does, or says what is wrong with it.
func compileExpression(text string) (e *expression, problem string) {
	const whole = "Gitea and Forgejo read this as a regular expression for the whole path from the root of the repository, "
	anchored := !strings.Contains(text, "|") // or else only its first and last branch are
	switch {
	case len(text) > mostExpressionBytes:
		return nil, "Split this expression into several lines: it is longer than 1,000 bytes, so it is not checked."
	case strings.HasPrefix(text, "/") && anchored:
		return nil, whole + "which does not begin with a slash, so it matches nothing. Write it like `rubrics/.*`."
	case strings.HasSuffix(text, "/") && anchored:
		return nil, whole + "which does not end with a slash, so it matches nothing. Write it like `rubrics/.*`."
	}
	complete := "^" + text + "$"
	tree, err := syntax.Parse(complete, syntax.Perl)
	if err != nil {
		return nil, whole + "in the syntax of Go, and skip the line: " + reason(err) + "."
	}
	program, err := syntax.Compile(tree.Simplify())
	if err != nil {
		return nil, whole + "and skip this one: " + err.Error() + "."
	}
	compiled, err := regexp.Compile(complete)
	if err != nil {
		return nil, whole + "and skip this one: " + err.Error() + "."
	}
	return &expression{Regexp: compiled, tree: tree, instructions: len(program.Inst), prefix: literalPrefix(tree)}, ""
}

// reason is why an expression can't be parsed, without the "^" and "$" around it.
func reason(err error) string {
	if e, ok := err.(*syntax.Error); ok {
		return e.Code.String()
	}
	return err.Error()
}

// literalPrefix is a text with which all matches begin, or "".
func literalPrefix(tree *syntax.Regexp) string {
	if tree.Op != syntax.OpConcat || len(tree.Sub) < 2 || tree.Sub[0].Op != syntax.OpBeginText {
		return ""
	}
	if first := tree.Sub[1]; first.Op == syntax.OpLiteral && first.Flags&syntax.FoldCase == 0 {
		return string(first.Rune)
	}
	return ""
}

// giteaOwner matches what Gitea and Forgejo can take for the name of an owner. Whether there is
// one is not known here.
var giteaOwner = lazy.Expr(`^@?[\w.-]+(/[\w.-]+)?$`)

// lostBackslash matches a backslash that means something before a letter or a digit, but is removed.
var lostBackslash = lazy.Expr(`^([^\\]|\\[^A-Za-z0-9])*\\[A-Za-z0-9]`)

// escaped is a word without its backslashes.
type escaped struct {
	text string
	source.Span
}

// escapedWords returns the words in a line as Gitea and Forgejo read them, up to a comment, which
// can begin within a word. A backslash keeps the next character, and is itself removed.
func escapedWords(file *source.File, line source.Span) (words []escaped) {
	text := file.Text(line)
	start := line.Start + len(text) - len(strings.TrimLeftFunc(text, unicode.IsSpace))
	var word strings.Builder
	begin := -1
	end := func(at int) {
		if begin >= 0 && word.Len() > 0 {
			words = append(words, escaped{word.String(), source.Span{Start: begin, End: at}})
		}
		word.Reset()
		begin = -1
	}
	keep := false
	trimmed := strings.TrimSpace(text)
	for i, c := range trimmed {
		at := start + i
		switch {
		case keep:
			keep = false
		case c == '#':
			end(at)
			return words
		case c == ' ' || c == '\t':
			end(at)
			continue
		case c == '\\':
			keep = true
		}
		if begin < 0 {
			begin = at
		}
		if c != '\\' || !keep {
			word.WriteRune(c)
		}
	}
	end(start + len(trimmed))
	return words
}
