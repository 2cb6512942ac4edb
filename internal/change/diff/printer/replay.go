package printer

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/render"
)

// The limits of a replay for people: flips of a recording, reasons of a flip, rubrics
// without recorded scores, and bytes of Markdown. The JSON has everything.
const (
	maxFlips    = 20
	maxReasons  = 5
	maxUnplayed = 20
	maxReplay   = 200_000
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
	if n.repeat > 0 {
		text += "; " + render.Count(n.repeat, "judge run") + " must be repeated, " +
			"and until then the flips are only indications"
	}
	return text + "."
}

// counted has the sums over all recordings of a replay.
type counted struct{ replayed, toFail, toPass, repeat int }

func count(r *replay.Replay) (sum counted) {
	for _, rubric := range r.Rubrics {
		for _, rec := range rubric.Recordings {
			toFail, toPass := rec.CountFlips()
			sum.replayed += rec.Replayed
			sum.toFail += toFail
			sum.toPass += toPass
		}
		sum.repeat += len(rubric.Repeat)
	}
	return sum
}

func flipped(all, toFail, toPass int, noun string) string {
	flips, verb := toFail+toPass, "flip"
	if flips == 1 || all == 1 {
		verb = "flips"
	}
	text := fmt.Sprintf("%d of %s %s", flips, render.Count(all, noun), verb)
	if flips > 0 {
		text += ", " + ways(toFail, toPass)
	}
	return text
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
	toFail, toPass := rec.CountFlips()
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

func reasons(f *replay.Flip) string {
	var parts []string
	shown, more := upTo(maxReasons, f.Reasons)
	for _, r := range shown {
		parts = append(parts, r.Message)
	}
	if more > 0 {
		parts = append(parts, "and "+moreOf(more, "reason"))
	}
	return strings.Join(parts, "; ")
}

// upTo returns the first n elements of a list, and how many more there are.
func upTo[T any](n int, list []T) (shown []T, more int) {
	shown = list[:min(n, len(list))]
	return shown, len(list) - len(shown)
}

// moreOf says how many things are left out, such as "504 more documents".
func moreOf(n int, noun string) string { return render.Count(n, "more "+noun) }

// replayPrinter writes the result for the recorded scores, without its summary.
type replayPrinter struct {
	*render.Output
	bullet string
	// name and text make names and sentences from a library safe to print.
	name, text func(string) string
	// strong returns a text in a style.
	strong func(style, text string) string
	// limit is the length of the output in bytes from which on nothing is added.
	limit int
}

func (p *replayPrinter) line(depth int, format string, args ...any) {
	p.Printf("%s%s%s\n", strings.Repeat("  ", depth), p.bullet, fmt.Sprintf(format, args...))
}

func (p *replayPrinter) replay(r *replay.Replay) {
	var missing []replay.Rubric
	for i, rubric := range r.Rubrics {
		if rubric.Missing != "" {
			missing = append(missing, rubric)
			continue
		}
		dataset := "calibration/" + string(rubric.Dataset)
		title := fmt.Sprintf("Replay of %s with %s:", replayOf(&rubric, p.name), p.name(dataset))
		p.line(0, "%s", p.strong(render.StyleBold, title))
		for _, rec := range rubric.Recordings {
			if p.Len() > p.limit {
				p.line(0, "%s", moreOf(len(r.Rubrics)-i, "rubric"))
				return
			}
			p.printRecording(&rec)
		}
	}
	shown, more := upTo(maxUnplayed, missing)
	for _, rubric := range shown {
		p.line(0, "Replay of %s: not possible, %s.", p.name(rubric.ID), p.text(string(rubric.Missing)))
	}
	if more > 0 {
		p.line(0, "Replay: not possible for %s.", moreOf(more, "rubric"))
	}
}

func (p *replayPrinter) printRecording(rec *replay.Recording) {
	p.line(1, "%s: %s", recordingName(rec, p.name), verdicts(rec))
	for _, remark := range remarks(rec) {
		p.line(2, "%s", p.text(remark))
	}
	flips, more := upTo(maxFlips, rec.Flips)
	for _, f := range flips {
		became := p.strong(render.StyleError, "fails now")
		if f.To == replay.ToPass {
			became = p.strong(render.StyleNote, "passes now")
		}
		p.line(2, "item %s %s: %s", p.name(f.Item), became, p.text(reasons(&f)))
	}
	if more > 0 {
		p.line(2, "and %s", moreOf(more, "item"))
	}
}
