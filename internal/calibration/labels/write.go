package labels

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"html/template"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/table"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

// MostCharacters is the most characters that a spreadsheet keeps in a cell.
const MostCharacters = 32767

// Write returns a sheet for a rater: one row for each item, and for each criterion of the
// rubric one column with guidance and one empty column for labels. The format is CSV for
// spreadsheets: UTF-8 with a byte order mark.
func Write(s *calibration.Subject, rater string, items []calibration.Item, separator rune) ([]byte, error) {
	keys, width := inputKeys(items), widest(items)
	header := []string{itemColumn, artifactColumn}
	for _, key := range keys {
		header = append(header, inputPrefix+" "+key)
	}
	for _, c := range s.Rubric.Criteria {
		header = append(header, c.Name+guideSuffix, c.Name+labelSuffix)
	}
	rows := [][]string{append(header, newForm(s, rater).String())}
	for _, item := range items {
		cells := []string{rowCode(item, width), text(item.Artifact)}
		for _, key := range keys {
			cells = append(cells, text(item.Inputs[key]))
		}
		for _, c := range s.Rubric.Criteria {
			cells = append(cells, text(guide(c)), "")
		}
		rows = append(rows, append(cells, ""))
	}
	out := bytes.NewBufferString(table.ByteOrderMark)
	w := csv.NewWriter(out)
	w.Comma = separator
	err := w.WriteAll(rows)
	return out.Bytes(), err
}

func inputKeys(items []calibration.Item) []string {
	keys := map[string]string{}
	for _, item := range items {
		maps.Copy(keys, item.Inputs)
	}
	return slices.Sorted(maps.Keys(keys))
}

// widest is the length of the longest ID.
func widest(items []calibration.Item) (width int) {
	for _, item := range items {
		width = max(width, len(item.ID))
	}
	return width
}

func text(s string) string {
	s = strings.ReplaceAll(s, "\r\n", "\n")
	return table.Defuse(strings.ReplaceAll(s, "\r", "\n"))
}

// guide returns the guidance for a criterion. It is repeated next to the label in every
// row: the header row scrolls out of view, and separate rows would be misplaced by
// sorting.
func guide(c rubric.Criterion) string {
	var b strings.Builder
	b.WriteString(strings.TrimSpace(c.Description))
	for i, anchor := range c.Anchors {
		fmt.Fprintf(&b, "\n%d: %s", i+1, strings.TrimSpace(anchor))
	}
	fmt.Fprintf(&b, "\n%s: the item does not let you tell.", cannotTell)
	return b.String()
}

// Choice selects the items of a sheet.
type Choice struct {
	Rater string
	// Seed determines which items are chosen and in which order. With the same seed, raters
	// without labels get the same items in different orders.
	Seed uint64
	// Count is the number of items, 0 for all.
	Count int
}

// Choose returns the items of a sheet in order. done counts the items left out because
// the rater has already labeled them. It is an error if there are fewer items than the
// choice wants.
func Choose(d *calibration.Dataset, s *calibration.Subject, c Choice) (chosen []calibration.Item, done int, err error) {
	for _, item := range d.Items {
		isOpen := func(of rubric.Criterion) bool { return answerOf(&item, c.Rater, of.Name) == 0 }
		if slices.ContainsFunc(s.Rubric.Criteria, isOpen) {
			chosen = append(chosen, item)
		}
	}
	done = len(d.Items) - len(chosen)
	if len(chosen) == 0 {
		return nil, done, fmt.Errorf("there is nothing to label: %s has labeled %d of %d items", c.Rater, done, len(d.Items))
	}
	if c.Count > 0 {
		chosen, err = c.take(chosen)
	}
	// The order must not depend on that of the file.
	slices.SortFunc(chosen, func(a, b calibration.Item) int { return strings.Compare(a.ID, b.ID) })
	rand.New(rand.NewPCG(c.Seed, hash(c.Rater))).Shuffle(len(chosen), func(i, j int) {
		chosen[i], chosen[j] = chosen[j], chosen[i]
	})
	return chosen, done, err
}

