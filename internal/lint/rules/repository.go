package rules

import (
	"bytes"
	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/files/hosts"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/codeowners"
)

// unreplaced reports the placeholder that `rubric init` writes for an owner.
func unreplaced(p *lint.RepositoryPass, o *owners) {
	if o.File == nil {
		return
	}
	if at := bytes.Index(o.File.Data, []byte(codeowners.Placeholder)); at >= 0 {
		o.report(p, source.Span{Start: at, End: at + len(codeowners.Placeholder)}, "owners",
			"Replace %s with those who must review every change: it is the placeholder that `rubric init` wrote, so nobody has to.",
			codeowners.Placeholder)
	}
}

var repositoryRules = map[string]lint.Rule{
	"no-code-owners":        {Severity: lint.Warning, Check: lint.OfRepository(onEachHost(noCodeOwners))},
	"code-owners-syntax":    {Severity: lint.Error, Check: lint.OfRepository(onEachHost(codeOwnersSyntax))},
	"code-owners-unchecked": {Severity: lint.Note, Check: lint.OfRepository(onEachHost(codeOwnersUnchecked))},
	"not-owned":             {Severity: lint.Error, Check: lint.OfRepository(onEachHost(notOwned))},
}

// onEachHost checks the CODEOWNERS file as each host reads it.
func onEachHost(check func(*lint.RepositoryPass, *owners)) func(*lint.RepositoryPass) {
	return func(p *lint.RepositoryPass) {
		for _, o := range ownersOf(p) {
			check(p, o)
		}
	}
}

func noCodeOwners(p *lint.RepositoryPass, o *owners) {
	if o.Location != "" {
		unreplaced(p, o)
		return
	}
	if o.Host.ID != hosts.GitHub().ID {
		return
	}
	workflows := o.Host.Pipeline
	p.Walk(workflows, func(name string) bool {
		extension := strings.ToLower(path.Ext(name))
		isWorkflow := path.Dir(name) == workflows && (extension == ".yml" || extension == ".yaml")
		if !isWorkflow {
			return true
		}
		start := source.Position{Line: 1, Column: 1}
		p.Report(source.Location{File: p.FromLibrary(name), Start: start, End: start}, "owners",
			"Add a file %s to the repository, for example with the line `* @your-team`: it says who must review this and the other files that decide.", o.Host.Owners[0])
		return false
	})
}

func codeOwnersSyntax(p *lint.RepositoryPass, o *owners) {
	switch {
	case o.Unusable != "" && o.File == nil:
		p.Report(source.Location{File: p.FromLibrary(o.Location)}, "file", "%s", o.Unusable)
	case o.Unusable != "":
		o.report(p, o.At, "file", "%s", o.Unusable)
	}
	if o.Parsed == nil {
		return
	}
	for _, problem := range o.Parsed.Problems {
		text := o.File.Text(problem.Span)
		o.report(p, problem.Span, text[:min(len(text), 100)], "%s", problem.Message)
	}
}

func codeOwnersUnchecked(p *lint.RepositoryPass, o *owners) {
	if o.Host.Syntax == hosts.Sections && o.File != nil {
		o.report(p, o.At, "file", "Check that changes of %s/, %s/, %s, and this file need an approval: %s reads it, so who owns them is only compared with what was before a change.",
			lint.Root, calibration.Root, o.Host.Pipeline, o.Host.Name)
	}
}
