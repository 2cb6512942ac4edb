package rules

import (
	"bytes"
	"path"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/codeowners"
)

// workflows is the folder of GitHub workflows, and gitLabPipeline is the pipeline of GitLab.
const (
	workflows      = ".github/workflows"
	gitLabPipeline = ".gitlab-ci.yml"
)

// unreplaced reports the placeholder that `rubric init` writes for an owner.
func unreplaced(p *lint.RepositoryPass, o *owners) {
	if o.file == nil {
		return
	}
	if at := bytes.Index(o.file.Data, []byte(codeowners.Placeholder)); at >= 0 {
		o.report(p, source.Span{Start: at, End: at + len(codeowners.Placeholder)}, "owners", "Replace %s with those who must review every change: it is the placeholder that `rubric init` wrote, so nobody has to.", codeowners.Placeholder)
	}
}

var repositoryRules = map[string]lint.Rule{
	"no-code-owners": {Repository: func(p *lint.RepositoryPass) {
		o := ownersOf(p)
		if o.location != "" {
			unreplaced(p, o)
			return
		}
		p.Walk(workflows, func(name string) bool {
			if path.Dir(name) != workflows || !hasExtension(".yml", ".yaml")(name) {
				return true
			}
			start := source.Position{Line: 1, Column: 1}
			p.Report(source.Location{File: p.FromLibrary(name), Start: start, End: start}, "owners",
				"Add a file %s to the repository, for example with the line `* @your-team`: it says who must review this and the other files that decide.", codeowners.Locations[0])
			return false
		})
	}},
	"code-owners-syntax": {Repository: func(p *lint.RepositoryPass) {
		o := ownersOf(p)
		switch {
		case o.unusable != "" && o.file == nil:
			p.Report(source.Location{File: p.FromLibrary(o.location)}, "file", "%s", o.unusable)
		case o.unusable != "":
			o.report(p, o.at, "file", "%s", o.unusable)
		}
		if o.parsed == nil {
			return
		}
		for _, problem := range o.parsed.Problems {
			text := o.file.Text(problem.Span)
			o.report(p, problem.Span, text[:min(len(text), 100)], "%s", problem.Message)
		}
	}},
	"code-owners-unchecked": {Repository: func(p *lint.RepositoryPass) {
		if o := ownersOf(p); o.ofGitLab && o.file != nil {
			o.report(p, o.at, "file", "The owners in this file are not checked, because GitLab reads it. Check that changes of %s/, %s/, %s, and this file need an approval.",
				lint.Root, calibration.Root, gitLabPipeline)
		}
	}},
	"not-owned": {Repository: notOwned},
}
