package cli

import (
	"flag"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// edition is a document in a state of the library: its pass threshold in tenths, a word that
// a judge reads, and its version.
type edition struct {
	threshold, word int
	version         [3]int
}

func (e edition) String() string {
	return fmt.Sprintf("%d.%d.%d", e.version[0], e.version[1], e.version[2])
}

// state is a library: its documents, the IDs that the ledger lists with their last versions,
// and the lines of its exceptions.
type state struct {
	documents  map[string]edition
	retired    map[string]string
	exceptions []string
}

func (s state) clone() state {
	return state{maps.Clone(s.documents), maps.Clone(s.retired), slices.Clone(s.exceptions)}
}

// files are the files of a library by name.
func (s state) files() map[string]string {
	out := map[string]string{}
	for id, e := range s.documents {
		text := strings.Replace(scripttest.Rubric(id, e.String(), "prd"), "pass_threshold: 3.5", fmt.Sprintf("pass_threshold: %d.%d", e.threshold/10, e.threshold%10), 1)
		out["rubrics/prd/"+id+".yaml"] = strings.Replace(text, "Make it better.", fmt.Sprintf("Make it better in %d places.", e.word), 1)
	}
	if len(s.retired) > 0 {
		text := "retired:\n"
		for _, id := range slices.Sorted(maps.Keys(s.retired)) {
			text += fmt.Sprintf("  - {id: %s, kind: rubric, last_version: %q, reason: Nobody uses it.}\n", id, s.retired[id])
		}
		out["rubrics/retired.yaml"] = text
	}
	if len(s.exceptions) > 0 {
		out["rubrics/exceptions.yaml"] = "exceptions:\n" + strings.Join(s.exceptions, "")
	}
	return out
}

// story is a history that is being drawn: the states so far, and a stream for git fast-import.
type story struct {
	*rapid.T
	past   []state
	now    state
	stream strings.Builder
	marks  int
}

// commit adds a commit with the current state, and returns its mark.
func (s *story) commit(branch string, parents ...int) int {
	s.marks++
	fmt.Fprintf(&s.stream, "commit refs/heads/%s\nmark :%d\ncommitter Ann <ann@example.org> 1700000000 +0000\ndata 1\nx\n", branch, s.marks)
	for i, p := range parents {
		fmt.Fprintf(&s.stream, "%s :%d\n", []string{"from", "merge"}[min(i, 1)], p)
	}
	s.stream.WriteString("deleteall\n")
	files := s.now.files()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		fmt.Fprintf(&s.stream, "M 100644 inline %s\ndata %d\n%s\n", name, len(files[name]), files[name])
	}
	s.stream.WriteString("\n")
	s.past = append(s.past, s.now.clone())
	return s.marks
}

// edit changes the state in one way.
func (s *story) edit() {
	id := rapid.SampledFrom([]string{"a_v1", "b"}).Draw(s.T, "document")
	e, there := s.now.documents[id]
	what := rapid.SampledFrom([]string{"raise", "lower", "reword", "restore", "retire", "remove", "accept"}).Draw(s.T, "edit")
	switch {
	case what == "accept":
		rule := rapid.SampledFrom([]string{"version-too-low", "major-change", "version-down", "version-skipped", "version-reused", "document-gone"}).Draw(s.T, "rule")
		s.now.exceptions = append(s.now.exceptions, fmt.Sprintf("  - {rule: %s, id: %s, version: %q, reason: Agreed.}\n", rule, id, e))
		return
	case what == "restore" || !there:
		before := s.past[rapid.IntRange(0, len(s.past)-1).Draw(s.T, "restored")]
		if e, there = before.documents[id]; there {
			s.now.documents[id] = e
		}
		return
	case what == "retire":
		s.now.retired[id] = e.String()
		delete(s.now.documents, id)
		return
	case what == "remove":
		delete(s.now.documents, id)
		return
	case what == "raise":
		e.threshold = min(e.threshold+1, 50)
	case what == "lower":
		e.threshold = max(e.threshold-1, 10)
	default:
		e.word++
	}
	switch rapid.SampledFrom([]string{"patch", "minor", "minor", "major", "same", "skip", "down"}).Draw(s.T, "version") {
	case "patch":
		e.version[2]++
	case "minor":
		e.version = [3]int{e.version[0], e.version[1] + 1, 0}
	case "major":
		if strings.HasSuffix(id, "_v1") { // it promises that there is none
			e.version[1]++
			break
		}
		e.version = [3]int{e.version[0] + 1, 0, 0}
	case "skip":
		e.version[1] += 2
	case "down":
		e.version[1] = max(0, e.version[1]-1)
	}
	s.now.documents[id] = e
}

