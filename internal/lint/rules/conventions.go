package rules

import (
	"slices"

	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/lint"
)

var conventionRules = map[string]lint.Rule{
	"convention-metadata":      {Severity: lint.Error, Check: lint.OfDocument(metadata)},
	"convention-artifact-type": {Severity: lint.Error, Check: lint.OfDocument(artifactType)},
	"convention-id":            {Severity: lint.Error, Check: lint.OfDocument(id)},
	"convention-word":          {Severity: lint.Error, Check: lint.OfDocument(words)},
}

// and returns a message as an additional sentence.
func and(message string) string {
	if message == "" {
		return ""
	}
	return " " + message
}

func metadata(p *lint.DocumentPass) {
	at := p.ID()
	if at == nil {
		return
	}
	group := p.Root().Get("metadata")
	for _, c := range p.Config.Conventions.Metadata {
		value := group.Get(c.Key)
		path := lint.Key("metadata").Key(c.Key, "")
		switch {
		case value == nil && len(c.Values) > 0:
			p.ReportAt(nil, at, "Add %s to the metadata: %s. The conventions of this library require it.%s", schema.Quote(c.Key), oneOf(c.Values), and(c.Message))
		case value == nil:
			p.ReportAt(nil, at, "Add %s to the metadata. The conventions of this library require it.%s", schema.Quote(c.Key), and(c.Message))
		case len(c.Values) > 0 && !slices.Contains(c.Values, value.Value):
			p.ReportAt(path, value, "%s must be %s, got %s.%s%s", schema.Quote(c.Key), oneOf(c.Values), schema.Quote(value.Value),
				schema.DidYouMean(value.Value, c.Values), and(c.Message))
		}
	}
}

// oneOf lists allowed values for a message.
func oneOf(values []string) string {
	const most = 10
	var quoted []string
	for _, v := range values[:min(len(values), most)] {
		quoted = append(quoted, schema.Quote(v))
	}
	if len(values) > most {
		quoted = append(quoted, "another value from "+lint.ConfigFile)
	}
	return schema.Or(quoted, "or")
}

func artifactType(p *lint.DocumentPass) {
	n := p.Root().Get("artifact_type")
	allowed := p.Config.Conventions.ArtifactTypes
	if p.ID() == nil || n == nil || len(allowed) == 0 || slices.Contains(allowed, n.Value) {
		return
	}
	p.ReportAt(lint.Key("artifact_type"), n, "The artifact type must be %s, got %s.%s To allow it, add it to %s.", oneOf(allowed), schema.Quote(n.Value),
		schema.DidYouMean(n.Value, allowed), lint.ConfigFile)
}

func id(p *lint.DocumentPass) {
	n, c := p.ID(), p.Config.Conventions
	if n == nil || c.ID == nil || c.ID.MatchString(n.Value) {
		return
	}
	p.ReportAt(lint.Key(p.Doc.Kind.IDKey), n, "Rename %s. %s", schema.Quote(n.Value), c.IDs.Message)
}

// quoted are the keys below which a document has texts of others: artifacts, what
// patterns look for, and notes.
var quoted = []string{"examples", "fail_patterns", "fail_examples", "pass_examples", "checks", "metadata", "calibration_dataset"}

func words(p *lint.DocumentPass) {
	conventions := p.Config.Conventions.Words
	if p.ID() == nil || len(conventions) == 0 {
		return
	}
	eachText(p.Root(), func(n *yamltree.Node) {
		for _, c := range conventions {
			m := c.Avoided.FindStringSubmatchIndex(n.Value)
			if m == nil {
				continue
			}
			advice := "Avoid %s"
			if c.Use != "" {
				advice = "Write " + schema.Quote(c.Use) + " instead of %s"
			}
			span := p.Doc.Tree.Inside(n, m[2], m[3])
			p.ReportIn(schema.PathAt(p.Root(), span.Start), span, advice+", as the conventions of this library say.%s", schema.Quote(n.Value[m[2]:m[3]]), and(c.Message))
		}
	})
}

// eachText calls do with the texts that the authors of a document wrote.
func eachText(n *yamltree.Node, do func(*yamltree.Node)) {
	for _, e := range n.Entries {
		if !slices.Contains(quoted, e.Key.Value) {
			eachText(e.Value, do)
		}
	}
	for _, item := range n.Items {
		eachText(item, do)
	}
	if n.Type == yamltree.String {
		do(n)
	}
}
