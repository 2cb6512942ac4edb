package document

import (
	_ "embed"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

//go:embed draft_rubric.yaml
var rubricDraft string

//go:embed draft_ruleset.yaml
var ruleSetDraft string

// Draft is the content of a new document, a complete example to replace.
func (k *Kind) Draft(artifactType string) *yamltree.Node {
	text := map[*Kind]string{&Rubric: rubricDraft, &RuleSet: ruleSetDraft}[k]
	tree, _ := yamltree.Parse(source.NewFile("draft.yaml", []byte(strings.ReplaceAll(text, "{{TYPE}}", artifactType))))
	return tree.Root
}

// draftText is the length from which a text of a draft says where it comes from. A shorter one
// can be the text of an author.
const draftText = 45

var draftTexts = sync.OnceValue(func() map[string]bool {
	texts := map[string]bool{}
	for _, k := range Kinds() {
		k.Draft("").EachScalar(func(n *yamltree.Node, isKey bool) {
			if !isKey && len(n.Value) >= draftText {
				texts[n.Value] = true
			}
		})
	}
	return texts
})

// OfDraft returns the first text in a node that is still one of a draft, or nil.
func OfDraft(n *yamltree.Node) (found *yamltree.Node) {
	n.EachScalar(func(n *yamltree.Node, isKey bool) {
		if found == nil && !isKey && len(n.Value) >= draftText && draftTexts()[n.Value] {
			found = n
		}
	})
	return found
}
