package intake

import (
	"bytes"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
)

// Object is a mapping of a file of which each key is read or listed.
type Object struct {
	*yamltree.Node
	Reader *Reader
	// Path leads to the object, such as criteria[2], and key is its key in a mapping, or "".
	Path, key string
	used      []bool // by entry
	// extra is what is around the levels in a text.
	extra string
	// ids are the entries with an ID that differs from the name.
	ids []int
	// onScale are levels that the file has in what it says of its scale.
	onScale levelSet
}

// Object is the object of a mapping at a path.
func (r *Reader) Object(n *yamltree.Node, path, key string) *Object {
	return &Object{Node: n, Reader: r, Path: path, key: key, used: make([]bool, len(n.Entries))}
}

// place is where the object is, for people.
func (o *Object) place() string { return o.Reader.placeOf(o.Node, o.Path) }

// find is the number of the first entry that is not used, has one of the keys, and is accepted, or -1.
func (o *Object) find(k Keys, accept func(*yamltree.Node) bool) int {
	for _, key := range k {
		for i, e := range o.Entries {
			if !o.used[i] && e.Value.Type != yamltree.Null && Fold(e.Key.Value) == key && accept(e.Value) {
				return i
			}
		}
	}
	return -1
}

// take returns the value of the first such entry, which then counts as read, or nil.
func (o *Object) take(k Keys, accept func(*yamltree.Node) bool) *yamltree.Node {
	i := o.find(k, accept)
	if i < 0 {
		return nil
	}
	return o.use(i)
}

// use is the value of an entry, which then counts as read.
func (o *Object) use(i int) *yamltree.Node {
	o.used[i] = true
	n := o.Entries[i].Value
	o.Reader.read[n] = true
	return n
}

// Text is the text under the first of the keys that has one.
func (o *Object) Text(k Keys) string { return text(o.take(k, isText)) }

// word is a text on one line.
func (o *Object) word(k Keys) string { return strings.TrimSpace(o.Text(k)) }

// number is a number, a share, or a word in one value.
func (o *Object) number(k Keys) string { return strings.TrimSpace(text(o.take(k, isNumber))) }

// pathTo is the path to the value of an entry.
func (o *Object) pathTo(e yamltree.KeyValue) string {
	return strings.TrimPrefix(o.Path+"."+e.Key.Value, ".")
}

func quote(text string) string { return schema.Quote(text) }

// placeOf is where a value is, for people: its line, or in a file of one line its path.
func (r *Reader) placeOf(n *yamltree.Node, path string) string {
	isOneLine := !r.isLines() && !bytes.Contains(bytes.TrimSpace(r.File.Data), []byte("\n"))
	if n == nil || n.Span == (source.Span{}) || isOneLine {
		return path
	}
	return fmt.Sprintf("line %d", r.File.Position(n.Span.Start).Line)
}

// atKey is where a key of an object is.
func (r *Reader) atKey(o *Object, i int) string {
	return r.placeOf(o.Entries[i].Key, o.pathTo(o.Entries[i]))
}

// levelSet is the levels of a criterion in a foreign file, in its order.
type levelSet struct {
	Levels  []levels.Level
	samples []Example
	// pointed says that the scores of the levels are points, so that each criterion can have
	// a scale of its own.
	pointed bool
	place   string
	key     string // under which levels for all criteria are
}
