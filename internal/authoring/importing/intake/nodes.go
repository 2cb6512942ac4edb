package intake

import (
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

func isText(n *yamltree.Node) bool {
	return n.Kind == yamltree.Scalar && n.Type != yamltree.Bool && strings.TrimSpace(n.Value) != ""
}

func isNumber(n *yamltree.Node) bool {
	_, ok := Quantity(n.Value)
	return n.Kind == yamltree.Scalar && ok
}

func isMapping(n *yamltree.Node) bool { return n.Kind == yamltree.Mapping && len(n.Entries) > 0 }

func isSequence(n *yamltree.Node) bool { return n.Kind == yamltree.Sequence && len(n.Items) > 0 }

// isTexts reports whether a value is a list of texts.
func isTexts(n *yamltree.Node) bool {
	return isSequence(n) &&
		!slices.ContainsFunc(n.Items, func(item *yamltree.Node) bool { return item.Kind != yamltree.Scalar })
}

// isWords reports whether a value is a text or a list of texts.
func isWords(n *yamltree.Node) bool { return isText(n) || isTexts(n) }

// text is the text of a value, with LF at line ends, or that of a list with an item on each line.
func text(n *yamltree.Node) string {
	if n == nil || n.Kind == yamltree.Scalar {
		return Lines(n.Text())
	}
	var all []string
	for _, item := range n.Items {
		if item.Kind == yamltree.Scalar && item.Type != yamltree.Null {
			all = append(all, "- "+strings.TrimSpace(Lines(item.Value)))
		}
	}
	if len(all) == 1 {
		return strings.TrimPrefix(all[0], "- ")
	}
	return strings.Join(all, "\n")
}

func isEmpty(n *yamltree.Node) bool {
	return n.Type == yamltree.Null || n.Kind == yamltree.Scalar && n.Value == "" ||
		n.Kind != yamltree.Scalar && len(n.Entries)+len(n.Items) == 0
}

// Lines is a text with LF at line ends.
func Lines(text string) string {
	return strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\n"), "\r", "\n")
}
