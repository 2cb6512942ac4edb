package cli

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// runWords runs a command by its words, such as "list .", with its output and its
// errors in one text.
func runWords(words ...string) (code int, text string) {
	return runCommand(Rubric, words)
}

func runCommand(program func(command.Streams) *cobra.Command, args []string) (code int, text string) {
	return runIn(program, args, func(string) string { return "" })
}

// runIn is runCommand with the variables of an environment.
func runIn(program func(command.Streams) *cobra.Command, args []string, getenv func(string) string) (code int, text string) {
	var out strings.Builder
	s := command.Streams{In: strings.NewReader(""), Out: &out, Err: &out, Getenv: getenv}
	code = command.Main(program, args, s)
	return code, out.String()
}

// answer is what a command says about the document odd_v1.
type answer string

const (
	seen   answer = "seen"   // the library has the document
	absent answer = "absent" // the library has no such document, and nothing is wrong
	// refused: something in the library is wrong, and it is named. What only reads goes on with
	// the other documents.
	refused answer = "refused"
)

// oddities are what a library can contain in addition to valid documents. Every command
// gives the same answer about each.
var oddities = []struct {
	what, path string // path is the file that a refusal names
	want       answer
	rule       string // the lint rule that reports it
	write      func(t *testing.T)
}{
	{"a document", "", seen, "", func(t *testing.T) { writeOdd(t, "rubrics/prd/odd_v1.yaml", oddRubric) }},
	{"the extension .yml", "", seen, "file-extension", func(t *testing.T) { writeOdd(t, "rubrics/prd/odd_v1.yml", oddRubric) }},
	{"the extension .YAML", "", seen, "file-extension", func(t *testing.T) { writeOdd(t, "rubrics/prd/odd_v1.YAML", oddRubric) }},
	{"another name", "", seen, "file-name", func(t *testing.T) { writeOdd(t, "rubrics/prd/name.yaml", oddRubric) }},
	{"a document in a folder with the name of a document", "", seen, "not-a-file", func(t *testing.T) {
		writeOdd(t, "rubrics/prd.yaml/odd_v1.yaml", oddRubric)
	}},
	{"a duplicate ID", "rubrics/prd/other_v1.yaml", refused, "duplicate-id", func(t *testing.T) {
		writeOdd(t, "rubrics/prd/odd_v1.yaml", oddRubric)
		writeOdd(t, "rubrics/prd/other_v1.yaml", oddRubric)
	}},
	{"a duplicate ID behind .yml", "rubrics/prd/odd_v1.yml", refused, "duplicate-id", func(t *testing.T) {
		writeOdd(t, "rubrics/prd/odd_v1.yaml", oddRubric)
		writeOdd(t, "rubrics/prd/odd_v1.yml", oddRubric)
	}},
	{"an oversized file", "rubrics/prd/odd_v1.yaml", refused, "file-too-large", func(t *testing.T) {
		writeOdd(t, "rubrics/prd/odd_v1.yaml", oddRubric+strings.Repeat("# x\n", 1<<17))
	}},
	{"a symbolic link", "rubrics/prd/odd_v1.yaml", refused, "not-a-file", func(t *testing.T) {
		writeOdd(t, "draft.yaml", oddRubric)
		linkOdd(t, "../../draft.yaml", "rubrics/prd/odd_v1.yaml")
	}},
	{"a symbolic link to a folder", "", absent, "not-a-file", func(t *testing.T) {
		writeOdd(t, "more/odd_v1.yaml", oddRubric)
		linkOdd(t, "../more", "rubrics/more")
	}},
	{"a folder with the name of a document", "", absent, "not-a-file", func(t *testing.T) {
		writeOdd(t, "rubrics/prd/odd_v1.yaml/notes.txt", "x")
	}},
	{"a foreign file", "", absent, "stray-file", func(t *testing.T) { writeOdd(t, "rubrics/prd/odd_v1.txt", oddRubric) }},
	{"a document elsewhere", "", absent, "", func(t *testing.T) { writeOdd(t, "drafts/odd_v1.yaml", oddRubric) }},
}

