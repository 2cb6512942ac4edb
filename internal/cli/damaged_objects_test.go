package cli

import (
	"bytes"
	"compress/zlib"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/packtest"
)

// beyondAll is a size that no object has.
const beyondAll = 100_000_000_000_000

// storedObject is a Git object and the file in which it is stored.
type storedObject struct {
	file    string
	stored  []byte // what the file has
	kind    string
	content []byte
}

func storedObjects(t *testing.T) []storedObject {
	t.Helper()
	var all []storedObject
	for _, file := range must.Get(filepath.Glob(".git/objects/??/*"))(t) {
		o := storedObject{file: file, stored: must.Get(os.ReadFile(file))(t)}
		text := must.Get(io.ReadAll(must.Get(zlib.NewReader(bytes.NewReader(o.stored)))(t)))(t)
		header, content, _ := bytes.Cut(text, []byte{0})
		o.kind, _, _ = strings.Cut(string(header), " ")
		o.content = content
		all = append(all, o)
	}
	return all
}

func (o storedObject) String() string { return fmt.Sprintf("the %s %.60q", o.kind, o.content) }

// name is the hash of the object.
func (o storedObject) name(t *testing.T) (name [20]byte) {
	t.Helper()
	must.Get(hex.Decode(name[:], []byte(filepath.Base(filepath.Dir(o.file))+filepath.Base(o.file))))(t)
	return name
}

// as is a file that says that it has another kind, size, or content.
func as(kind, size string, content []byte) []byte {
	return packtest.Compressed(slices.Concat([]byte(kind+" "+size+"\x00"), content))
}

// otherKind is the kind for which an object is mistaken: of files for folders and of commits for files.
var otherKind = map[string]string{"blob": "tree", "tree": "blob", "commit": "blob", "tag": "blob"}

// padded is a content that is larger than a document or a commit may be.
func padded(content []byte) []byte { return append(bytes.Clone(content), make([]byte, 5<<20)...) }

// changedByte is a content in which a byte in the middle is another one.
func changedByte(content []byte) []byte {
	changed := append(bytes.Clone(content), 'x')
	changed[len(content)/2] ^= 1
	return changed[:max(len(content), 1)]
}

// looseDamages are what can be wrong with the file of an object.
var looseDamages = []struct {
	what   string
	damage func(o, other storedObject) []byte
}{
	{"a size beyond all", func(o, _ storedObject) []byte { return as(o.kind, strconv.Itoa(beyondAll), o.content) }},
	{"a size above the limit", func(o, _ storedObject) []byte { return as(o.kind, strconv.Itoa(300<<20), o.content) }},
	{"a size of one byte more", func(o, _ storedObject) []byte { return as(o.kind, strconv.Itoa(len(o.content)+1), o.content) }},
	{"a size of one byte less", func(o, _ storedObject) []byte { return as(o.kind, strconv.Itoa(len(o.content)-1), o.content) }},
	{"a size below nothing", func(o, _ storedObject) []byte { return as(o.kind, "-1", o.content) }},
	{"no size", func(o, _ storedObject) []byte { return as(o.kind, "", o.content) }},
	{"another kind", func(o, _ storedObject) []byte { return as(otherKind[o.kind], strconv.Itoa(len(o.content)), o.content) }},
	{"another kind and a size beyond all", func(o, _ storedObject) []byte { return as(otherKind[o.kind], strconv.Itoa(beyondAll), o.content) }},
	{"an unknown kind", func(o, _ storedObject) []byte { return as("bolb", strconv.Itoa(len(o.content)), o.content) }},
	{"no header", func(o, _ storedObject) []byte { return packtest.Compressed(o.content) }},
	{"a file that is cut off", func(o, _ storedObject) []byte { return o.stored[:len(o.stored)/2] }},
	{"an empty file", func(o, _ storedObject) []byte { return nil }},
	{"a file that is not compressed", func(o, _ storedObject) []byte { return o.content }},
	{"a changed byte", func(o, _ storedObject) []byte {
		return as(o.kind, strconv.Itoa(max(len(o.content), 1)), changedByte(o.content))
	}},
	{"another content", func(o, other storedObject) []byte { return as(o.kind, strconv.Itoa(len(other.content)), other.content) }},
	{"another object", func(_, other storedObject) []byte { return other.stored }},
	{"a large content", func(o, _ storedObject) []byte {
		return as(o.kind, strconv.Itoa(len(padded(o.content))), padded(o.content))
	}},
}

// TestDamagedObjects damages each Git object of a repository in turn: a command ends with exit code 2
// and says what to do, or with the answer that it gives with a sound object. What a damaged object
// claims to be, such as a file that is too large, is never a finding.
func TestDamagedObjects(t *testing.T) {
	everyKindOfFile(t)
	for i, command := range []struct {
		words string
		code  int // with sound objects
		every int // how many of the damages are skipped after one
	}{
		{"lint --rev HEAD", 1, 5},
		{"lint --rev HEAD --base main~1", 1, 5},
		{"lint --range main~1..HEAD", 1, 2},
		{"lint --rev HEAD --audit", 1, 3},
		{"diff main HEAD", 0, 5},
		{"diff --check", 1, 5},
		{"diff --next-version", 0, 5},
		{"build second -o bundle.zip --version 2.0.0", 0, 3},
	} {
		t.Run(command.words, func(t *testing.T) {
			q := askWhole(t, command.code, strings.Fields(command.words)...)
			all := storedObjects(t)
			for n, o := range all {
				for m, d := range looseDamages {
					if (n+m+i)%command.every > 0 {
						continue
					}
					must.Do(t, errors.Join(os.Chmod(o.file, 0o644), os.WriteFile(o.file, d.damage(o, all[(n+1)%len(all)]), 0o644)))
					q.damaged(fmt.Sprintf("%s in %s", d.what, o))
				}
				must.Do(t, os.WriteFile(o.file, o.stored, 0o644))
			}
			q.finish()
		})
	}
}

// damaged runs the command with a damaged object.
func (q *question) damaged(what string) {
	q.t.Helper()
	q.ask("with "+what, "git fsck")
}
