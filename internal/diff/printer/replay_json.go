package printer

import (
	"github.com/rubric-library/rubric-library/internal/calibration/replay"
	"github.com/rubric-library/rubric-library/internal/render"
)

type jsonReplay struct {
	Missing *string            `json:"missing"`
	Rubrics []jsonReplayRubric `json:"rubrics"`
}

type jsonReplayRubric struct {
	ID         string          `json:"id"`
	Replaces   *string         `json:"replaces"`
	Dataset    *string         `json:"dataset"`
	Missing    *string         `json:"missing"`
	Reworded   []string        `json:"reworded"`
	Repeat     []jsonRun       `json:"repeat"`
	Recordings []jsonRecording `json:"recordings"`
}

type jsonRun struct {
	Judge string `json:"judge"`
	Run   string `json:"run"`
	Model string `json:"model"`
}

type jsonRecording struct {
	Source     replay.Source `json:"source"`
	Name       string        `json:"name"`
	Run        *string       `json:"run"`
	Model      *string       `json:"model"`
	Items      int           `json:"items"`
	Replayed   int           `json:"replayed"`
	Unscored   []string      `json:"unscored"`
	Lost       []string      `json:"lost"`
	Indication *string       `json:"indication"`
	Flips      []jsonFlip    `json:"flips"`
	Criteria   []jsonOutcome `json:"criteria"`
}

type jsonFlip struct {
	Item    string           `json:"item"`
	To      string           `json:"to"`
	Reasons []jsonFlipReason `json:"reasons"`
}

type jsonFlipReason struct {
	Kind    replay.Kind `json:"kind"`
	Name    *string     `json:"name"`
	Message string      `json:"message"`
}

type jsonOutcome struct {
	Kind   replay.Kind `json:"kind"`
	Name   string      `json:"name"`
	ToFail int         `json:"to_fail"`
	ToPass int         `json:"to_pass"`
}

// replayJSON is a replay, or nil.
func replayJSON(r *replay.Replay) *jsonReplay {
	if r == nil {
		return nil
	}
	j := &jsonReplay{Missing: render.OrNull(r.Missing), Rubrics: []jsonReplayRubric{}}
	for i := range r.Rubrics {
		rubric := &r.Rubrics[i]
		out := jsonReplayRubric{
			ID: rubric.ID, Replaces: render.OrNull(rubric.Replaces), Dataset: render.OrNull(rubric.Dataset), Missing: render.OrNull(rubric.Missing),
			Reworded: render.OrEmpty(rubric.Reworded), Repeat: []jsonRun{}, Recordings: []jsonRecording{},
		}
		for _, rec := range rubric.Repeat() {
			out.Repeat = append(out.Repeat, jsonRun{rec.Name, rec.Run, rec.Model})
		}
		for k := range rubric.Recordings {
			out.Recordings = append(out.Recordings, recordingJSON(&rubric.Recordings[k]))
		}
		j.Rubrics = append(j.Rubrics, out)
	}
	return j
}

func recordingJSON(rec *replay.Recording) jsonRecording {
	j := jsonRecording{
		Source: rec.Source, Name: rec.Name, Run: render.OrNull(rec.Run), Model: render.OrNull(rec.Model),
		Items: rec.Items, Replayed: rec.Replayed, Unscored: render.OrEmpty(rec.Unscored), Lost: render.OrEmpty(rec.Lost),
		Indication: render.OrNull(rec.Indication), Flips: []jsonFlip{}, Criteria: []jsonOutcome{},
	}
	for _, f := range rec.Flips {
		flip := jsonFlip{Item: f.Item, To: "fail"}
		if f.Passes {
			flip.To = "pass"
		}
		for _, r := range f.Reasons {
			flip.Reasons = append(flip.Reasons, jsonFlipReason{r.Kind, render.OrNull(r.Name), r.Message})
		}
		j.Flips = append(j.Flips, flip)
	}
	for _, o := range rec.Criteria {
		j.Criteria = append(j.Criteria, jsonOutcome(o))
	}
	return j
}
