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

// workflows is the folder of GitHub workflows.
const workflows = ".github/workflows"

// Rules are about the repository around a library.
var Rules = []*lint.Rule{
	{
		ID: "no-code-owners", Family: lint.FamilyRepository, Severity: lint.Warning,
		Summary: "a repository with workflows and without a CODEOWNERS file",
		Why:     "Anyone who can merge can then change the files that decide, such as a workflow or an exception, in the same pull request that they should stop. With a CODEOWNERS file and \"Require review from Code Owners\" for the main branch, a code owner must approve.",
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
					"Add a file %s to the repository, for example with the line `* @your-team`: it says who must review this and the other files that decide.", codeowners.Locations[0])
				return false
			})
		},
	},
	{
		ID: "code-owners-syntax", Family: lint.FamilyRepository, Severity: lint.Error,
		Summary: "a line of the CODEOWNERS file that the host does not understand",
		Why:     "The host skips such a line, or a part of it, without a notice in the pull request, so the paths have no owners, or other owners than it seems.",
		Bad:     "/rubrics/ your-team\n!/rubrics/drafts/",
		Good:    "/rubrics/ @your-team\n/rubrics/drafts/",
		Source:  "GitHub Docs, About code owners: CODEOWNERS syntax; GitLab Docs, Syntax of CODEOWNERS file",
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
		Summary:    "a file that decides about changes, or is decided about, and has no code owner",
		Why:        "Anyone could change it without a review by its owners: a document, its labels, the workflow that checks it, the list of exceptions. Files that do not exist yet count too, because a pull request can add them.",
		Bad:        "* @your-team\n/rubrics/drafts/",
		Good:       "* @your-team",
		Source:     "docs/governance.md: files that decide are reviewed by their owners",
		Repository: notOwned,
	},
	{
		ID: "code-owners-match-nothing", Family: lint.FamilyRepository, Severity: lint.Warning,
		Summary:    "a pattern in the CODEOWNERS file that matches no file",
		Why:        "The path was renamed or is misspelled, so its files may have no owners now.",
		Bad:        "/rubric/ @your-team",
		Good:       "/rubrics/ @your-team",
		Source:     "GitHub Docs, About code owners: the last pattern that matches decides",
		Repository: matchNothing,
	},
	{
		ID: "git-conversion", Family: lint.FamilyRepository, Severity: lint.Error, Unsuppressable: true,
		Summary:    "an attribute that makes Git convert a file of the library",
		Why:        "With filter, ident, or working-tree-encoding, the text in a working tree differs from the text in the commit, which is reviewed, released, and read by judges.",
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

// shortened returns the beginning of a span, long enough to tell it apart from others.
func shortened(s source.Span) source.Span {
	return source.Span{Start: s.Start, End: min(s.End, s.Start+100)}
}

// matchNothing walks the files until each pattern has matched one.
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
			o.report(p, r.Span, key, "Simplify this file: it has too many patterns, or the repository too many files, to check whether this pattern matches a file.")
			return
		}
		o.report(p, r.Span, key, "Fix this pattern or remove the line: it matches no file, so it has no effect.")
	}
}
