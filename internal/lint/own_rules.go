package lint

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint/expression"
	"github.com/rubric-library/rubric-library/internal/render"
)

// mostRuleBytes is how long a rule of a library can be in its configuration.
const mostRuleBytes = 4096

// FamilyOwn are the rules that a library adds in its configuration.
const FamilyOwn Family = "Rules of this library"

// ownRule is a rule that a library adds in its configuration.
type ownRule struct {
	Severity string `json:"severity"`
	For      string `json:"for"`
	Each     string `json:"each"`
	Message  string `json:"message"`
	When     string `json:"when"`
	Require  string `json:"require"`

	scope         *expression.Scope
	when, require *expression.Condition
}

// kindsFor are the kinds of documents by their words in the configuration.
var kindsFor = map[string][]*document.Kind{
	"rubric":   {&document.Rubric},
	"ruleset":  {&document.RuleSet},
	"document": document.Kinds(),
}

// AddOwn returns some lint rules, and after them those of the configuration.
func (c *Config) AddOwn(rules []*Rule) []*Rule {
	if c == nil || len(c.own) == 0 {
		return rules
	}
	return append(slices.Clip(rules), c.own...)
}

// compileRules makes lint rules of the rules in a configuration that conforms to its table. It
// checks each with its examples, also if it is off: another configuration can turn it on.
func (c *Config) compileRules(t *yamltree.Tree) (problems []source.Problem) {
	rules := t.Root.Get("rules")
	if rules == nil {
		return nil
	}
	// The examples of all rules share the steps for one document.
	meter := expression.NewMeter(t.File.Size())
	for _, e := range rules.Entries {
		own := c.Rules[e.Key.Value]
		reader := &ruleReader{tree: t, id: e.Key.Value, node: e.Value}
		reader.read(&own, e.Key.Span, meter)
		if len(reader.problems) == 0 {
			c.own = append(c.own, own.rule(e.Key.Value, t, e.Value))
		}
		problems = append(problems, reader.problems...)
	}
	return problems
}

// rule returns the lint rule.
func (o *ownRule) rule(id string, t *yamltree.Tree, node *yamltree.Node) *Rule {
	return &Rule{
		ID: id, Severity: severities[o.Severity], Check: OfDocument(o.check),
		Prose: Prose{
			Family: FamilyOwn, Summary: "what this library does not allow: " + strings.TrimRight(o.Message, ".!"),
			Why: o.Message, Source: ConfigFile,
			Bad: textOf(t, node.Get("bad")), Good: textOf(t, node.Get("good")),
		},
	}
}

// dataOf returns a document as conditions see it; nil if its structure is not that of a rubric or a
// rule set.
var dataOf = Once(func(p *DocumentPass) *expression.Document {
	if p.Doc == nil || !slices.Contains(document.Kinds(), p.Doc.Kind) || !p.Doc.Draft() {
		return nil
	}
	return expression.Read(p.Doc.Kind, p.Doc.NormalRoot())
})

// check reports the elements of a document that break the rule, and those for which that is not
// known: a document must not get past a rule because the rule can't be evaluated.
func (o *ownRule) check(p *DocumentPass) {
	data := dataOf(p)
	if data == nil {
		return
	}
	meter := expression.NewMeter(p.Doc.File.Size())
	for _, element := range o.scope.Elements(data) {
		breaks, err := o.isBroken(element.Values, meter)
		switch {
		case err != nil:
			p.ReportAt(element.Path(), element.At,
				"%s It is not known whether this is the case here, because %v. Change the document, or the rule in %s.",
				o.Message, err, ConfigFile)
		case breaks:
			p.ReportAt(element.Path(), element.At, "%s", o.Message)
		}
	}
}

// isBroken reports whether the rule applies to what the values are about, and is not followed.
func (o *ownRule) isBroken(values expression.Values, meter *expression.Meter) (bool, error) {
	if o.when != nil {
		applies, err := o.when.Holds(values, meter)
		if err != nil || !applies {
			return false, err
		}
	}
	follows, err := o.require.Holds(values, meter)
	return err == nil && !follows, err
}

// ruleReader reads one rule of a configuration and collects its problems.
type ruleReader struct {
	tree     *yamltree.Tree
	id       string
	node     *yamltree.Node
	problems []source.Problem
}

// read compiles a rule with an ID at a place, and tries its examples.
func (r *ruleReader) read(o *ownRule, id source.Span, meter *expression.Meter) {
	if size := r.node.Span.Len(); size > mostRuleBytes {
		r.report(id, "", "This rule has %d bytes, but at most %d are allowed. Divide it, or shorten its texts.", size, mostRuleBytes)
		return
	}
	o.Message = render.OneLine(o.Message)
	r.compile(o)
	if len(r.problems) == 0 {
		r.tryExamples(o, meter)
	}
}

