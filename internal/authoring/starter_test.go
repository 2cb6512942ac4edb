package authoring

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// firstDraft is that of a new library.
var firstDraft = Draft{Kind: &document.Rubric, ID: "x_v1", Name: "X", ArtifactType: "x"}

// carriedOut is a library in memory after an edit.
func carriedOut(t rapid.TB, before fstest.MapFS, s *Starter) (after fstest.MapFS, e *Edit) {
	t.Helper()
	l, err := OpenNew(before)
	if err != nil {
		t.Fatal(err)
	}
	if e, err = l.Start(s); err != nil {
		t.Fatal(err)
	}
	after = fstest.MapFS{}
	for name, f := range before {
		after[name] = f
	}
	for _, f := range e.Files {
		if before[f.Path] != nil {
			t.Fatalf("%s is overwritten", f.Path)
		}
		after[f.Path] = &fstest.MapFile{Data: f.After, Mode: 0o644}
	}
	return after, e
}

// TestStartIsGreenAndIdempotent holds for any name and type that a document can have,
// and for a library that has some of the files already.
func TestStartIsGreenAndIdempotent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := &Starter{
			Draft: Draft{
				Kind:         &document.Rubric,
				ArtifactType: rapid.StringMatching(`[a-z][a-z0-9]{0,8}(_[a-z0-9]{1,8}){0,3}`).Draw(t, "type"),
				Name:         rapid.StringMatching(`[A-Z][a-z]{2,9}( [a-z"'\\{}#:-]{3,9}){0,3}`).Draw(t, "name"),
			},
			Owner:   rapid.SampledFrom([]string{"", "@me", "@acme/quality", "me@example.org"}).Draw(t, "owner"),
			CI:      rapid.SampledFrom(CINames()).Draw(t, "ci"),
			Release: "v1.0.0",
		}
		s.ID = FirstID(s.Name)
		if s.CheckOwner(s.Owner) != nil {
			t.Skip("the command refuses this owner")
		}
		library, first := carriedOut(t, fstest.MapFS{}, s)
		report := must.Get(lint.Run(library, rules.All(), lint.Options{}))(t)
		for _, f := range report.Findings {
			if f.Rule.ID != "placeholder-text" { // what the author has to write
				t.Errorf("%s: %s", f.File, f.Message)
			}
		}
		for _, f := range first.Files {
			if rapid.Bool().Draw(t, f.Path) {
				delete(library, f.Path)
			}
		}
		again, _ := carriedOut(t, library, s)
		if _, last := carriedOut(t, again, s); len(last.Files) > 0 || slices.ContainsFunc(last.Warnings, func(w string) bool {
			return !strings.Contains(w, "--owner")
		}) {
			t.Errorf("a third time there are %d files and %q", len(last.Files), last.Warnings)
		}
	})
}

// TestPipelinesParse checks the files of every host with a release of which the commit is
// known: nothing is left to fill in, and no action or workflow has a version that moves.
func TestPipelinesParse(t *testing.T) {
	pinned := regexp.MustCompile(`^\S+@[0-9a-f]{40}( # v\S+)?$`)
	for _, host := range hosts.Table {
		files, _ := carriedOut(t, fstest.MapFS{}, &Starter{
			Draft: firstDraft, CI: host.ID, Release: "v1.2.3", Commit: strings.Repeat("c", 40),
		})
		if len(starterCIs[host.ID].files) == 0 {
			t.Errorf("a new library on %s gets no check", host.Name)
		}
		for _, f := range starterCIs[host.ID].files {
			name, _ := f.nameOn(host)
			data := files[name].Data
			if tree, problems := yamltree.Parse(source.NewFile(name, data)); tree == nil || len(problems) > 0 {
				t.Errorf("%s is not YAML: %v", name, problems)
			}
			if text := strings.ReplaceAll(string(data), "${{", ""); strings.Contains(text, "{{") {
				t.Errorf("%s is not filled in: %s", name, text)
			}
			for line := range strings.Lines(string(data)) {
				if _, uses, found := strings.Cut(line, "uses: "); found && !pinned.MatchString(strings.TrimSpace(uses)) {
					t.Errorf("%s is not pinned by a commit: %s", name, line)
				}
			}
		}
	}
}

