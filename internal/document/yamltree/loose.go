package yamltree

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"strconv"

	"gopkg.in/yaml.v3"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

const (
	// maxMerged is how many keys the merge keys (<<) of one file can copy. A file that
	// copies more is meant to exhaust memory.
	maxMerged = MaxBytes
	// maxChain is how many lists can start on one line of a loose file.
	maxChain = 100
)

// Loose is one value of a file that ParseLoose reads. A mapping or list that an alias
// repeats is one Loose in several places, so code that walks a file must remember where
// it has been.
type Loose struct {
	Kind  NodeKind
	Type  Type            // of a scalar, as for a Node
	Value string          // of a scalar, as for a Node
	At    source.Position // where it is written; of a scalar's alias, the alias
	// Entries are those of a mapping. The keys of merge keys follow its own keys,
	// except for those that it already has.
	Entries []LooseEntry
	Items   []*Loose

	keys map[string]*Loose // of a mapping, by key
}

// LooseEntry is one key of a mapping with its value. A key that is not a scalar
// has no text.
type LooseEntry struct {
	Key   string
	At    source.Position
	Value *Loose
}

// Get returns the value of a key, or nil.
func (n *Loose) Get(key string) *Loose { return n.keys[key] }

// ParseLoose reads a file from outside a library, which can use what Parse rejects:
// several documents, anchors, aliases, merge keys, tags, directives, keys that are
// lists, and deep nesting. Such files are not released, so they only need to be
// unambiguous. The limits on size and characters are those of Parse, and repeated keys
// are a problem. Time and memory are linear in the size of the file, whatever its
// aliases repeat. With problems, the documents are incomplete.
func ParseLoose(f *source.File) (documents []*Loose, problems []source.Problem) {
	if problems := CheckText(f); len(problems) > 0 {
		return nil, problems
	}
	if at := longChain(f.Data, maxChain); at >= 0 {
		return nil, []source.Problem{tooDeep(f, at, maxChain)}
	}
	r := looseReader{file: f, made: map[*yaml.Node]*Loose{}}
	d := yaml.NewDecoder(bytes.NewReader(f.Data))
	for {
		var y yaml.Node
		switch err := guard(func() error { return d.Decode(&y) }); {
		case err == io.EOF:
			return documents, inOrder(r.problems)
		case err != nil:
			_, mistakes := read(f)
			if len(mistakes) == 0 || mistakes[0].Code != CodeSyntax { // what only the strict reader refuses
				mistakes = []source.Problem{unknownMistake(f, err)}
			}
			return documents, mistakes
		}
		documents = append(documents, r.value(y.Content[0]))
	}
}

// errReaderFault is a panic of yaml.v3.
var errReaderFault = errors.New("yaml.v3 panicked")

// guard calls read and turns a panic into errReaderFault.
func guard(read func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("%w: %v", errReaderFault, p)
		}
	}()
	return read()
}

// longChain is the offset of the first line that starts with more than limit dashes
// or question marks, as nested lists on one line do, or -1.
func longChain(data []byte, limit int) int {
	for line := 0; line < len(data); line = skipBreak(data, lineEnd(data, line)) {
		n := 0
		for i := line; i < len(data); i++ {
			if (data[i] == '-' || data[i] == '?') && spaceAt(data, i+1) {
				n++
			} else if !isBlank(data[i]) {
				break
			}
		}
		if n > limit {
			return line
		}
	}
	return -1
}

// looseReader turns what yaml.v3 read into Loose values.
type looseReader struct {
	file *source.File
	// made are the mappings and lists, nil while their content is read.
	made     map[*yaml.Node]*Loose
	merged   int // keys that merge keys copied
	problems []source.Problem
}

func (r *looseReader) refuse(y *yaml.Node, code, message string) {
	if len(r.problems) < maxRepeated {
		start := offset(r.file, source.Position{Line: y.Line, Column: y.Column})
		r.problems = append(r.problems, refuse(code, source.Span{Start: start, End: start}, "%s", message))
	}
}

// offset is the byte of a file at a position.
func offset(f *source.File, at source.Position) int {
	line := f.LineSpan(at.Line)
	chars := []rune(f.Text(line))
	return line.Start + len(string(chars[:min(at.Column-1, len(chars))]))
}

// typeOf is the type of a scalar.
func typeOf(y *yaml.Node) Type {
	types := map[string]Type{"!!null": Null, "!!bool": Bool, "!!int": Integer, "!!float": Float}
	return cmp.Or(types[y.ShortTag()], String)
}

func (r *looseReader) value(y *yaml.Node) *Loose {
	n := &Loose{Kind: Scalar, At: source.Position{Line: y.Line, Column: y.Column}}
	target := y
	if y.Kind == yaml.AliasNode {
		target = y.Alias
	}
	if target.Kind == yaml.ScalarNode {
		n.Type, n.Value = typeOf(target), target.Value
		return n
	}
	if made, ok := r.made[target]; ok {
		if made != nil {
			return made
		}
		r.refuse(y, CodeFeature, "This alias refers to a value that contains the alias. Write the value itself here.")
		return n
	}
	r.made[target] = nil
	if target.Kind == yaml.MappingNode {
		r.mapping(n, target)
	} else {
		n.Kind = Sequence
		for _, item := range target.Content {
			n.Items = append(n.Items, r.value(item))
		}
	}
	r.made[target] = n
	return n
}

func (r *looseReader) mapping(n *Loose, y *yaml.Node) {
	n.Kind, n.keys = Mapping, map[string]*Loose{}
	var merge []*Loose
	for i := 0; i+1 < len(y.Content); i += 2 {
		key, value := r.value(y.Content[i]), r.value(y.Content[i+1])
		switch {
		case y.Content[i].Tag == "!!merge" && value.Kind == Sequence:
			merge = append(merge, value.Items...)
		case y.Content[i].Tag == "!!merge":
			merge = append(merge, value)
		case key.Kind != Scalar:
			n.Entries = append(n.Entries, LooseEntry{"", key.At, value})
		case !n.add(LooseEntry{key.Value, key.At, value}):
			r.refuse(y.Content[i], CodeDuplicateKey,
				"The key "+shown([]byte(key.Value))+" is repeated. Remove all but one: some programs use the first, others the last.")
		}
	}
	for _, m := range merge {
		for _, e := range m.Entries {
			if r.merged++; r.merged > maxMerged {
				r.refuse(y, CodeTooLarge, "The merge keys (<<) in this file copy too many keys. Write the keys where they belong.")
				return
			}
			n.add(e)
		}
	}
}

// add adds an entry unless the mapping has its key, and reports whether it did.
func (n *Loose) add(e LooseEntry) bool {
	if n.keys[e.Key] != nil {
		return false
	}
	n.keys[e.Key] = e.Value
	n.Entries = append(n.Entries, e)
	return true
}

// libraryError splits an error of yaml.v3 into line and text.
var libraryError = lazy.Expr(`(?s)^(?:yaml: )?(?:line ([0-9]+): )?(.*)$`)

// unknownMistake is for an error of yaml.v3 whose cause the reader doesn't find.
func unknownMistake(f *source.File, err error) source.Problem {
	if errors.Is(err, errReaderFault) {
		return mistake(f.LineSpan(1),
			"The file could not be read because of a bug in this program. Report the bug with the file.")
	}
	m := libraryError().FindStringSubmatch(err.Error())
	line, _ := strconv.Atoi(m[1])
	return mistake(f.LineSpan(max(line, 1)), "Invalid YAML in this line or just above: %s.", excerpt([]byte(m[2])))
}
