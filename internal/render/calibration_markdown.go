package render

import (
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

// CalibrationMarkdown writes reports for a job summary. What comes from files
// stands in code spans, where nothing is a link, a mention or a command.
func CalibrationMarkdown(w io.Writer, reports []Calibration) error {
	m := calibrationMarkdown{}
	for i := range reports {
		if m.Len() > MaxMarkdown {
			m.Printf("%s left out: the summary would be too long.\n", Count(len(reports)-i, "more report"))
			break
		}
		m.calibration(&reports[i])
	}
	_, err := io.WriteString(w, m.String())
	return err
}

type calibrationMarkdown struct{ Markdown }

func (m *calibrationMarkdown) calibration(r *Calibration) {
	m.Printf("### %s %s\n\n%s\n\n", outcomeSigns[r.Calibrated], Code(subjectLine(r.Report)), Code(dataLine(r.Report)))
	for i, row := range calibrationRows(r.Report) {
		for j, text := range row {
			if i > 0 && j == 0 {
				text = Cell(text)
			}
			m.Printf("| %s ", strings.ToLower(text))
		}
		m.Printf("|\n")
		if i == 0 {
			m.Printf("%s|\n", strings.Repeat("|---", len(row)))
		}
	}
	m.Printf("\n%s\n", Plain(overallLine(r.Report)))
	if line := verdictLine(&r.Verdict); line != "" {
		m.Printf("\n%s\n", line)
	}
	m.Printf("\n**%s**\n\n", conclusion(r.Report))
	for _, line := range sentences(r) {
		m.Printf("- %s\n", Plain(line))
	}
	m.disagreements(r.Worst)
	m.Printf("\n")
}

var outcomeSigns = map[bool]string{true: "✅", false: "❌"}

func (m *calibrationMarkdown) disagreements(list []calibration.Disagreement) {
	if len(list) == 0 {
		return
	}
	m.Printf("\n<details><summary>Worst disagreements</summary>\n\n| item | criterion | judge | people | text |\n|---|---|---|---|---|\n")
	for _, d := range list[:min(len(list), shownTexts)] {
		m.Printf("| %s | %s | %s | %s | %s |\n", Cell(d.Item), Cell(d.Criterion), Number(rounded2(d.Judge)), Number(rounded2(d.People)), Cell(beginning(OneLine(d.Artifact), 200)))
	}
	m.Printf("\n</details>\n")
}
