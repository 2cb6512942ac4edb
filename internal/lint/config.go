package lint

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/hiddentext"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/files/limits"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/internal/text/regex"
)

// BaselineFile is the name of the baseline at the root of a library.
const BaselineFile = ".rubric-lint-baseline.json"

// Config is the linter configuration of a library.
type Config struct {
	History struct {
		// Since is the hash of the commit at which checking begins, "" for the first one.
		Since string `json:"since"`
	} `json:"history"`
	// Engines are the languages, by their words in the configuration, for which patterns are
	// checked; empty means all.
	Engines     []string        `json:"engines"`
	Calibration decide.Settings `json:"calibration"`
	Conventions Conventions     `json:"conventions"`

	severities map[string]Severity
	removed    []Setting
}

// defaultConfig returns the configuration of a library that has none.
func defaultConfig() *Config {
	return &Config{Calibration: decide.Defaults(), severities: map[string]Severity{}}
}

// Setting is a line of the configuration that sets the severity of a lint rule.
type Setting struct {
	Rule string
	At   source.Location
}

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
	words := []schema.Option{
		{Word: "error", Doc: "Fails the check."},
		{Word: "warning", Doc: "Reported."},
		{Word: "note", Doc: "Reported for information."},
		{Word: "off", Doc: "Not reported."},
	}
	var fields []schema.Field
	for _, r := range rules {
		if !r.Unsuppressable {
			fields = append(fields, schema.Field{
				Key: r.ID, Doc: "Finds " + r.Summary + ".", Default: `"` + r.Severity.String() + `"`,
				Value: &schema.Value{Shape: schema.Choice, Options: words},
			})
		}
	}
	for _, id := range Removed {
		fields = append(fields, schema.Field{
			Key: id, Doc: "This lint rule was removed, so the line has no effect.",
			Value: &schema.Value{Shape: schema.Choice, Options: words},
		})
	}
	return &schema.Value{Shape: schema.Object, Fields: []schema.Field{{
		Key: "severity", Doc: "The severity of the findings of a lint rule. The severity of lint rules that are not listed can't be changed.",
		Value: &schema.Value{Shape: schema.Object, Noun: "severities", Fields: fields},
	}, {
		Key: "history", Doc: "How far back the history is checked.",
		Value: &schema.Value{Shape: schema.Object, Noun: "history", Fields: []schema.Field{{
			Key: "since", Doc: "The commit of the main branch at which checking begins, by its full hash. Once set, it can't be changed.",
			Value: &schema.Value{Shape: schema.Text, Pattern: document.CommitName},
		}}},
	}, {
		Key: "engines", Doc: "The languages in which programs use the patterns unchanged. Patterns are checked for these and for the library's clients. go is required, because the library itself uses it.",
		Default: `["go","python","javascript"]`,
		Value:   &schema.Value{Shape: schema.List, Noun: "engines", Min: 1, Elem: &schema.Value{Shape: schema.Choice, Noun: "engine", Options: engineWords}},
	}, {
		Key: "calibration", Doc: "The limits for what a judge may be used for. By limits that are looser than the defaults, no judge counts as calibrated.",
		Value: &schema.Value{Shape: schema.Object, Noun: "calibration", Fields: calibrationFields()},
	}, {
		Key: "conventions", Doc: "What the documents of this library must follow beyond the lint rules that every library has.", Value: conventionsTable,
	}}}
}

