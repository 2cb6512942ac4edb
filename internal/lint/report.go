package lint

import (
	"fmt"

	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	lib "github.com/rubric-library/rubric-library/internal/library"
)

// Report is the result of a run.
type Report struct {
	// Findings are sorted by file and place.
	Findings []Finding
	// Base is what the library was compared with; nil if with nothing.
	Base *change.Base
	// Judged is the answer about the change; nil if nothing is compared.
	Judged *change.Judgment
	// Exceptions are the exceptions that accept something, each once.
	Exceptions []*holdings.Exception
	// Drafts are the changed drafts that keep their numbers because no release carried them.
	Drafts []change.Draft
	// Ignored are files that the check would read if Git did not ignore them: the first
	// mostIgnored, sorted.
	Ignored []string
	// Statistics are CountRules of all findings, including those that are not listed; nil unless
	// asked for.
	Statistics []RuleCount
	Summary    Summary
}

// Summary counts the files of the whole library and the reported findings.
type Summary struct {
	Files    int `json:"files"`
	Rubrics  int `json:"rubrics"`
	RuleSets int `json:"rule_sets"`
	Errors   int `json:"errors"`
	Warnings int `json:"warnings"`
	Notes    int `json:"notes"`
	// Hidden counts the findings that the baseline hides.
	Hidden int `json:"hidden"`
	// Unlisted counts the findings for which the output has no room. They are part of the
	// other numbers.
	Unlisted int `json:"unlisted"`
	// Ignored counts the documents and settings that were not checked because Git ignores
	// them.
	Ignored int `json:"ignored"`
}

// within reports whether a file is one of the files, or in one of the folders, in Only.
func within(file string, only []string) bool {
	return slices.ContainsFunc(only, func(name string) bool {
		return name == "." || file == name || strings.HasPrefix(file, path.Clean(name)+"/")
	})
}

// list keeps the findings that are not hidden and are in the requested files.
func (r *Report) list(findings []Finding, only []string) {
	findings = sortFindings(findings)
	fingerprint(findings)
	r.Findings = slices.DeleteFunc(findings, func(f Finding) bool {
		isIn := func(l Related) bool { return within(l.File, only) }
		if len(only) > 0 && !within(f.File, only) && !slices.ContainsFunc(f.Related, isIn) {
			return true
		}
		if f.hidden {
			r.Summary.Hidden++
		}
		return f.hidden
	})
}

// count counts the findings by their severity.
func (r *Report) count() {
	for _, f := range r.Findings {
		switch f.Severity {
		case Error:
			r.Summary.Errors++
		case Warning:
			r.Summary.Warnings++
		case Note:
			r.Summary.Notes++
		}
	}
}

// mostIgnored is how many of the ignored files are listed.
const mostIgnored = 100

// listIgnored lists the files that the check would read if Git did not ignore them.
func (r *Report) listIgnored(opts *Options) {
	if opts.Ignored == nil {
		return
	}
	reads := []string{LedgerFile, ExceptionsFile, ConfigFile, BaselineFile}
	for _, name := range opts.Ignored() {
		_, instead := opts.Instead[name]
		if instead || !lib.IsDocument(name) && !slices.Contains(reads, name) ||
			len(opts.Only) > 0 && !within(name, opts.Only) {
			continue
		}
		r.Summary.Ignored++
		if len(r.Ignored) < mostIgnored {
			r.Ignored = append(r.Ignored, name)
		}
	}
}

// nothingToCheck returns the error for a library without documents.
func nothingToCheck(opts *Options) error {
	r := &Report{}
	r.listIgnored(opts)
	if r.Summary.Ignored > 0 {
		return fmt.Errorf("the folder %s has no documents, so there is nothing to check: Git ignores all files that it has, such as %s. `git check-ignore -v %[2]s` shows the rule", Root, r.Ignored[0])
	}
	return fmt.Errorf("the folder %s has no documents, so there is nothing to check", Root)
}
