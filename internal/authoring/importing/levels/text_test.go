package levels

import (
	"fmt"
	"testing"
)

func TestLabels(t *testing.T) {
	for _, test := range []struct {
		want   string
		labels []string
	}{
		{"3", []string{"3", " 3 ", "3:", "Score 3", "score_3", "score3_description", "score_3_description", "orig_score3_description", "Level 3", "level_3", "rating: 3", "L3", "**3**", "3 points", "3 pts", "3/5", "3 of 4", "3 stars", "Grade 3", "anchor_3"}},
		{"0.5", []string{"0.5", "0,5", ".5", "Score of 0.5"}},
		{"80", []string{"80 %", "80%", "80 percent"}},
		{"3 to 4", []string{"3-4", "3 – 4", "3 to 4", "3-4 points", "Score 3-4"}},
		{"90 to 100", []string{"90-100%", "90% - 100%"}},
		{"90+", []string{"90+"}},
		{"≥ 90 %", []string{"≥ 90 %"}},
		{"< 60", []string{"< 60"}},
		{"4 (Good)", []string{"4 - Good", "4: Good", "Good (4)", "Good: 4", "Good - 4 points", "4 (Good)", "4 = Good", "Level 4 – Good", "Good (4 pts)", "Good 4", "**4** — Good", "Good (4/5)", "Score 4 (Good)"}},
		{"9 to 10 (Excellent)", []string{"Excellent (9-10)", "9–10: Excellent", "Excellent 9–10"}},
		{"4 (Cites two sources)", []string{"4 - Cites two sources", "Cites two sources (4)"}},
		{"Good", []string{"Good", "*Good*", "Good:"}},
		{"Cites 2 sources", []string{"Cites 2 sources"}},
		{"2 sources", []string{"2 sources"}},
		{"3rd", []string{"3rd"}},
		{"Step 1", []string{"Step 1"}},
		{"n/a", []string{"n/a"}},
		{"2024-05-01", []string{"2024-05-01"}},
	} {
		for _, label := range test.labels {
			l := Label(label)
			if got := l.ScoreAndName(); got != test.want {
				t.Errorf("%q: got %q, want %q", label, got, test.want)
			}
		}
	}
	for text, want := range map[string]bool{
		"1": true, "score_1": true, "Excellent": true, "Good (3 pts)": true, "5 - Excellent": true, "pass": true, "0-10": true, "Score 4: cites sources": true,
		"Clarity": false, "Clarity (5 points)": false, "1 - Introduction": false, "What good looks like": false, "Notes": false, "Step 1": false, "weight": false, "2 examples": false, "": false,
		"Exemplary\n4": true, "🟢 Good": true, "★★★☆☆": true, "5 (Thorough and deep)": true, "Advanced, 4": true, "Needs improvement": true, "Not met": true, "n/a": true,
		"1 of the parts is missing": false, "Grade level": false, "Q1": false, "2024": false, "Quality": false, "Standards": false, "1. Criterion": false, "Points": false,
		"description": false, "criterion": false, "id": false, "name": false, "threshold": false, "examples": false, "score": false, "level": false,
	} {
		if l, ok := ReadLabel(text); ok != want {
			t.Errorf("%q is the name of a level: %v, %v, want %v", text, l, ok, want)
		}
	}
}

func TestItems(t *testing.T) {
	for line, want := range map[string]string{
		"- 1: nobody":                     "1|nobody",
		"* 5 - Excellent: clean":          "5 (Excellent)|clean",
		"- **5**: clean":                  "5|clean",
		"**5** — clean":                   "5|clean",
		"- **Score 5:** clean":            "5|clean",
		"- **5 (Excellent)**: clean":      "5 (Excellent)|clean",
		"- **Excellent (5 points):** all": "5 (Excellent)|all",
		"Score 5 (Excellent): clean":      "5 (Excellent)|clean",
		"Excellent: clean":                "Excellent|clean",
		"Excellent - 5: clean":            "5 (Excellent)|clean",
		"- Pass: it runs":                 "Pass|it runs",
		"1 = bad":                         "1|bad",
		"0.5: half":                       "0.5|half",
		"1 - 2 sources are named":         "1|2 sources are named",
		"1 - 2: few":                      "1 to 2|few",
		"3-4 = some":                      "3 to 4|some",
		"80–100 %: nearly all":            "80 to 100|nearly all",
		"5/5: clean":                      "5|clean",
		"Does not meet expectations: no":  "Does not meet expectations|no",
		"1. Read it.":                     "",
		"1) Read it.":                     "",
		"- [ ] 1: box":                    "",
		"12:30 it ends":                   "",
		"At 12:30 it ends.":               "",
		"Note: read it":                   "",
		"- Always: cite sources":          "",
		"- Good example: x":               "",
		"- Clarity (5 points): is it":     "",
		"- 2 sources: a and b":            "",
		"- Step 1: read":                  "",
		"5:":                              "",
		"":                                "",
	} {
		l, ok := Item(line)
		got := l.ScoreAndName() + "|" + l.Text
		if !ok {
			got = ""
		}
		if got != want {
			t.Errorf("%q: got %q, want %q", line, got, want)
		}
	}
}