// calibrationFields returns the settings of calibration. Two items always correlate
// fully, so the minimum is three.
func calibrationFields() []schema.Field {
	defaults := decide.Defaults()
	share := &schema.Value{Shape: schema.Number, Min: 0, Max: 1}
	count := &schema.Value{Shape: schema.Integer, Min: 3, Max: 1e6}
	return []schema.Field{
		{Key: "target", Value: share, Default: fmt.Sprint(defaults.Target), Doc: "The lowest correlation (Spearman) with people, from 0 to 1, that every criterion must reach."},
		{Key: "minimum_items", Value: count, Default: fmt.Sprint(defaults.MinimumItems), Doc: "The number of items below which no agreement is computed."},
		{Key: "enough_items", Value: count, Default: fmt.Sprint(defaults.EnoughItems), Doc: "The number of items below which there is a warning."},
		{Key: "minimum_coverage", Value: share, Default: fmt.Sprint(defaults.MinimumCoverage), Doc: "The share of the items, from 0 to 1, for which a judge must give a readable answer."},
		{Key: "maximum_bias", Value: &schema.Value{Shape: schema.Number, Min: 0, Max: 4}, Default: fmt.Sprint(defaults.MaximumBias), Doc: "How many points the mean score of a judge may differ from people's on each criterion."},
		{Key: "minimum_rate", Value: share, Default: fmt.Sprint(defaults.MinimumRate), Doc: "The lowest share, from 0 to 1, of what people pass that the judge passes, and of what people fail that it fails."},
		{Key: "maximum_age_days", Value: &schema.Value{Shape: schema.Integer, Min: 1, Max: 3650}, Default: fmt.Sprint(defaults.MaximumAge), Doc: "How many days old a run may be."},
	}
}

// LoadConfig reads the configuration of the library in fsys, which can set the severities
// of rules. A library without a configuration has the defaults.
func LoadConfig(fsys fs.FS, rules []*Rule) (*Config, error) {
	f, err := loadFile(fsys, ConfigFile, "the configuration")
	switch {
	case err != nil:
		return nil, err
	case f == nil:
		return defaultConfig(), nil
	}
	return ParseConfig(f, rules)
}

// ParseConfig parses a configuration, which can set the severities of rules. The error is
// a *FileError. An empty file has the defaults.
func ParseConfig(f *source.File, rules []*Rule) (*Config, error) {
	c, table := defaultConfig(), ConfigTable(rules)
	tree, problems := yamltree.Parse(f)
	if len(problems) == 1 && problems[0].Code == yamltree.CodeEmpty {
		return c, nil
	}
	problems = slices.DeleteFunc(problems, func(p source.Problem) bool { return p.Code == yamltree.CodeLineEndings })
	if tree != nil {
		for _, p := range schema.Check(table, tree.Root, "configuration") {
			problems = append(problems, explainUnsuppressable(rules, p))
		}
	}
	problems = append(problems, hiddentext.Find(&document.Document{File: f, Tree: tree})...)
	if len(problems) == 0 {
		schema.Decode(table, tree.Root, c)
		problems = c.complete(tree.Root)
	}
	if len(problems) > 0 {
		return nil, newFileError("the configuration is not valid", f, problems)
	}
	if node := tree.Root.Get("severity"); node != nil {
		for _, e := range node.Entries {
			c.severities[e.Key.Value] = severities[e.Value.Value]
			if slices.Contains(Removed, e.Key.Value) {
				c.removed = append(c.removed, Setting{e.Key.Value, source.Locate(f, e.Key.Span)})
			}
		}
	}
	return c, nil
}

// explainUnsuppressable rewrites the message about an unknown key: for a lint rule, why
// its severity can't be set; for any other key, which lint rule was probably meant.
func explainUnsuppressable(rules []*Rule, p source.Problem) source.Problem {
	id, isSeverity := strings.CutPrefix(p.Path, "severity.")
	if p.Code != schema.CodeUnknownKey || !isSeverity {
		return p
	}
	p.Message = unknown(rules, id)
	if Find(rules, id) != nil {
		p.Message = fmt.Sprintf("The severity of %s can't be changed: its findings must be fixed. Remove the line.", id)
	}
	return p
}

// unknown says that there is no lint rule with an ID, and which one was probably meant.
func unknown(rules []*Rule, id string) string {
	var ids []string
	for _, r := range rules {
		ids = append(ids, r.ID)
	}
	return fmt.Sprintf("There is no lint rule %s.%s", schema.Quote(id), cmp.Or(schema.DidYouMean(id, ids), " `rubric-lint --list-rules` lists them."))
}

