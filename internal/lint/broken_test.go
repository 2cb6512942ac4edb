package lint

import (
	"bytes"
	"flag"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/rubric-library/rubric-library/internal/document/source"
)

var update = flag.Bool("update", false, "rewrite the golden files of testdata/broken")

// Where a single broken document lies in its library, and its ID.
const (
	brokenPath = Root + "/corpus/broken_v1.yaml"
	brokenID   = "broken_v1"
)

// broken is one mistake of the corpus, as a library.
type broken struct {
	name string // of the mistake
	fsys fstest.MapFS
	// archive tells that the mistake needs file names of its own.
	archive bool
}

// corpus reads the documents of testdata/broken, each with one mistake after
// which it is named.
func corpus(t testing.TB) []broken {
	t.Helper()
	files, err := filepath.Glob("testdata/broken/*")
	if err != nil {
		t.Fatal(err)
	}
	var all []broken
	for _, file := range files {
		ext := filepath.Ext(file)
		b := broken{name: strings.TrimSuffix(filepath.Base(file), ext), fsys: fstest.MapFS{}, archive: ext == ".txtar"}
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch ext {
		case ".golden":
			continue
		case ".yaml":
			b.fsys[brokenPath] = &fstest.MapFile{Data: data}
		case ".txtar":
			for _, f := range txtar.Parse(data).Files {
				b.fsys[f.Name] = &fstest.MapFile{Data: f.Data}
			}
		default:
			t.Errorf("%s is neither a document nor an archive nor a golden file", file)
		}
		all = append(all, b)
	}
	return all
}

// corpusConfig is the configuration of the mistakes that bring none: most of the
// documents were written without labels, and that is a mistake of its own.
const corpusConfig = "severity:\n  no-calibration: \"off\"\n  language-unchecked: \"off\"\n"

// options are those with which a mistake is looked for.
func (b *broken) options(t testing.TB) Options {
	t.Helper()
	config, err := LoadConfig(b.fsys)
	if config == nil && err == nil {
		config, err = ParseConfig(source.NewFile(ConfigFile, []byte(corpusConfig)))
	}
	if err != nil {
		t.Fatalf("%s: %v", b.name, err)
	}
	opts := Options{Config: config}
	if opts.Allowance.Own, err = LoadBaseline(b.fsys); err != nil {
		t.Fatalf("%s: %v", b.name, err)
	}
	if strings.HasPrefix(b.name, "owners-") {
		opts.Repository = &Repository{Files: b.fsys}
	}
	return opts
}

func (b *broken) run(t testing.TB) *Report {
	t.Helper()
	report, err := Run(b.fsys, b.options(t))
	if err != nil {
		t.Fatalf("%s: %v", b.name, err)
	}
	return report
}

func (b *broken) goldenFile() string { return "testdata/broken/" + b.name + ".golden" }

// golden writes findings as the golden files have them: a line each, then its
// other places and its fix. withFile puts the file before each place.
func golden(fsys fs.FS, findings []Finding, withFile bool) string {
	var out strings.Builder
	place := func(l source.Location) string {
		p := span(l.Start, l.End)
		if withFile {
			p = l.File + ":" + p
		}
		return p
	}
	for _, f := range findings {
		fmt.Fprintf(&out, "%s %s[%s] %s: %s\n", place(f.Location), f.Severity, f.Rule.ID, f.Pointer, f.Message)
		for _, r := range f.Related {
			fmt.Fprintf(&out, "  related %s: %s\n", place(r.Location), r.Message)
		}
		if f.Fix == nil {
			continue
		}
		fmt.Fprintf(&out, "  fix: %s\n", f.Fix.Message)
		data, _ := fs.ReadFile(fsys, f.File) // a finding with a fix has its file
		file := source.NewFile(f.File, data)
		for _, e := range f.Fix.Edits {
			fmt.Fprintf(&out, "    edit %s %q\n", span(file.Position(e.Start), file.Position(e.End)), e.Text)
		}
		if f.Fix.Rename != "" {
			fmt.Fprintf(&out, "    rename %s\n", f.Fix.Rename)
		}
	}
	return out.String()
}

func span(start, end source.Position) string {
	return fmt.Sprintf("%d:%d-%d:%d", start.Line, start.Column, end.Line, end.Column)
}

// rewriting counts what -update changes, so that nobody rewrites a golden file
// without noticing.
type rewriting struct{ files, added, removed int }

func (r *rewriting) count(before, after []string) {
	if slices.Equal(before, after) {
		return
	}
	r.files++
	for _, f := range after {
		if !slices.Contains(before, f) {
			r.added++
		}
	}
	for _, f := range before {
		if !slices.Contains(after, f) {
			r.removed++
		}
	}
}

// findingTexts are the findings of a golden file, a line each.
func findingTexts(golden []byte) []string {
	var out []string
	for _, m := range findingLines(golden) {
		out = append(out, string(m[0]))
	}
	return out
}

