package importing

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// sampleLevel is a level of a criterion in a file.
type sampleLevel struct{ label, text string }

// sample is a rubric to be written. Its columns and levels are in the order of the file.
type sample struct {
	columns  []string
	criteria []sampleCriterion
}

type sampleCriterion struct {
	name, description string
	levels            []sampleLevel
}

// under is the text of a column, or "".
func (c sampleCriterion) under(column string) string {
	i := slices.IndexFunc(c.levels, func(l sampleLevel) bool { return l.label == column })
	if i < 0 {
		return ""
	}
	return c.levels[i].text
}

// syntaxes write a rubric.
var syntaxes = map[string]func(sample) (file, text string){
	"YAML": func(s sample) (string, string) {
		return "rubric.yaml", "criteria:\n" + s.each(func(c sampleCriterion) string {
			return fmt.Sprintf("  - name: %s\n    description: %s\n    levels:\n", c.name, c.description) + c.each("      %q: %s\n")
		})
	},
	"JSON": func(s sample) (string, string) {
		all := map[string]any{}
		for _, c := range s.criteria {
			var list []any
			for _, l := range c.levels {
				list = append(list, map[string]any{"score": l.label, "description": l.text})
			}
			all[c.name] = map[string]any{"description": c.description, "scores": list}
		}
		return "rubric.json", encoded(map[string]any{"dimensions": all})
	},
	"JSON Lines": func(s sample) (string, string) {
		return "rubric.jsonl", s.each(func(c sampleCriterion) string {
			levels := strings.TrimSuffix(c.each("%q: %q, "), ", ")
			return fmt.Sprintf("{\"criterion\": %q, \"description\": %q, \"levels\": {%s}}\n", c.name, c.description, levels)
		})
	},
	"CSV by rows": func(s sample) (string, string) {
		rows := [][]string{slices.Concat([]string{"criterion", "description"}, s.columns)}
		for _, c := range s.criteria {
			row := []string{c.name, c.description}
			for _, column := range s.columns {
				row = append(row, c.under(column))
			}
			rows = append(rows, row)
		}
		return "rubric.csv", csvText(rows)
	},
	"CSV transposed": func(s sample) (string, string) {
		head := []string{"Level"}
		for _, c := range s.criteria {
			head = append(head, c.name)
		}
		rows := [][]string{head}
		for _, column := range s.columns {
			row := []string{column}
			for _, c := range s.criteria {
				row = append(row, c.under(column))
			}
			rows = append(rows, row)
		}
		return "rubric.csv", csvText(rows)
	},
	"Canvas": func(s sample) (string, string) {
		head := []string{"Rubric Name", "Criteria Name", "Criteria Description", "Criteria Enable Range"}
		for range s.columns {
			head = append(head, "Rating Name", "Rating Description", "Rating Points")
		}
		rows := [][]string{head}
		for _, c := range s.criteria {
			row := []string{"Replies", c.name, c.description, "false"}
			for _, l := range c.levels {
				if _, err := strconv.ParseFloat(l.label, 64); err == nil {
					row = append(row, "", l.text, l.label)
				} else {
					row = append(row, l.label, l.text, "")
				}
			}
			rows = append(rows, append(row, make([]string, len(head)-len(row))...))
		}
		return "rubric.csv", csvText(rows)
	},
	"Markdown table": func(s sample) (string, string) {
		head := "| Criterion | " + strings.Join(s.columns, " | ") + " |\n|---|" + strings.Repeat("---|", len(s.columns)) + "\n"
		return "rubric.md", "# Replies\n\n" + head + s.each(func(c sampleCriterion) string {
			cells := []string{c.name}
			for _, column := range s.columns {
				cells = append(cells, c.under(column))
			}
			return "| " + strings.Join(cells, " | ") + " |\n"
		})
	},
	"Markdown headings": func(s sample) (string, string) {
		return "rubric.md", "# Replies\n" + s.each(func(c sampleCriterion) string {
			return fmt.Sprintf("\n## %s\n\n%s\n\n", c.name, c.description) + c.each("- **%s**: %s\n")
		})
	},
	"promptfoo": func(s sample) (string, string) {
		return "promptfooconfig.yaml", "prompts: [p]\ntests:\n  - description: replies\n    assert:\n" + s.each(func(c sampleCriterion) string {
			return fmt.Sprintf("      - type: llm-rubric\n        metric: %s\n        value: |\n          %s\n", c.name, c.description) + c.each("          %s: %s\n")
		})
	},
	"prompts": func(s sample) (string, string) {
		return "judge.py", s.each(func(c sampleCriterion) string {
			return fmt.Sprintf("%s = \"\"\"%s\n\n", strings.ToUpper(c.name), c.description) + c.each("%s: %s\n") + "\"\"\"\n\n"
		})
	},
}

func (s sample) each(write func(sampleCriterion) string) (text string) {
	for _, c := range s.criteria {
		text += write(c)
	}
	return text
}

