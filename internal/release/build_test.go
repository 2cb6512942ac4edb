package release

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// held lists the versions in a build as "id version", in the order of the index.
func held(b *Build) []string {
	var out []string
	for _, l := range b.Index {
		for _, v := range l.Versions {
			out = append(out, l.ID+" "+v.Version)
		}
	}
	return out
}

func omitted(list []bundlefile.Omission) []string {
	var out []string
	for _, o := range list {
		out = append(out, strings.TrimSpace(o.ID+" "+o.Version)+": "+o.Reason)
	}
	return out
}

func problems(list []VersionProblem) []string {
	var out []string
	for _, p := range list {
		out = append(out, strings.TrimSpace(p.ID+" "+p.Version)+": "+p.Message)
	}
	return out
}

const (
	ledgerText = "retired:\n  - id: a_v1\n    kind: rubric\n    last_version: \"1.0.0\"\n    reason: Nobody uses it.\n"
)

const noneRetired = "retired: []\n"

// withdrawnText is the part of a ledger that withdraws a version.
func withdrawnText(id, version string) string {
	return "yanked:\n  - {id: " + id + ", version: \"" + version + "\", reason: It named a customer., withdrawn: true}\n"
}

func exceptionText(rule, id, version string) string {
	return "exceptions:\n  - rule: " + rule + "\n    id: " + id + "\n    version: \"" + version + "\"\n    reason: It named a customer.\n"
}

