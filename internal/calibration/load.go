package calibration

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/near"
	"github.com/rubric-library/rubric-library/internal/schema"
	"github.com/rubric-library/rubric-library/internal/source"
)

// The problems that are reported here, besides those of schema.Check and yamltree.
const (
	CodeDuplicate = "duplicate-line" // a line that says again, or otherwise, what another says
	CodeUnknown   = "unknown-name"   // an item or a criterion that does not exist
	CodeMixedRun  = "mixed-run"      // a run with two models, dates or rubrics
	CodeTooLong   = "line-too-long"  // more than maxLine
	CodeEncoding  = "encoding"       // a line that is not UTF-8
)

const (
	// maxFile is the size in bytes of the largest file that is read.
	maxFile = 256 << 20
	// maxLine is the size of the longest line.
	maxLine = 1 << 20
	// mostProblems is how many problems of one file are reported.
	mostProblems = 100
)

// Problem is something wrong in a file of a dataset.
type Problem struct {
	// File is the file, or for a line of a JSON Lines file all of it.
	File *source.File
	source.Problem
}

var folderName = regexp.MustCompile(`^[a-z][a-z0-9]*(_[a-z0-9]+)*$`)

var judgeName = regexp.MustCompile(`^[a-z0-9]+([_-][a-z0-9]+)*$`)

// Names lists the datasets of a library: the folders below Root that hold a
// dataset.yaml. A library without Root has none.
func Names(fsys fs.FS) ([]string, error) {
	entries, err := fs.ReadDir(fsys, Root)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var names []string
	for _, e := range entries {
		if _, err := fs.Stat(fsys, path.Join(Root, e.Name(), DatasetFile)); e.IsDir() && err == nil {
			names = append(names, e.Name())
		}
	}
	return names, nil
}

// Load reads a dataset from a library. Every line that is wrong is a problem with
// its place, and the dataset has the others. The error says why nothing could be
// read; it is fs.ErrNotExist where there is no such dataset.
func Load(fsys fs.FS, name string) (*Dataset, []Problem, error) {
	if !folderName.MatchString(name) {
		return nil, nil, fmt.Errorf("%q is no name of a dataset: lower-case letters, digits and single underscores, beginning with a letter", name)
	}
	l := &loader{fsys: fsys, dir: path.Join(Root, name), dataset: &Dataset{Name: name}}
	for _, step := range []func() error{l.head, l.items, l.judges, l.history} {
		if err := step(); err != nil {
			return nil, l.problems, err
		}
	}
	return l.dataset, l.problems, nil
}

type loader struct {
	fsys     fs.FS
	dir      string
	dataset  *Dataset
	problems []Problem
	// known are the lines of the items and the places of the criteria in their
	// list; nil where they could not be read.
	known struct{ items, criteria map[string]int }
}

// read reads a file, which must be a regular one.
func (l *loader) read(name string) (*source.File, error) {
	name = path.Join(l.dir, name)
	f, err := l.fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s is no regular file", name)
	}
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("%s can't be read: %w", name, err)
	}
	if len(data) > maxFile {
		return nil, fmt.Errorf("%s has more than %d MiB, the most that is read", name, maxFile>>20)
	}
	return source.NewFile(name, data), nil
}

func (l *loader) report(f *source.File, problems ...source.Problem) {
	for _, p := range problems {
		l.problems = append(l.problems, Problem{f, p})
	}
}

func (l *loader) head() error {
	f, err := l.read(DatasetFile)
	if err != nil {
		return err
	}
	l.dataset.File = f
	d := document.ParseAs(f, &document.Dataset)
	l.report(f, d.Problems...)
	if !d.Valid() {
		return nil
	}
	if err := decode(d, l.dataset); err != nil {
		return err
	}
	if l.dataset.Share == "" {
		l.dataset.Share = ShareStatistics
	}
	l.known.criteria = map[string]int{}
	for i, c := range l.dataset.Criteria {
		n := d.Root().Get("criteria").Items[i].Get("name")
		if _, twice := l.known.criteria[c.Name]; twice {
			l.report(f, source.Problem{Code: CodeDuplicate, Span: n.Span, Message: fmt.Sprintf("The criterion %s stands here twice. Remove one of them.", schema.Quote(c.Name))})
		}
		l.known.criteria[c.Name] = i
	}
	for i, r := range l.dataset.Reaffirmed {
		if _, ok := l.known.criteria[r.Criterion]; !ok {
			n := d.Root().Get("reaffirmed").Items[i].Get("criterion")
			l.report(f, source.Problem{Code: CodeUnknown, Span: n.Span, Message: l.unknownCriterion(r.Criterion)})
		}
	}
	return nil
}

