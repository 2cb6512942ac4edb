package lint

import (
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration/decide"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/text/regex"
)

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
	// Rules are the library's own rules as they are written. With returns the lint rules.
	Rules map[string]ownRule `json:"rules"`

	own        []*Rule // from Rules, in the order of the file
	severities map[string]Severity
	removed    []Setting
	// conventions is what the configuration has instead of rules, in a form that is no longer read;
	// nil if it has none.
	conventions *FileError
	// rules is the place of the key rules; the zero Location if the configuration has none.
	rules source.Location
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
		c.conventions = conventionsIn(tree)
		for _, p := range schema.Check(table, withoutConventions(tree.Root), "configuration") {
			problems = append(problems, explainUnsuppressable(rules, p))
		}
	}
	problems = append(problems, document.HiddenText(&document.Document{File: f, Tree: tree})...)
	if len(problems) == 0 {
		schema.Decode(table, tree.Root, c)
		problems = append(c.complete(tree.Root), c.compileRules(tree)...)
	}
	if len(problems) > 0 {
		return nil, newFileError("the configuration is not valid", f, problems)
	}
	c.setSeverities(tree)
	for _, e := range tree.Root.Entries {
		if e.Key.Value == "rules" {
			c.rules = source.Locate(f, e.Key.Span)
		}
	}
	return c, nil
}

// setSeverities reads the severities of a valid configuration.
func (c *Config) setSeverities(tree *yamltree.Tree) {
	node := tree.Root.Get("severity")
	if node == nil {
		return
	}
	for _, e := range node.Entries {
		c.severities[e.Key.Value] = severities[e.Value.Value]
		if slices.Contains(Removed, e.Key.Value) {
			c.removed = append(c.removed, Setting{e.Key.Value, source.Locate(tree.File, e.Key.Span)})
		}
	}
}

// explainUnsuppressable rewrites the message about an unknown key: for a lint rule, why
// its severity can't be set; for any other key, which lint rule was probably meant.
func explainUnsuppressable(rules []*Rule, p source.Problem) source.Problem {
	id, isSeverity := strings.CutPrefix(p.Path, "severity.")
	if p.Code != schema.CodeUnknownKey || !isSeverity {
		return p
	}
	p.Message = explainUnknown(rules, id)
	if Find(rules, id) != nil {
		p.Message = fmt.Sprintf("The severity of %s can't be changed: its findings must be fixed. Remove the line.", id)
	}
	return p
}

// complete compiles the expressions of a configuration that conforms to its table, and
// returns the problems that the table can't describe.
func (c *Config) complete(root *yamltree.Node) (problems []source.Problem) {
	report := func(n *yamltree.Node, path, format string, args ...any) {
		problems = append(problems, source.Problem{
			Code: schema.CodeInvalidValue, Span: n.Span, Path: path, Message: fmt.Sprintf(format, args...),
		})
	}
	if s := c.Calibration; s.EnoughItems < s.MinimumItems {
		at := root.Get("calibration").Get("minimum_items")
		if at == nil {
			at = root.Get("calibration").Get("enough_items")
		}
		report(at, "calibration",
			"enough_items must not be less than minimum_items, got minimum_items %d and enough_items %d. Change one of them.",
			s.MinimumItems, s.EnoughItems)
	}
	if !c.Counts(regex.Go) {
		report(root.Get("engines"), "engines", "Add go to the engines: the library itself uses it.")
	}
	if node := root.Get("severity"); node != nil {
		for _, e := range node.Entries {
			if _, known := c.Rules[e.Key.Value]; strings.Contains(e.Key.Value, "/") && !known {
				report(e.Key, "severity."+e.Key.Value,
					"%s is not among the rules of this configuration. Fix the name, or remove the line.", schema.Quote(e.Key.Value))
			}
		}
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

// Counts reports whether patterns are checked for an engine. A bundle is for every client, so that
// the clients always count.
func (c *Config) Counts(e regex.Engine) bool {
	return e == regex.Clients || len(c.Engines) == 0 || slices.Contains(c.Engines, strings.ToLower(e.String()))
}