func TestBuildHoldsWhatTheHistoryHeld(t *testing.T) {
	tests := []struct {
		name, reason string
		history      func(c *checkout)
		held         []string
		notes        []string
		refused      []string
		tombstones   []string
		problems     []string
	}{{
		name: "each version", reason: "consumers pin versions that the library has left behind",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.commit()
			c.rubric("a_v1", "1.10.0", "Is it really clear?")
			c.commit()
			c.rubric("a_v1", "1.11.0", "Is it quite clear?")
			c.commit()
			c.rubric("a_v1", "1.2.0", "Is it still clear?")
			c.write("rubrics/exceptions.yaml", exceptionText("version-down", "a_v1", "1.2.0"))
			c.commit()
		},
		held:  []string{"a_v1 1.0.0", "a_v1 1.2.0", "a_v1 1.10.0", "a_v1 1.11.0"},
		notes: []string{"a_v1 1.2.0: rubrics/exceptions.yaml accepts this finding of version-down: It named a customer."},
	}, {
		name: "side branch", reason: "what a branch held and main never did was never published",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.commit()
			c.git("checkout", "-q", "-b", "side")
			c.rubric("a_v1", "1.1.0", "Is it clearer?")
			c.commit()
			c.rubric("a_v1", "1.2.0", "Is it clearest?")
			c.commit()
			c.git("checkout", "-q", "main")
			c.git("merge", "-q", "--no-ff", "-m", "merge", "side")
		},
		held: []string{"a_v1 1.0.0", "a_v1 1.2.0"},
	}, {
		name: "retired", reason: "stored scores refer to what is gone",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.rubric("b_v1", "1.0.0", "Is it clear?")
			c.commit()
			c.remove("rubrics/prd/a_v1.yaml")
			c.write("rubrics/retired.yaml", ledgerText)
			c.commit()
		},
		held: []string{"a_v1 1.0.0", "b_v1 1.0.0"},
	}, {
		name: "used twice", reason: "what the library has now is what a reader of it sees",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.commit()
			c.rubric("a_v1", "1.0.0", "Is it short?")
			c.write("rubrics/exceptions.yaml", exceptionText("version-too-low", "a_v1", "1.0.0"))
			c.commit()
		},
		held:  []string{"a_v1 1.0.0"},
		notes: []string{"a_v1 1.0.0: The history has 2 texts for this version. The bundle has the current one.", "a_v1 1.0.0: rubrics/exceptions.yaml accepts this finding of version-too-low: It named a customer."},
	}, {
		name: "used twice and left", reason: "one text must be chosen, and always the same",
		history: func(c *checkout) {
			accepted := "exceptions:\n"
			for i, text := range []string{"Is it clear?", "Is it short?", "Is it clear?"} {
				c.rubric("a_v1", "1.0.0", text)
				c.commit()
				if i > 0 {
					accepted += "  - {rule: version-too-low, id: a_v1, commit: " + c.head() + ", reason: It was pushed.}\n"
				}
			}
			c.rubric("a_v1", "1.1.0", "Is it new?")
			c.write("rubrics/exceptions.yaml", accepted)
			c.commit()
		},
		held: []string{"a_v1 1.0.0", "a_v1 1.1.0"},
		notes: []string{
			"a_v1 1.0.0: The history has 2 texts for this version. The bundle has the oldest one.",
			"a_v1 1.0.0: rubrics/exceptions.yaml accepts this finding of version-too-low: It was pushed.",
			"a_v1 1.0.0: rubrics/exceptions.yaml accepts this finding of version-too-low: It was pushed.",
		},
	}, {
		name: "refused", reason: "an unreadable version must not be missed silently",
		history: func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", strings.Replace(rubricText("a_v1", "1.0.0", "Is it clear?"), "threshold: 3.0", "threshold: high", 1))
			c.commit()
			c.rubric("a_v1", "1.1.0", "Is it clear?")
			c.commit()
		},
		held:    []string{"a_v1 1.1.0"},
		refused: []string{"a_v1 1.0.0: "},
	}, {
		name: "broken for a moment", reason: "a version that was fixed in place is not missing",
		history: func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", "\t"+rubricText("a_v1", "1.0.0", "Is it clear?"))
			c.commit()
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.commit()
		},
		held: []string{"a_v1 1.0.0"},
	}, {
		name: "broken now", reason: "a library that can't be read can't be released",
		history: func(c *checkout) {
			c.rubric("b_v1", "1.0.0", "Is it clear?")
			c.write("rubrics/prd/a_v1.yaml", "rubric_id: a_v1\nversion: [\n")
			c.commit()
		},
		held:     []string{"b_v1 1.0.0"},
		refused:  []string{"a_v1: "},
		problems: []string{"a_v1: rubrics/prd/a_v1.yaml:"},
	}, {
		name: "two files with one ID", reason: "nobody could tell which is meant",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.write("rubrics/prd/b_v1.yaml", rubricText("a_v1", "1.0.0", "Is it clear?"))
			c.commit()
		},
		held:     []string{"a_v1 1.0.0"},
		problems: []string{"a_v1 1.0.0: rubrics/prd/a_v1.yaml and rubrics/prd/b_v1.yaml have the same ID."},
	}, {
		name: "another kind", reason: "in a bundle an ID has one kind, and no exception accepts another one in advance",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.commit()
			c.write("rubrics/prd/a_v1.yaml", ruleSetText("a_v1", "2.0.0"))
			c.write("rubrics/exceptions.yaml", exceptionText("major-change", "a_v1", "2.0.0"))
			c.commit()
		},
		held:    []string{"a_v1 2.0.0"},
		refused: []string{"a_v1 1.0.0: This version is a rubric, but the ID is now the ID of a rule set."},
		problems: []string{
			"a_v1 2.0.0: Choose another ID for this rule set",
			"a_v1 2.0.0: Remove this exception",
		},
	}, {
		name: "another kind in the history", reason: "the code owners accepted the commit, and no release carried the first kind",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.commit()
			c.write("rubrics/prd/a_v1.yaml", ruleSetText("a_v1", "2.0.0"))
			c.commit()
			c.write("rubrics/exceptions.yaml", "exceptions:\n  - {rule: major-change, id: a_v1, commit: "+c.head()+", reason: It named a customer.}\n")
			c.commit()
		},
		held:    []string{"a_v1 2.0.0"},
		refused: []string{"a_v1 1.0.0: This version is a rubric, but the ID is now the ID of a rule set."},
		notes:   []string{"a_v1 2.0.0: rubrics/exceptions.yaml accepts this finding of major-change: It named a customer."},
	}, {
		name: "withdrawn", reason: "text that must not be published any more stays out, and its version stays taken",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.commit()
			c.rubric("a_v1", "1.1.0", "Is it secret?")
			c.commit()
			c.rubric("a_v1", "1.2.0", "Is it clear enough?")
			c.write("rubrics/retired.yaml", noneRetired+withdrawnText("a_v1", "1.1.0"))
			c.commit()
		},
		held:       []string{"a_v1 1.0.0", "a_v1 1.2.0"},
		tombstones: []string{"a_v1 1.1.0: It named a customer."},
	}, {
		name: "withdrawn by mistake", reason: "a line that withdraws nothing must not seem to do so",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.write("rubrics/retired.yaml", noneRetired+withdrawnText("a_v1", "0.9.0"))
			c.commit()
		},
		held:       []string{"a_v1 1.0.0"},
		tombstones: []string{"a_v1 0.9.0: "},
		problems:   []string{"a_v1 0.9.0: Remove this entry: version 0.9.0 of \"a_v1\" was never published."},
	}, {
		name: "files in the place of folders", reason: "what once had the name of a folder was no library",
		history: func(c *checkout) {
			c.write("rubrics", "a file")
			c.write("schema", "a file")
			c.commit()
			c.remove("rubrics")
			c.remove("schema")
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.write("schema/x.json", "{}")
			c.commit()
		},
		held: []string{"a_v1 1.0.0"},
	}, {
		name: "moved library", reason: "what the bundle lacks is said",
		history: func(c *checkout) {
			c.write("library/rubrics/prd/a_v1.yaml", rubricText("a_v1", "1.0.0", "Is it clear?"))
			c.commit()
			c.git("mv", "library/rubrics", "rubrics")
			c.commit()
		},
		held:  []string{"a_v1 1.0.0"},
		notes: []string{": At commit "},
	}, {
		name: "withdrawn and there", reason: "what is withdrawn can't be the latest version",
		history: func(c *checkout) {
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.write("rubrics/retired.yaml", noneRetired+withdrawnText("a_v1", "1.0.0"))
			c.commit()
		},
		tombstones: []string{"a_v1 1.0.0: "},
		problems:   []string{"a_v1 1.0.0: Publish a new version of \"a_v1\", or retire it: version 1.0.0 is withdrawn, and the library still has its text."},
	}}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newRepository(t)
			test.history(c)
			b := c.build(Options{})
			if d := cmp.Diff(test.held, held(b)); d != "" {
				t.Errorf("%s: versions (-want +got):\n%s", test.reason, d)
			}
			for _, list := range []struct {
				what      string
				want, got []string
			}{
				{"notes", test.notes, problems(b.Notes)},
				{"refused", test.refused, omitted(b.Manifest.Refused)},
				{"tombstones", test.tombstones, omitted(b.Manifest.Tombstones)},
				{"problems", test.problems, problems(b.Problems)},
			} {
				compareBeginnings(t, test.reason+": "+list.what, list.want, list.got)
			}
			written, err := readPrior(openBytes(t, c.bytes(b))) // what is built can be written and read
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(len(b.Index), len(written.lines)); d != "" {
				t.Errorf("the bundle has other documents than the build: %s", d)
			}
		})
	}
}

