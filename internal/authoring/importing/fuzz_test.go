package importing

import (
	"testing"
	"testing/fstest"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/authoring"
	"github.com/rubric-library/rubric-library/internal/authoring/importing/intake"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
)

// checkImported checks the properties of any result: problems have words and a place, or
// there are documents that can be created, each of which the library can read.
func checkImported(t *testing.T, f *source.File, o intake.Options) {
	t.Helper()
	imported, problems := Read(f, o)
	for _, p := range problems {
		if p.Message == "" || p.Code == "" || !utf8.ValidString(p.Message) {
			t.Errorf("a problem without words: %+v", p)
		}
		if p.Span.Start < 0 || p.Span.Start > p.Span.End || p.Span.End > len(f.Data) {
			t.Errorf("%s: the place %v is outside of the file", p.Message, p.Span)
		}
	}
	if (imported == nil) == (len(problems) == 0) {
		t.Fatalf("got %v and %d problems", imported, len(problems))
	}
	if imported == nil {
		return
	}
	for i := range imported.Drafts {
		if imported.Drafts[i].ArtifactType == "" {
			imported.Drafts[i].ArtifactType = "answers"
		}
	}
	library, err := authoring.Open(fstest.MapFS{"rubrics": {Mode: 0o755 | 1<<31}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	edit, err := library.Create(imported.Drafts...)
	if err != nil {
		return // such as a text that is too long for a name
	}
	for _, file := range edit.Files[:len(imported.Drafts)] {
		d := document.Parse(source.NewFile(file.Path, file.After))
		if len(file.After) > safefile.MaxDocument || d.Root() == nil {
			t.Errorf("%s can't be read: %v\n%s", file.Path, d.Problems, file.After)
		}
	}
}

func FuzzPrometheus(f *testing.F) {
	f.Add([]byte(`{"id": "a", "criteria": "b", "score1_description": "c", "anchors": {"2": "d"}, "x": [1]}` + "\n" + `{"rubric": "[q]\nScore 1: a\nScore 2: b"}`))
	f.Add([]byte(`{"a": {"rubrics": {"score0_description": "x", "score1_description": "y"}}}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkImported(t, source.NewFile("f.json", data), intake.Options{Format: "prometheus"})
		checkImported(t, source.NewFile("f.yaml", data), intake.Options{Format: "ragas"})
	})
}

func FuzzCriteria(f *testing.F) {
	f.Add([]byte("criteria: &c\n  - {name: a, weight: 20%, levels: {0: b, 1: {label: c, examples: [d]}}}\n  - {items: [*c, '+4 e'], points: 3}\nscale: {min: 0, max: 1}\nweights: {a: 2}\n"))
	f.Add([]byte(`{"rubrics": [{"id": "a", "criteria": {"b": [[1, "c"], [0, "d"]], "e": {"good": "f", "bad": "g"}}, "essential_ids": ["b"]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkImported(t, source.NewFile("f.yaml", data), intake.Options{})
		checkImported(t, source.NewFile("f.json", data), intake.Options{Kind: &document.RuleSet})
		checkImported(t, source.NewFile("f.jsonl", data), intake.Options{GroupBy: "id"})
	})
}

func FuzzDeepEval(f *testing.F) {
	f.Add([]byte(`{"metrics": [{"name": "a", "evaluation_steps": ["b"], "threshold": 0.5, "rubric": [{"score_range": [0, 9], "expected_outcome": "c"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkImported(t, source.NewFile("f.json", data), intake.Options{Format: "deepeval", ID: "x_v1"})
	})
}

func FuzzRubricSpec(f *testing.F) {
	f.Add([]byte(`{"rubric_id": "a", "criteria": [{"criterion_id": "b", "label": "c", "anchors": [{"value": 0, "label": "d"}, {"value": "x"}], "examples": [{"score": 0, "output": "e"}]}]}`))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkImported(t, source.NewFile("f.json", data), intake.Options{Format: "rubric-spec"})
	})
}

func FuzzPromptfoo(f *testing.F) {
	f.Add([]byte("defaultTest:\n  assert:\n    - {type: llm-rubric, value: |\n        1: a\n        2: b\n      }\ntests: [{assert: [{type: not-regex, value: x}, {type: g-eval, value: [a, b]}]}]"))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkImported(t, source.NewFile("f.yaml", data), intake.Options{Format: "promptfoo"})
		checkImported(t, source.NewFile("f.json", data), intake.Options{Format: "promptfoo", Kind: &document.RuleSet})
	})
}

func FuzzCSV(f *testing.F) {
	f.Add([]byte("criterion;description;weight;threshold;1;score_1\na;b;Essential;3,5;'=c;\"d\ne\"\n"))
	f.Add([]byte("\ufeffdescription,severity,phase\nNo a,fail,B\n"))
	f.Add([]byte("Rubric Name,Criteria Name,Rating Name,Rating Description,Rating Points,Rating Name,Rating Description,Rating Points\nr,a,b,c,4-3,d,e,0,f,g,9\n,h,i,,j"))
	f.Add([]byte("Title,,\nLevel,a,b\nWeight,1,20%\n3 - Good,c,d\n1 - Poor,e,f\n"))
	f.Add([]byte("group,criterion,level,points,description\ng,a,Good,4,b\n,,Poor,0,c\nh,a,Good,2,d\n"))
	f.Add([]byte("criterion,Good,Bad,Good example,#,No\nPART,,,,,\na,b,c,d,1,e\n,f,g,,,\nTotal,,,,,"))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkImported(t, source.NewFile("f.csv", data), intake.Options{Format: "csv"})
		checkImported(t, source.NewFile("f.csv", data), intake.Options{Format: "csv", GroupBy: "group"})
		checkImported(t, source.NewFile("f.csv", data), intake.Options{Format: "csv", Kind: &document.RuleSet})
	})
}

func FuzzChecklist(f *testing.F) {
	f.Add([]byte("# a\n\n- [ ] If b, c\n  - d\n    - [x] e\n\n1. f\n"))
	f.Add([]byte("`a@0.1.0#sha256:0`\n\n- [ ] x\n  - Rule `a.b.c`, severity `fail`, weight 2, phase A\n  - Check: y\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		checkImported(t, source.NewFile("f.md", data), intake.Options{Format: "markdown"})
	})
}
