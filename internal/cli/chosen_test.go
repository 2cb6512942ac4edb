package cli

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/cli/command"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// trial is a library with one rubric, whose labels and answers are drawn: the quality of each item
// is uniform, and raters and judges see it with noise.
type trial struct {
	*testing.T
	truth []float64
	// labels are those of the two raters of each item, and scores those of each imported run.
	labels [][2]int
	scores map[string][]int
}

func clip(x float64) int { return max(1, min(5, int(math.Floor(x+0.5)))) }

func noise(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 0)) }

// newTrial has n items, labeled by r1 and r2. text says how the text of an item differs from the
// words that are drawn for it, and can be nil.
func newTrial(t *testing.T, n int, text func(i int, words string) string) *trial {
	t.Helper()
	t.Chdir(t.TempDir())
	x := &trial{T: t, scores: map[string][]int{}}
	must.Do(t, os.MkdirAll("rubrics/notes", 0o777))
	must.Do(t, os.WriteFile("rubrics/notes/x_v1.yaml", []byte(`rubric_id: x_v1
name: Tone
version: "1.0.0"
artifact_type: notes
criteria:
  - name: tone
    description: How many of the sentences address the reader?
    weight: essential
    threshold: 3.0
    anchors: {1: None., 2: One., 3: Two., 4: Three., 5: Four or more.}
    examples: {score_1: All was done., score_5: You can see that you have what you want when you look.}
scoring:
  pass_threshold: 3.5
calibration_dataset: calibration/d/dataset.yaml
`), 0o666))
	x.add(n, text)
	return x
}

// add labels n more items.
func (x *trial) add(n int, text func(i int, words string) string) {
	x.Helper()
	from := len(x.truth)
	truth, raters, words := noise(1+uint64(from)), noise(2+uint64(from)), noise(3+uint64(from))
	rows := "item,rater,artifact,tone\n"
	for i := from; i < from+n; i++ {
		all := fmt.Sprint("Case ", i, ":")
		for range 12 {
			all += fmt.Sprint(" w", words.IntN(5000))
		}
		if text != nil {
			all = text(i, all)
		}
		x.truth = append(x.truth, 0.6+4.8*truth.Float64())
		x.labels = append(x.labels, [2]int{})
		for r := range 2 {
			x.labels[i][r] = clip(x.truth[i] + 0.5*raters.NormFloat64())
			rows += fmt.Sprintf("i%03d,r%d,%s,%d\n", i, r+1, all, x.labels[i][r])
		}
	}
	x.importLabels(rows)
}

func (x *trial) importLabels(rows string) {
	x.Helper()
	args := []string{"--dataset", "d", "--rubric", "x_v1"}
	if _, err := os.Stat("calibration"); err != nil {
		args = append(args, "--labeled-by", "people", "--method", "Two people read each note.", "--license", "CC0-1.0")
	}
	x.calibrate(command.ExitOK, "import", rows, args...)
}

// calibrate runs a command on a table, or without one if it is "", and returns what it says.
func (x *trial) calibrate(want int, name, table string, args ...string) string {
	x.Helper()
	args = append([]string{"calibrate", name}, args...)
	if table != "" {
		must.Do(x.T, os.WriteFile("table.csv", []byte(table), 0o666))
		args = append(args, "table.csv")
	}
	var out strings.Builder
	if code := command.Main(Rubric, args, command.Streams{In: strings.NewReader(""), Out: &out, Err: &out, Getenv: func(string) string { return "" }}); code != want {
		x.Fatalf("%s exits with %d, want %d: %s", strings.Join(args, " "), code, want, out.String())
	}
	return out.String()
}

// judge draws the scores of a judge with noise.
func (x *trial) judge(sd float64, seed uint64) []int {
	r := noise(seed)
	scores := make([]int, len(x.truth))
	for i, t := range x.truth {
		scores[i] = clip(t + sd*r.NormFloat64())
	}
	return scores
}

