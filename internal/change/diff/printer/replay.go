package printer

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// The limits of a replay for people: flips of a recording, reasons of a flip, rubrics
// without recorded scores, and bytes of Markdown. The JSON has everything.
const (
	maxFlips       = 20
	maxReasons     = 5
	maxUnplayed    = 20
	maxFlipTable   = 100_000
	maxReplayTable = 50_000
	maxReplay      = 200_000
)

// replayed is the result of a replay as a sentence.
func replayed(r *replay.Replay) string {
	if r.Missing != "" {
		return "Nothing was replayed: " + string(r.Missing) + "."
	}
	n := count(r)
	text := "Replay: "
	if n.replayed == 0 {
		text += "no recorded verdicts could be replayed"
	} else {
		text += flipped(n.replayed, n.toFail, n.toPass, "recorded verdict")
	}
	switch {
	case n.repeat == 1:
		text += "; 1 judge run must be repeated, and is only an indication until then"
	case n.repeat > 1:
		text += fmt.Sprintf("; %d judge runs must be repeated, and are only indications until then", n.repeat)
	}
	return text + "."
}

// counted has the sums over all recordings of a replay.
type counted struct{ replayed, toFail, toPass, repeat int }

func count(r *replay.Replay) (sum counted) {
	for _, rubric := range r.Rubrics {
		for _, rec := range rubric.Recordings {
			toFail, toPass := rec.Flipped()
			sum.replayed += rec.Replayed
			sum.toFail += toFail
			sum.toPass += toPass
		}
		sum.repeat += len(rubric.Repeat)
	}
	return sum
}

func flipped(all, toFail, toPass int, noun string) string {
	switch flips := toFail + toPass; {
	case flips == 0 && all == 1:
		return "the only " + noun + " does not flip"
	case flips == 0:
		return fmt.Sprintf("none of %d %ss flips", all, noun)
	case flips == 1:
		return fmt.Sprintf("1 of %s flips, %s", render.Count(all, noun), ways(toFail, toPass))
	default:
		return fmt.Sprintf("%d of %s flip, %s", flips, render.Count(all, noun), ways(toFail, toPass))
	}
}

func ways(toFail, toPass int) string {
	var parts []string
	if toFail > 0 {
		parts = append(parts, fmt.Sprintf("%d to fail", toFail))
	}
	if toPass > 0 {
		parts = append(parts, fmt.Sprintf("%d to pass", toPass))
	}
	return schema.Or(parts, "and")
}

// replayOf names the rubric, and the one that it replaces. show makes names safe to
// print.
func replayOf(r *replay.Rubric, show func(string) string) string {
	if r.Replaces == "" {
		return show(r.ID)
	}
	return show(r.ID) + " in the place of " + show(string(r.Replaces))
}

// recordingName says whose scores they are. show makes names safe to print.
func recordingName(rec *replay.Recording, show func(string) string) string {
	if rec.Source == replay.Labels {
		return "labels of " + show(rec.Name)
	}
	return fmt.Sprintf("judge %s, run %s, %s", show(rec.Name), show(string(rec.Run)), show(string(rec.Model)))
}

func verdicts(rec *replay.Recording) string {
	if rec.Replayed == 0 {
		return "no verdicts can be replayed"
	}
	toFail, toPass := rec.Flipped()
	text := flipped(rec.Replayed, toFail, toPass, "verdict")
	if rest := rec.Items - rec.Replayed; rest > 0 {
		text += fmt.Sprintf("; %s with missing scores", render.Count(rest, "item"))
	}
	return text
}

// remarks are notes about a recording, as sentences.
func remarks(rec *replay.Recording) []string {
	var out []string
	again, ask := "Repeat the run.", "Ask the judge again for "
	if rec.Source == replay.Labels {
		again, ask = "Label them again, or reaffirm the labels in dataset.yaml.", "Have the items labeled for "
	}
	if rec.Indication != "" {
		out = append(out, "These are only indications: "+string(rec.Indication)+". "+again)
	}
	if len(rec.Unscored) > 0 {
		names := schema.Or(rec.Unscored, "and")
		out = append(out, fmt.Sprintf("No score of %s is recorded. %s%s.", names, ask, names))
	}
	if len(rec.Lost) > 0 {
		out = append(out, fmt.Sprintf("No score of %s is recorded, which is only in the base.", schema.Or(rec.Lost, "and")))
	}
	var parts []string
	for _, o := range rec.Criteria {
		parts = append(parts, fmt.Sprintf("%s (%s)", o.Name, ways(o.ToFail, o.ToPass)))
	}
	if text := strings.Join(parts, ", "); text != "" && rec.Replayed > 0 {
		out = append(out, "Other results that differ with the same verdict: "+text+".")
	} else if rec.Replayed == 0 && rec.Items > 0 {
		out = append(out, "By criterion: "+cmp.Or(text, "no result differs")+".")
	}
	return out
}

func became(f *replay.Flip) string {
	if f.To == replay.ToPass {
		return "passes now"
	}
	return "fails now"
}

