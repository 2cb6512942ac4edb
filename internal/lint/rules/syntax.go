package rules

import (
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
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