// TestFilesSayWhichCommitIsMissing checks what a program pins that knows its release, its
// commit, both, or neither.
func TestFilesSayWhichCommitIsMissing(t *testing.T) {
	hash := strings.Repeat("c", 40)
	for _, c := range []struct{ release, commit, uses, rev, step string }{
		{"v1.2.3", hash, hash + " # v1.2.3", "v1.2.3", ""},
		{"", hash, hash, hash, ""},
		{"v1.2.3", "", "COMMIT # replace COMMIT with the full hash of the commit of v1.2.3", "v1.2.3",
			"replace COMMIT in .github/workflows/rubrics.yml, .github/workflows/rubrics-release.yml, and .github/workflows/rubrics-weekly.yml with the full hash of the commit of v1.2.3, because `go install` does not record it. `git ls-remote https://github.com/rubric-library/rubric-library v1.2.3` prints the hash"},
		{"", "", "COMMIT # replace COMMIT with the full hash of a commit of rubric-library/rubric-library", "COMMIT # replace COMMIT with the full hash of a commit of rubric-library/rubric-library",
			"replace COMMIT in .pre-commit-config.yaml, .github/workflows/rubrics.yml, .github/workflows/rubrics-release.yml, and .github/workflows/rubrics-weekly.yml with the full hash of a commit of rubric-library/rubric-library, because this is an unreleased build that does not know its commit. `git ls-remote https://github.com/rubric-library/rubric-library HEAD` prints the hash"},
	} {
		s := &Starter{Draft: firstDraft, CI: CIGitHub, Release: c.release, Commit: c.commit}
		files, e := carriedOut(t, fstest.MapFS{}, s)
		if text := string(files[Workflow].Data); !strings.HasSuffix(text, "uses: "+Project+"@"+c.uses+"\n") {
			t.Errorf("%q %q: %s ends with %q", c.release, c.commit, Workflow, text[len(text)-120:])
		}
		if text := string(files[".pre-commit-config.yaml"].Data); !strings.Contains(text, "rev: "+c.rev+"\n") {
			t.Errorf("%q %q: %s", c.release, c.commit, text)
		}
		if got := s.FillIn(e); got != c.step {
			t.Errorf("%q %q: the next step is %q, want %q", c.release, c.commit, got, c.step)
		}
		// A build in a clone does not know whether the server has its commit.
		want := c.release == "" && c.commit != ""
		got := s.UnpublishedFiles(e)
		if strings.HasPrefix(got, "open https://github.com/"+Project+"/commit/"+hash+", because .pre-commit-config.yaml, "+Workflow+", ") != want {
			t.Errorf("%q %q: the commit is reported with %q", c.release, c.commit, got)
		}
		if want && !strings.HasSuffix(got, "replace it in these files with the hash that `git ls-remote https://github.com/"+Project+" HEAD` prints") {
			t.Errorf("it does not say what to do about a commit that is not there: %q", got)
		}
		if got := s.UnpublishedFiles(&Edit{}); got != "" {
			t.Errorf("%q %q: nothing is written, and the step is %q", c.release, c.commit, got)
		}
	}
}

// TestReleasesComeFromTheBranch: a push to the branch that changes go into starts the check, and on GitHub a
// release, whatever the branch is named.
func TestReleasesComeFromTheBranch(t *testing.T) {
	for _, c := range []struct{ branch, want string }{
		{"trunk", "[trunk]"},
		{"release/next-1", "[release/next-1]"},
		{"", "[main]"},
		{"on", "['on']"}, // a word that YAML reads as a value
		{"1.0", "['1.0']"},
		{"it's, #1", "['it''s, #1']"},
		{"!a+b", `['\!a\+b']`}, // patterns of GitHub
		{"größer", "['größer']"},
	} {
		files, _ := carriedOut(t, fstest.MapFS{}, &Starter{Draft: firstDraft, CI: CIGitHub, Branch: c.branch})
		other, _ := carriedOut(t, fstest.MapFS{}, &Starter{Draft: firstDraft, CI: "gitea", Branch: c.branch})
		for _, f := range []*fstest.MapFile{files[".github/workflows/rubrics-release.yml"], files[Workflow], other[".gitea/workflows/rubrics.yml"]} {
			if !strings.Contains(string(f.Data), "\n  push:\n    branches: "+c.want+"\n") {
				t.Errorf("%q: %s", c.branch, f.Data)
			}
		}
	}
}