func reasons(f *replay.Flip) string {
	var parts []string
	shown, more := upTo(maxReasons, f.Reasons)
	for _, r := range shown {
		parts = append(parts, r.Message)
	}
	if more > 0 {
		parts = append(parts, fmt.Sprintf("and %d more", more))
	}
	return strings.Join(parts, "; ")
}

// upTo returns the first n elements of a list, and how many more there are.
func upTo[T any](n int, list []T) (shown []T, more int) {
	shown = list[:min(n, len(list))]
	return shown, len(list) - len(shown)
}

// unplayed returns the listed rubrics without recorded scores, and how many more there are.
func unplayed(r *replay.Replay) (shown []replay.Rubric, more int) {
	return upTo(maxUnplayed, slices.DeleteFunc(slices.Clone(r.Rubrics), func(r replay.Rubric) bool { return r.Missing == "" }))
}

// replay writes the result for the recorded scores, without its summary.
func (t *text) replay(r *replay.Replay) {
	for _, rubric := range r.Rubrics {
		if rubric.Missing != "" {
			continue
		}
		t.Printf("%s\n", t.Paint(render.StyleBold, fmt.Sprintf("Replay of %s with calibration/%s:", replayOf(&rubric, sanitize.Line), sanitize.Line(string(rubric.Dataset)))))
		for _, rec := range rubric.Recordings {
			t.recording(&rec)
		}
	}
	rest, more := unplayed(r)
	for _, rubric := range rest {
		t.Printf("Replay of %s: not possible, %s.\n", sanitize.Line(rubric.ID), sanitize.Line(string(rubric.Missing)))
	}
	if more > 0 {
		t.Printf("Replay: not possible for %s more.\n", render.Count(more, "rubric"))
	}
}

func (t *text) recording(rec *replay.Recording) {
	t.Printf("  %s: %s\n", recordingName(rec, sanitize.Line), verdicts(rec))
	for _, remark := range remarks(rec) {
		t.Printf("    %s\n", sanitize.Line(remark))
	}
	flips, more := upTo(maxFlips, rec.Flips)
	for _, f := range flips {
		style := render.StyleError
		if f.To == replay.ToPass {
			style = render.StyleNote
		}
		t.Printf("    %s %s: %s\n", sanitize.Line(f.Item), t.Paint(style, became(&f)), sanitize.Line(reasons(&f)))
	}
	if more > 0 {
		t.Printf("    and %d more\n", more)
	}
}

// replay writes a table of the verdicts that flip, a table of the recordings, and what is
// not known.
func (m *markdown) replay(r *replay.Replay) {
	m.Printf("\n### Verdicts\n\n%s\n", render.Plain(replayed(r)))
	m.flips(r)
	m.recordings(r)
	m.Printf("\n")
	for i, rubric := range r.Rubrics {
		for _, rec := range rubric.Recordings {
			if m.Len() > maxReplay {
				m.Printf("- remarks about %s more\n", render.Count(len(r.Rubrics)-i, "rubric"))
				return
			}
			for _, remark := range remarks(&rec) {
				m.Printf("- %s, %s: %s\n", replayOf(&rubric, render.Code), recordingName(&rec, render.Code), render.Plain(remark))
			}
		}
	}
	rest, more := unplayed(r)
	for _, rubric := range rest {
		m.Printf("- %s: not possible, %s\n", render.Code(rubric.ID), render.Plain(string(rubric.Missing)))
	}
	if more > 0 {
		m.Printf("- %d more\n", more)
	}
}

func (m *markdown) flips(r *replay.Replay) {
	n := count(r)
	left := n.toFail + n.toPass
	if left == 0 {
		return
	}
	m.Printf("\n| item | verdict | rubric and scores | why |\n|---|---|---|---|\n")
	for _, rubric := range r.Rubrics {
		for _, rec := range rubric.Recordings {
			from := replayOf(&rubric, render.Cell) + ", " + recordingName(&rec, render.Cell)
			for _, f := range rec.Flips[:min(len(rec.Flips), maxFlips)] {
				if m.Len() < maxFlipTable {
					m.Printf("| %s | **%s** | %s | %s |\n", render.Cell(f.Item), became(&f), from, render.Plain(reasons(&f)))
					left--
				}
			}
		}
	}
	if left > 0 {
		m.Printf("| %d more | | | |\n", left)
	}
}

func (m *markdown) recordings(r *replay.Replay) {
	const head = "\n| recorded scores | verdicts | fail now | pass now |\n|---|---|---|---|\n"
	rows := 0
	for i, rubric := range r.Rubrics {
		for _, rec := range rubric.Recordings {
			if rows++; rows == 1 {
				m.Printf(head)
			}
			if m.Len() > maxFlipTable+maxReplayTable {
				m.Printf("| %s more | | | |\n", render.Count(len(r.Rubrics)-i, "rubric"))
				return
			}
			toFail, toPass := rec.Flipped()
			verdicts := strconv.Itoa(rec.Replayed)
			if rec.Replayed < rec.Items {
				verdicts += fmt.Sprintf(" of %d items", rec.Items) // the others have missing scores
			}
			m.Printf("| %s, %s | %s | %d | %d |\n", replayOf(&rubric, render.Cell), recordingName(&rec, render.Cell), verdicts, toFail, toPass)
		}
	}
}
