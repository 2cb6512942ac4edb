package cli

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// depot is a Git repository that a test writes itself, because thousands of histories would
// otherwise need thousands of processes. It has a working tree but no index, which no command
// reads.
type depot struct {
	t     testing.TB
	dir   string
	wrote map[string]bool
	names []string // of refs
	// program is the file of the program that rubric runs, or "" for this process.
	program string
}

func newDepot(t testing.TB) *depot {
	t.Helper()
	d := &depot{t: t, dir: t.TempDir(), wrote: map[string]bool{}}
	for _, folder := range []string{".git/objects", ".git/refs"} {
		if err := os.MkdirAll(filepath.Join(d.dir, folder), 0o777); err != nil {
			t.Fatal(err)
		}
	}
	d.write(".git/config", "[core]\n\trepositoryformatversion = 0\n")
	d.write(".git/HEAD", "ref: refs/heads/main\n")
	return d
}

// rubric runs a command in the repository.
func (d *depot) rubric(args ...string) (code int, out string) {
	if d.program == "" {
		return runWords(args...)
	}
	cmd := exec.Command(d.program, args...)
	cmd.Dir, cmd.Env = d.dir, []string{"HOME=" + d.dir}
	text, err := cmd.CombinedOutput()
	if exit := (*exec.ExitError)(nil); err != nil && !errors.As(err, &exit) {
		d.t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(text)
}

// write writes a file of the repository.
func (d *depot) write(name, text string) {
	d.t.Helper()
	file := filepath.Join(d.dir, filepath.FromSlash(name))
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		d.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		d.t.Fatal(err)
	}
}

// object writes an object and returns its hash.
func (d *depot) object(kind, text string) string {
	d.t.Helper()
	data := fmt.Sprintf("%s %d\x00%s", kind, len(text), text)
	hash := fmt.Sprintf("%x", sha1.Sum([]byte(data)))
	if !d.wrote[hash] {
		d.wrote[hash] = true
		var packed bytes.Buffer
		w, _ := zlib.NewWriterLevel(&packed, zlib.BestSpeed) // the level is valid
		_, _ = w.Write([]byte(data))
		_ = w.Close() // a buffer takes everything
		d.write(".git/objects/"+hash[:2]+"/"+hash[2:], packed.String())
	}
	return hash
}

// tree writes the folder of files by name.
func (d *depot) tree(files map[string]string) string {
	below, entries := map[string]map[string]string{}, map[string]string{}
	for name, text := range files {
		folder, rest, found := strings.Cut(name, "/")
		if !found {
			entries[name] = "100644 " + name + "\x00" + binary(d.object("blob", text))
			continue
		}
		if below[folder] == nil {
			below[folder] = map[string]string{}
		}
		below[folder][rest] = text
	}
	for folder, inside := range below {
		entries[folder+"/"] = "40000 " + folder + "\x00" + binary(d.tree(inside))
	}
	text := ""
	for _, name := range slices.Sorted(maps.Keys(entries)) {
		text += entries[name]
	}
	return d.object("tree", text)
}

func binary(hash string) string {
	raw, _ := hex.DecodeString(hash) // it is a hash
	return string(raw)
}

// commit writes a commit of files.
func (d *depot) commit(files map[string]string, parents ...string) string {
	text := "tree " + d.tree(files) + "\n"
	for _, p := range parents {
		text += "parent " + p + "\n"
	}
	return d.object("commit", text+"author Ann <ann@example.org> 1700000000 +0000\ncommitter Ann <ann@example.org> 1700000000 +0000\n\nx\n")
}

// release writes an annotated tag for the release of a commit.
func (d *depot) release(name, commit, digest string) string {
	return d.object("tag", "object "+commit+"\ntype commit\ntag "+name+"\ntagger Ann <ann@example.org> 1700000000 +0000\n\ndigest: "+digest+"\n")
}

// refs sets the refs by full name, and HEAD to a ref or a commit. There are no others.
func (d *depot) refs(head string, refs map[string]string) {
	d.t.Helper()
	for _, name := range d.names {
		if err := os.Remove(filepath.Join(d.dir, ".git", filepath.FromSlash(name))); err != nil {
			d.t.Fatal(err)
		}
	}
	d.names = slices.Sorted(maps.Keys(refs))
	for _, name := range d.names {
		d.write(".git/"+name, refs[name]+"\n")
	}
	if strings.HasPrefix(head, "refs/") {
		head = "ref: " + head
	}
	d.write(".git/HEAD", head+"\n")
}

// checkOut writes the files of the library to the working tree.
func (d *depot) checkOut(files map[string]string) {
	d.t.Helper()
	if err := os.RemoveAll(filepath.Join(d.dir, "rubrics")); err != nil {
		d.t.Fatal(err)
	}
	for name, text := range files {
		d.write(name, text)
	}
}
