// Package syntax has the lint rules about the form of a file: which YAML is accepted,
// and what the schema allows. The parser finds the problems.
package syntax

import (
	"slices"

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

// Rules are about the form of a file: its YAML, and what its schema allows.
var Rules = slices.Concat(syntaxRules, schemaRules)

var syntaxRules = []*lint.Rule{
	{
		ID: yamltree.CodeEncoding, Family: lint.FamilySyntax, Severity: lint.Error, Unsuppressable: true, Fixable: true,
		Summary:  "bytes that are not plain UTF-8 text",
		Why:      "Programs differ in how they read control characters, a byte order mark, or text in another encoding, and some can't read them at all.",
		Source:   "RFC 3629 (UTF-8); YAML 1.2.2, 5.1 Character Set",
		Bad:      "name: caf\\xE9        (Latin-1)",
		Good:     "name: café           (UTF-8)",
		Document: parsed(yamltree.CodeEncoding),
	},
	{
		ID: yamltree.CodeTooLarge, Family: lint.FamilySyntax, Severity: lint.Error, Unsuppressable: true,
		Summary:  "a document of more than 256 KiB",
		Why:      "No judge reads that much text, and the limit protects every program that loads the library.",
		Source:   "the limits of a document (docs/reference.md)",
		Bad:      "a rubric with whole artifacts as examples",
		Good:     "a rubric with excerpts as examples",
		Document: parsed(yamltree.CodeTooLarge),
	},
	{
		ID: yamltree.CodeEmpty, Family: lint.FamilySyntax, Severity: lint.Error, Unsuppressable: true,
		Summary:  "a file without content",
		Why:      "An empty file was probably saved by mistake. Consumers would find nothing under its name.",
		Source:   "YAML 1.2.2, 9.2: an empty stream has no document",
		Bad:      "# to be written",
		Good:     "rubric_id: user_story_quality_v1",
		Document: parsed(yamltree.CodeEmpty),
	},
	{
		ID: yamltree.CodeSyntax, Family: lint.FamilySyntax, Severity: lint.Error, Unsuppressable: true,
		Summary:  "a file that is not YAML",
		Why:      "Nothing in the file can be read until this is fixed.",
		Source:   "YAML 1.2.2",
		Bad:      "description: Clear: no ambiguity",
		Good:     `description: "Clear: no ambiguity"`,
		Document: parsed(yamltree.CodeSyntax),
	},
	{
		ID: yamltree.CodeSecondDocument, Family: lint.FamilySyntax, Severity: lint.Error, Unsuppressable: true,
		Summary:  "a second document in one file",
		Why:      "Most programs read the first document only and silently ignore the rest.",
		Source:   "YAML 1.2.2, 9.2 Streams; the layout of a library (docs/reference.md)",
		Bad:      "rubric_id: a_v1\n---\nrubric_id: b_v1",
		Good:     "rubric_id: a_v1          (and b_v1 in a separate file)",
		Document: parsed(yamltree.CodeSecondDocument),
	},
	{
		ID: yamltree.CodeFeature, Family: lint.FamilySyntax, Severity: lint.Error, Unsuppressable: true,
		Summary:  "anchors, aliases, merge keys, tags, and other YAML features that programs read differently",
		Why:      "Aliases can expand a small file to gigabytes, and tags change the type of a value. A reviewer must see exactly what is loaded.",
		Source:   "YAML 1.2.2, 10.2 JSON Schema: the accepted subset is what JSON can express",
		Bad:      "weight: &w essential\n...\nweight: *w",
		Good:     "weight: essential\n...\nweight: essential",
		Document: parsed(yamltree.CodeFeature),
	},
	{
		ID: yamltree.CodeDepth, Family: lint.FamilySyntax, Severity: lint.Error, Unsuppressable: true,
		Summary:  "nesting of more than 20 levels",
		Why:      "No document needs it, and it can crash programs.",
		Source:   "the limits of a document (docs/reference.md)",
		Bad:      "criteria: [[[[[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]]]]]",
		Good:     "criteria:\n  - name: clarity",
		Document: parsed(yamltree.CodeDepth),
	},
	{
		ID: yamltree.CodeDuplicateKey, Family: lint.FamilySyntax, Severity: lint.Error, Unsuppressable: true,
		Summary:  "a key that appears twice in the same mapping",
		Why:      "Some programs use the first value, others the last, so two consumers could use different rubrics.",
		Source:   "YAML 1.2.2, 3.2.1.1: the keys of a mapping are unique; RFC 8259, section 4",
		Bad:      "threshold: 3.0\nthreshold: 4.0",
		Good:     "threshold: 4.0",
		Document: parsed(yamltree.CodeDuplicateKey),
	},
	{
		ID: yamltree.CodeLineEndings, Family: lint.FamilySyntax, Severity: lint.Warning, Fixable: true,
		Summary:  "Windows line endings",
		Why:      "Changed line endings mark every line as changed in a review and hide the real edit.",
		Source:   "YAML 1.2.2, 5.4 Line Break Characters: readers normalize them, digests of the bytes do not",
		Bad:      "name: X␍␊",
		Good:     "name: X␊",
		Document: parsed(yamltree.CodeLineEndings),
	},
	{
		ID: schema.CodeAmbiguous, Family: lint.FamilySyntax, Severity: lint.Warning, Fixable: true,
		Summary:  "an unquoted text that some programs read as another value",
		Why:      "Older YAML programs read no as false, 2026-01-17 as a date, and 1_000 as a number.",
		Source:   "YAML 1.1 (yes, no, 12:30) and YAML 1.2.2, 10.3 read these differently",
		Bad:      "name: No",
		Good:     `name: "No"`,
		Document: parsed(schema.CodeAmbiguous),
	},
}

var schemaRules = []*lint.Rule{
	{
		ID: document.CodeKind, Family: lint.FamilySchema, Severity: lint.Error, Unsuppressable: true,
		Summary:  "a document that is neither a rubric nor a rule set, or both",
		Why:      "Exactly one of the keys rubric_id and ruleset_id says what a document is. Without it, nothing else can be checked.",
		Source:   "the document reference (docs/reference.md)",
		Bad:      "name: User story quality",
		Good:     "rubric_id: user_story_quality_v1\nname: User story quality",
		Document: parsed(document.CodeKind),
	},
	{
		ID: schema.CodeUnknownKey, Family: lint.FamilySchema, Severity: lint.Error, Unsuppressable: true,
		Summary:  "a key that the schema does not have",
		Why:      "Programs silently ignore a misspelled key, so its value has no effect.",
		Source:   "the document reference (docs/reference.md), and its JSON Schemas (additionalProperties)",
		Bad:      "treshold: 3.5",
		Good:     "threshold: 3.5",
		Document: parsed(schema.CodeUnknownKey),
	},
	{
		ID: schema.CodeMissingKey, Family: lint.FamilySchema, Severity: lint.Error, Unsuppressable: true,
		Summary:  "a required key that is missing",
		Why:      "A judge or a consumer would have to guess the value. The specification requires it (RL-02 to RL-06).",
		Source:   "the document reference (docs/reference.md), and its JSON Schemas (required)",
		Bad:      "- name: clarity\n  weight: essential",
		Good:     "- name: clarity\n  weight: essential\n  threshold: 3.5",
		Document: parsed(schema.CodeMissingKey),
	},
	{
		ID: schema.CodeWrongType, Family: lint.FamilySchema, Severity: lint.Error, Unsuppressable: true, Fixable: true,
		Summary:  "a value of the wrong type",
		Why:      "YAML reads 1.10 as the number 1.1, and \"3.5\" in quotes as text. Consumers would get another value, or none.",
		Source:   "the document reference (docs/reference.md), and its JSON Schemas (type)",
		Bad:      "version: 1.10",
		Good:     `version: "1.10.0"`,
		Document: parsed(schema.CodeWrongType),
	},
	{
		ID: schema.CodeInvalidValue, Family: lint.FamilySchema, Severity: lint.Error, Unsuppressable: true, Fixable: true,
		Summary:  "a value that the schema does not allow",
		Why:      "A value outside its limits has no meaning: no score reaches a threshold of 7.",
		Source:   "the document reference (docs/reference.md), and its JSON Schemas (enum, pattern, minimum)",
		Bad:      "threshold: 7\nweight: critical",
		Good:     "threshold: 3.5\nweight: essential",
		Document: parsed(schema.CodeInvalidValue),
	},
	{
		ID: schema.CodeBlankText, Family: lint.FamilySchema, Severity: lint.Error, Unsuppressable: true,
		Summary:  "a text that is empty or contains only spaces",
		Why:      "An anchor or example without words gives a judge nothing to score with.",
		Source:   "the document reference (docs/reference.md), and its JSON Schemas (minLength, pattern)",
		Bad:      `score_1: ""`,
		Good:     `score_1: "Make the system better."`,
		Document: parsed(schema.CodeBlankText),
	},
}