func TestLevelsInTexts(t *testing.T) {
	for text, want := range map[string]string{
		"Is it right?\nScore 1: no\nScore 5: yes\n\nBe strict.": "Is it right?\n\nBe strict.|1 no|5 yes",
		"1 - bad\n2 – good":                            "|1 bad|2 good",
		"Score of 0.5: half\n  of it\nScore of 1: all": "|0.5 half\nof it|1 all",
		"- **Score 1**: a\n- **Score 2-3**: b":         "|1 a|2 to 3 b",
		"1. Read it.\n2. Judge it.":                    "1. Read it.\n2. Judge it.",
		"At 12:30 it ends.":                            "At 12:30 it ends.",
		"Score 1: alone":                               "Score 1: alone",
		"Judge it.\nPass: it runs\nFail: it crashes":   "Judge it.|Pass it runs|Fail it crashes",
		"Score 1: a\nGood: b\nScore 5: c":              "|1 a\nGood: b|5 c",
		"A: the first\nB: the second":                  "A: the first\nB: the second",
		"A: all\nB: most\nF: none":                     "|A all|B most|F none",
		"Good: x\nBad: y":                              "Good: x\nBad: y",
		"12:30 lunch\n14:00 talk":                      "12:30 lunch\n14:00 talk",
		"1. Poor: a\n2. Good: b":                       "|Poor a|Good b",
		"Correct: the sums\nComplete: all parts":       "Correct: the sums\nComplete: all parts",
		"Correct: the sums\nIncorrect: other sums":     "|Correct the sums|Incorrect other sums",
		"Clarity: is it clear?\nTone: is it kind?":     "Clarity: is it clear?\nTone: is it kind?",
		"5:all\n1:none":                                "|5 all|1 none",
		"Step 1: read\nStep 2: score":                  "Step 1: read\nStep 2: score",
	} {
		rest, levels := In(text)
		for _, l := range levels {
			rest += "|" + l.ScoreAndName() + " " + l.Text
		}
		if rest != want {
			t.Errorf("%q: got %q, want %q", text, rest, want)
		}
	}
}

func TestDeclaredScales(t *testing.T) {
	for text, want := range map[string]string{
		"1-5": "1 to 5, 0", "0 to 10": "0 to 10, 0", "0..4": "0 to 4, 0", "1 (best) to 6 (worst)": "1 to 6, 2", "1 (poor) - 5 (excellent)": "1 to 5, 1",
		"1 = poor, 5 = excellent": "1 to 5, 1", "0–100 %": "0 to 100, 0", "5-1": "1 to 5, 0", "lower is better": "unknown, 2", "ordinal": "unknown, 0", "": "unknown, 0",
	} {
		if got := show(Scale(text)); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
	for text, want := range map[string]string{
		"Rate the reply from 1 to 10.": "1 to 10, 0", "On a scale of 0 to 4, is it kind?": "0 to 4, 0", "Are there 3 to 5 sources?": "unknown, 0",
		"Rate the errors from 0 to 3. Lower is better.": "0 to 3, 2",
	} {
		if got := show(InDescription(text)); got != want {
			t.Errorf("%q: got %s, want %s", text, got, want)
		}
	}
}

func show(d Declared) string {
	if !d.IsKnown {
		return fmt.Sprintf("unknown, %d", d.Direction)
	}
	return fmt.Sprintf("%v to %v, %d", d.Low, d.High, d.Direction)
}
