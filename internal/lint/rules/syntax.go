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
var syntaxRules = map[string]lint.Rule{
	yamltree.CodeEncoding: {
		Severity: lint.Error, Unsuppressable: true, Fixable: true,
		Check: lint.OfDocument(parsed),
	},
	yamltree.CodeTooLarge:       {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(parsed)},
	yamltree.CodeEmpty:          {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(parsed)},
	yamltree.CodeSyntax:         {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(parsed)},
	yamltree.CodeSecondDocument: {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(parsed)},
	yamltree.CodeFeature:        {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(parsed)},
	yamltree.CodeDepth:          {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(parsed)},
	yamltree.CodeDuplicateKey:   {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(parsed)},
	yamltree.CodeLineEndings:    {Severity: lint.Warning, Fixable: true, Check: lint.OfDocument(parsed)},
	schema.CodeAmbiguous:        {Severity: lint.Warning, Fixable: true, Check: lint.OfDocument(parsed)},
	document.CodeKind:           {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(parsed)},
	schema.CodeUnknownKey: {
		Severity: lint.Error, Unsuppressable: true, Fixable: true,
		Check: lint.OfDocument(parsed),
	},
	schema.CodeMissingKey: {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(parsed)},
	schema.CodeWrongType: {
		Severity: lint.Error, Unsuppressable: true, Fixable: true,
		Check: lint.OfDocument(parsed),
	},
	schema.CodeInvalidValue: {
		Severity: lint.Error, Unsuppressable: true, Fixable: true,
		Check: lint.OfDocument(parsed),
	},
	schema.CodeBlankText:     {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(parsed)},
	document.CodePlaceholder: {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(placeholders)},
	document.CodeUnreviewed:  {Severity: lint.Error, Unsuppressable: true, Check: lint.OfDocument(unreviewed)},
	"misread-text":           {Severity: lint.Warning, Check: lint.OfDocument(misreadText)},
}

func placeholders(p *lint.DocumentPass) { p.ReportAll(placeholdersOf(p)) }

func unreviewed(p *lint.DocumentPass) {
	if p.Doc != nil {
		p.ReportAll(p.Doc.UnreviewedTexts())
	}
}

// parsed reports the problems with the name of the running rule that the parser and the
// structural checks find.
func parsed(p *lint.DocumentPass) {
	if p.Doc == nil {
		return
	}
	for _, problem := range p.Doc.Problems {
		if problem.Code == p.RunningRule() {
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
	if text == nil || text.Type != yamltree.String {
		return nil
	}
	isHere := func(found source.Problem) bool { return found.Span == text.Span }
	if slices.ContainsFunc(placeholdersOf(p), isHere) {
		return nil
	}
	return text
}