func TestBroken(t *testing.T) {
	var rewritten rewriting
	if *update {
		defer func() {
			if rewritten.files > 0 {
				t.Errorf("%d golden files were rewritten: %d findings are new, %d are gone. Read them, then run again without -update", rewritten.files, rewritten.added, rewritten.removed)
			}
		}()
	}
	for _, b := range corpus(t) {
		t.Run(b.name, func(t *testing.T) {
			report := b.run(t)
			got := golden(b.fsys, report.Findings, b.archive)
			want, err := os.ReadFile(b.goldenFile())
			if *update {
				rewritten.count(findingTexts(want), findingTexts([]byte(got)))
				err = os.WriteFile(b.goldenFile(), []byte(got), 0o666)
				want = []byte(got)
			}
			if err != nil {
				t.Fatal(err)
			}
			if len(report.Findings) == 0 {
				t.Error("the mistake is not found")
			}
			if diff := cmp.Diff(string(want), got); diff != "" {
				t.Errorf("the findings differ (-golden +now); if they should, run go test ./internal/lint -run TestBroken -update and read them:\n%s", diff)
			}
		})
	}
}

// findingLine takes a line of a golden file apart: the lint rule, its message.
var findingLine = regexp.MustCompile(`(?m)^\S.* (?:error|warning|note)\[([a-z-]+)\] .*?: (.*)$`)

func findingLines(golden []byte) [][][]byte { return findingLine.FindAllSubmatch(golden, -1) }

// goldens reads all golden files by the name of the mistake.
func goldens(t *testing.T) map[string][]byte {
	t.Helper()
	files, err := filepath.Glob("testdata/broken/*.golden")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden files: %v", err)
	}
	all := map[string][]byte{}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		all[strings.TrimSuffix(filepath.Base(file), ".golden")] = data
	}
	return all
}

func TestEveryGoldenBelongsToADocument(t *testing.T) {
	left := goldens(t)
	for _, b := range corpus(t) {
		delete(left, b.name)
	}
	for name := range left {
		t.Errorf("%s.golden belongs to no document; delete it", name)
	}
}

// notInCorpus are the lint rules that no document of the corpus can break, and
// the tests that break them instead.
var notInCorpus = map[string]string{
	"unreadable-file":  "needs a file system that fails: TestWhatCanNotBeReadIsAFinding",
	"exception-stale":  "needs a repository: the scripts of the command",
	"git-conversion":   "needs Git's own files of attributes: the scripts of the command",
	"pattern-unjudged": "needs a pattern of thousands of characters: TestALargePatternIsUnjudged",
	"line-too-long":    "would put 1 MiB into the repository: TestALongLineIsAFinding",
	"file-too-large":   "would put 256 KiB into the repository: TestALargeFileIsAFinding",
}

func TestEveryRuleIsInTheCorpus(t *testing.T) {
	hit := map[string]bool{}
	for _, data := range goldens(t) {
		for _, line := range findingLines(data) {
			hit[string(line[1])] = true
		}
	}
	for _, r := range Rules() {
		_, excused := notInCorpus[r.ID]
		excused = excused || r.History != nil // the scripts of the command have repositories
		if hit[r.ID] == excused {
			t.Errorf("lint rule %s: in the corpus %t, excused from it %t", r.ID, hit[r.ID], excused)
		}
	}
	for id := range notInCorpus {
		if FindRule(id) == nil {
			t.Errorf("there is no lint rule %s to excuse", id)
		}
	}
}

// several are the documents with more than one finding, and why. Of all others
// the mistake is one finding.
var several = map[string]string{
	"calibration-join-not-named":        "the forgotten line also tells a rubric with the same labels from a copy",
	"calibration-path-of-items":         "the path is no dataset, and neither is the folder",
	"duplicate-id-in-broken-document":   "an ID is repeated, and the document is broken besides",
	"duplicate-id-three-times":          "two documents repeat the ID of the third, and one is named wrongly",
	"encoding-several-characters":       "each kind of character is a finding",
	"file-extension-capitals":           "the ending is wrong, and no name has capitals",
	"file-extension-yml-beside-yaml":    "the ending is wrong, and the ID is that of the file beside it",
	"file-folder-and-name":              "the folder and the name are wrong",
	"file-name-taken":                   "the ID is repeated, and it is not the name of the file",
	"folder-name-capitals":              "no name has capitals, and it is not the folder of the type",
	"folder-named-like-document":        "a folder stands in place of a document, and the one in it is too deep",
	"hidden-text-file-name":             "the name has a hidden character, so it is not that of the ID",
	"hidden-text-in-broken-file":        "what can't be seen is found where nothing can be read",
	"hidden-text-in-key":                "no key of metadata has such a character",
	"hidden-text-in-key-escaped":        "the same key, written otherwise",
	"hidden-text-override":              "the override and its end are two characters at two places",
	"ignore-forbidden-with-its-finding": "the finding stays, and the comment that should silence it is one, too",
	"look-alike-id-case":                "an ID with capitals is wrong, and looks like the other",
	"not-nfc-key":                       "no key of metadata has letters outside ASCII",
	"rubric-examples-empty-group":       "two examples are missing",
	"two-broken-documents":              "each of two documents has its own",
}

