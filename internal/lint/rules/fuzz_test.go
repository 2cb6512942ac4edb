package rules

import (
	"fmt"
	"maps"
	"slices"
	"testing"
	"testing/fstest"
	"unicode"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// FuzzLint lints one document: whatever it contains, all findings have a place
// in it and messages that can be shown, and the fixes come to an end.
func FuzzLint(f *testing.F) {
	documents := corpusDocuments(f)
	for _, name := range slices.Sorted(maps.Keys(documents)) {
		f.Add(documents[name])
	}
	f.Add([]byte(linttest.GoodRubric))
	f.Fuzz(func(t *testing.T, data []byte) {
		fsys := fstest.MapFS{corpusPath: {Data: data}}
		report := must.Get(lint.Run(fsys, All(), lint.Options{}))(t)
		file := source.NewFile(corpusPath, data)
		for _, finding := range report.Findings {
			if err := checkFinding(file, &finding); err != nil {
				t.Errorf("%s: %v", finding.Rule.ID, err)
			}
		}
		checkFixesEnd(t, fsys, report)
	})
}

// checkFinding looks at a finding in the only file of a library.
func checkFinding(f *source.File, finding *lint.Finding) error {
	if err := checkPlace(f, finding.Location); err != nil {
		return err
	}
	if err := checkText(finding.Message); err != nil {
		return err
	}
	for _, r := range finding.Related {
		if err := checkPlace(f, r.Location); err != nil {
			return fmt.Errorf("related: %w", err)
		}
		if err := checkText(r.Message); err != nil {
			return fmt.Errorf("related: %w", err)
		}
	}
	if finding.Fix != nil {
		return checkText(finding.Fix.Message)
	}
	return nil
}

// checkPlace makes sure that a place is about the file as a whole or inside of
// it, and goes forwards.
func checkPlace(f *source.File, l source.Location) error {
	if l.File != f.Path {
		return fmt.Errorf("a place in the file %q", l.File)
	}
	if l.Start == (source.Position{}) && l.End == l.Start {
		return nil
	}
	for _, p := range []source.Position{l.Start, l.End} {
		line := f.LineSpan(p.Line)
		if line.End < len(f.Data) && f.Data[line.End] == '\r' {
			line.End++ // a finding can be about the line end
		}
		if p.Line < 1 || p.Line > f.LineCount() || p.Column < 1 || p.Column > utf8.RuneCount(f.Data[line.Start:line.End])+1 {
			return fmt.Errorf("the place %d:%d is outside of the file", p.Line, p.Column)
		}
	}
	if l.End.Line < l.Start.Line || l.End.Line == l.Start.Line && l.End.Column < l.Start.Column {
		return fmt.Errorf("the place %s runs backwards", spanOf(l.Start, l.End))
	}
	return nil
}

// checkText makes sure that a text can be shown on one line as it is.
func checkText(text string) error {
	if text == "" || !utf8.ValidString(text) {
		return fmt.Errorf("a message that is empty or not UTF-8: %q", text)
	}
	for _, r := range text {
		if !unicode.IsPrint(r) {
			return fmt.Errorf("the message has %U, which does not show: %q", r, text)
		}
	}
	return nil
}

// checkFixesEnd makes the fixes until nothing is left to fix. A few rounds have
// to do: fixing the encoding reveals the document, fixing a value its meaning,
// and what it says can ask for another name.
func checkFixesEnd(t *testing.T, fsys fstest.MapFS, report *lint.Report) {
	const rounds = 5
	for range rounds {
		changes, after := linttest.ApplyFixes(t, fsys, report)
		if len(changes) == 0 {
			return
		}
		for _, c := range changes {
			checkUntouched(t, c)
		}
		var err error
		if report, err = lint.Run(after, All(), lint.Options{}); err != nil {
			t.Fatal(err)
		}
		fsys = after
	}
	t.Errorf("fixing does not end within %d rounds", rounds)
}
