package rules

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"
	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestFilesComeBackByteForByte writes any content into an archive and reads it again.
// What does not show in an editor is written in escapes.
func TestFilesComeBackByteForByte(t *testing.T) {
	pieces := rapid.SampledFrom([]string{"name: x", "\n", "\r\n", "\ufeff", "\u202e", "\xff\xfe", "\x00", "é", "\t", `\`, `"`, "\n-- a.yaml --\n"})
	rapid.Check(t, func(t *rapid.T) {
		content := strings.Join(rapid.SliceOfN(pieces, 0, 8).Draw(t, "pieces"), "")
		data := txtar.Format(&txtar.Archive{Files: []txtar.File{quoteFile("case.yaml", []byte(content)), quoteFile("case.golden", []byte("found\n"))}})
		if strings.ContainsAny(string(data), "\r\x00\u202e\ufeff") {
			t.Fatalf("the archive has characters that do not show: %q", data)
		}
		cases := must.Get(parseArchive("rule", data))(t)
		if got := string(cases[0].Files[corpusPath].Data); len(cases) != 1 || got != content || cases[0].Golden != "found\n" {
			t.Fatalf("%q came back as %q", content, got)
		}
	})
}

func TestParseArchive(t *testing.T) {
	const archive = `two also rule, other: it is found twice
two: A folder of two.
-- one.yaml --
a: 1
-- one.golden --
found
-- two/rubrics/x.yaml --
b: 1
-- two/rubrics/y.yaml --
c: 1
`
	cases := must.Get(parseArchive("rule", []byte(archive)))(t)
	var got []string
	for _, c := range cases {
		var files []string
		for name := range c.Files {
			files = append(files, name)
		}
		slices.Sort(files)
		got = append(got, strings.Join([]string{c.Rule, c.Name, strings.Join(files, " "), strings.Join(c.Also, " "), c.Golden}, "|"))
	}
	want := []string{"rule|one|" + corpusPath + "||found\n", "rule|two|rubrics/x.yaml rubrics/y.yaml|rule other|"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestParseArchiveRefuses(t *testing.T) {
	for _, tt := range []struct{ reason, archive, want string }{
		{"a file that nothing reads", "-- one.txt --\n", "must be NAME.yaml"},
		{"findings without a library", "-- one.golden --\nfound\n", "must be one document"},
		{"a document and a library", "-- one.yaml --\n-- one/x.yaml --\n", "must be one document"},
		{"a line that is not a Go string", "-- one.yaml.quoted --\nname: x\n", "not a Go string"},
	} {
		if _, err := parseArchive("rule", []byte(tt.archive)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: the error is %v, want one with %q", tt.reason, err, tt.want)
		}
	}
}

func TestNamesOfCasesAreUnique(t *testing.T) {
	rules := map[string]string{}
	for _, c := range corpusCases(t) {
		if before, taken := rules[c.Name]; taken {
			t.Errorf("%s is a case of %s and of %s", c.Name, before, c.Rule)
		}
		rules[c.Name] = c.Rule
	}
}