// asked is a command that reads the library, its outputs if the document is seen or
// absent, and its exit codes: for seen, absent, and refused.
type asked struct {
	words        string
	seen, absent string
	codes        [3]int
}

// questions are all commands that read a library.
var questions = []asked{
	{"lint --base none --format json", `"rubrics": 2`, `"rubrics": 1`, [3]int{anyCode, anyCode, command.ExitFindings}},
	{"lint --base none --rev HEAD --format json", `"rubrics": 2`, `"rubrics": 1`, [3]int{anyCode, anyCode, command.ExitFindings}},
	{"diff HEAD~1 --check", "odd_v1 1.0.0: added", "No documents differ", [3]int{command.ExitOK, command.ExitOK, command.ExitFindings}},
	{"diff HEAD~1 HEAD --check", "odd_v1 1.0.0: added", "No documents differ", [3]int{command.ExitOK, command.ExitOK, command.ExitFindings}},
	{"diff path:base path:. --check", "odd_v1 1.0.0: added", "No documents differ", [3]int{command.ExitOK, command.ExitOK, command.ExitFindings}},
	{"build -o DIR/a.zip", "2 documents", "1 document ", [3]int{command.ExitOK, command.ExitOK, command.ExitFailure}},
	{"build -o DIR/b.zip --version 2.0.0", "2 documents", "1 document ", [3]int{command.ExitOK, command.ExitOK, command.ExitFindings}},
	{"list", "odd_v1", "good_v1", [3]int{command.ExitOK, command.ExitOK, command.ExitOK}},
	{"get odd_v1", "odd_v1@1.0.0", `the library has no document "odd_v1"`, [3]int{command.ExitOK, command.ExitFailure, command.ExitFailure}},
	{"search . odd_v1", "odd_v1", "No documents found", [3]int{command.ExitOK, command.ExitOK, command.ExitOK}},
	{"refs contract.yaml", "0 errors", `The library has no document "odd_v1"`, [3]int{command.ExitOK, command.ExitFindings, command.ExitFindings}},
	{"site -o DIR/site", "documents: 2", "documents: 1", [3]int{command.ExitOK, command.ExitOK, command.ExitOK}},
	{"calibrate report odd_v1", "No judge has answered the items of notes for odd_v1.", "the library has no rubric odd_v1", [3]int{command.ExitOK, command.ExitFailure, command.ExitFailure}},
	{"calibrate check odd_v1", "No judge has answered the items of notes for odd_v1.", "the library has no rubric odd_v1", [3]int{command.ExitFindings, command.ExitFailure, command.ExitFailure}},
	{"new rubric --id odd_v1 --name x --artifact-type other --criteria clarity --dry-run", "odd_v1 is already the ID of a rubric", "rubrics/other/odd_v1.yaml", [3]int{command.ExitFailure, command.ExitOK, command.ExitFailure}},
	{"fork odd_v1 --reason It_is_old. --dry-run", "odd_v2", `this library has no document "odd_v1"`, [3]int{command.ExitOK, command.ExitFailure, command.ExitFailure}},
	{"retire odd_v1 --reason It_is_old. --replaced-by none --dry-run", `id: "odd_v1"`, `this library has no document "odd_v1"`, [3]int{command.ExitOK, command.ExitFailure, command.ExitFailure}},
}

func TestEveryCommandSeesTheSameLibrary(t *testing.T) {
	for _, o := range oddities {
		t.Run(o.what, func(t *testing.T) {
			writeOddLibrary(t, o.write)
			out := t.TempDir()
			for _, q := range questions {
				words := strings.Fields(strings.ReplaceAll(q.words, "DIR", filepath.ToSlash(out)))
				code, text := runWords(words...)
				says := map[answer]string{seen: q.seen, absent: q.absent, refused: o.path}[o.want]
				wantCode := q.codes[slices.Index([]answer{seen, absent, refused}, o.want)]
				if code != wantCode && wantCode != anyCode || !strings.Contains(text, says) {
					t.Errorf("%s exits with %d, want %d and %q:\n%s", q.words, code, wantCode, says, text)
				}
				if o.want == absent && words[0] == "list" && strings.Contains(text, "odd_v1") {
					t.Errorf("list has odd_v1:\n%s", text)
				}
				if words[0] == "lint" && !strings.Contains(text, `"rule": "`+o.rule) {
					t.Errorf("%s does not report %s:\n%s", q.words, o.rule, text)
				}
			}
		})
	}
}