func (c sampleCriterion) each(format string) (text string) {
	for _, l := range c.levels {
		text += fmt.Sprintf(format, l.label, l.text)
	}
	return text
}

func encoded(value any) string {
	data, _ := json.Marshal(value) // strings, lists, and mappings
	return string(data)
}

func csvText(rows [][]string) string {
	var b strings.Builder
	_ = csv.NewWriter(&b).WriteAll(rows) // a builder has no errors
	return b.String()
}

// sampleScales are labels from the worst level to the best. Those that need texts have no meaning
// of their own, or the opposite one.
var sampleScales = []struct {
	labels     []string
	needsTexts bool
}{
	{[]string{"0", "1"}, false}, {[]string{"1", "5"}, false}, {[]string{"0", "5", "10"}, false}, {[]string{"1", "2", "3"}, false},
	{[]string{"1", "2", "3", "4"}, false}, {[]string{"0", "1", "2", "3", "4"}, false}, {[]string{"1", "2", "3", "4", "5"}, false},
	{[]string{"0.0", "0.5", "1.0"}, false}, {[]string{"2", "4", "6", "8", "10"}, false}, {[]string{"0", "1", "2", "3", "4", "5"}, false},
	{[]string{"Fail", "Pass"}, false}, {[]string{"Poor", "Fair", "Good", "Excellent"}, false}, {[]string{"F", "D", "C", "B", "A"}, false},
	{[]string{"Below expectations", "Meets expectations", "Exceeds expectations"}, false},
	{[]string{"0-4", "5-7", "8-10"}, false}, {[]string{"1 - Poor", "2 - Fair", "3 - Good", "4 - Excellent"}, false}, {[]string{"No", "Partially", "Yes"}, false},
	{[]string{"3", "2", "1"}, true}, {[]string{"6", "5", "4", "3", "2", "1"}, true}, {[]string{"2", "1"}, true},
}

// TestLevelsReadBackInTheSameOrder writes random rubrics in each syntax, scale, and direction:
// each comes in with the same order of levels, or the import stops for a flag; and with the flag,
// it comes in.
func TestLevelsReadBackInTheSameOrder(t *testing.T) {
	for name, write := range syntaxes {
		t.Run(name, func(t *testing.T) {
			rapid.Check(t, func(t *rapid.T) { checkOrder(t, write) })
		})
	}
}

func checkOrder(t *rapid.T, write func(sample) (string, string)) {
	scale := rapid.SampledFrom(sampleScales).Draw(t, "scale")
	bestFirst := rapid.Bool().Draw(t, "bestFirst")
	says := scale.needsTexts || rapid.Bool().Draw(t, "the texts say the direction")
	rank := map[string]int{} // of each text
	s := sample{columns: slices.Clone(scale.labels)}
	for n := range rapid.IntRange(1, 3).Draw(t, "criteria") {
		c := sampleCriterion{name: fmt.Sprintf("criterion%c", 'a'+n), description: fmt.Sprintf("How is part %c?", 'a'+n)}
		for i, label := range scale.labels {
			last := len(scale.labels) - 1
			if n > 0 && 0 < i && i < last && rapid.Bool().Draw(t, "blank") {
				continue
			}
			text := fmt.Sprintf("text %c%c", 'a'+n, 'a'+i)
			if says {
				text += map[int]string{0: " is wrong and unclear", last: " is correct and clear"}[i]
			}
			rank[text] = i
			c.levels = append(c.levels, sampleLevel{label, text})
		}
		if bestFirst {
			slices.Reverse(c.levels)
		}
		s.criteria = append(s.criteria, c)
	}
	o := intake.Options{}
	flag := rapid.Bool().Draw(t, "flag")
	if flag {
		o.Levels.Order = levels.WorstFirst
	}
	if bestFirst {
		slices.Reverse(s.columns)
		if flag {
			o.Levels.Order = levels.BestFirst
		}
	}
	file, text := write(s)
	imported, problems := Read(source.NewFile(file, []byte(text)), o)
	if len(problems) > 0 {
		if flag || !strings.Contains(problems[0].Message, "--best-first") {
			t.Fatalf("%s\n%s", problems[0].Message, text)
		}
		return
	}
	all := ""
	for _, d := range imported.Drafts {
		for _, c := range d.Content.Get("criteria").List() {
			last, count := -1, 0
			for score := 1; score <= 5; score++ {
				anchor := c.Get("anchors").Get(strconv.Itoa(score)).Text()
				if anchor == "" {
					continue
				}
				if at, ok := rank[anchor]; !ok || at <= last {
					t.Fatalf("%q is at %d:\n%s", anchor, score, text)
				}
				last = rank[anchor]
				count++
			}
			if count < 2 && len(scale.labels) <= 5 {
				t.Fatalf("%d anchors:\n%s", count, text)
			}
		}
		all += anchorLines(d)
	}
	for text := range rank {
		if !strings.Contains(all, text) {
			t.Fatalf("%q is lost:\n%s", text, all)
		}
	}
}
