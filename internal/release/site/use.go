package site

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io/fs"
	"regexp"
	"strings"

	"github.com/rubric-library/rubric-library/clients/javascript"
	"github.com/rubric-library/rubric-library/clients/python"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// command is what a consumer runs in an empty folder to get and use a version, or the
// library. A test runs each one.
type command struct{ Name, Note, Code string }

// The packages of the clients that the site has until registries have them.
const (
	pythonPackage     = "assets/rubric-bundle-python.tar.gz"
	javascriptPackage = "assets/rubric-bundle-javascript.tgz"
)

// The commands for a version. Words in capitals are replaced.
var documentCommands = []command{
	{"curl", "This version alone, as JSON. Its digest is the SHA-256 of the file.", `curl -fsS -o ID.json URL/FOLDER/VERSION.json
echo "SUM  ID.json" | sha256sum -c`},
	{"rubric get", "The bundle of the whole library, and this version from it.", `curl -fsSO URL/rubrics.zip
rubric verify rubrics.zip --digest DIGEST
rubric get rubrics.zip ID@VERSION#sha256:SUM`},
	{"rubric pull", "The same from the container registry.", `rubric pull REGISTRY:LIBRARY -o rubrics.zip --digest DIGEST
rubric get rubrics.zip ID@VERSION#sha256:SUM`},
	{"pip", "The client for Python, which has no dependencies.", `curl -fsSO URL/rubrics.zip
python3 -m venv .venv
.venv/bin/pip install URL/PYTHON
.venv/bin/python -c 'import rubric_bundle
bundle = rubric_bundle.open("rubrics.zip", "DIGEST")
print(bundle.get("ID", "VERSION").data["name"])'`},
	{"npm", "The client for JavaScript, which has no dependencies.", `curl -fsSO URL/rubrics.zip
npm install URL/JAVASCRIPT
node --input-type=module -e 'import { openFile } from "rubric-bundle";
const bundle = await openFile("rubrics.zip", { digest: "DIGEST" });
console.log(bundle.get("ID", "VERSION").data.name);'`},
	{"rubric serve", "A server for programs in any language.", `curl -fsSO URL/rubrics.zip
rubric verify rubrics.zip --digest DIGEST
rubric serve rubrics.zip --listen 127.0.0.1:7070 &
curl -fsS --retry 9 --retry-connrefused "http://127.0.0.1:7070/v1/documents/ID?version=VERSION"`},
}

// The commands for the library.
var libraryCommands = []command{
	{"curl", "The bundle, with every version of every document. Its digest is the SHA-256 of one of its entries.", `curl -fsSO URL/rubrics.zip
unzip -p rubrics.zip SHA256SUMS | sha256sum | grep -q WHOLE && echo verified`},
	{"rubric verify", "The bundle, verified completely.", `curl -fsSO URL/rubrics.zip
rubric verify rubrics.zip --digest DIGEST
rubric search rubrics.zip quality`},
}

// commands returns the commands for a version of a document, or for the library if e is nil.
// Without an address to fetch from, there are none.
func (b *builder) commands(e *entry, v *version) []command {
	o := &b.options
	if o.BaseURL == "" || o.Bundle == "" {
		return nil
	}
	digest := b.library.Digest()
	pairs := []string{
		"URL/", shellWord(o.BaseURL), "WHOLE", strings.TrimPrefix(digest, "sha256:"), "DIGEST", digest, "REGISTRY", o.Forge.Registry,
		"LIBRARY", b.library.Version(), "PYTHON", pythonPackage, "JAVASCRIPT", javascriptPackage,
	}
	list := libraryCommands
	if e != nil {
		list = documentCommands
		pairs = append(pairs, "ID", e.ID, "VERSION", v.Version, "FOLDER", e.Folder, "SUM", strings.TrimPrefix(v.Digest, "sha256:"))
	}
	filled := strings.NewReplacer(pairs...)
	var out []command
	for _, c := range list {
		if o.Forge.Registry != "" || !strings.Contains(c.Code, "REGISTRY") {
			out = append(out, command{c.Name, c.Note, filled.Replace(c.Code)})
		}
	}
	return out
}

var plainWord = regexp.MustCompile(`^[A-Za-z0-9:/._~-]+$`)

// shellWord returns a text that a shell reads as one word, to which more can be appended.
func shellWord(text string) string {
	if plainWord.MatchString(text) {
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

// use is an example program that gets exactly this version and applies it.
type use struct{ Language, Code string }

// The example programs. ID, VERSION, and DIGEST are replaced. Scores, text, and results
// are the consumer's.
var rubricUses, ruleSetUses = []use{
	{"Go", `import (
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

lib, err := library.Open("rubrics.zip", library.WithDigest(DIGEST))
r, err := lib.Rubric(ctx, ID, VERSION)
hits, err := r.NegativeHits(text)
verdict, err := r.Verdict(scores, rubric.HitNames(hits))`},
	{"Python", `import rubric_bundle

bundle = rubric_bundle.open("rubrics.zip", DIGEST)
rubric = bundle.get(ID, VERSION)
hits = rubric_bundle.hits(rubric, text)
verdict = rubric_bundle.verdict(rubric, scores, [hit.name for hit in hits])`},
	{"JavaScript", `import { hits, openFile, verdict } from "./rubric-bundle.mjs";

const bundle = await openFile("rubrics.zip", { digest: DIGEST });
const rubric = bundle.get(ID, VERSION);
const found = hits(rubric, text).map(({ name }) => name);
const result = verdict(rubric, scores, found);`},
}, []use{
	{"Go", `import "github.com/rubric-library/rubric-library/pkg/library"

lib, err := library.Open("rubrics.zip", library.WithDigest(DIGEST))
s, err := lib.RuleSet(ctx, ID, VERSION)
score, err := s.Score("A", results)`},
	{"Python", `import rubric_bundle

bundle = rubric_bundle.open("rubrics.zip", DIGEST)
rule_set = bundle.get(ID, VERSION)
score = rubric_bundle.rule_score(rule_set, "A", results)`},
	{"JavaScript", `import { openFile, ruleScore } from "./rubric-bundle.mjs";

const bundle = await openFile("rubrics.zip", { digest: DIGEST });
const ruleSet = bundle.get(ID, VERSION);
const score = ruleScore(ruleSet, "A", results);`},
}

// uses returns the example programs for a version, none in a preview without a bundle.
func uses(e *entry, v *version, digest string) []use {
	if digest == "" {
		return nil
	}
	programs := rubricUses
	if e.Kind == bundlefile.KindRuleSet {
		programs = ruleSetUses
	}
	filled := strings.NewReplacer("DIGEST", fmt.Sprintf("%q", digest), "VERSION", fmt.Sprintf("%q", v.Version), "ID", fmt.Sprintf("%q", e.ID))
	out := make([]use, len(programs))
	for i, u := range programs {
		out[i] = use{u.Language, filled.Replace(u.Code)}
	}
	return out
}
