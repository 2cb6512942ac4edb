package cli

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/packtest"
)

var packKinds = map[string]packtest.Kind{"commit": packtest.Commit, "tree": packtest.Tree, "blob": packtest.Blob, "tag": packtest.Tag}

// packedObject is an object and how a pack stores it.
type packedObject struct {
	packtest.Object
	kind    string
	content []byte
	base    *packedObject // another one of its kind
}

// holding is the object with a content of its size.
func (o packedObject) holding(content []byte) packtest.Object {
	o.Size, o.Content = int64(len(content)), packtest.Compressed(content)
	return o.Object
}

// differs is the object as the difference of a content from a base, of which it uses nothing.
func (o packedObject) differs(base *packedObject, content []byte, size int) packtest.Object {
	var commands strings.Builder
	for part := range slices.Chunk(content, 100) {
		commands.WriteByte(byte(len(part)))
		commands.Write(part)
	}
	o.Kind, o.Ref = packtest.ByHash, base.Name
	return o.holding(packtest.Difference(uint64(len(base.content)), uint64(size), commands.String()))
}

// packDamages are what can be wrong with an object in a pack.
var packDamages = []struct {
	what   string
	damage func(o packedObject) packtest.Object
}{
	{"a size beyond all", func(o packedObject) packtest.Object { o.Size = beyondAll; return o.Object }},
	{"a size above the limit", func(o packedObject) packtest.Object { o.Size = 300 << 20; return o.Object }},
	{"a size of one byte more", func(o packedObject) packtest.Object { o.Size++; return o.Object }},
	{"another kind", func(o packedObject) packtest.Object { o.Kind = packKinds[otherKind[o.kind]]; return o.Object }},
	{"an unknown kind", func(o packedObject) packtest.Object { o.Kind = packtest.Unknown; return o.Object }},
	{"a content that is cut off", func(o packedObject) packtest.Object { o.Content = o.Content[:len(o.Content)/2]; return o.Object }},
	{"a changed byte", func(o packedObject) packtest.Object { return o.holding(changedByte(o.content)) }},
	{"a large content", func(o packedObject) packtest.Object { return o.holding(padded(o.content)) }},
	{"a difference with a size beyond all", func(o packedObject) packtest.Object { return o.differs(o.base, o.content, beyondAll) }},
	{"a difference with a size above the limit", func(o packedObject) packtest.Object { return o.differs(o.base, o.content, 300<<20) }},
	{"a difference with a changed byte", func(o packedObject) packtest.Object {
		changed := changedByte(o.content)
		return o.differs(o.base, changed, len(changed))
	}},
	{"a difference that is larger than it says", func(o packedObject) packtest.Object {
		return o.differs(o.base, o.content, len(o.content)/2)
	}},
	{"a difference from a missing object", func(o packedObject) packtest.Object {
		return o.differs(&packedObject{Object: packtest.Object{Name: [20]byte{1}}}, o.content, len(o.content))
	}},
	{"a difference from itself", func(o packedObject) packtest.Object { return o.differs(&o, o.content, len(o.content)) }},
}

// packed puts all objects into one pack.
func packed(t *testing.T) []packedObject {
	t.Helper()
	var all []packedObject
	for _, o := range storedObjects(t) {
		p := packedObject{Object: packtest.Object{Name: o.name(t), Kind: packKinds[o.kind]}, kind: o.kind, content: o.content}
		p.Object = p.holding(o.content)
		all = append(all, p)
	}
	for i := range all {
		before := slices.IndexFunc(all, func(o packedObject) bool { return o.kind == all[i].kind && o.Name != all[i].Name })
		all[i].base = &all[before]
	}
	for _, folder := range must.Get(filepath.Glob(".git/objects/??"))(t) {
		must.Do(t, os.RemoveAll(folder))
	}
	writePacked(t, all)
	return all
}

func writePacked(t *testing.T, all []packedObject) {
	t.Helper()
	var objects []packtest.Object
	for _, o := range all {
		objects = append(objects, o.Object)
	}
	must.Do(t, packtest.Write(".git/objects/pack", objects...))
}

// TestDamagedObjectsOfPacks is TestDamagedObjects for packs.
func TestDamagedObjectsOfPacks(t *testing.T) {
	everyKindOfStep(t)
	all := packed(t)
	var questions []*question
	for _, command := range []string{
		"lint --rev HEAD --audit", "lint --range HEAD~1..HEAD", "diff c2 topic", "build -o bundle.zip --version 9.0.0",
	} {
		questions = append(questions, askWhole(t, 0, strings.Fields(command)...))
	}
	for n, o := range all {
		for m, d := range packDamages {
			damaged := slices.Clone(all)
			damaged[n].Object = d.damage(o)
			writePacked(t, damaged)
			for i, q := range questions {
				if (n+m+i)%2 == 0 {
					q.damaged(fmt.Sprintf("%s in the %s %.60q", d.what, o.kind, o.content))
				}
			}
		}
	}
	for _, q := range questions {
		q.finish()
	}
}
