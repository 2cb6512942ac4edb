package compat

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// pair has the indices of one element in both lists.
type pair struct{ base, head int }

// alone is the index for an element that the other list does not have.
const alone = -1

// partners has, for each element of two lists, the index of its partner, or alone.
type partners struct {
	ofBase, ofHead []int
}

// matching pairs elements with equal keys. Keys that occur more than once are paired in
// order.
func matching(base, head []string) partners {
	p := partners{make([]int, len(base)), make([]int, len(head))}
	waiting := map[string][]int{}
	for i, key := range base {
		p.ofBase[i] = alone
		waiting[key] = append(waiting[key], i)
	}
	for j, key := range head {
		p.ofHead[j] = alone
		if queue := waiting[key]; len(queue) > 0 {
			p.join(queue[0], j)
			waiting[key] = queue[1:]
		}
	}
	return p
}

func (p partners) join(i, j int) { p.ofBase[i], p.ofHead[j] = j, i }

// inOrder reports whether partners have the same order in both lists.
func (p partners) inOrder() bool {
	return slices.IsSorted(slices.DeleteFunc(slices.Clone(p.ofHead), func(i int) bool { return i == alone }))
}

// joinRenamed pairs elements without partners that are the same except for their names, if
// there is only one of them on each side.
func (p partners) joinRenamed(list *schema.Value, base, head []*yamltree.Node) {
	rest := without(list.Elem, list.Identity)
	alike := func(items []*yamltree.Node, partner []int) map[string][]int {
		byContent := map[string][]int{}
		for i, item := range items {
			if partner[i] == alone {
				content := string(schema.Canonical(rest, item))
				byContent[content] = append(byContent[content], i)
			}
		}
		return byContent
	}
	heads := alike(head, p.ofHead)
	for content, i := range alike(base, p.ofBase) {
		if j := heads[content]; len(i) == 1 && len(j) == 1 {
			p.join(i[0], j[0])
		}
	}
}

// joinNeighbors pairs elements in the same gap between partners, in order.
func (p partners) joinNeighbors() {
	next := 0 // the next element of the base in the gap
	for j, i := range p.ofHead {
		if i != alone {
			next = i + 1
		} else if next < len(p.ofBase) && p.ofBase[next] == alone {
			p.join(next, j)
			next++
		}
	}
}
