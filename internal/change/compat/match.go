package compat

import (
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
			p.ofHead[j], p.ofBase[queue[0]] = queue[0], j
			waiting[key] = queue[1:]
		}
	}
	return p
}

// join pairs more elements and returns their indices in the head.
func (p partners) join(more []pair) map[int]bool {
	joined := map[int]bool{}
	for _, both := range more {
		p.ofBase[both.base], p.ofHead[both.head] = both.head, both.base
		joined[both.head] = true
	}
	return joined
}

// inOrder reports whether partners have the same order in both lists.
func (p partners) inOrder() bool {
	last := alone
	for _, i := range p.ofHead {
		if i == alone {
			continue
		}
		if i < last {
			return false
		}
		last = i
	}
	return true
}

// renamed pairs elements without partners that are the same except for their names, if
// there is only one of them on each side.
func (p partners) renamed(list *schema.Value, base, head []*yamltree.Node) []pair {
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
	var pairs []pair
	heads := alike(head, p.ofHead)
	for content, i := range alike(base, p.ofBase) {
		if j := heads[content]; len(i) == 1 && len(j) == 1 {
			pairs = append(pairs, pair{i[0], j[0]})
		}
	}
	return pairs
}

// neighbors pairs elements in the same gap between partners, in order.
func (p partners) neighbors() []pair {
	gap := alone // the partner in the base before the gap
	left := map[int][]int{}
	for i, j := range p.ofBase {
		if j == alone {
			left[gap] = append(left[gap], i)
		} else {
			gap = i
		}
	}
	var pairs []pair
	gap = alone
	for j, i := range p.ofHead {
		if i != alone {
			gap = i
		} else if queue := left[gap]; len(queue) > 0 {
			pairs = append(pairs, pair{queue[0], j})
			left[gap] = queue[1:]
		}
	}
	return pairs
}