// report adds a problem at a place, in the value of a key of the rule.
func (r *ruleReader) report(at source.Span, key, format string, args ...any) {
	path := (*schema.Path)(nil).Key("rules", "").Key(r.id, "")
	if key != "" {
		path = path.Key(key, "")
	}
	r.problems = append(r.problems, source.Problem{
		Code: schema.CodeInvalidValue, Span: at, Pointer: path.Pointer(), Path: path.String(),
		Message: fmt.Sprintf(format, args...),
	})
}

// compile compiles the conditions of a rule.
func (r *ruleReader) compile(o *ownRule) {
	if o.Each == "" {
		o.Each = expression.Whole
	}
	var err error
	if o.scope, err = expression.NewScope(kindsFor[o.For], o.Each); err != nil {
		r.report(r.node.Get("each").Span, "each", "Change each or for: %v.", err)
		return
	}
	if r.node.Get("when") != nil {
		o.when = r.condition("when", o.scope)
	}
	o.require = r.condition("require", o.scope)
}

// condition compiles the condition at a key.
func (r *ruleReader) condition(key string, scope *expression.Scope) *expression.Condition {
	node := r.node.Get(key)
	c, err := expression.Compile(node.Value, scope)
	if err == nil {
		return c
	}
	at := node.Span
	if e, is := err.(*expression.Error); is && e.Offset < len(node.Value) {
		at = r.tree.SpanInside(node, e.Offset, e.Offset+1)
	}
	r.report(at, key, "%v", err)
	return nil
}

// tryExamples checks that the rule finds what it says it finds.
func (r *ruleReader) tryExamples(o *ownRule, meter *expression.Meter) {
	for _, e := range []struct {
		key     string
		breaks  bool
		message string
	}{
		{"good", false, "The rule finds this good example. Change the example or the rule."},
		{"bad", true, "The rule does not find this bad example. Change the example or the rule."},
	} {
		example := document.InNFC(r.node.Get(e.key))
		breaks, problems, err := o.tryExample(example, meter)
		for _, p := range problems {
			r.report(p.Span, e.key, "%s", p.Message)
		}
		switch {
		case len(problems) > 0:
		case err != nil:
			r.report(r.node.Get("require").Span, "require", "The rule can't be evaluated for its %s example: %v.", e.key, err)
		case breaks != e.breaks:
			r.report(firstLine(r.tree.File, example.Span), e.key, "%s", e.message)
		}
	}
}

// tryExample reports whether an example, which is an element or a part of a document, breaks the
// rule.
func (o *ownRule) tryExample(example *yamltree.Node, meter *expression.Meter) (breaks bool, problems []source.Problem, err error) {
	kind, others := o.kindOf(example)
	if element := o.scope.Element(); element != nil && othersIn(example, element.Fields) <= others {
		if problems = misfits(element, example, element.Noun); len(problems) > 0 {
			return false, problems, nil
		}
		breaks, err = o.isBroken(o.scope.SingleValues(example), meter)
		return breaks, nil, err
	}
	if problems = misfits(kind.Table, example, kind.Noun); len(problems) > 0 {
		return false, problems, nil
	}
	for _, element := range o.scope.Elements(expression.Read(kind, example)) {
		broken, err := o.isBroken(element.Values, meter)
		if err != nil {
			return false, nil, err
		}
		breaks = breaks || broken
	}
	return breaks, nil, nil
}

// kindOf returns the kind of a part of a document, which is the one that has most of its keys, and
// how many keys it does not have.
func (o *ownRule) kindOf(part *yamltree.Node) (kind *document.Kind, others int) {
	for _, k := range o.scope.Kinds() {
		if n := othersIn(part, k.Table.Fields); kind == nil || n < others {
			kind, others = k, n
		}
	}
	return kind, others
}

// othersIn returns how many keys of a group are not those of some fields.
func othersIn(n *yamltree.Node, fields []schema.Field) int {
	others := 0
	for _, e := range n.Entries {
		if schema.Find(fields, e.Key.Value) == nil {
			others++
		}
	}
	return others
}

// misfits returns the keys and values of a part of a value that don't belong there. What is
// missing is empty.
func misfits(v *schema.Value, part *yamltree.Node, noun string) []source.Problem {
	return slices.DeleteFunc(schema.Check(v, part, noun), func(p source.Problem) bool {
		return p.Code != schema.CodeUnknownKey && p.Code != schema.CodeWrongType
	})
}

// textOf returns the text of a value in its file, without the indentation of its first line.
func textOf(t *yamltree.Tree, n *yamltree.Node) string {
	lines := strings.Split(t.File.Text(n.Span), "\n")
	indent := strings.Repeat(" ", t.File.Position(n.Span.Start).Column-1)
	for i := range lines {
		lines[i] = strings.TrimPrefix(strings.TrimRight(lines[i], "\r"), indent)
	}
	return strings.Join(lines, "\n")
}

// firstLine returns the part of a place that is on its first line.
func firstLine(f *source.File, s source.Span) source.Span {
	line := f.LineSpan(f.Position(s.Start).Line)
	return source.Span{Start: s.Start, End: max(s.Start, min(s.End, line.End))}
}
