package schema

import (
	"fmt"
	"sort"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/suggest"
)

// Path is the path from the root of a document to a value. A nil *Path is the root.
// Paths share their parents and become text only in reports.
type Path struct {
	parent *Path
	key    string // of an object or map
	index  int    // of a list, or -1
	name   string // identity of a list's element, may be empty
	noun   string // the word for the value, may be empty
}

// Key is the path of the value under a key of the object at p. noun is the word for
// that value, if there is one.
func (p *Path) Key(key, noun string) *Path {
	return &Path{parent: p, key: key, index: -1, noun: noun}
}

// Elem is the path of element i (from 0) of the list at p; name is its identity.
func (p *Path) Elem(i int, name, noun string) *Path {
	return &Path{parent: p, index: i, name: name, noun: noun}
}

// element is the outermost element of a list around p, or nil.
func (p *Path) element() (outermost *Path) {
	for ; p != nil; p = p.parent {
		if p.index >= 0 {
			outermost = p
		}
	}
	return outermost
}

// Pointer is the JSON pointer (RFC 6901): "/criteria/0/threshold".
func (p *Path) Pointer() string {
	if p == nil {
		return ""
	}
	if p.index >= 0 {
		return p.parent.Pointer() + "/" + strconv.Itoa(p.index)
	}
	return p.parent.Pointer() + "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(p.key)
}

// String names elements instead of counting them, so it stays the same when
// elements are added before them: "criteria[clarity].threshold".
func (p *Path) String() string {
	switch {
	case p == nil:
		return ""
	case p.index >= 0 && p.name != "":
		return p.parent.String() + "[" + p.name + "]"
	case p.index >= 0:
		return fmt.Sprintf("%s[%d]", p.parent, p.index)
	case p.parent == nil:
		return p.key
	}
	return p.parent.String() + "." + p.key
}

// Where names the nearest value around p that has a noun, for use in a sentence:
// `criterion "clarity"`, `the anchors of criterion "clarity"`.
// root is the word for the whole document.
func (p *Path) Where(root string) string {
	switch {
	case p == nil:
		return "the " + root
	case p.noun == "":
		return p.parent.Where(root)
	case p.index >= 0 && p.name != "":
		return p.noun + " " + Quote(p.name)
	case p.index >= 0:
		return fmt.Sprintf("%s %d of %s", p.noun, p.index+1, p.parent.Where(root))
	}
	return "the " + p.noun + " of " + p.parent.Where(root)
}

// Quote puts a text of a document in quotes for a message: shortened to 60
// characters, with unprintable characters escaped.
func Quote(text string) string {
	const limit = 60
	runes := 0
	for i := range text {
		if runes == limit {
			return strconv.Quote(text[:i] + "…")
		}
		runes++
	}
	return strconv.Quote(text)
}

// QuoteBoth is Quote of two texts from shortly before the first difference.
func QuoteBoth(a, b string) (string, string) {
	x, y, n := []rune(a), []rune(b), 0
	for n < min(len(x), len(y)) && x[n] == y[n] {
		n++
	}
	n = max(0, n-20)
	return Quote("…" + string(x[n:])), Quote("…" + string(y[n:]))
}

// DidYouMean is a sentence, after a space, that suggests the word of known that was
// probably meant, or "".
func DidYouMean(got string, known []string) string {
	if word := suggest.Word(got, known); word != "" {
		return " Did you mean " + Quote(word) + "?"
	}
	return ""
}

// PathAt is the path of the value at an offset of the file, or of the group around
// it. It names the elements of lists.
func PathAt(n *yamltree.Node, offset int) *Path {
	var at *Path
	for n != nil {
		switch {
		case len(n.Entries) > 0:
			i := sort.Search(len(n.Entries), func(i int) bool { return n.Entries[i].Value.Span.End >= offset })
			if i == len(n.Entries) || n.Entries[i].Key.Span.Start > offset {
				return at
			}
			at, n = at.Key(n.Entries[i].Key.Value, ""), n.Entries[i].Value
		case len(n.Items) > 0:
			i := sort.Search(len(n.Items), func(i int) bool { return n.Items[i].Span.End >= offset })
			if i == len(n.Items) || n.Items[i].Span.Start > offset {
				return at
			}
			name := n.Items[i].Get("name")
			if name == nil {
				name = n.Items[i].Get("id")
			}
			at, n = at.Elem(i, name.Text(), ""), n.Items[i]
		default:
			return at
		}
	}
	return at
}
