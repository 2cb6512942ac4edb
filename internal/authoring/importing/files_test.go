package importing

import (
	"fmt"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestSmallFilesComeInTheRightWayUp reads six files in each syntax: two levels, the best first;
// three and four levels; some of five; six of which the flag --levels says the anchors; and grades,
// which stop without a flag.
func TestSmallFilesComeInTheRightWayUp(t *testing.T) {
	archives, err := filepath.Glob("testdata/levels/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, name := range archives {
		archive, err := txtar.ParseFile(name)
		if err != nil {
			t.Fatal(err)
		}
		var f *source.File
		stop := ""
		for _, part := range archive.Files {
			text := string(part.Data)
			switch path.Base(part.Name) {
			case "stop":
				stop = strings.TrimSpace(text)
			case "want":
				t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar")+"/"+path.Dir(part.Name), func(t *testing.T) {
					checkSmallFile(t, f, stop, text)
				})
				stop = ""
			default:
				count++
				f = source.NewFile(path.Base(part.Name), part.Data)
			}
		}
	}
	if count < 60 {
		t.Errorf("there are %d files, want 60", count)
	}
}

func checkSmallFile(t *testing.T, f *source.File, stop, want string) {
	o := intake.Options{}
	first, rest, _ := strings.Cut(want, "\n")
	switch flag, value, _ := strings.Cut(first, " "); flag {
	case "--best-first":
		o.Levels.Order, want = levels.BestFirst, rest
	case "--levels":
		scores, err := levels.Assignments(value)
		if err != nil {
			t.Fatal(err)
		}
		o.Levels.Scores, want = scores, rest
	}
	if stop != "" {
		_, problems := Read(f, intake.Options{})
		if len(problems) == 0 || !strings.Contains(problems[0].Message, stop) || !strings.Contains(problems[0].Message, "--best-first") {
			t.Errorf("without a flag: got %v, want a message with %q", problems, stop)
		}
	}
	imported, problems := Read(f, o)
	if len(problems) > 0 {
		t.Fatalf("%s", problems[0].Message)
	}
	got := ""
	for _, d := range imported.Drafts {
		got += anchorLines(d)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("other anchors (-want +got):\n%s", diff)
	}
}

// anchorLines are the anchors of a draft and the comments of its criteria, one a line.
func anchorLines(d authoring.Draft) string {
	var b strings.Builder
	for _, c := range d.Content.Get("criteria").List() {
		name := c.Get("name").Text()
		for _, note := range d.Notes[name] {
			fmt.Fprintf(&b, "%s # %s\n", name, note)
		}
		for score := 1; score <= 5; score++ {
			if text := c.Get("anchors").Get(strconv.Itoa(score)).Text(); text != "" {
				fmt.Fprintf(&b, "%s %d: %s\n", name, score, text)
			}
		}
	}
	return b.String()
}
