package site

import (
	"archive/tar"
	"bytes"
	"cmp"
	"compress/gzip"
	"embed"
	"io/fs"
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/clients/javascript"
	"github.com/rubric-library/rubric-library/clients/python"
)

// The packages of the clients that the site has until registries have them.
const (
	pythonPackage     = "assets/rubric-bundle-python.tar.gz"
	javascriptPackage = "assets/rubric-bundle-javascript.tgz"
)

// command is what a consumer runs to get and use a version or the library, or a program that does.
// Each runs in an empty folder or in the one that those before it leave, and a test does that.
type command struct{ Name, Note, Code string }

// commandTexts has the commands and the programs: a heading with a group, a name, and a note,
// and then the code. Words in capitals are replaced.
//
//go:embed templates/commands.txt
var commandTexts string

// commands returns the commands or programs of a group, for a version of a document, or for the
// library if e is nil. Those that need what is not known, such as an address, are left out.
func (b *builder) commands(group string, e *entry, v *version) (list []command) {
	o := &b.options
	digest := b.library.Digest()
	pairs := []string{
		"URL/", shellWord(o.BaseURL), "WHOLE", strings.TrimPrefix(digest, "sha256:"), "DIGEST", digest,
		"REGISTRY", o.Forge.Registry, "LIBRARY", b.library.Version(),
		"PYTHON", pythonPackage, "JAVASCRIPT", javascriptPackage,
	}
	if e != nil {
		pairs = append(pairs, "DOCUMENT", e.ID, "VERSION", v.Version, "FOLDER", e.Folder, "SUM",
			strings.TrimPrefix(v.Digest, "sha256:"), "KIND", strings.ReplaceAll(string(e.Kind), "_", ""))
	}
	for i := 1; i < len(pairs); i += 2 {
		pairs[i] = cmp.Or(pairs[i], unknown)
	}
	words := strings.NewReplacer(pairs...)
	for text := range strings.SplitSeq(strings.TrimPrefix(commandTexts, "== "), "\n== ") {
		heading, code, _ := strings.Cut(text, "\n")
		parts := strings.SplitN(heading, ":", 3)
		if code = words.Replace(code); parts[0] == group && !strings.Contains(code, unknown) {
			list = append(list, command{strings.TrimSpace(parts[1]), strings.TrimSpace(parts[2]), strings.TrimSpace(code)})
		}
	}
	return list
}

// unknown replaces a word whose value is not known. It is in no code.
const unknown = "\x00"

var plainWord = regexp.MustCompile(`^[A-Za-z0-9:/._~-]+$`)

// shellWord returns a text that a shell reads as one word, to which more can be appended.
func shellWord(text string) string {
	if text == "" || plainWord.MatchString(text) {
		return text
	}
	return "'" + strings.ReplaceAll(text, "'", `'\''`) + "'"
}

// writePackages writes the clients in the form that pip and npm install.
func (b *builder) writePackages() error {
	for name, files := range map[string]embed.FS{pythonPackage: python.Package, javascriptPackage: javascript.Package} {
		data, err := packed(files)
		if err != nil {
			return err
		}
		if err := b.put(name, data); err != nil {
			return err
		}
	}
	return nil
}

// packed returns files as a compressed tar archive with the folder package.
func packed(files fs.FS) ([]byte, error) {
	var out bytes.Buffer
	compressed := gzip.NewWriter(&out)
	archive := tar.NewWriter(compressed)
	err := fs.WalkDir(files, ".", func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := fs.ReadFile(files, name)
		if err == nil {
			err = archive.WriteHeader(&tar.Header{Name: "package/" + name, Mode: 0o644, Size: int64(len(data))})
		}
		if err == nil {
			_, err = archive.Write(data)
		}
		return err
	})
	if err == nil {
		err = archive.Close()
	}
	if err == nil {
		err = compressed.Close()
	}
	return out.Bytes(), err
}