// step brings one to three edits to main, as commits of their own (a rebase or a
// fast-forward), as a merge, or squashed.
func (s *story) step(main int) int {
	n := rapid.IntRange(1, 3).Draw(s.T, "edits")
	switch rapid.SampledFrom([]string{"rebase", "merge", "squash"}).Draw(s.T, "way") {
	case "rebase":
		for range n {
			s.edit()
			main = s.commit("main", main)
		}
		return main
	case "merge":
		side := main
		for range n {
			s.edit()
			side = s.commit("side", side)
		}
		return s.commit("main", main, side)
	}
	for range n {
		s.edit()
	}
	return s.commit("main", main)
}

// began is the library at the beginning of each history.
func began() state {
	first := edition{threshold: 35, version: [3]int{1, 2, 0}}
	return state{documents: map[string]edition{"a_v1": first, "b": first, "c_v1": first}, retired: map[string]string{}}
}

// TestOneJudgment: lint, diff, build, and the check of a server hook give the same answer
// about the same steps, and no bundle has a version that makes a constraint stricter without
// an exception.
func TestOneJudgment(t *testing.T) {
	if _, err := exec.LookPath("git"); err != nil {
		t.Skip("git is not installed, and this test makes real repositories with it")
	}
	if checks := flag.Lookup("rapid.checks").Value; checks.String() == "100" { // each takes four commands
		must.Do(t, checks.Set("20"))
		defer func() { _ = checks.Set("100") }()
	}
	released := ""
	rapid.Check(t, func(rt *rapid.T) {
		dir := must.Get(os.MkdirTemp(t.TempDir(), ""))(rt)
		defer os.RemoveAll(dir)
		s := &story{T: rt, now: began()}
		base := s.commit("base")
		main := base
		for range rapid.IntRange(2, 6).Draw(rt, "steps") {
			main = s.step(main)
		}
		s.now = s.past[rapid.IntRange(0, len(s.past)-1).Draw(rt, "where the branch begins")].clone()
		from := rapid.IntRange(base, main).Draw(rt, "parent of the branch")
		s.edit()
		s.commit("topic", from)
		load(rt, dir, s.stream.String())
		t.Chdir(dir)
		if released == "" {
			released = filepath.Join(t.TempDir(), "released.zip")
			if code, out := runWords("build", "base", "-o", released, "--version", "1.0.0"); code != 0 {
				rt.Fatalf("the first bundle: %d\n%s", code, out)
			}
		}
		codes := agree(rt,
			[]string{"lint", "--range", "base..main"},
			[]string{"lint", "--rev", "main", "--base", "base"},
			[]string{"diff", "--check", "rev:base", "rev:main"},
			[]string{"build", "main", "-o", "next.zip", "--version", "1.0.1", "--previous", released},
		)
		agree(rt, []string{"lint", "--rev", "topic", "--base", "main"}, []string{"diff", "--check", "rev:main", "rev:topic"})
		if codes == 0 && len(s.past[len(s.past)-2].exceptions) == 0 {
			staysAsStrict(rt, "next.zip")
		}
	})
}

// load makes a repository of a stream.
func load(t *rapid.T, dir, stream string) {
	for _, args := range [][]string{{"init", "-q", "-b", "main", dir}, {"-C", dir, "fast-import", "--quiet", "--force"}} {
		cmd := exec.Command("git", args...)
		cmd.Stdin = strings.NewReader(stream)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_NOSYSTEM=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
}

// agree runs commands that must have the same exit code, and returns it.
func agree(t *rapid.T, commands ...[]string) int {
	first, text := runCommand(Rubric, commands[0])
	for _, args := range commands[1:] {
		if code, out := runCommand(Rubric, args); code != first || code == ExitFailure {
			t.Fatalf("rubric %s exits with %d:\n%s\nrubric %s exits with %d:\n%s",
				strings.Join(commands[0], " "), first, text, strings.Join(args, " "), code, out)
		}
	}
	return first
}

// staysAsStrict checks that in a bundle no version of a document has a higher threshold than an
// earlier one that the same constraint ~X.Y allows.
func staysAsStrict(t *rapid.T, file string) {
	lib := must.Get(library.Open(file))(t)
	defer func() { _ = lib.Close() }()
	all := must.Get(lib.Search(library.Query{IncludeDeprecated: true, IncludeRetired: true}))(t)
	for _, e := range all {
		lowest := map[string]float64{}
		for _, held := range e.Versions {
			v := held.Version
			r := must.Get(lib.Rubric(t.Context(), e.ID, v))(t)
			line := v[:strings.LastIndex(v, ".")]
			threshold := r.Scoring.PassThreshold
			if before, ok := lowest[line]; ok && threshold > before {
				t.Fatalf("%s ~%s goes from a pass threshold of %g to %g with %s", e.ID, line, before, threshold, v)
			}
			lowest[line] = threshold
		}
	}
}