// run imports scores.
func (x *trial) run(judge, date string, scores []int) {
	x.Helper()
	rows := "item,tone\n"
	for i, score := range scores {
		rows += fmt.Sprintf("i%03d,%d\n", i, score)
	}
	x.runRows(judge, date, rows)
}

func (x *trial) runRows(judge, date, rows string) {
	x.Helper()
	x.calibrate(command.ExitOK, "import", rows, "--judge", judge, "--model", "m-1", "--rubric", "x_v1@1.0.0", "--date", date)
}

// says checks the lines of a report before its table, and whether the judge may gate.
func (x *trial) says(judge, asOf string, mayGate bool, want ...string) {
	x.Helper()
	code := command.ExitFindings
	if mayGate {
		code = command.ExitOK
	}
	text := x.calibrate(code, "check", "", "x_v1", "--judge", judge, "--as-of", asOf)
	first := strings.Split(text, "\n")
	first = first[:min(len(first), 12)]
	for _, line := range want {
		if !slices.ContainsFunc(first, func(l string) bool { return strings.Contains(l, line) }) {
			x.Errorf("the first lines do not say %q:\n%s", line, text)
		}
	}
}

// edit rewrites the lines of a file; those that become "" are removed.
func (x *trial) edit(file string, change func(line string) string) {
	x.Helper()
	var out strings.Builder
	for line := range strings.Lines(string(must.Get(os.ReadFile(file))(x.T))) {
		out.WriteString(change(line))
	}
	must.Do(x.T, os.WriteFile(file, []byte(out.String()), 0o666))
}

// worst are the items where scores differ most from the labels.
func (x *trial) worst(scores []int, n int) []int {
	items := make([]int, len(scores))
	for i := range items {
		items[i] = i
	}
	off := func(i int) int { return -max(abs(scores[i]-x.labels[i][0]), abs(scores[i]-x.labels[i][1])) }
	slices.SortStableFunc(items, func(a, b int) int { return off(a) - off(b) })
	return items[:n]
}

func abs(n int) int { return max(n, -n) }

// TestCopiedSecondOpinions: 31 raters with few labels each have the scores of the judge.
func TestCopiedSecondOpinions(t *testing.T) {
	x := newTrial(t, 200, nil)
	scores := x.judge(1.7, 11)
	x.run("j", "2026-11-07", scores)
	x.says("j", "2026-11-07", false)
	rows, n := "item,rater,tone\n", 0
	for _, i := range x.worst(scores, 110) {
		for range 4 {
			rows += fmt.Sprintf("i%03d,r%d,%d\n", i, 4+n%31, scores[i])
			n++
		}
	}
	x.importLabels(rows)
	x.run("j", "2026-11-14", x.judge(1.7, 12))
	x.run("j", "2026-11-21", x.judge(1.7, 13))
	x.says("j", "2026-11-21", false, "Added after the first run, 2026-11-07: 440 labels of earlier items.", "Raters whose labels are the scores of a judge, and do not count: 31, with 440 labels.")
}

// TestSelectedItems: the items that were added are those where the judge was right.
func TestSelectedItems(t *testing.T) {
	x := newTrial(t, 150, nil)
	x.run("j", "2026-11-07", x.judge(1.7, 11))
	x.add(700, nil)
	for n, date := range []string{"2026-11-14", "2026-11-21"} {
		scores := x.judge(1.7, uint64(12+n))
		for i := 150; i < len(scores); i++ { // the others were left out
			scores[i] = max(slices.Max(x.labels[i][:])-1, min(slices.Min(x.labels[i][:])+1, scores[i]))
		}
		x.run("j", date, scores)
	}
	text := x.calibrate(command.ExitOK, "report", "", "x_v1", "--as-of", "2026-11-21")
	if want := "\nAdded after the first run, 2026-11-07: 700 items.\n"; !strings.Contains(text, want) {
		t.Errorf("the report does not say %q:\n%s", want, text)
	}
}

