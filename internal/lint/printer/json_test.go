package printer

import (
	"bytes"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/rubric-library/rubric-library/internal/lint"
)

// TestJSONFollowsItsSchema checks the corpus of broken documents as one library
// and validates the output with the schema that programs rely on.
func TestJSONFollowsItsSchema(t *testing.T) {
	schema, err := jsonschema.NewCompiler().Compile("../../../schema/lint-output.schema.json")
	if err != nil {
		t.Fatal(err)
	}
	report := corpusReport(t, "")
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
}