func TestFirstIDs(t *testing.T) {
	l := library(t, map[string]string{"rubrics/retired.yaml": "retired: [{id: gone_v1, kind: rubric, last_version: 1.0.0, reason: Old.}]\n"})
	for _, c := range []struct{ id, says string }{
		{"bug_v1", ""},
		{"bug", `Did you mean "bug_v1"?`},
		{"Bug report", `Did you mean "bug_report_v1"?`},
		{"bug_v2", "bug_v1"},
		{"gone_v1", "is retired"},
		{"ü", "must be"},
		{"", "is blank"},
	} {
		if err := l.CheckID(&document.Rubric, c.id); (err == nil) != (c.says == "") || err != nil && !strings.Contains(err.Error(), c.says) {
			t.Errorf("%q gives %v, want %q", c.id, err, c.says)
		}
	}
	if got := FirstID("Ärger"); got != "" {
		t.Errorf("a name that has no ID gives %q", got)
	}
}

func TestOwnersOfANewLibrary(t *testing.T) {
	const all = "github gitlab gitea forgejo none"
	for owner, hosts := range map[string]string{
		"": all, "@me": all, "@acme/quality": all, "me@example.org": "github gitlab none",
		"@acme/quality/rubrics": "gitlab none", "@@maintainers": "gitlab none",
		"me": "", "@a @b": "", "#a@example.org": "", "@a\n* @b": "", "@a #": "", "@a/../b": "",
	} {
		for _, ci := range CINames() {
			s := &Starter{CI: ci}
			if err := s.CheckOwner(owner); (err == nil) != slices.Contains(strings.Fields(hosts), ci) {
				t.Errorf("%s: %q gives %v", ci, owner, err)
			}
		}
	}
}

// TestEditorsFindTheirSchemas holds that what names a schema names one that is made.
func TestEditorsFindTheirSchemas(t *testing.T) {
	library, _ := carriedOut(t, fstest.MapFS{}, &Starter{Draft: firstDraft})
	found := 0
	for name, f := range library {
		for _, m := range regexp.MustCompile(`/(schema/[a-z-]+\.schema\.json)`).FindAllStringSubmatch(string(f.Data), -1) {
			if strings.HasPrefix(name, "schema/") {
				continue
			}
			found++
			if library[m[1]] == nil {
				t.Errorf("%s names %s, which is not made", name, m[1])
			}
		}
	}
	if found < 5 {
		t.Errorf("%d names of schemas were found", found)
	}
	if d := document.Parse(source.NewFile("x.yaml", library["rubrics/x/x_v1.yaml"].Data)); !d.Valid() {
		t.Errorf("the draft has problems: %v", d.Problems)
	}
}

// TestStarterPinsWhatTheRepositoryUses holds that the workflow of a new library
// checks out with the commit that this repository's own workflows use.
func TestStarterPinsWhatTheRepositoryUses(t *testing.T) {
	own := must.Get(os.ReadFile("../../.github/workflows/validate.yml"))(t)
	for _, name := range []string{"github.yml", "gitea.yml"} {
		text := must.Get(starterTexts.ReadFile("starter/" + name))(t)
		pins := regexp.MustCompile(`actions/\S+@[0-9a-f]{40} # v\S+`).FindAllString(string(text), -1)
		if len(pins) == 0 || slices.ContainsFunc(pins, func(pin string) bool { return !strings.Contains(string(own), pin) }) {
			t.Errorf("%s has %q, and validate.yml other ones", name, pins)
		}
	}
	for file, ours := range map[string]string{"settings.json": "../../.vscode/settings.json", "extensions.json": "../../.vscode/extensions.json"} {
		want := must.Get(os.ReadFile(ours))(t)
		if got, _ := starterTexts.ReadFile("starter/" + file); string(got) != string(want) {
			t.Errorf("%s is not that of this repository", file)
		}
	}
}
