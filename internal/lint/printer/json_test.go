package printer

import (
	"bytes"
	"path"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/corpus"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// TestJSONFollowsItsSchema checks the corpus of broken documents as one library
// and validates the output with the schema that programs rely on.
func TestJSONFollowsItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../../schema/lint-output.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	fsys := fstest.MapFS{}
	for name, data := range corpus.Documents(t) {
		to := path.Join("rubrics/corpus", strings.ReplaceAll(name, "-", "_")+".yaml")
		fsys[to] = &fstest.MapFile{Data: data, Mode: 0o644}
	}
	report, err := lint.Run(fsys, rules.All(), lint.Options{})
	if err != nil {
		t.Fatal(err)
	}
	report.Base = &lint.Base{Target: "origin/main", Why: "a reason", Tip: strings.Repeat("a", 40), MergeBases: []string{strings.Repeat("b", 40)}}
	report.Exceptions = []*lint.Exception{{Rule: "major-change", ID: "x_v1", Version: "1.2.0", Reason: "r"}}
	for name, r := range map[string]*lint.Report{"the corpus": report, "nothing": {}} {
		var out bytes.Buffer
		if err := JSON(&out, r); err != nil {
			t.Fatal(err)
		}
		value, err := jsonschema.UnmarshalJSON(&out)
		if err != nil {
			t.Fatalf("%s: the output is not JSON: %v", name, err)
		}
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	if len(report.Findings) < 400 {
		t.Errorf("the corpus has %d findings only", len(report.Findings))
	}
}
