package printer

import (
	"fmt"
	"io"
	"net/url"
	"path"
	"strings"

	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/render"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
)

// fingerprintKey names our own fingerprint. GitHub also computes its own.
const fingerprintKey = "rubricLint/v1"

// object is an object of a format that is written and not read.
type object = map[string]any

// SARIF writes findings as a log of SARIF 2.1.0
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html). As GitHub requires,
// every result has a place. It has only the rules that have a result. prefix is the path from the repository's
// root to the library, and version is that of rubric-lint.
func SARIF(w io.Writer, r *lint.Report, prefix, version string) error {
	rules, results := []object{}, []object{}
	index := map[string]int{}
	for _, f := range worstFirst(r.Findings) {
		i, ok := index[f.Rule.ID]
		if !ok {
			i = len(rules)
			index[f.Rule.ID] = i
			rules = append(rules, sarifRule(f.Rule))
		}
		result := object{
			"ruleId": f.Rule.ID, "ruleIndex": i, "level": f.Severity.String(),
			"message":             object{"text": sarifText(f.Message, f.Revision)},
			"locations":           []object{sarifLocation(f.Location, prefix, "")},
			"partialFingerprints": object{fingerprintKey: f.Fingerprint},
		}
		var related []object
		for _, r := range f.Related {
			related = append(related, sarifLocation(r.Location, prefix, r.Message))
		}
		results = append(results, with(result, "relatedLocations", related))
	}
	return render.WriteJSON(w, object{
		"$schema": "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		"version": "2.1.0",
		"runs": []object{{
			"tool":              object{"driver": object{"name": "rubric-lint", "version": version, "rules": rules}},
			"automationDetails": object{"id": "rubric-lint/"},
			"columnKind":        "unicodeCodePoints",
			"invocations": []object{
				with(object{"executionSuccessful": true}, "toolExecutionNotifications", notifications(r, prefix)),
			},
			"results": results,
		}},
	})
}

// notifications say what a report has in addition to its results.
func notifications(r *lint.Report, prefix string) (all []object) {
	notify := func(level, format string, args ...any) {
		all = append(all, object{"level": level, "message": object{"text": fmt.Sprintf(format, args...)}})
	}
	if r.Summary.Unlisted > 0 {
		notify("warning", "%s not listed.", render.Count(r.Summary.Unlisted, "finding"))
	}
	if r.Summary.Ignored > 0 {
		notify("note", "%s", ignored(r, prefix))
	}
	if r.Summary.Hidden > 0 {
		notify("note", "%s hidden by the baseline.", render.Count(r.Summary.Hidden, "finding"))
	}
	for _, e := range r.Exceptions {
		notify("note", "Accepted: %s of %s: %s", e.Rule, accepted(e), sanitize.Line(e.Reason))
	}
	return all
}

// with adds a list to an object, unless the list is empty.
func with(o object, key string, list []object) object {
	if len(list) > 0 {
		o[key] = list
	}
	return o
}

func sarifRule(r *lint.Rule) object {
	return object{
		"id":                   r.ID,
		"shortDescription":     object{"text": "Finds " + r.Summary + "."},
		"fullDescription":      object{"text": r.Why},
		"help":                 object{"text": explanation(r, false), "markdown": explanation(r, true)},
		"defaultConfiguration": object{"level": r.Severity.String()},
		"properties":           object{"tags": []lint.Family{r.Family}},
	}
}

// sarifText returns a message in which viewers find no link: they turn [text](address)
// into one.
func sarifText(message, revision string) string {
	return strings.ReplaceAll(inHistory(message, revision), "](", "] (")
}

// inHistory returns a message with the commit of its place, for formats that have no field
// for it.
func inHistory(message, revision string) string {
	if revision != "" {
		message = fmt.Sprintf("%s (commit %.12s)", message, revision)
	}
	return sanitize.Line(message)
}

// sarifLocation returns a place, with a message if it has one.
func sarifLocation(l source.Location, prefix, message string) object {
	p := placeOf(l)
	file := url.URL{Path: path.Join(prefix, p.File)}
	location := object{"physicalLocation": object{
		"artifactLocation": object{"uri": file.String()},
		"region": object{
			"startLine": p.Line, "startColumn": p.Column, "endLine": p.EndLine, "endColumn": p.EndColumn,
		},
	}}
	if message != "" {
		location["message"] = object{"text": sarifText(message, l.Revision)}
	}
	return location
}
