package cli

import (
	"bytes"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"encoding/xml"
	"errors"
	"html"
	"io"
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/yuin/goldmark"
	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/extension"
	gmtext "github.com/yuin/goldmark/text"

	"github.com/rubric-library/rubric-library/internal/lint/printer"
)

// holdInert checks that nothing in an output acts.
func holdInert(t *testing.T, o written) {
	t.Helper()
	if !utf8.ValidString(o.text) {
		t.Errorf("%s as %s is not UTF-8: %q", o.what, o.format, o.text)
	}
	if i := strings.IndexFunc(o.text, unseen); i >= 0 {
		t.Errorf("%s as %s: a control or hidden character comes through: %q", o.what, o.format, around(o.text, i))
	}
	for _, line := range runnerLines(o.text) {
		if command := commandOf(line); command != "" && !(o.format == "github" && annotation.MatchString(line)) {
			t.Errorf("%s as %s: the runner finds the command %q in %q", o.what, o.format, command, line)
		}
	}
	var err error
	switch o.format {
	case "json", "sarif", "gitlab":
		if !json.Valid([]byte(o.text)) {
			err = errors.New("it is not JSON")
		}
		if o.format == "sarif" && strings.Contains(o.text, "](") {
			err = errors.New("viewers make a link of a message")
		}
	case "junit":
		err = readXML(o.text)
	case "html":
		if text := withoutAllowedScripts(o.text); strings.Contains(text, "<evil") || strings.Contains(text, "<script") || strings.Contains(text, "<img") {
			err = errors.New("an element comes through")
		}
	case "github":
		holdAnnotations(t, o)
	case "markdown":
		holdMarkdown(t, o)
	}
	if err != nil {
		t.Errorf("%s as %s: %v:\n%s", o.what, o.format, err, o.text)
	}
}

// unseen are the characters that no output contains: they move a cursor, change the
// direction of a text, or are invisible.
func unseen(r rune) bool {
	return r != '\n' && (unicode.IsControl(r) || unicode.Is(unicode.Bidi_Control, r) || r >= 0xe0000 && r <= 0xe0fff || r == 0xfeff || r == 0x2028 || r == 0x2029)
}

func around(s string, i int) string { return s[max(0, i-40):min(len(s), i+40)] }

// runnerLines are the lines that GitHub's runner reads: they end with CR, LF or
// both.
func runnerLines(output string) []string {
	return strings.Split(strings.NewReplacer("\r\n", "\n", "\r", "\n").Replace(output), "\n")
}

// commandOf is the workflow command that GitHub's runner finds in a line of a log, as
// in ActionCommand.TryParseV2 and TryParse of actions/runner. It accepts any name,
// because the list of commands grows.
func commandOf(line string) string {
	if rest, ok := strings.CutPrefix(strings.TrimLeftFunc(line, unicode.IsSpace), "::"); ok {
		if info, _, ok := strings.Cut(rest, "::"); ok && info != "" {
			name, _, _ := strings.Cut(info, " ")
			return name
		}
	}
	if _, rest, ok := strings.Cut(line, "##["); ok {
		if info, _, ok := strings.Cut(rest, "]"); ok {
			name, _, _ := strings.Cut(info, " ")
			return name
		}
	}
	return ""
}

// TestTheRunnerFindsCommands checks that the port of the runner's parsers finds the
// same commands as the runner.
func TestTheRunnerFindsCommands(t *testing.T) {
	for line, want := range map[string]string{
		"::error::x": "error", "  ::add-mask::x": "add-mask", "\u00a0::debug::x": "debug", "::error file=a,line=1::x": "error",
		"##[error]x": "error", "x ##[add-mask]y": "add-mask", "x ##[error a=b]y": "error",
		"x ::error::y": "", "::error:x": "", ": :error::x": "", "## [error]x": "", "##[error": "", "::::": "", "": "",
	} {
		if got := commandOf(line); got != want {
			t.Errorf("%q: the command %q, want %q", line, got, want)
		}
	}
}

// annotation is a command as the format github intends it: well-formed properties and
// one line of data.
var annotation = regexp.MustCompile(`^::(error|warning|notice) (file=[^:,\r\n]+,line=\d+,(col=\d+,endLine=\d+,endColumn=\d+,|endLine=\d+,)?)?title=[a-z-]+::`)

