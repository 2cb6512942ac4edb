package rules

import (
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// parsed makes a rule from the problems with a code that the parser and the structural
// checks find.
func parsed(code string) func(*lint.DocumentPass) {
	return func(p *lint.DocumentPass) {
		if p.Doc == nil {
			return
		}
		for _, problem := range p.Doc.Problems {
			if problem.Code == code {
				p.Report(problem)
			}
		}
	}
}

// syntaxRules are about the form of a file: its YAML, and what its schema allows.
var syntaxRules = map[string]lint.Rule{
	yamltree.CodeEncoding:       {Document: parsed(yamltree.CodeEncoding)},
	yamltree.CodeTooLarge:       {Document: parsed(yamltree.CodeTooLarge)},
	yamltree.CodeEmpty:          {Document: parsed(yamltree.CodeEmpty)},
	yamltree.CodeSyntax:         {Document: parsed(yamltree.CodeSyntax)},
	yamltree.CodeSecondDocument: {Document: parsed(yamltree.CodeSecondDocument)},
	yamltree.CodeFeature:        {Document: parsed(yamltree.CodeFeature)},
	yamltree.CodeDepth:          {Document: parsed(yamltree.CodeDepth)},
	yamltree.CodeDuplicateKey:   {Document: parsed(yamltree.CodeDuplicateKey)},
	yamltree.CodeLineEndings:    {Document: parsed(yamltree.CodeLineEndings)},
	schema.CodeAmbiguous:        {Document: parsed(schema.CodeAmbiguous)},
	document.CodeKind:           {Document: parsed(document.CodeKind)},
	schema.CodeUnknownKey:       {Document: parsed(schema.CodeUnknownKey)},
	schema.CodeMissingKey:       {Document: parsed(schema.CodeMissingKey)},
	schema.CodeWrongType:        {Document: parsed(schema.CodeWrongType)},
	schema.CodeInvalidValue:     {Document: parsed(schema.CodeInvalidValue)},
	schema.CodeBlankText:        {Document: parsed(schema.CodeBlankText)},
}