// take returns random items of those that count for a certificate: those with the lowest
// hashes of their IDs and the seed, which do not depend on the other items.
func (c Choice) take(items []calibration.Item) ([]calibration.Item, error) {
	items = slices.DeleteFunc(items, func(item calibration.Item) bool { return item.Split == calibration.Dev })
	if c.Count > len(items) {
		return nil, fmt.Errorf("--choose is %d, but %s has only %d left without \"split\": \"dev\"",
			c.Count, c.Rater, len(items))
	}
	rank := func(item calibration.Item) uint64 { return rand.NewPCG(c.Seed, hash(item.ID)).Uint64() }
	slices.SortFunc(items, func(a, b calibration.Item) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a.ID, b.ID))
	})
	return items[:c.Count], nil
}

func hash(text string) uint64 {
	h := fnv.New64a()
	h.Write([]byte(text))
	return h.Sum64()
}

var (
	//go:embed page.html
	pageHTML string
	// LevelsScript declares levelField, which shows a criterion with its levels, to give one.
	//
	//go:embed levels.js
	LevelsScript string
	//go:embed page.js
	sheetScript string

	pageScript = LevelsScript + sheetScript

	pageTemplate = sync.OnceValue(func() *template.Template { return template.Must(template.New("page").Parse(pageHTML)) })
)

// pageData is what the script of a page reads.
type pageData struct {
	Columns  []string        `json:"columns"` // of the code and the texts of an item
	Form     string          `json:"form"`
	File     string          `json:"file"` // that the labels are saved to
	Criteria []pageCriterion `json:"criteria"`
	Items    []pageItem      `json:"items"`
}

type pageCriterion struct {
	Name        string     `json:"name"`
	Column      string     `json:"column"`
	Description string     `json:"description"`
	Anchors     [5]string  `json:"anchors"`
	Examples    []pageText `json:"examples"`
}

type pageItem struct {
	Code  string     `json:"code"`
	Texts []pageText `json:"texts"` // the artifact, then an input for each column
}

type pageText struct {
	Name string `json:"name"`
	Text string `json:"text"`
	// Cell is the text as a cell has it, where it is another.
	Cell string `json:"cell,omitempty"`
}

func newPageText(name, s string) pageText {
	t := pageText{Name: name, Text: s}
	if cell := text(s); cell != s {
		t.Cell = cell
	}
	return t
}

// WritePage is a sheet as one HTML file that works in a browser without a server or a
// network. It saves the labels to a CSV file with the columns of [Write] that Read needs.
// No text of an item or a rubric has an effect: the only script that may run is the
// page's own.
func WritePage(s *calibration.Subject, rater string, items []calibration.Item) ([]byte, error) {
	data := pageData{
		Columns: []string{itemColumn, artifactColumn}, Form: newForm(s, rater).String(),
		File: fmt.Sprintf("%s-%s.csv", s.Rubric.ID, rater), Items: []pageItem{},
	}
	for _, c := range s.Rubric.Criteria {
		one := pageCriterion{
			Name: c.Name, Column: c.Name + labelSuffix, Description: strings.TrimSpace(c.Description),
			Anchors: c.Anchors, Examples: []pageText{},
		}
		for _, e := range []pageText{
			{Name: "Score 1", Text: c.Examples.Score1}, {Name: "Score 3", Text: c.Examples.Score3},
			{Name: "Score 5", Text: c.Examples.Score5},
		} {
			if e.Text != "" {
				one.Examples = append(one.Examples, e)
			}
		}
		data.Criteria = append(data.Criteria, one)
	}
	width, keys := widest(items), inputKeys(items)
	for _, key := range keys {
		data.Columns = append(data.Columns, inputPrefix+" "+key)
	}
	for _, item := range items {
		texts := []pageText{newPageText(artifactColumn, item.Artifact)}
		for _, key := range keys {
			texts = append(texts, newPageText(key, item.Inputs[key]))
		}
		data.Items = append(data.Items, pageItem{rowCode(item, width), texts})
	}
	encoded, err := json.Marshal(data) // which escapes what could end a script
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256([]byte(pageScript))
	var page bytes.Buffer
	err = pageTemplate().Execute(&page, map[string]any{
		"Rubric": s.Rubric.Name, "Rater": rater, "Items": render.Count(len(items), "text"),
		"Data": template.JS(encoded), "Script": template.JS(pageScript), // JSON, and ours
		"Hash": template.HTMLAttr(base64.StdEncoding.EncodeToString(hash[:])),
	})
	return page.Bytes(), err
}
