package render

import (
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// CalibrationMarkdown writes reports for a job summary. What comes from files
// stands in code spans, where nothing is a link, a mention or a command.
func CalibrationMarkdown(w io.Writer, reports []Calibration) error {
	m := markdown{}
	for i := range reports {
		if m.Len() > MaxMarkdown {
			m.printf("%s left out: the summary would be too long.\n", count(len(reports)-i, "more report"))
			break
		}
		m.calibration(&reports[i])
	}
	_, err := io.WriteString(w, m.String())
	return err
}

func (m *markdown) calibration(r *Calibration) {
	m.printf("### %s %s\n\n%s\n\n", outcomeSigns[r.Calibrated], code(subjectLine(r.Report)), code(dataLine(r.Report)))
	for i, row := range calibrationRows(r.Report) {
		for j, text := range row {
			if i > 0 && j == 0 {
				text = cell(text)
			}
			m.printf("| %s ", strings.ToLower(text))
		}
		m.printf("|\n")
		if i == 0 {
			m.printf("%s|\n", strings.Repeat("|---", len(row)))
		}
	}
	m.printf("\n%s\n", plain(overallLine(r.Report)))
	if line := verdictLine(&r.Verdict); line != "" {
		m.printf("\n%s\n", line)
	}
	m.printf("\n**%s**\n\n", conclusion(r.Report))
	for _, line := range sentences(r) {
		m.printf("- %s\n", plain(line))
	}
	m.disagreements(r.Worst)
	m.printf("\n")
}

var outcomeSigns = map[bool]string{true: "✅", false: "❌"}

func (m *markdown) disagreements(list []calibration.Disagreement) {
	if len(list) == 0 {
		return
	}
	m.printf("\n<details><summary>Worst disagreements</summary>\n\n| item | criterion | judge | people | text |\n|---|---|---|---|---|\n")
	for _, d := range list[:min(len(list), shownTexts)] {
		m.printf("| %s | %s | %s | %s | %s |\n", cell(d.Item), cell(d.Criterion), number(rounded2(d.Judge)), number(rounded2(d.People)), cell(beginning(oneLine(d.Artifact), 200)))
	}
	m.printf("\n</details>\n")
}

// plain is a sentence in which nothing of Markdown or HTML acts: what could is
// written as its number.
func plain(text string) string {
	var b strings.Builder
	for _, c := range sanitize.Line(text) {
		if strings.ContainsRune("\\`*_[]<>#|~@&$", c) {
			fmt.Fprintf(&b, "&#%d;", c)
		} else {
			b.WriteRune(c)
		}
	}
	// Two colons could begin a command in a log, and an address is made a link.
	return strings.NewReplacer("::", "&#58;&#58;", "://", "&#58;//", "www.", "www&#46;").Replace(b.String())
}
