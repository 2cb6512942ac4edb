package rules

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/linttest"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/lint"
)

// ownership is the findings about a repository that holds a library in a folder,
// a CODEOWNERS file and other files, as "file:line rule key".
func ownership(t *testing.T, folder, owners string, others ...string) []string {
	t.Helper()
	files := fstest.MapFS{}
	for _, name := range others {
		files[name] = &fstest.MapFile{}
	}
	prefix := folder
	if prefix != "" {
		prefix += "/"
	}
	files[prefix+linttest.GoodPath] = &fstest.MapFile{Data: []byte(linttest.GoodRubric)}
	if owners != "" {
		files[hosts.GitHub().Owners[0]] = &fstest.MapFile{Data: []byte(owners)}
	}
	return ownershipIn(t, files, folder)
}

func ownershipIn(t *testing.T, files fs.FS, folder string) []string {
	t.Helper()
	fsys := files
	if folder != "" {
		var err error
		if fsys, err = fs.Sub(files, folder); err != nil {
			t.Fatal(err)
		}
	}
	report := linttest.Run(t, fsys, linttest.Only(All(), "no-code-owners", "code-owners-syntax", "not-owned"), lint.Options{Repository: &lint.Repository{Files: files, Folder: folder}})
	found := []string{}
	for _, f := range report.Findings {
		found = append(found, fmt.Sprintf("%s:%d %s %s", f.File, f.Start.Line, f.Rule.ID, f.Path))
	}
	return found
}

const inOwners = ".github/CODEOWNERS:"

func TestWhatHasToBeOwned(t *testing.T) {
	always := []string{"the documents", "the calibration datasets", "the ledger", "the exceptions", "the configuration", "the baseline", "the CODEOWNERS file"}
	for _, c := range []struct {
		reason string
		owners string
		others []string
		want   []string // kinds that are not owned
	}{
		{"one line owns all", "* @a", []string{"action.yml", ".ci/run", "cmd/rubric-lint/main.go", ".github/workflows/x.yml"}, nil},
		{"what the tools would read is always asked for", "/x @a", []string{"x"}, always},
		{"a workflow that exists", "/x @a", []string{"x", ".github/workflows/x.yml"}, append([]string{"the workflows"}, always...)},
		{"an action, and one within the repository", "/x @a", []string{"x", ".github/actions/x/action.yml"}, append([]string{"the action"}, always...)},
		{"and the scripts of one at the root", "* @a\n/.github/action/", []string{"action.yml", ".github/action/install.sh"}, []string{"the action"}},
		{"the code of the linter, which other Go code is not", "/x @a", []string{"x", "cmd/rubric-lint/main.go"}, append([]string{"the Go code of the linter"}, always...)},
		{"other Go code", "/x @a", []string{"x", "cmd/server/main.go", "go.mod"}, always},
		{"checks of one's own", "/x @a", []string{"x", ".ci/run"}, append([]string{"the required checks"}, always...)},
		{"each by its own line", "/rubrics/ @a\n/calibration/ @a\n/.rubric-lint* @a\n/.github/ @a", nil, nil},
		{"a later line takes a file out that is there", "* @a\n/" + linttest.GoodPath, nil, []string{"the documents"}},
		{"or one that could be added", "* @a\n/rubrics/*/secret_v1.yaml", nil, []string{"the documents"}},
		{"at any depth", "* @a\nsecret_v*", nil, []string{"the documents", "the calibration datasets"}},
		{"or a folder of labels", "* @a\n/calibration/*/judges/", nil, []string{"the calibration datasets"}},
		{"a still later line gives it back", "* @a\n/rubrics/x/\n/rubrics/ @b", nil, nil},
		{"what is not a document can be anybody's", "* @a\n*.md\n/rubrics/**/*.txt", nil, nil},
		{"the ledger is not owned with the types", "* @a\n/rubrics/*.yaml\n/rubrics/exceptions.yaml @a", nil, []string{"the documents", "the ledger"}},
		{"go.work can change what the linter is built from", "* @a\n/go.work", []string{"cmd/rubric-lint/main.go", "go.work"}, []string{"the Go code of the linter"}},
	} {
		var got []string
		for _, f := range ownership(t, "", c.owners, c.others...) {
			if _, what, ok := strings.Cut(f, " not-owned "); ok {
				got = append(got, what)
			}
		}
		slices.Sort(got)
		slices.Sort(c.want)
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.reason, diff)
		}
	}
}