// compareBeginnings compares lists of texts of which only the beginning counts.
func compareBeginnings(t *testing.T, what string, want, got []string) {
	t.Helper()
	if len(want) != len(got) {
		t.Errorf("%s: got %q, want %q", what, got, want)
		return
	}
	for i := range want {
		if !strings.HasPrefix(got[i], want[i]) {
			t.Errorf("%s: got %q, want %q", what, got[i], want[i])
		}
	}
}

// TestADraftHasItsLastText: until a release carries a draft, it can change under its number.
func TestADraftHasItsLastText(t *testing.T) {
	c := newRepository(t)
	c.rubric("a_v1", "0.1.0", "Is it first?")
	c.commit()
	c.rubric("a_v1", "0.1.0", "Is it second?")
	c.commit()
	c.rubric("a_v1", "0.1.0", "Is it first?")
	c.commit()
	c.rubric("a_v1", "0.2.0", "Is it third?")
	c.commit()
	c.rubric("a_v1", "0.2.0", "Is it fourth?")
	c.commit()
	b := c.build(Options{})
	if d := cmp.Diff([]string{"a_v1 0.1.0", "a_v1 0.2.0"}, held(b)); d != "" || len(b.Notes)+len(b.Problems) > 0 {
		t.Fatalf("%s%v %v", d, b.Notes, b.Problems)
	}
	text := string(c.bytes(b))
	for word, there := range map[string]bool{"first": true, "second": false, "third": false, "fourth": true} {
		if strings.Contains(text, "Is it "+word+"?") != there {
			t.Errorf("the %s text is in the bundle: %t", word, !there)
		}
	}
	if got := b.Index[0].Versions[1].Commit; got != c.head() {
		t.Errorf("0.2.0 is from %s, want the first commit with its text, %s", got, c.head())
	}

	// What a release carried stays.
	released := c.release(Options{})
	c.rubric("a_v1", "0.2.0", "Is it fifth?")
	c.commit()
	after := c.build(Options{Version: "1.0.1", Previous: released})
	compareBeginnings(t, "problems after a release", []string{"a_v1 0.2.0: "}, problems(after.Problems))
	if text := string(c.bytes(after)); !strings.Contains(text, "Is it fourth?") || strings.Contains(text, "Is it fifth?") {
		t.Error("the bundle does not have the released text")
	}
}

