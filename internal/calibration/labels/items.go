package labels

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// plainItem is a line of a file of items that were not labelled yet.
var plainItem = func() document.Kind {
	k := document.Item
	table := *k.Table
	table.Fields = slices.Clone(table.Fields)
	schema.Find(table.Fields, "labels").Required = false
	k.Table = &table
	return k
}()

// ReadItems reads items for a sheet, one JSON object a line as in items.jsonl, but
// that labels may be missing. With problems, which are all, there are no items.
func ReadItems(f *source.File) ([]calibration.Item, []source.Problem) {
	var items []calibration.Item
	var problems []source.Problem
	lines := map[string]int{}
	for n := 1; n <= f.LineCount(); n++ {
		span := f.LineSpan(n)
		text := f.Data[span.Start:span.End]
		if len(bytes.TrimSpace(text)) == 0 {
			continue
		}
		item, problem := readItem(text)
		if first := lines[item.ID]; problem == nil && first > 0 {
			problem = &source.Problem{Code: CodeDuplicate, Span: source.Span{End: len(text)}, Message: fmt.Sprintf("The item %s stands in line %d already. Give it another ID, or remove it.", schema.Quote(item.ID), first)}
		}
		if problem != nil {
			problem.Span.Start += span.Start
			problem.Span.End += span.Start
			problems = append(problems, *problem)
			continue
		}
		lines[item.ID] = n
		items = append(items, item)
	}
	if len(problems) > 0 {
		return nil, problems
	}
	return items, nil
}

// readItem reads a line, or says what is wrong with it, with a span in the line.
func readItem(line []byte) (item calibration.Item, problem *source.Problem) {
	d := document.ParseRun(source.NewFile("item.json", line), &plainItem)
	if !d.Valid() {
		first := d.Problems[0]
		return item, &source.Problem{Code: first.Code, Span: first.Span, Message: first.Message}
	}
	data, err := d.Canonical()
	if err == nil {
		err = json.Unmarshal(data, &item)
	}
	if err != nil {
		return item, &source.Problem{Code: CodeCell, Span: source.Span{End: len(line)}, Message: err.Error()}
	}
	return item, nil
}
