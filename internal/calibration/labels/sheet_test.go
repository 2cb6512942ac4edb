package labels_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/labels"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// problems returns the problems of a file with their positions.
func problems(text string, o labels.Options) []string {
	f := source.NewFile("labels.csv", []byte(text))
	o.Criteria = criteria
	_, found := labels.Read(f, o)
	var out []string
	for _, p := range found {
		at := f.Position(p.Span.Start)
		out = append(out, fmt.Sprintf("%d:%d: %s", at.Line, at.Column, p.Message))
	}
	return out
}

func TestWhatIsWrongIsNamedWithItsPlace(t *testing.T) {
	for _, test := range []struct {
		reason, text string
		options      labels.Options
		want         []string
	}{
		{reason: "all at once, and rows counted as spreadsheets count them", text: "item,rater,clarity,artifact\n\ni1,ada,4.5,\"a\nb\"\ni2,,6,x\n???,ada,4,\ni3,ada,\"4,000\",x\n", want: []string{
			`3:8: Row 3, column "clarity": found "4.5", expected a whole number from 1 to 5, cannot tell, or an empty cell for a missing label.`,
			`5:5: Row 4, column "clarity": found "6", expected a whole number from 1 to 5, cannot tell, or an empty cell for a missing label.`,
			`6:1: Row 5, column "item": found "???", expected the ID of an item: up to 64 letters, digits, dots, dashes, and underscores, starting with a letter or digit.`,
			`7:8: Row 6, column "clarity": found "4,000", expected a whole number from 1 to 5, cannot tell, or an empty cell for a missing label.`,
		}},
		{reason: "a second label is an error even if equal; a missing label is not a label", text: "item,rater,criterion,label\ni1,ada,clarity,\ni1,ada,clarity,4\ni1,ada,clarity,4\ni1,ada,clarity,5\n", want: []string{
			`4:16: Row 4, column "label": found a second label of ada for the clarity of item i1; the first is in row 3. Keep one of them.`,
			`5:16: Row 5, column "label": found a second label of ada for the clarity of item i1; the first is in row 3. Keep one of them.`,
		}},
		{reason: "people are not named, and each is reported once", text: "item,rater,clarity\ni1,ada@example.org,4\ni2,ada@example.org,4\ni3,Ada L.,4\ni4,,4\n", want: []string{
			`2:4: Row 2, column "rater": found an email address, expected a pseudonym: a dataset must not identify people. Use a pseudonym such as r1.`,
			`4:4: Row 4, column "rater": found "Ada L.", expected a pseudonym such as r1: up to 64 letters, digits, dots, dashes, and underscores, starting with a letter or digit.`,
			`5:4: Row 5, column "rater": the cell is empty, expected the rater.`,
		}},
		{reason: "a criterion that the rubric does not have", text: "item,rater,criterion,label\ni1,ada,clarty,4\n", want: []string{
			`2:8: Row 2, column "criterion": found "clarty", expected a criterion of the rubric, clarity or scope.`,
		}},
		{reason: "two texts of an item", text: "item,rater,clarity,artifact\ni1,ada,4,one\ni1,bob,4,two\n", want: []string{
			`3:10: Row 3, column "artifact": found "two", expected the text of item i1 from an earlier row, or an empty cell.`,
		}},
		{reason: "columns that are missing and misspelled", text: "itm,who,clarity,claritty\ni1,ada,4,x\n", want: []string{
			`1:1: The table has no column "item". It has "itm", "who", "clarity", and "claritty". Add --column item=COLUMN.`,
			`1:1: The table has no column "rater". It has "itm", "who", "clarity", and "claritty". Add --column rater=COLUMN, or add --rater.`,
		}},
		{reason: "a column of labels for no criterion", text: "item,rater,clarity,brevity\ni1,ada,4,5\n", want: []string{
			`1:20: The column "brevity" has labels but is not a criterion of the rubric, which has clarity and scope. Name the criterion with --column CRITERION=brevity, or remove the column.`,
		}},
		{reason: "two columns with one meaning", text: "item,Item,rater,clarity\ni1,i1,ada,4\n", want: []string{
			`1:6: The columns "item" and "Item" both have the item. Remove one of them.`,
		}},
		{reason: "mapped columns that are not there", text: "item,who,clarity\ni1,ada,4\n", options: labels.Options{Columns: map[string]string{"rater": "whom", "scpe": "x"}}, want: []string{
			`1:1: --column rater: the table has no column "whom". It has "item", "who", and "clarity".`,
			`1:1: --column: "scpe" is not a column of this layout, which has item, rater, artifact, clarity, and scope.`,
		}},
		{reason: "said twice the rater", text: "item,rater,clarity\ni1,ada,4\n", options: labels.Options{Rater: "bob"}, want: []string{
			`1:6: The column "rater" and --rater both name the rater. Omit --rater or remove the column.`,
		}},
		{reason: "no labels at all", text: "item,note\ni1,x\n", want: []string{
			`1:1: No column has labels or artifacts: expected one column for each criterion (clarity and scope), or the columns criterion and label.`,
		}},
		{reason: "an empty file", text: "\uFEFF\n\n", want: []string{`1:1: The file is empty: the first row must have the column names.`}},
		{reason: "Windows-1252", text: "item,rater,clarity\nM\xfcller,ada,4\n", want: []string{
			`2:2: Byte 0xFC is not UTF-8 text: the file is a workbook or has another encoding. Save it as "CSV UTF-8".`,
		}},
		{reason: "UTF-16", text: "\xff\xfei\x00", want: []string{`1:1: Byte 0xFF is not UTF-8 text: the file is a workbook or has another encoding. Save it as "CSV UTF-8".`}},
		{reason: "a workbook", text: "PK\x03\x04\x14\x00", want: []string{`1:6: Byte 0x00 is not UTF-8 text: the file is a workbook or has another encoding. Save it as "CSV UTF-8".`}},
		{reason: "an unclosed quote; the rows before it are read", text: "item,rater,clarity\ni1,ada,9\n\"i2,ada,3\n", want: []string{
			`2:8: Row 2, column "clarity": found "9", expected a whole number from 1 to 5, cannot tell, or an empty cell for a missing label.`,
			`3:1: A quote in this row is not closed. Close it, and double each quote inside quotes. The rows from here on were not read.`,
		}},
		{reason: "a quote within a cell", text: "item,rater,clarity\ni1,a\"da,4\n", want: []string{
			`2:5: A cell with a quote must be in quotes, and the quote inside must be doubled. The rows from here on were not read.`,
		}},
		{reason: "a text with the separator and without quotes", text: "item,rater,clarity,artifact\ni1,ada,4,one, two\n", want: []string{
			`2:14: Row 2: more cells than the 4 of the header. Put text that contains the separator in quotes, or set the separator with --separator.`,
		}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			if diff := cmp.Diff(test.want, problems(test.text, test.options)); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A file can add items without labels.
func TestItemsComeInWithoutLabels(t *testing.T) {
	merged, found := merge(t, "", "item,artifact,input: Task\ni1,One,t\n", false)
	if want := `{"id":"i1","artifact":"One","inputs":{"task":"t"},"labels":{}}` + "\n"; len(found) > 0 || string(merged.Items) != want || merged.Unlabeled != 1 {
		t.Errorf("got %+v %v", merged, found)
	}
}

// merge merges a file into the items of a file.
func merge(t *testing.T, items, text string, replace bool) (*labels.Merged, []string) {
	t.Helper()
	d := load(t, subject(t), []byte(items))
	read, found := labels.Read(source.NewFile("labels.csv", []byte(text)), labels.Options{Criteria: criteria})
	if len(found) > 0 {
		t.Fatal(found)
	}
	merged, found := labels.Merge(d, read, replace, 0)
	var messages []string
	for _, p := range found {
		messages = append(messages, p.Message)
	}
	return merged, messages
}

// Lines without new labels stay unchanged, byte for byte.
func TestMergingChangesNothingElse(t *testing.T) {
	before := `{ "labels": {"ada" : {"clarity":2 } , "bob":{}}, "artifact":"\u0061", "id":"i1"}` + "\r\n\n" + `{"id":"i2","artifact":"b","labels":{ }}` + "\n" + `{ "labels":{}, "id":"i3", "artifact":"\u0063"}`
	text := "item,rater,clarity,scope,artifact\ni1,ada,2,3,a\ni1,bob,4,,\ni1,cem,5,5,\ni1,dan,1,,\ni2,ada,1,,\ni2,bob,,2,\ni4,ada,4,,new\n"
	want := `{"id":"i1","artifact":"a","labels":{"ada":{"clarity":2,"scope":3},"bob":{"clarity":4},"cem":{"clarity":5,"scope":5},"dan":{"clarity":1}}}` + "\r\n\n" +
		`{"id":"i2","artifact":"b","labels":{"ada":{"clarity":1},"bob":{"scope":2}}}` + "\n" + `{ "labels":{}, "id":"i3", "artifact":"\u0063"}` + "\n" +
		`{"id":"i4","artifact":"new","labels":{"ada":{"clarity":4}}}` + "\n"
	merged, found := merge(t, before, text, false)
	if len(found) > 0 {
		t.Fatal(found)
	}
	if diff := cmp.Diff(want, string(merged.Items)); diff != "" {
		t.Error(diff)
	}
	merged.Items = nil
	counts := &labels.Merged{NewItems: 1, Known: 2, NewLabels: 8, Unchanged: 1, Raters: []string{"ada", "bob", "cem", "dan"}}
	if diff := cmp.Diff(counts, merged); diff != "" {
		t.Error(diff)
	}
}

// "cannot tell" is an answer: it is stored, it does not change a label unasked, and its
// rater is not asked again.
func TestRatersWhoCannotTell(t *testing.T) {
	before := `{"id":"i1","artifact":"a","labels":{"ada":{"clarity":2}},"cannot_tell":{"ada":["scope"]}}` + "\n"
	swapped := `{"id":"i1","artifact":"a","labels":{"ada":{"scope":3}},"cannot_tell":{"ada":["clarity"]}}` + "\n"
	text := "item,rater,clarity,scope\ni1,ada,cannot tell,3\n"
	_, found := merge(t, before, text, false)
	want := []string{
		`Row 2, column "clarity": found cannot tell, but the dataset has 2 as the label of ada for the clarity of item i1. Add --replace to change labels.`,
		`Row 2, column "scope": found 3, but the dataset has cannot tell as the label of ada for the scope of item i1. Add --replace to change labels.`,
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
	merged, found := merge(t, before, text, true)
	if len(found) > 0 || string(merged.Items) != swapped || merged.Replaced != 2 {
		t.Errorf("got %s %v", merged.Items, found)
	}
	if merged, found = merge(t, swapped, text, false); len(found) > 0 || string(merged.Items) != swapped || merged.Unchanged != 2 {
		t.Errorf("got %s %v", merged.Items, found)
	}
	chosen, done, err := labels.Choose(load(t, subject(t), []byte(swapped)), subject(t), labels.Choice{Rater: "ada"})
	if err == nil || len(chosen) > 0 || done != 1 {
		t.Errorf("ada is asked again for %v", idsOf(chosen))
	}
}

func TestItemsThatCannotBeMergedAreNamed(t *testing.T) {
	before := `{"id":"i1","artifact":"a b","inputs":{"task":"t"},"labels":{}}` + "\n"
	_, found := merge(t, before, "item,rater,clarity,artifact,input: task\ni1,ada,4,\" a\nb\",t\ni2,ada,4,,\ni1,bob,4,,\n", false)
	want := []string{`Row 3, column "item": the item "i2" is not in the dataset, and its text is missing. Add the text in a column artifact, or fix the ID.`}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
	_, found = merge(t, before, "item,rater,clarity,artifact,input: task\ni1,ada,4,c,u\n", false)
	want = []string{
		`Row 2, column "item": found "u" as the input task, but the dataset has "t" for item i1. Restore the text or remove the column.`,
		`Row 2, column "artifact": found "c", but the dataset has "a b" for item i1. Use another ID for a different text.`,
	}
	if diff := cmp.Diff(want, found); diff != "" {
		t.Error(diff)
	}
	_, found = merge(t, before, "item,rater,clarity,artifact\ni2,ada,4,"+strings.Repeat("x", 1<<20)+"\n", false)
	if len(found) != 1 || !strings.Contains(found[0], "more than the limit of 1048576") {
		t.Errorf("got %v", found)
	}
}

// A sheet with changes outside the label cells is refused.
func TestSheetsAreTakenAsTheyWereWritten(t *testing.T) {
	blank := must.Get(labels.Write(subject(t), "ada", []calibration.Item{{ID: "good-1", Artifact: "a"}}, ','))(t)
	text := strings.ReplaceAll(string(blank), "\r\n", "\n")
	code := text[strings.Index(text, "\n")+1:][:18]
	for _, test := range []struct {
		reason, text string
		options      labels.Options
		want         string
	}{
		{reason: "as it is", text: text},
		{reason: "a code with a slip", text: strings.Replace(text, code, "x"+code[1:], 1), want: "expected the row's original code."},
		{reason: "a column of labels less", text: strings.Replace(text, "scope: label (1 to 5)", "remark", 1), want: `The column "scope: label (1 to 5)" is missing.`},
		{reason: "the column of codes renamed", text: strings.Replace(text, "item,", "row,", 1), want: `The column "item" with the row codes is missing.`},
		{reason: "another rater", text: strings.Replace(text, "rater=ada", "rater=ada@example.org", 1), want: "This header, which identifies the sheet's rubric and rater, was changed."},
		{reason: "a criterion that the rubric had", text: strings.ReplaceAll(text, "clarity:", "brevity:"), want: `The sheet has the criterion "brevity", which the rubric does not have.`},
		{reason: "flags that it answers itself", text: text, options: labels.Options{Rater: "bob"}, want: "Omit --column and --rater."},
	} {
		t.Run(test.reason, func(t *testing.T) {
			found := problems(test.text, test.options)
			if test.want == "" && len(found) == 0 {
				return
			}
			if test.want == "" || !slices.ContainsFunc(found, func(p string) bool { return strings.Contains(p, test.want) }) {
				t.Errorf("got %v, want %q", found, test.want)
			}
		})
	}
}
