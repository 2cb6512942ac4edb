package render

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/calibration/replay"
)

// recordingHTML is what came of recorded scores.
type recordingHTML struct {
	ID, Name, Verdicts string
	Remarks            []string
	Flips              []flipHTML
	More               int // flips that are not listed
}

type flipHTML struct{ Class, Item, Became, Reasons string }

// replay says on a page what came of recorded scores.
func (p *diffHTML) replay(r *replay.Replay) {
	p.Replay = replayed(r)
	plain := func(name string) string { return name } // the template makes texts inert
	for i := range r.Rubrics {
		rubric := &r.Rubrics[i]
		if rubric.Missing != "" {
			continue
		}
		for j := range rubric.Recordings {
			recording := newRecordingHTML(&rubric.Recordings[j])
			recording.ID = fmt.Sprintf("recording-%d", len(p.Recordings)+1)
			recording.Name = "Replay of " + replayOf(rubric, plain) + ": " + recordingName(&rubric.Recordings[j], plain)
			p.Recordings = append(p.Recordings, recording)
		}
	}
	more := unplayed(r, func(id, why string) {
		p.Unplayed = append(p.Unplayed, "Replay of "+id+": nothing, "+why+".")
	})
	if more > 0 {
		p.Unplayed = append(p.Unplayed, "Replay: nothing for "+count(more, "rubric")+" more.")
	}
}

func newRecordingHTML(rec *replay.Recording) recordingHTML {
	h := recordingHTML{Verdicts: verdicts(rec), Remarks: remarks(rec)}
	h.More = listed(rec, func(f *replay.Flip) {
		class := "not_met"
		if f.Passes {
			class = "met"
		}
		h.Flips = append(h.Flips, flipHTML{class, f.Item, became(f), reasons(f)})
	})
	return h
}