// TestRemovedItems: exceptions let the worst items be removed, with their answers.
func TestRemovedItems(t *testing.T) {
	x := newTrial(t, 300, nil)
	x.run("j", "2026-11-01", x.judge(1.25, 11))
	scores := x.judge(1.25, 12)
	x.run("j", "2026-11-07", scores)
	gone, exceptions := map[string]bool{}, "exceptions:\n"
	for _, i := range x.worst(scores, 60) {
		id := fmt.Sprintf("i%03d", i)
		gone[id] = true
		exceptions += fmt.Sprintf("  - rule: evidence-changed\n    id: d\n    item: %s\n    reason: The text named a customer.\n", id)
	}
	must.Do(t, os.WriteFile("rubrics/exceptions.yaml", []byte(exceptions), 0o666))
	for _, file := range append(must.Get(filepath.Glob("calibration/d/judges/j/*.jsonl"))(t), "calibration/d/items.jsonl") {
		x.edit(file, func(line string) string {
			var of struct{ ID, Item string }
			must.Do(t, json.Unmarshal([]byte(line), &of))
			if gone[of.ID] || gone[of.Item] {
				return ""
			}
			return line
		})
	}
	rows := func(seed uint64) string {
		rows := "item,tone\n"
		for i, score := range x.judge(1.25, seed) {
			if id := fmt.Sprintf("i%03d", i); !gone[id] {
				rows += fmt.Sprintf("%s,%d\n", id, score)
			}
		}
		return rows
	}
	x.runRows("j", "2026-11-14", rows(13))
	x.runRows("j", "2026-11-21", rows(14))
	x.says("j", "2026-11-21", false, "Items that were removed: 60.")
}

// TestARunThatWasImportedTwice counts once.
func TestARunThatWasImportedTwice(t *testing.T) {
	x := newTrial(t, 400, nil)
	scores := x.judge(0.35, 11)
	x.run("j", "2026-11-14", scores)
	x.run("j", "2026-11-21", scores)
	x.says("j", "2026-11-21", false, "run 2026-11-14", "Runs that were imported with the answers of another run, and count as one with it: 1.")
	x.run("j", "2026-11-22", x.judge(0.35, 12))
	x.says("j", "2026-11-22", true, "Runs that were imported with the answers of another run, and count as one with it: 1.")
	scores[7] = 6 - scores[7]
	x.run("j", "2026-11-23", scores)
	x.says("j", "2026-11-23", true, "Runs that gave the same answers as an earlier run, or 99% of them: 1.")
}

// TestARaterWhoIsAnother differs in one label of 400.
func TestARaterWhoIsAnother(t *testing.T) {
	x := newTrial(t, 400, nil)
	x.edit("calibration/d/items.jsonl", func(line string) string {
		first, rest, _ := strings.Cut(line, `"r2":{"tone":`)
		_, label, _ := strings.Cut(line, `"r1":{"tone":`)
		if !strings.HasPrefix(line, `{"id":"i007"`) {
			return first + `"r2":{"tone":` + label[:1] + rest[1:]
		}
		return line
	})
	x.run("j", "2026-11-14", x.judge(0.35, 11))
	x.run("j", "2026-11-21", x.judge(0.35, 12))
	x.says("j", "2026-11-21", false, "Raters with the same labels as another rater, who count as one: 1.")
}

