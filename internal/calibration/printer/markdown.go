package printer

import (
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/render"
)

// Markdown writes reports for a job summary. Text from files is in code spans, where
// nothing becomes a link, a mention, or a command.
func Markdown(w io.Writer, reports []calibration.Tracked) error {
	m := markdown{}
	for i := range reports {
		if m.Len() > render.MaxMarkdown {
			m.Printf("%s omitted: the summary would be too long.\n", render.Count(len(reports)-i, "more report"))
			break
		}
		m.calibration(&reports[i])
	}
	_, err := io.WriteString(w, m.String())
	return err
}

type markdown struct{ render.Markdown }

func (m *markdown) calibration(r *calibration.Tracked) {
	m.Printf("### %s %s\n\n", outcomeSigns[r.Gate.Given()], render.Code(message("subject", r.Report)))
	for line := range strings.SplitSeq(message("data", r.Report), "\n") {
		m.Printf("%s\n\n", render.Code(line))
	}
	m.table(calibrationRows(r.Report))
	m.Printf("\n%s\n", render.Plain(message("overall", r.Report)))
	if r.Verdict.Items() > 0 {
		m.Printf("\n%s\n", message("verdict", &r.Verdict))
	}
	m.Printf("\n**%s:**\n\n", conclusion(r.Report))
	for _, line := range sentences(r) {
		m.Printf("- %s\n", render.Plain(line))
	}
	m.disagreements(r.Worst)
	m.Printf("\n")
}

// table writes rows below their headings. The first column are texts from files.
func (m *markdown) table(rows [][]string) {
	for i, row := range rows {
		for j, text := range row {
			switch {
			case i == 0:
				text = strings.ToLower(text)
			case j == 0:
				text = render.Cell(text)
			}
			m.Printf("| %s ", text)
		}
		m.Printf("|\n")
		if i == 0 {
			m.Printf("%s|\n", strings.Repeat("|---", len(row)))
		}
	}
}

var outcomeSigns = map[bool]string{true: "✅", false: "❌"}

func (m *markdown) disagreements(list []calibration.Disagreement) {
	if len(list) == 0 {
		return
	}
	m.Printf("\n<details><summary>Worst disagreements</summary>\n\n| item | criterion | judge | people | text | reason |\n|---|---|---|---|---|---|\n")
	for _, d := range list[:min(len(list), shownTexts)] {
		m.Printf("| %s | %s | %s | %s | %s | %s |\n", render.Cell(d.Item), render.Cell(d.Criterion), score(d.Judge), score(d.People), render.Cell(beginning(render.OneLine(d.Artifact), 200)), render.Cell(beginning(render.OneLine(d.Reason), 200)))
	}
	m.Printf("\n</details>\n")
}