// holdAnnotations checks that the decoded text of an annotation is not a command.
// GitHub decodes no other line.
func holdAnnotations(t *testing.T, o written) {
	t.Helper()
	decode := strings.NewReplacer("%0A", "\n", "%0D", "\r", "%25", "%")
	for _, line := range runnerLines(o.text) {
		head := annotation.FindString(line)
		if head == "" {
			continue
		}
		for _, shown := range runnerLines(decode.Replace(line[len(head):])) {
			if command := commandOf(shown); command != "" {
				t.Errorf("%s: the message of an annotation is the command %q: %q", o.what, command, line)
			}
		}
	}
}

var pageScript = regexp.MustCompile(`(?s)<script>(.*?)</script>`)

// withoutAllowedScripts removes the scripts whose hash the policy of the page names, which
// are the page's own.
func withoutAllowedScripts(page string) string {
	policy, _, _ := strings.Cut(html.UnescapeString(page), "<title>")
	return pageScript.ReplaceAllStringFunc(page, func(script string) string {
		sum := sha256.Sum256([]byte(pageScript.FindStringSubmatch(script)[1]))
		if strings.Contains(policy, "'sha256-"+base64.StdEncoding.EncodeToString(sum[:])+"'") {
			return ""
		}
		return script
	})
}

func readXML(text string) error {
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
		if start, ok := token.(xml.StartElement); ok && strings.Contains(start.Name.Local, "evil") {
			return errors.New("an element comes through")
		}
	}
}

// ours are the elements of HTML that the commands write into Markdown.
var ours = regexp.MustCompile(`</?(blockquote|code|br|pre|ins|del|details|summary)>`)

// active matches what hosts interpret in text outside code and goldmark does not know:
// mentions and references, and in its source formulas.
var active, formula = regexp.MustCompile(`@\w|\w#\d|(^|\W)[#!&$]\d|(^|\W)[~%]["\w]|\[issue:|\[\[`), regexp.MustCompile(`\$\w`)

// quickAction matches a line that GitLab carries out, and codeBlock where it carries out nothing.
var (
	quickAction = regexp.MustCompile(`(?m)^ *[/@]`)
	codeBlock   = regexp.MustCompile("(?ms)^ *(```+)text\n.*?^ *```+$")
)

// holdMarkdown checks that Markdown, as GitHub reads it, has no link, image, foreign
// element, mention, or reference outside code.
func holdMarkdown(t *testing.T, o written) {
	t.Helper()
	source := []byte(o.text)
	if mark, found := printer.ReadMark(source); found {
		source = bytes.TrimPrefix(source, []byte(mark.String()))
	}
	document := goldmark.New(goldmark.WithExtensions(extension.GFM)).Parser().Parse(gmtext.NewReader(source))
	fail := func(what, text string) {
		t.Errorf("%s as Markdown: %s comes through: %q\n%s", o.what, what, text, o.text)
	}
	if line := quickAction.Find(codeBlock.ReplaceAll(source, nil)); line != nil {
		fail("a quick action", string(line))
	}
	elements := func(lines *gmtext.Segments) {
		if text := ours.ReplaceAllString(string(lines.Value(source)), ""); strings.ContainsAny(text, "<>") {
			fail("an element", text)
		}
	}
	_ = ast.Walk(document, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		if !entering {
			return ast.WalkContinue, nil
		}
		switch n := n.(type) {
		case *ast.CodeSpan, *ast.CodeBlock, *ast.FencedCodeBlock:
			return ast.WalkSkipChildren, nil
		case *ast.Link, *ast.AutoLink, *ast.Image:
			fail("a link", string(n.Kind().String()))
		case *ast.RawHTML:
			elements(n.Segments)
		case *ast.HTMLBlock:
			elements(n.Lines())
		case *ast.Heading:
			if text := string(n.Lines().Value(source)); strings.HasPrefix(text, "evil") {
				fail("a heading", text)
			}
		case *ast.Text:
			if text := string(n.Segment.Value(source)); active.MatchString(html.UnescapeString(text)) || formula.MatchString(text) {
				fail("a mention or reference", text)
			}
		}
		return ast.WalkContinue, nil
	})
}
