package document

import (
	_ "embed"
	"sync"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Draft is the content of the first rubric of a library, a complete example to edit.
//
//go:embed draft.yaml
var Draft []byte

// draftText is the length from which a text of Draft says where it comes from. A shorter one
// can be the text of an author.
const draftText = 45

var draftTexts = sync.OnceValue(func() map[string]bool {
	texts := map[string]bool{}
	tree, _ := yamltree.Parse(source.NewFile("draft.yaml", Draft))
	tree.Root.EachScalar(func(n *yamltree.Node, isKey bool) {
		if !isKey && len(n.Value) >= draftText {
			texts[n.Value] = true
		}
	})
	return texts
})

// OfDraft returns the first text in a node that is still one of Draft, or nil.
func OfDraft(n *yamltree.Node) (found *yamltree.Node) {
	n.EachScalar(func(n *yamltree.Node, isKey bool) {
		if found == nil && !isKey && len(n.Value) >= draftText && draftTexts()[n.Value] {
			found = n
		}
	})
	return found
}
