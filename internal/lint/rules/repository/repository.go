// Package repository has the lint rules about the repository around a library: its
// code owners, and how Git converts its files.
package repository

import (
	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/repository/codeowners"
)

// workflows is where GitHub finds them.
const workflows = ".github/workflows"

// Rules are about the repository around a library.
var Rules = []*lint.Rule{
	{
		ID: "no-code-owners", Family: lint.FamilyRepository, Severity: lint.Warning,
		Summary: "a repository with workflows and without a file of owners",
		Why:     "Whoever may merge can then change what decides, such as a workflow or an exception, in the same pull request that it should stop. With a file of owners, and with \"Require review from Code Owners\" for the main branch, somebody else has to agree.",
		Bad:     ".github/workflows/check.yml",
		Good:    ".github/workflows/check.yml\n.github/CODEOWNERS     * @your-team",
		Source:  "GitHub Docs, About code owners",
		Repository: func(p *lint.RepositoryPass) {
			if ownersOf(p).location != "" {
				return
			}
			p.Walk(workflows, func(name string) bool {
				if !isWorkflow(name) {
					return true
				}
				start := source.Position{Line: 1, Column: 1}
				p.Report(source.Location{File: p.FromLibrary(name), Start: start, End: start}, "owners",
					"Say who has to review this and all else that decides: put a file %s into the repository, such as with the line `* @your-team`.", codeowners.Locations[0])
				return false
			})
		},
	},
	{
		ID: "code-owners-syntax", Family: lint.FamilyRepository, Severity: lint.Error,
		Summary: "what GitHub does not understand in the file of owners",
		Why:     "GitHub leaves such a line out and says so nowhere in a pull request, so the paths have no owners, or others than it seems.",
		Bad:     "/rubrics/ your-team\n!/rubrics/drafts/",
		Good:    "/rubrics/ @your-team\n/rubrics/drafts/",
		Source:  "GitHub Docs, About code owners: CODEOWNERS syntax",
		Repository: func(p *lint.RepositoryPass) {
			o := ownersOf(p)
			switch {
			case o.unusable != "" && o.file == nil:
				p.Report(source.Location{File: p.FromLibrary(o.location)}, "file", "%s", o.unusable)
			case o.unusable != "":
				o.report(p, o.file.LineSpan(1), "file", "%s", o.unusable)
			}
			if o.parsed == nil {
				return
			}
			for _, problem := range o.parsed.Problems {
				o.report(p, problem.Span, o.file.Text(shortened(problem.Span)), "%s", problem.Message)
			}
		},
	},
	{
		ID: "not-owned", Family: lint.FamilyRepository, Severity: lint.Error,
		Summary:    "something that decides, or is decided, and that nobody owns",
		Why:        "Anybody could change it without a review by those who answer for it: a document, its labels, the workflow that checks it, the list of exceptions. What does not exist yet counts too, because a pull request can add it.",
		Bad:        "* @your-team\n/rubrics/drafts/",
		Good:       "* @your-team",
		Source:     "docs/governance.md: whatever decides is reviewed by those who answer for it",
		Repository: notOwned,
	},
	{
		ID: "code-owners-match-nothing", Family: lint.FamilyRepository, Severity: lint.Warning,
		Summary:    "a pattern in the file of owners that matches no file",
		Why:        "What it was written for was renamed or is misspelt, so it may have no owners now.",
		Bad:        "/rubric/ @your-team",
		Good:       "/rubrics/ @your-team",
		Source:     "GitHub Docs, About code owners: the last pattern that matches decides",
		Repository: matchNothing,
	},
	{
		ID: "git-conversion", Family: lint.FamilyRepository, Severity: lint.Error, Unsuppressable: true,
		Summary:    "an attribute by which Git converts a file of the library",
		Why:        "With filter, ident, or working-tree-encoding, the text that people see in a working tree differs from the one in the commit, which is reviewed, released, and read by judges.",
		Bad:        "*.yaml text working-tree-encoding=UTF-16     (in .gitattributes)",
		Good:       "*.yaml text eol=lf",
		Source:     "gitattributes(5)",
		Repository: gitConversion,
	},
}

func isWorkflow(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return path.Dir(name) == workflows && (ext == ".yml" || ext == ".yaml")
}

// shortened is the beginning of a span that is long enough to tell it from
// others.
func shortened(s source.Span) source.Span {
	return source.Span{Start: s.Start, End: min(s.End, s.Start+100)}
}

// matchNothing goes through the files until each pattern has matched one.
func matchNothing(p *lint.RepositoryPass) {
	o := ownersOf(p)
	if !o.judgeable() {
		return
	}
	unmatched := append([]*codeowners.Rule{}, o.parsed.Rules...)
	paths, whole := 0, true
	p.Walk(".", func(name string) bool {
		paths++
		left := unmatched[:0]
		for _, r := range unmatched {
			whole = whole && paths <= mostPaths && o.spend(1, len(r.Pattern), name)
			if !whole || !r.Matches(name) {
				left = append(left, r)
			}
		}
		unmatched = left
		return whole && len(unmatched) > 0
	})
	for _, r := range unmatched {
		key := o.file.Text(shortened(r.Span))
		if !whole {
			o.report(p, r.Span, key, "Nobody can tell whether this pattern matches anything: the repository has too many files, or this file too many patterns, to try them all.")
			return
		}
		o.report(p, r.Span, key, "Mend this pattern or remove the line: no file matches it, so it gives nothing to anybody.")
	}
}