// TestGetAgreesWithTheLibrary checks that the command and the package that consumers
// import find and refuse the same references.
func TestGetAgreesWithTheLibrary(t *testing.T) {
	writeOddLibrary(t, func(t *testing.T) { writeOdd(t, "rubrics/prd/odd_v1.yaml", oddRubric) })
	out := filepath.Join(t.TempDir(), "rubrics.zip")
	if code, text := runWords("build", "-o", out); code != command.ExitOK {
		t.Fatal(text)
	}
	folder := must.Get(library.OpenDir(os.DirFS(".")))(t)
	bundle := must.Get(library.Open(out))(t)
	defer func() { _ = bundle.Close() }()
	full := must.Get(folder.Resolve("odd_v1", ""))(t)
	found := 0
	for _, text := range []string{
		"odd_v1", "odd_v1@1.0.0", "odd_v1@~1", "odd_v1@1", "odd_v1@>=1 <2", "odd_v1@ 1.0.0", full.String(), "odd_v1@~1#" + full.Digest,
		"odd_v1#" + full.Digest, "odd_v1@1.0.0#sha256:00", "odd_v1@1.0.0#" + strings.Replace(full.Digest, "sha256:", "md5:", 1),
		"odd_v1@1.0.0#sha256:" + strings.Repeat("0", 64), "odd_v1@2", "odd_v1@soon", "odd_v1@", "odd_v1@ ", "@1.0.0", "Odd_v1", "odd v1", "other_v1", " ",
	} {
		for name, l := range map[string]*library.Library{".": folder, out: bundle} {
			r, err := l.GetReference(t.Context(), text)
			code, shown := runWords("get", name, text, "--format", "reference")
			if (err == nil) != (code == command.ExitOK) || r != nil && strings.TrimSpace(shown) != full.String() {
				t.Errorf("%q: get exits with %d and says %s; GetReference gives %v, %v", text, code, shown, r, err)
			}
			if r != nil {
				found++
			}
		}
	}
	if found != 16 {
		t.Errorf("%d references are found, want 16", found)
	}
}

// oddRubric is the document that a library has in an odd way.
var oddRubric = strings.NewReplacer("EVIL", "odd", "good_v1", "odd_v1").Replace(hostileRubric)

// writeOddLibrary turns the working folder into a repository with a library of one
// committed document, and commits what write adds. The folder base has the library
// without it.
func writeOddLibrary(t *testing.T, write func(t *testing.T)) {
	t.Helper()
	dir := t.TempDir()
	t.Chdir(dir)
	good := strings.NewReplacer("EVIL", "good", "calibration_dataset: calibration/notes/dataset.yaml\n", "").Replace(hostileRubric)
	for _, folder := range []string{"", "base/"} {
		writeOdd(t, folder+"rubrics/prd/good_v1.yaml", good)
		writeOdd(t, folder+"calibration/notes/dataset.yaml", strings.NewReplacer("EVIL", "good", "good_v1", "odd_v1").Replace(hostileDataset))
		writeOdd(t, folder+"calibration/notes/items.jsonl", `{"id":"i1","artifact":"x","labels":{"r1":{"clarity":3}}}`+"\n")
	}
	writeOdd(t, ".gitignore", "/base/\n")
	writeOdd(t, "contract.yaml", "rubric: odd_v1\n")
	git(t, dir, "init", "-q", "-b", "main", "--template=")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "good")
	git(t, dir, "tag", "-a", "-m", "digest: sha256:"+strings.Repeat("0", 64), "library-v1.0.0")
	write(t)
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "odd")
}

func writeOdd(t *testing.T, name, text string) {
	t.Helper()
	must.Do(t, writeNew(filepath.FromSlash(name), text))
}

func linkOdd(t *testing.T, to, name string) {
	t.Helper()
	if err := os.Symlink(filepath.FromSlash(to), filepath.FromSlash(name)); err != nil {
		t.Skip("this system has no symbolic links: ", err)
	}
}