func TestOwnersOfALibraryInAFolder(t *testing.T) {
	got := ownership(t, "teams/docs", "/rubrics/ @a\n* @b\n/teams/docs/calibration/\n", "action.yml")
	want := []string{
		"../../.github/CODEOWNERS:3 not-owned the calibration datasets",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestTheFileOfOwners(t *testing.T) {
	link := &fstest.MapFile{Mode: fs.ModeSymlink, Data: []byte("../../other")}
	text := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	for _, c := range []struct {
		reason string
		files  fstest.MapFS
		want   []string
	}{
		{"without workflows nobody has to have one", fstest.MapFS{}, nil},
		{"notes beside workflows are none", fstest.MapFS{".github/workflows/README.md": {}}, nil},
		{"a link is not a CODEOWNERS file", fstest.MapFS{".github/CODEOWNERS": link}, []string{inOwners + "0 code-owners-syntax file"}},
		{"and what is behind a folder that is a link is not looked at", fstest.MapFS{".github": link, "CODEOWNERS": text("* @a")}, nil},
		{"a folder does not count either", fstest.MapFS{".github/CODEOWNERS/x": {}}, []string{inOwners + "0 code-owners-syntax file"}},
		{"the first place counts", fstest.MapFS{".github/CODEOWNERS": text("* @a"), "CODEOWNERS": text("!")}, nil},
		{"too large a file", fstest.MapFS{".github/CODEOWNERS": text(strings.Repeat("* @a\n", 1<<20))}, []string{inOwners + "1 code-owners-syntax "}},
		{"many patterns", fstest.MapFS{".github/CODEOWNERS": text(strings.Repeat("* @a\n", 10_000))}, nil},
	} {
		c.files[linttest.GoodPath] = text(linttest.GoodRubric)
		if diff := cmp.Diff(append([]string{}, c.want...), ownershipIn(t, c.files, "")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.reason, diff)
		}
	}
}

// TestOwnersOnEachHost checks a repository with files of one host or of several, each by its own
// rules.
func TestOwnersOnEachHost(t *testing.T) {
	const gitea, forgejo, gitHub = ".gitea/workflows/x.yml", ".forgejo/workflows/x.yml", ".github/workflows/x.yml"
	const folder = "CODEOWNERS:1 code-owners-syntax /rubrics/"
	unowned := func(kinds ...string) (all []string) {
		for _, k := range kinds {
			all = append(all, "CODEOWNERS:1 not-owned the "+k)
		}
		return all
	}
	everything := unowned("CODEOWNERS file", "baseline", "calibration datasets", "configuration", "documents", "exceptions", "ledger", "workflows")
	for _, c := range []struct {
		reason, owners string
		hosts          []string
		want           []string
	}{
		{"all on Gitea", ".* @olga @oscar", []string{gitea}, nil},
		{"as it is written for GitHub", "* @olga", []string{gitea}, nil},
		{"for both", "* @olga", []string{gitea, gitHub}, nil},
		{"a folder of GitHub, which is no path of Gitea", "/rubrics/ @team", []string{gitea}, append([]string{folder}, everything...)},
		{"an expression, which GitHub reads as files that begin with a dot", ".* @olga", []string{gitea, gitHub},
			unowned("CODEOWNERS file", "calibration datasets", "documents", "exceptions", "ledger")},
		{"a workflow of the other host", ".github/.* @a\n[^.].* @a\n.rubric.* @a", []string{gitea}, unowned("CODEOWNERS file", "workflows")[1:]},
		{"a class that leaves out names that nobody has used yet", "([^r]|r[^u]|rubrics/[^s]).* @a", []string{gitea}, unowned("documents")},
		{"hosts that read it alike, once", "/rubrics/ @team", []string{gitea, forgejo}, append([]string{folder}, append(everything, unowned("workflows")...)...)},
	} {
		files := fstest.MapFS{"CODEOWNERS": {Data: []byte(c.owners)}, linttest.GoodPath: {Data: []byte(linttest.GoodRubric)}}
		for _, name := range c.hosts {
			files[name] = &fstest.MapFile{}
		}
		got := ownershipIn(t, files, "")
		slices.Sort(got)
		if diff := cmp.Diff(got, append([]string{}, c.want...)); diff != "" {
			t.Errorf("%s (-got +want):\n%s", c.reason, diff)
		}
	}
}

// TestFindingsNameTheHost holds that the finding of a repository for several hosts says whose reading it is.
func TestFindingsNameTheHost(t *testing.T) {
	files := fstest.MapFS{
		"CODEOWNERS": {Data: []byte(".* @olga")}, linttest.GoodPath: {Data: []byte(linttest.GoodRubric)},
		".gitea/workflows/x.yml": {}, ".github/workflows/x.yml": {},
	}
	report := linttest.Run(t, files, linttest.Only(All(), "not-owned"), lint.Options{Repository: &lint.Repository{Files: files}})
	for _, f := range report.Findings {
		if !strings.HasSuffix(f.Message, " This is how GitHub reads the file: the repository has files of GitHub.") {
			t.Error(f.Message)
		}
	}
	if len(report.Findings) == 0 {
		t.Error("there is no finding")
	}
}

// TestPatternsThatTakeLong holds that a file that would keep the check busy is
// called one, and no pattern in it right.
func TestPatternsThatTakeLong(t *testing.T) {
	name := strings.Repeat("a", 250)
	owners := "* @a\n" + strings.Repeat("*"+strings.Repeat("a", 125)+"b*b @a\n", 4999)
	files := fstest.MapFS{hosts.GitHub().Owners[0]: {Data: []byte(owners)}, linttest.GoodPath: {Data: []byte(linttest.GoodRubric)}}
	for i := range 1000 {
		files[fmt.Sprintf("rubrics/%s/%d.yaml", name, i)] = &fstest.MapFile{}
	}
	defer func(budget int) { matchBudget = budget }(matchBudget)
	matchBudget /= 100
	report := linttest.Run(t, files, linttest.Only(All(), "no-code-owners", "code-owners-syntax", "not-owned"), lint.Options{Repository: &lint.Repository{Files: files}})
	got := map[string]string{}
	for _, f := range report.Findings {
		got[f.Rule.ID], _, _ = strings.Cut(f.Message, ":")
	}
	want := map[string]string{"not-owned": "Simplify this file"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