// TestRatersWhoAreAlmostTheJudge: a share of equal labels that honest raters can have decides nothing.
func TestRatersWhoAreAlmostTheJudge(t *testing.T) {
	for _, tt := range []struct {
		moved   int // one label of so many
		mayGate bool
		want    string
	}{
		{12, true, "Equal labels of a rater and j in run 2026-11-14, at most: 367 of 400 (91%)."},
		{200, false, "Raters whose labels are the scores of a judge, and do not count: 2, with 800 labels."},
	} {
		x := newTrial(t, 400, nil)
		scores := x.judge(0.5, 11)
		x.edit("calibration/d/items.jsonl", func(line string) string {
			var item struct{ ID string }
			must.Do(t, json.Unmarshal([]byte(line), &item))
			var i int
			must.Get(fmt.Sscanf(item.ID, "i%d", &i))(t)
			head, _, _ := strings.Cut(line, `"labels":`)
			label := func(r int) int {
				if (i+6*r)%tt.moved == 0 {
					return scores[i] + 1 - 2*(scores[i]/3)
				}
				return scores[i]
			}
			return head + fmt.Sprintf(`"labels":{"r1":{"tone":%d},"r2":{"tone":%d}}}`, max(1, label(0)), max(1, label(1))) + "\n"
		})
		x.run("j", "2026-11-14", scores)
		x.run("j", "2026-11-21", x.judge(0.35, 12))
		x.says("j", "2026-11-21", tt.mayGate, tt.want)
	}
}

// TestTextsThatAreRepeated count once.
func TestTextsThatAreRepeated(t *testing.T) {
	var words [12]string
	x := newTrial(t, 168, func(i int, text string) string {
		if i < len(words) {
			words[i] = text
		}
		return words[i%12] + strings.Repeat(".", 1+i/12)
	})
	x.run("j", "2026-11-14", x.judge(0.7, 11))
	x.run("j", "2026-11-21", x.judge(0.7, 12))
	x.says("j", "2026-11-21", false, "12 of 168 items count", "Items with the text of another item, apart from case, spaces, and punctuation: 156. Each text counts once.")
}

// TestManyJudges: the report on one of them says how many were tried.
func TestManyJudges(t *testing.T) {
	x := newTrial(t, 30, nil)
	for n := range 30 {
		x.run(fmt.Sprintf("j%d", n), "2026-11-21", x.judge(1.2, uint64(11+n)))
	}
	x.says("j7", "2026-11-21", false, "Judges that were tried on these items: 30, in 30 runs.")
}

// TestPeopleWithoutAJudge are compared with each other, also on what they pass and fail.
func TestPeopleWithoutAJudge(t *testing.T) {
	x := newTrial(t, 60, nil)
	both, first := 0, 0
	for _, of := range x.labels {
		if of[1] >= 4 {
			first++
			if of[0] >= 4 {
				both++
			}
		}
	}
	text := x.calibrate(command.ExitOK, "report", "", "x_v1")
	if want := fmt.Sprintf(" %d/%d ", both, first); !strings.Contains(text, want) {
		t.Errorf("the report does not say what r1 passes of what r2 does,%s: %s", want, text)
	}
}

// TestRunsThatWereStopped: bad runs of the only judge that were stopped are said.
func TestRunsThatWereStopped(t *testing.T) {
	x := newTrial(t, 60, nil)
	for n, date := range []string{"2026-11-07", "2026-11-10", "2026-11-14", "2026-11-21"} {
		x.run("j", date, x.judge(0.35, uint64(11+n)))
		if n < 2 {
			last := 0
			x.edit("calibration/d/judges/j/"+date+".jsonl", func(line string) string {
				if last++; last == 60 {
					return ""
				}
				return strings.Replace(line, `"imported":true,`, "", 1)
			})
		}
	}
	x.calibrate(command.ExitOK, "check", "", "x_v1", "--for", "rank", "--as-of", "2026-11-21")
	text := x.calibrate(command.ExitOK, "report", "", "x_v1", "--as-of", "2026-11-21")
	if !strings.Contains(text, "\n\nJudges that were tried on these items: 1, in 4 runs, of which 2 did not end.\n") {
		t.Errorf("the stopped runs are not said: %s", text)
	}
	text = x.calibrate(command.ExitFindings, "check", "", "x_v1", "--for", "rank", "--as-of", "2026-11-10", "--run", "2026-11-10")
	if want := "because run 2026-11-10 was stopped, and does not count"; !strings.Contains(text, want) {
		t.Errorf("the stopped run does not say %q: %s", want, text)
	}
}

