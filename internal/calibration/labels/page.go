package labels

import (
	"bytes"
	"crypto/sha256"
	_ "embed"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"html/template"
	"strings"
	"sync"

	"github.com/rubric-library/rubric-library/internal/calibration"
)

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
	data := pageData{Columns: []string{itemColumn, artifactColumn}, Form: newForm(s, rater).String(), File: fmt.Sprintf("%s-%s.csv", s.Rubric.ID, rater), Items: []pageItem{}}
	for _, c := range s.Rubric.Criteria {
		one := pageCriterion{Name: c.Name, Column: c.Name + labelSuffix, Description: strings.TrimSpace(c.Description), Anchors: c.Anchors, Examples: []pageText{}}
		for _, e := range []pageText{{Name: "Score 1", Text: c.Examples.Score1}, {Name: "Score 3", Text: c.Examples.Score3}, {Name: "Score 5", Text: c.Examples.Score5}} {
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
		data.Items = append(data.Items, pageItem{rowCode(item.ID, width), texts})
	}
	encoded, err := json.Marshal(data) // which escapes what could end a script
	if err != nil {
		return nil, err
	}
	hash := sha256.Sum256([]byte(pageScript))
	var page bytes.Buffer
	err = pageTemplate().Execute(&page, map[string]any{
		"Rubric": s.Rubric.Name, "Rater": rater, "Data": template.JS(encoded), "Script": template.JS(pageScript), // ours, and JSON
		"Hash": template.HTMLAttr(base64.StdEncoding.EncodeToString(hash[:])),
	})
	return page.Bytes(), err
}
