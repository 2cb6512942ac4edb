package bundle

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/library"
)

// refuse lists the versions that today's parser rejects, unless the previous bundle has
// them.
func (b *builder) refuse() error {
	var unread []key
	for k := range b.refused {
		if b.chosen[k] == nil {
			unread = append(unread, k)
		}
	}
	slices.SortFunc(unread, compareKeys)
	for _, k := range unread {
		taken, err := b.takeReleased(k)
		if err != nil {
			return err
		}
		if !taken {
			b.Manifest.Refused = append(b.Manifest.Refused, b.refused[k])
		}
	}
	return nil
}

// takeReleased takes a version from the previous bundle. For a file whose version is
// unknown, it takes every version that is missing otherwise.
func (b *builder) takeReleased(k key) (taken bool, err error) {
	line := b.Previous.Find(k.id)
	if line == nil {
		return false, nil
	}
	for _, v := range line.Versions {
		this := key{k.id, v.Version}
		if b.chosen[this] != nil || k.version != "" && k.version != v.Version {
			continue
		}
		data, err := b.Previous.Read(line, v.Version)
		if err != nil {
			return false, err
		}
		b.chosen[this], taken = &content{key: this, kind: line.Kind, digest: v.Digest, data: data}, true
	}
	return taken, nil
}

// oneKind omits the versions of a document with another kind: in a bundle, an ID has one
// kind.
func (b *builder) oneKind() {
	kinds := map[string]string{}
	for _, k := range slices.SortedFunc(maps.Keys(b.chosen), compareKeys) {
		kinds[k.id] = b.chosen[k].kind // the highest version stays
		if c := b.current[k.id]; c != nil {
			kinds[k.id] = c.kind
		}
	}
	for k, c := range b.chosen {
		if c.kind != kinds[k.id] {
			delete(b.chosen, k)
			b.Manifest.Refused = append(b.Manifest.Refused, bundlefile.Omission{
				ID: k.id, Version: k.version,
				Reason: fmt.Sprintf("This version is a %s, but the ID is now the ID of a %s.", noun(c.kind), noun(kinds[k.id])),
			})
		}
	}
}

// noun is the word for a kind in sentences.
func noun(kind string) string { return strings.ReplaceAll(kind, "_", " ") }

// withdraw removes the content that must no longer be published.
func (b *builder) withdraw() {
	for i := range b.exceptions {
		e := &b.exceptions[i]
		k := key{e.ID, e.Version}
		if e.Rule != ruleWithdrawn {
			continue
		}
		switch c := b.current[e.ID]; {
		case e.Version == "":
			b.problem(k, "The withdrawal in %s names a commit instead of a version. Name the version.", library.ExceptionsFile)
			continue
		case !b.known(k):
			b.problem(k, "The withdrawal in %s has no effect: this version never existed. Check the ID and the version.", library.ExceptionsFile)
			continue
		case c != nil && c.version == e.Version:
			b.problem(k, "This version is withdrawn, but the library still has it. Publish a new version, or retire the document.")
			continue
		}
		delete(b.chosen, k)
		b.Notes = slices.DeleteFunc(b.Notes, func(p Problem) bool { return p.ID == k.id && p.Version == k.version })
		isThis := func(o bundlefile.Omission) bool { return o.ID == e.ID && o.Version == e.Version }
		b.Manifest.Refused = slices.DeleteFunc(b.Manifest.Refused, isThis)
		if !slices.ContainsFunc(b.Manifest.Tombstones, isThis) {
			b.Manifest.Tombstones = append(b.Manifest.Tombstones, bundlefile.Omission{ID: e.ID, Version: e.Version, Reason: e.Reason})
		}
	}
}

// known reports whether a version ever existed.
func (b *builder) known(k key) bool {
	_, refused := b.refused[k]
	_, unversioned := b.refused[key{id: k.id}]
	return len(b.versions[k]) > 0 || refused || unversioned || b.Previous.digestOf(k) != "" || b.Previous.tombstone(k)
}