// complete compiles the expressions of a configuration that conforms to its table, and
// returns the problems that the table can't describe.
func (c *Config) complete(root *yamltree.Node) (problems []source.Problem) {
	report := func(n *yamltree.Node, path, format string, args ...any) {
		problems = append(problems, source.Problem{Code: schema.CodeInvalidValue, Span: n.Span, Path: path, Message: fmt.Sprintf(format, args...)})
	}
	if s := c.Calibration; s.EnoughItems < s.MinimumItems {
		at := root.Get("calibration").Get("minimum_items")
		if at == nil {
			at = root.Get("calibration").Get("enough_items")
		}
		report(at, "calibration", "enough_items must not be less than minimum_items, got minimum_items %d and enough_items %d. Change one of them.", s.MinimumItems, s.EnoughItems)
	}
	if !c.Counts(regex.Go) {
		report(root.Get("engines"), "engines", "Add go to the engines: the library itself uses it.")
	}
	if err := c.Conventions.compile(); err != nil {
		report(root.Get("conventions").Get("ids").Get("pattern"), "conventions.ids.pattern", "Fix this regular expression: %v.", err)
	}
	return problems
}

// Severity returns the severity that the configuration sets for a rule.
func (c *Config) Severity(r *Rule) (Severity, bool) {
	s, set := c.severities[r.ID]
	return s, set
}

// IsOff reports whether the configuration turns the lint rule with that ID off.
func (c *Config) IsOff(id string) bool {
	s, set := c.severities[id]
	return set && s == 0
}

// severity is the severity of a finding by the configuration.
func (c *Config) severity(f *Finding) Severity {
	if severity, set := c.Severity(f.Rule); set {
		return severity
	}
	return f.Severity
}

// engineWords are the languages as the configuration names them.
var engineWords = []schema.Option{
	{Word: "go", Doc: "Go, package regexp. Required."},
	{Word: "python", Doc: "Python 3.11 or later, module re with re.ASCII."},
	{Word: "javascript", Doc: "JavaScript (ECMAScript) with the flag u."},
}

// Counts reports whether patterns are checked for an engine. A bundle is for every client, so that
// the clients always count.
func (c *Config) Counts(e regex.Engine) bool {
	return e == regex.Clients || len(c.Engines) == 0 || slices.Contains(c.Engines, strings.ToLower(e.String()))
}

// FileError says why a configuration or a baseline is not valid.
type FileError struct {
	File *source.File
	// Problems are all problems in the file, in order.
	Problems []source.Problem

	message string
}

func newFileError(message string, f *source.File, problems []source.Problem) error {
	slices.SortStableFunc(problems, func(a, b source.Problem) int { return a.Span.Start - b.Span.Start })
	return &FileError{File: f, Problems: problems, message: message}
}

// Error lists the problems with their places, one per line.
func (e *FileError) Error() string {
	var b strings.Builder
	b.WriteString(e.message)
	for _, p := range e.Problems {
		at := e.File.Position(p.Span.Start)
		fmt.Fprintf(&b, "\n%s:%d:%d: %s", e.File.Path, at.Line, at.Column, p.Message)
	}
	return b.String()
}

// loadFile reads a file at the root of a library; nil if there is none. what describes
// the file in errors.
func loadFile(fsys fs.FS, name, what string) (*source.File, error) {
	if info, err := fs.Lstat(fsys, name); err == nil && !info.Mode().IsRegular() {
		return nil, fmt.Errorf("%s %s is not a regular file. Replace it with the file itself", what, name)
	}
	data, err := limits.ReadFile(fsys, name)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, fmt.Errorf("%s %s can't be read: %w", what, name, safefile.Reason(err))
	}
	return source.NewFile(name, data), nil
}