func TestWithdrawnTextIsNowhereInTheBundle(t *testing.T) {
	c := newRepository(t)
	c.rubric("a_v1", "1.0.0", "Is it clear?")
	c.commit()
	c.rubric("a_v1", "1.1.0", "Does Jane Doe like it?")
	c.commit()
	c.rubric("a_v1", "1.2.0", "Is it short?")
	c.commit()
	if !strings.Contains(string(c.bytes(c.build(Options{}))), "Jane") {
		t.Fatal("before it is withdrawn, the text must be in the bundle")
	}
	c.write("rubrics/retired.yaml", noneRetired+withdrawnText("a_v1", "1.1.0"))
	c.commit()
	if strings.Contains(string(c.bytes(c.build(Options{}))), "Jane") {
		t.Error("the withdrawn text is in the bundle")
	}
}

func TestCommitIsTheLastThatChangedTheContent(t *testing.T) {
	tests := []struct {
		name, reason string
		edit         func(c *checkout)
		changes      bool
	}{
		{"nothing", "an empty commit changes nothing", func(*checkout) {}, false},
		{"other file", "what is not in the bundle does not count", func(c *checkout) { c.write("README.md", "x") }, false},
		{"exceptions", "they accept what a bundle has, and change nothing in it", func(c *checkout) { c.write("rubrics/exceptions.yaml", "exceptions: []\n") }, false},
		{"comment", "comments are not in the bundle", func(c *checkout) {
			c.write("rubrics/prd/a_v1.yaml", "# new\n"+rubricText("a_v1", "1.0.0", "Is it clear?"))
		}, false},
		{"moved", "a bundle has no folders of the library", func(c *checkout) {
			c.git("mv", "rubrics/prd/a_v1.yaml", "rubrics/a_v1.yaml")
		}, false},
		{"version", "a new version is content", func(c *checkout) { c.rubric("a_v1", "1.1.0", "Is it short?") }, true},
		{"gone", "the index says that a document is gone", func(c *checkout) { c.remove("rubrics/prd/a_v1.yaml") }, true},
		{"ledger", "the ledger is in the bundle", func(c *checkout) { c.write("rubrics/retired.yaml", "retired: []\n") }, true},
		{"calibration", "the statistics of labels are in the bundle", func(c *checkout) {
			c.dataset("stories", rubricText("a_v1", "1.0.0", "Is it clear?"), byPeople)
		}, true},
		{"configuration", "the configuration says who is calibrated", func(c *checkout) {
			c.write(".rubric-lint.yaml", "calibration: {target: 0.9}\n")
		}, true},
		{"schema", "the schemas are in the bundle", func(c *checkout) { c.write("schema/x.json", "{}") }, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			c := newRepository(t)
			c.rubric("a_v1", "1.0.0", "Is it clear?")
			c.rubric("b_v1", "1.0.0", "Is it clear?")
			c.commit()
			want := c.head()
			test.edit(c)
			c.git("add", "-A")
			c.git("commit", "-q", "--allow-empty", "-m", "the edit")
			if test.changes {
				want = c.head()
			}
			c.git("commit", "-q", "--allow-empty", "-m", "nothing")
			if got := c.build(Options{}).Manifest.Commit; got != want {
				t.Errorf("the bundle names commit %s, want %s: %s", got, want, test.reason)
			}
		})
	}
}