func (l *loader) unknownCriterion(name string) string {
	var names []string
	for _, c := range l.dataset.Criteria {
		names = append(names, c.Name)
	}
	message := fmt.Sprintf("%s is no criterion of this dataset.", schema.Quote(name))
	if word := near.Word(name, names); word != "" {
		return message + fmt.Sprintf(" Did you mean %s?", schema.Quote(word))
	}
	return message + fmt.Sprintf(" %s lists %s.", DatasetFile, schema.Or(names, "and"))
}

func decode(d *document.Document, into any) error {
	data, err := d.Canonical()
	if err != nil {
		return err
	}
	return json.Unmarshal(data, into)
}

func (l *loader) items() error {
	f, err := l.read(ItemsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // a lint rule says it
	}
	if err != nil {
		return err
	}
	l.known.items = map[string]int{}
	return l.lines(f, &document.Item, func(d *document.Document, line int) []source.Problem {
		item := Item{Line: line}
		if err := decode(d, &item); err != nil {
			return []source.Problem{{Code: schema.CodeInvalidValue, Message: err.Error()}}
		}
		var problems []source.Problem
		if first, twice := l.known.items[item.ID]; twice {
			return []source.Problem{{
				Code: CodeDuplicate, Span: d.Root().Get("id").Span,
				Message: fmt.Sprintf("The item %s stands in line %d already. Give it another ID, or remove it.", schema.Quote(item.ID), first),
			}}
		}
		l.known.items[item.ID] = line
		for _, rater := range d.Root().Get("labels").Entries {
			for _, label := range rater.Value.Entries {
				if _, ok := l.known.criteria[label.Key.Value]; !ok && l.known.criteria != nil {
					problems = append(problems, source.Problem{Code: CodeUnknown, Span: label.Key.Span, Message: l.unknownCriterion(label.Key.Value)})
				}
			}
		}
		l.dataset.Items = append(l.dataset.Items, item)
		return problems
	})
}

func (l *loader) judges() error {
	entries, err := fs.ReadDir(l.fsys, path.Join(l.dir, JudgesDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, e := range entries {
		name, ok := strings.CutSuffix(e.Name(), ".jsonl")
		file := path.Join(JudgesDir, e.Name())
		if !ok || !judgeName.MatchString(name) {
			l.report(source.NewFile(path.Join(l.dir, file), nil), source.Problem{
				Code: CodeUnknown, Message: "A file of answers is named after its judge, in lower-case letters and digits with single dashes or underscores: my-judge.jsonl. Rename it, or move it away.",
			})
			continue
		}
		if err := l.judge(name, file); err != nil {
			return err
		}
	}
	return nil
}

// judge reads the answers of one judge.
func (l *loader) judge(name, file string) error {
	f, err := l.read(file)
	if err != nil {
		return err
	}
	j := Judge{Name: name}
	seen := map[answerKey]int{}
	first := map[string]Answer{}
	err = l.lines(f, &document.Answer, func(d *document.Document, line int) []source.Problem {
		a := Answer{Line: line}
		if err := decode(d, &a); err != nil {
			return []source.Problem{{Code: schema.CodeInvalidValue, Message: err.Error()}}
		}
		a.Repeat = max(a.Repeat, 1)
		key := answerKey{a.Run, a.Item, a.Repeat}
		problems := l.checkAnswer(d, &a, seen[key], first)
		seen[key] = max(seen[key], line)
		if len(problems) == 0 {
			j.Answers = append(j.Answers, a)
		}
		return problems
	})
	l.dataset.Judges = append(l.dataset.Judges, j)
	return err
}

func (l *loader) history() error {
	f, err := l.read(HistoryFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	for n, line := range splitLines(f) {
		if text := f.Data[line.Start:line.End]; json.Valid(text) {
			l.dataset.History = append(l.dataset.History, slices.Clone(text))
		} else if len(bytes.TrimSpace(text)) > 0 {
			l.report(f, source.Problem{Code: schema.CodeInvalidValue, Span: line, Message: fmt.Sprintf("Line %d is no JSON. Put the line back as it was recorded, or remove it.", n+1)})
		}
	}
	return nil
}
