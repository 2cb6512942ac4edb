package levels

import (
	"fmt"
	"testing"
)

func TestLevelsInTexts(t *testing.T) {
	for text, want := range map[string]string{
		"Is it right?\nScore 1: no\nScore 5: yes\n\nBe strict.": "Is it right?\n\nBe strict.|1 no|5 yes",
		"1 - bad\n2 – good":                            "|1 bad|2 good",
		"Score of 0.5: half\n  of it\nScore of 1: all": "|0.5 half\nof it|1 all",
		"- **Score 1**: a\n- **Score 2-3**: b":         "|1 a|2 to 3 b",
		"1. Read it.\n2. Judge it.":                    "1. Read it.\n2. Judge it.",
		"At 12:30 it ends.":                            "At 12:30 it ends.",
		"12:30 lunch\n14:00 talk":                      "12:30 lunch\n14:00 talk",
		"Score 1: alone":                               "Score 1: alone",
		"1. Poor: a\n2. Good: b":                       `|"Poor" a|"Good" b`,
		"5 - Excellent: a\n1 - Poor: b":                "|5 Excellent a|1 Poor b",
		"Excellent (9-10): a\nPoor (0–2): b":           "|9 to 10 Excellent a|0 to 2 Poor b",
		"Correct: the sums\nComplete: all parts":       "Correct: the sums\nComplete: all parts",
		"Correct: the sums\nIncorrect: other sums":     `|"Correct" the sums|"Incorrect" other sums`,
		"Clarity: is it clear?\nTone: is it kind?":     "Clarity: is it clear?\nTone: is it kind?",
		"A: true\nB: false":                            "A: true\nB: false",
		"5/5 = all\n1/5 = none":                        "|5 all|1 none",
		"5:all\n1:none":                                "|5 all|1 none",
		"Step 1: read\nStep 2: score":                  "Step 1: read\nStep 2: score",
	} {
		rest, levels := In(text)
		for _, l := range levels {
			rest += "|" + shown(l) + " " + l.Text
		}
		if rest != want {
			t.Errorf("%q: got %q, want %q", text, rest, want)
		}
	}
}

// shown is a level without its text.
func shown(l Level) string {
	if l.IsNamed() || l.Name == "" {
		return l.String()
	}
	return fmt.Sprint(l, " ", l.Name)
}

func TestLabels(t *testing.T) {
	for label, want := range map[string]string{
		"1": "1", "0.5": "0.5", "0,5": "0.5", "5 points": "5", "4 pts": "4", "Score 3": "3", "Level 2": "2", "score_1": "1", "90-100 %": "90 to 100", "4/5": "4",
		"Excellent": `"Excellent"`, "needs improvement": `"needs improvement"`, "Meets expectations": `"Meets expectations"`, "Not met": `"Not met"`, "Yes": `"Yes"`,
		"5 - Excellent": "5 Excellent", "5 (Thorough and deep)": "5 Thorough and deep", "Excellent (4 pts)": "4 Excellent", "Excellent 4": "4 Excellent",
		"Exemplary\n4": "4 Exemplary", "**4** – Good": "4 Good", "🟢 Good": `"Good"`, "★★★☆☆": "3", "Level 1: Poor": "1 Poor", "Advanced, 4": "4 Advanced",
		"Clarity": "", "Weight": "", "1. Criterion": "", "Description": "", "Grade level": "", "Q1": "", "2024": "", "1 of the parts is missing": "", "Quality": "", "": "",
		"Score": "", "Points": "", "Standards": "",
	} {
		l, ok := ReadLabel(label)
		if got := shown(l); ok != (want != "") || ok && got != want {
			t.Errorf("%q: got %s, %v, want %s", label, got, ok, want)
		}
	}
	for label, want := range map[string]string{"5 – Thorough and insightful": "5 Thorough and insightful", "Superhero": `"Superhero"`} {
		if got := shown(Label(label)); got != want {
			t.Errorf("%q: got %s, want %s", label, got, want)
		}
	}
}
