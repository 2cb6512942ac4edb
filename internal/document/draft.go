package document

import (
	_ "embed"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

//go:embed draft_rubric.yaml
var rubricDraft string

//go:embed draft_ruleset.yaml
var ruleSetDraft string

// Draft is the content of a new document, a complete example to replace.
func (k *Kind) Draft() *yamltree.Node {
	text := map[*Kind]string{&Rubric: rubricDraft, &RuleSet: ruleSetDraft}[k]
	tree, _ := yamltree.Parse(source.NewFile("draft.yaml", []byte(text)))
	return tree.Root
}