func TestAMistakeIsOneFinding(t *testing.T) {
	all := goldens(t)
	for name, data := range all {
		_, excused := several[name]
		if n := len(findingLines(data)); (n > 1) != excused {
			t.Errorf("%s has %d findings, excused from having one %t", name, n, excused)
		}
	}
	for name := range several {
		if all[name] == nil {
			t.Errorf("there is no %s to excuse", name)
		}
	}
}

// jargon is what no author needs to know. What stands in backquotes is to be typed
// as it is.
var jargon = regexp.MustCompile(`(?i)\b(merge bases?|digests?|NFC|RE2|scalars?|nodes?|tokens?|pars(e|es|ed|er|ing)|unmarshal\w*|null|mappings?|sequences?)\b`)

var typed = regexp.MustCompile("`[^`]*`")

func TestMessagesSpeakPlainly(t *testing.T) {
	all := goldens(t)
	for _, name := range slices.Sorted(maps.Keys(all)) {
		for _, line := range findingLines(all[name]) {
			if word := jargon.Find(typed.ReplaceAll(line[2], nil)); word != nil {
				t.Errorf("%s: %s says %q: %s", name, line[1], word, line[2])
			}
		}
	}
}

// TestEveryFileBroken puts all single documents into one library: each has the
// findings that it has alone.
func TestEveryFileBroken(t *testing.T) {
	together := fstest.MapFS{}
	alone := map[string]string{}
	for i, b := range corpus(t) {
		if b.archive {
			continue
		}
		// As long as the ID that it replaces, so that no column moves.
		id := fmt.Sprintf("b%05d_v1", i)
		path := Root + "/corpus/" + id + ".yaml"
		data := bytes.ReplaceAll(b.fsys[brokenPath].Data, []byte(brokenID), []byte(id))
		together[path] = &fstest.MapFile{Data: data}
		b.fsys = fstest.MapFS{path: together[path]}
		alone[path] = golden(b.fsys, b.run(t).Findings, true)
	}
	report, err := Run(together, (&broken{fsys: together}).options(t))
	if err != nil {
		t.Fatal(err)
	}
	byFile := map[string][]Finding{}
	for _, f := range report.Findings {
		// Broken IDs can resemble each other, and so do the documents.
		if f.Rule.ID != "look-alike-id" && f.Rule.Family != FamilyLibrary {
			byFile[f.File] = append(byFile[f.File], f)
		}
	}
	for path, want := range alone {
		if diff := cmp.Diff(want, golden(together, byFile[path], true)); diff != "" {
			t.Errorf("%s (-alone +together):\n%s", path, diff)
		}
	}
}

// specificationExample is the example rubric of the specification, word for
// word.
const specificationExample = `rubric_id: "user_story_quality_v1"
name: "User Story Quality"
version: "1.0.0"
artifact_type: "jira_tickets"
description: "Evaluates quality of Jira user stories"

criteria:
  - name: "clarity"
    description: "The user story is clear and unambiguous"
    weight: "essential"
    threshold: 3.0
    anchors:
      1: "Vague language, unclear who/what/why"
      2: "Partially clear but missing key context"
      3: "Understandable but could be misinterpreted"
      4: "Clear to most readers"
      5: "Crystal clear, no ambiguity possible"
    examples:
      score_1: "Make the system better"
      score_3: "User can login to the system"
      score_5: "As a registered user, I can login with email/password so that I can access my account dashboard"

  - name: "testability"
    description: "QA can write test cases from acceptance criteria"
    weight: "essential"
    threshold: 3.5
    anchors:
      1: "No clear acceptance criteria"
      2: "Criteria exist but not testable"
      3: "Some criteria are testable"
      4: "Most criteria map to test cases"
      5: "All criteria directly map to test cases"
    examples:
      score_1: "System should work properly"
      score_5: "GIVEN user is on login page WHEN entering valid credentials THEN redirected to dashboard within 2 seconds"

negative_criteria:
  - name: "no_assumptions"
    description: "Story does not rely on unstated assumptions"
    fail_patterns: ["assume", "obvious", "standard approach"]
  - name: "no_vague_language"
    fail_patterns: ["etc.", "and so on", "various", "appropriate"]

scoring:
  pass_threshold: 3.5
  essential_minimum: 3.0
`

func TestSpecificationExample(t *testing.T) {
	fsys := library(map[string]string{Root + "/jira_tickets/user_story_quality_v1.yaml": specificationExample})
	report := mustRun(t, fsys, Options{})
	if report.Summary.Errors > 0 {
		t.Errorf("the example of the specification has errors:\n%s", golden(fsys, report.Findings, true))
	}
}
