package rules

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// syntaxRules are about the form of a file: its YAML, and what its schema allows.
var syntaxRules = func() map[string]lint.Rule {
	rules := map[string]lint.Rule{}
	for _, code := range []string{
		yamltree.CodeEncoding, yamltree.CodeTooLarge, yamltree.CodeEmpty, yamltree.CodeSyntax, yamltree.CodeSecondDocument,
		yamltree.CodeFeature, yamltree.CodeDepth, yamltree.CodeDuplicateKey, yamltree.CodeLineEndings, schema.CodeAmbiguous, document.CodeKind,
		schema.CodeUnknownKey, schema.CodeMissingKey, schema.CodeWrongType, schema.CodeInvalidValue, schema.CodeBlankText,
	} {
		rules[code] = lint.Rule{Document: parsed}
	}
	rules["misread-text"] = lint.Rule{Document: misreadText}
	rules[document.CodePlaceholder] = lint.Rule{Document: func(p *lint.DocumentPass) { p.ReportAll(placeholdersOf(p)) }}
	rules[document.CodeUnreviewed] = lint.Rule{Document: func(p *lint.DocumentPass) {
		if p.Doc != nil {
			p.ReportAll(p.Doc.Unreviewed())
		}
	}}
	return rules
}()

// parsed reports the problems with the name of the running rule that the parser and the
// structural checks find.
func parsed(p *lint.DocumentPass) {
	if p.Doc == nil {
		return
	}
	for _, problem := range p.Doc.Problems {
		if problem.Code == p.Running() {
			p.Report(problem)
		}
	}
}

// placeholdersOf are the texts of a document that only stand for one.
var placeholdersOf = lint.Once(func(p *lint.DocumentPass) []source.Problem {
	if p.Doc == nil {
		return nil
	}
	return p.Doc.Placeholders()
})

// textOf returns a text if it is one, and nil if it is missing or stands for one that is not
// written yet. Rules about what texts say have nothing to say about the latter.
func textOf(p *lint.DocumentPass, text *yamltree.Node) *yamltree.Node {
	if text == nil || text.Type != yamltree.String || slices.ContainsFunc(placeholdersOf(p), func(found source.Problem) bool { return found.Span == text.Span }) {
		return nil
	}
	return text
}