func TestALibraryWithoutDocumentsIsAnError(t *testing.T) {
	c := newRepository(t)
	c.write("README.md", "x")
	c.commit()
	repo, commit := c.open()
	defer repo.Close()
	if _, err := Read(repo, commit, ""); err == nil || !strings.Contains(err.Error(), "nothing to bundle") {
		t.Errorf("got the error %v", err)
	}
}

// TestVersionsSayWhereTheyComeFrom: each has the commit that first had it, and the release
// of the library that first contained it, unless an earlier format does not say.
func TestVersionsSayWhereTheyComeFrom(t *testing.T) {
	c := newRepository(t)
	c.rubric("a_v1", "1.0.0", "Is it clear?")
	c.commit()
	first := c.head()
	released := openBytes(t, c.bytes(c.build(Options{Version: "1.0.0"})))
	c.write("README.md", "More.")
	c.commit()
	c.rubric("a_v1", "1.1.0", "Is it short?")
	c.commit()
	second := c.head()
	got := c.build(Options{Version: "1.1.0", Previous: released}).Index[0].Versions
	for i, want := range []bundlefile.Version{{Version: "1.0.0", Commit: first, Release: "1.0.0"}, {Version: "1.1.0", Commit: second, Release: "1.1.0"}} {
		want.Digest, want.Time = got[i].Digest, got[i].Time
		if got[i] != want || !bundlefile.IsTime(got[i].Time) {
			t.Errorf("%+v, want %+v", got[i], want)
		}
	}
	old, err := os.ReadFile(filepath.Join("testdata", "format-1.zip"))
	if err != nil {
		t.Fatal(err)
	}
	c = newRepository(t)
	small(c)
	o := smallOptions
	o.Version, o.Previous = "1.5.0", openBytes(t, old)
	for _, line := range c.build(o).Index {
		for _, v := range line.Versions {
			if v.Release != "" || v.Commit == "" {
				t.Errorf("%s %s is of release %q and commit %q", line.ID, v.Version, v.Release, v.Commit)
			}
		}
	}
}

// TestTheFirstReleaseWithAnEntryEndsAVersion: an entry of the ledger counts from the commit that
// added it for the last time, even if the ledger changed since then.
func TestTheFirstReleaseWithAnEntryEndsAVersion(t *testing.T) {
	c := newRepository(t)
	day := 0
	commit := func(ledger string) string {
		day++
		c.env = []string{fmt.Sprintf("GIT_COMMITTER_DATE=2024-02-%02dT12:00:00Z", day)}
		c.write("rubrics/retired.yaml", ledger)
		c.commit()
		return c.head()
	}
	const retired, restored, yanked = "retired:\n  - {id: b_v1, kind: rubric, last_version: 1.0.0, reason: Nobody used it.}\n", "retired: []\n", "yanked:\n  - {id: a_v1, version: 1.1.0, reason: It is bad.}\n"
	c.rubric("a_v1", "1.1.0", "Is it clear?")
	commit(retired)
	one := commit(restored)
	commit(restored + yanked)
	two := commit("# The form is another.\n" + restored + yanked)
	commit(retired + yanked)
	repo, at := c.open()
	defer repo.Close()
	ended, err := Ended(repo, at, "", "3.0.0", map[string]string{one: "1.0.0", two: "2.0.0"})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct{ id, version, want string }{
		{"a_v1", "1.1.0", "2.0.0 2024-02-03"},
		{"b_v1", "", "3.0.0 2024-02-05"},
		{"a_v1", "", " 0001-01-01"},
	} {
		release, at := ended(test.id, test.version)
		if got := release + " " + at.UTC().Format(time.DateOnly); got != test.want {
			t.Errorf("%s %s ended with %s, want %s", test.id, test.version, got, test.want)
		}
	}
}