// TestAnswersOfAnotherJudge: a judge with the answers of another one is said.
func TestAnswersOfAnotherJudge(t *testing.T) {
	x := newTrial(t, 60, nil)
	for n, date := range []string{"2026-11-14", "2026-11-21"} {
		scores := x.judge(0.35, uint64(11+n))
		x.run("j", date, scores)
		x.run("k", date, scores)
	}
	x.run("other", "2026-11-21", x.judge(0.35, 21))
	const says = "Runs of this judge that have the answers of another judge: "
	if text := x.calibrate(command.ExitOK, "report", "", "x_v1", "--judge", "k", "--as-of", "2026-11-21"); !strings.Contains(text, says+"2.\n") {
		t.Errorf("the answers of another judge are not said: %s", text)
	}
	if text := x.calibrate(command.ExitOK, "report", "", "x_v1", "--judge", "other", "--as-of", "2026-11-21"); strings.Contains(text, says) {
		t.Errorf("a judge of its own has the answers of another one: %s", text)
	}
}

// TestAnswersThatAreAveraged: the mean of many answers is not what one answer is worth.
func TestAnswersThatAreAveraged(t *testing.T) {
	x := newTrial(t, 60, nil)
	for n, date := range []string{"2026-11-14", "2026-11-21"} {
		rows := "item,repeat,tone\n"
		for repeat := range 15 {
			for i, score := range x.judge(1.6, uint64(100*n+repeat)) {
				rows += fmt.Sprintf("i%03d,%d,%d\n", i, repeat+1, score)
			}
		}
		x.runRows("j", date, rows)
	}
	x.says("j", "2026-11-21", false, "Answers averaged for each score: 15.")
}

// TestLabelsThatCameWithAnswers: only the history says that labels were there before the answers.
func TestLabelsThatCameWithAnswers(t *testing.T) {
	commit := func() {
		t.Helper()
		git(t, ".", "add", "-A")
		git(t, ".", "-c", "user.name=a", "-c", "user.email=a@example.com", "commit", "-q", "-m", "more")
	}
	const says = "Labels that came into the history together with answers: "
	for _, tt := range []struct {
		reason string
		commit bool // between labels and answers
		want   string
	}{{"labels and answers in one commit", false, says + "800."}, {"labels before", true, ""}} {
		x := newTrial(t, 400, nil)
		git(t, ".", "init", "-q", "-b", "main")
		if tt.commit {
			commit()
		}
		x.run("j", "2026-11-14", x.judge(0.35, 11))
		x.run("j", "2026-11-21", x.judge(0.35, 12))
		if text := x.calibrate(command.ExitOK, "report", "", "x_v1", "--as-of", "2026-11-21"); strings.Contains(text, says) {
			t.Errorf("%s: nothing is committed:\n%s", tt.reason, text)
		}
		commit()
		text := x.calibrate(command.ExitOK, "report", "", "x_v1", "--as-of", "2026-11-21")
		if strings.Contains(text, says) != (tt.want != "") || !strings.Contains(text, tt.want) {
			t.Errorf("%s: want %q:\n%s", tt.reason, tt.want, text)
		}
	}
}

// TestRatersThatDifferInCase are probably one person, which an import says.
func TestRatersThatDifferInCase(t *testing.T) {
	x := newTrial(t, 3, nil)
	for _, tt := range []struct {
		rater string
		says  bool
	}{{"R1", true}, {"r-1", true}, {"r3", false}} {
		text := x.calibrate(command.ExitOK, "import", "item,rater,tone\ni000,"+tt.rater+",3\n", "--dataset", "d", "--rubric", "x_v1")
		if got := strings.Contains(text, "note: the raters R1"); got != tt.says {
			t.Errorf("%s: %s", tt.rater, text)
		}
	}
}
