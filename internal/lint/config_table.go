package lint

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
)

// ConfigSchemaFile is the name of the JSON Schema of the configuration in schema/.
const ConfigSchemaFile = "rubric-lint.schema.json"

// ConfigSchema is the JSON Schema of the configuration of a linter with these rules.
func ConfigSchema(rules []*Rule) ([]byte, error) {
	return schema.JSONSchema(ConfigTable(rules), document.SchemaBase+ConfigSchemaFile,
		"Configuration of rubric-lint", "The file "+ConfigFile+" at the root of a library.")
}

// ConfigTable returns the type of the configuration file of a linter with these rules.
// Its JSON Schema and its reference are derived from it.
func ConfigTable(rules []*Rule) *schema.Value {
	var fields []schema.Field
	for _, r := range rules {
		if !r.Unsuppressable {
			fields = append(fields, schema.Field{
				Key: r.ID, Doc: "Finds " + r.Summary + ".", Default: `"` + r.Severity.String() + `"`,
				Value: severityWord,
			})
		}
	}
	for _, id := range Removed {
		fields = append(fields, schema.Field{
			Key: id, Doc: "This lint rule was removed, so the line has no effect.",
			Value: severityWord,
		})
	}
	return &schema.Value{Shape: schema.Object, Fields: []schema.Field{{
		Key: "severity", Doc: "The severity of the findings of a lint rule. The severity of lint rules that are not listed can't be changed.",
		Value: &schema.Value{
			Shape: schema.Object, Noun: "severities", Fields: fields, Elem: severityWord,
			Pattern: document.OwnRuleName,
		},
	}, {
		Key: "history", Doc: "How far back the history is checked.",
		Value: &schema.Value{Shape: schema.Object, Noun: "history", Fields: []schema.Field{{
			Key: "since", Doc: "The commit of the main branch at which checking begins, by its full hash. Once set, it can't be changed.",
			Value: &schema.Value{Shape: schema.Text, Pattern: document.CommitName},
		}}},
	}, {
		Key: "engines", Doc: "The languages in which programs use the patterns unchanged. Patterns are checked for these and for the library's clients. go is required, because the library itself uses it.",
		Default: `["go","python","javascript"]`,
		Value: &schema.Value{
			Shape: schema.List, Noun: "engines", Min: 1,
			Elem: &schema.Value{Shape: schema.Choice, Noun: "engine", Options: engineWords},
		},
	}, {
		Key: "calibration", Doc: "The limits for what a judge may be used for. By limits that are looser than the defaults, no judge counts as calibrated.",
		Value: &schema.Value{Shape: schema.Object, Noun: "calibration", Fields: calibrationFields()},
	}, {
		Key: "rules", Doc: "The library's own rules, by their IDs.", Value: ownRulesTable,
	}}}
}

// calibrationFields returns the settings of calibration. Two items always correlate
// fully, so the minimum is three.
func calibrationFields() []schema.Field {
	defaults := decide.Defaults()
	share := &schema.Value{Shape: schema.Number, Min: 0, Max: 1}
	count := &schema.Value{Shape: schema.Integer, Min: 3, Max: 1e6}
	return []schema.Field{
		{
			Key: "target", Value: share, Default: fmt.Sprint(defaults.Target),
			Doc: "The lowest correlation (Spearman) with people, from 0 to 1, that every criterion must reach.",
		},
		{
			Key: "minimum_items", Value: count, Default: fmt.Sprint(defaults.MinimumItems),
			Doc: "The number of items below which no agreement is computed.",
		},
		{
			Key: "enough_items", Value: count, Default: fmt.Sprint(defaults.EnoughItems),
			Doc: "The number of items below which there is a warning.",
		},
		{
			Key: "minimum_coverage", Value: share, Default: fmt.Sprint(defaults.MinimumCoverage),
			Doc: "The share of the items, from 0 to 1, for which a judge must give a readable answer.",
		},
		{
			Key:     "maximum_bias",
			Value:   &schema.Value{Shape: schema.Number, Min: 0, Max: 4},
			Default: fmt.Sprint(defaults.MaximumBias),
			Doc:     "How many points the mean score of a judge may differ from people's on each criterion.",
		},
		{
			Key: "minimum_rate", Value: share, Default: fmt.Sprint(defaults.MinimumRate),
			Doc: "The lowest share, from 0 to 1, of what people pass that the judge passes, and of what people fail that it fails.",
		},
		{
			Key: "maximum_age_days", Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 3650},
			Default: fmt.Sprint(defaults.MaximumAge), Doc: "How many days old a run may be.",
		},
	}
}

// engineWords are the languages as the configuration names them.
var engineWords = []schema.Option{
	{Word: "go", Doc: "Go, package regexp. Required."},
	{Word: "python", Doc: "Python 3.11 or later, module re with re.ASCII."},
	{Word: "javascript", Doc: "JavaScript (ECMAScript) with the flag u."},
}
