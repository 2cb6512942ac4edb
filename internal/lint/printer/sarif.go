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

// maxResults is how many results GitHub keeps of an upload.
const maxResults = 5000

// fingerprintKey names our own fingerprint. GitHub also computes its own.
const fingerprintKey = "rubricLint/v1"

// SARIF writes findings as a log of SARIF 2.1.0
// (https://docs.oasis-open.org/sarif/sarif/v2.1.0/sarif-v2.1.0.html). As GitHub requires,
// every result has a place. It has at most 5000 results, the worst, and says how many more
// there are, and only the rules that have a result. prefix is the path from the repository's
// root to the library, and version is that of rubric-lint.
func SARIF(w io.Writer, r *lint.Report, prefix, version string) error {
	driver := &sarifDriver{Name: "rubric-lint", Version: version, Rules: []sarifRule{}}
	run := sarifRun{
		Tool:              map[string]*sarifDriver{"driver": driver},
		AutomationDetails: map[string]string{"id": "rubric-lint/"},
		ColumnKind:        "unicodeCodePoints",
		Invocations:       []sarifInvocation{{ExecutionSuccessful: true}},
		Results:           []sarifResult{},
	}
	notify := func(level, format string, args ...any) {
		n := sarifNotification{level, sarifMessage{Text: fmt.Sprintf(format, args...)}}
		run.Invocations[0].Notifications = append(run.Invocations[0].Notifications, n)
	}
	findings := worstFirst(r.Findings)
	if more := len(findings) - maxResults; more > 0 {
		findings = findings[:maxResults]
		notify("warning", "%d more findings are omitted: these are the worst.", more)
	}
	if r.Summary.Hidden > 0 {
		notify("note", "%s hidden by the baseline.", render.Count(r.Summary.Hidden, "finding"))
	}
	for _, e := range r.Exceptions {
		notify("note", "Accepted: %s of %s: %s", e.Rule, accepted(e), sanitize.Line(e.Reason))
	}
	index := map[string]int{}
	for _, f := range findings {
		i, ok := index[f.Rule.ID]
		if !ok {
			i = len(driver.Rules)
			index[f.Rule.ID] = i
			driver.Rules = append(driver.Rules, sarifRuleOf(f.Rule))
		}
		run.Results = append(run.Results, sarifResultOf(f, i, prefix))
	}
	return render.WriteJSON(w, sarifLog{
		Schema:  "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json",
		Version: "2.1.0",
		Runs:    []sarifRun{run},
	})
}

func sarifRuleOf(r *lint.Rule) sarifRule {
	return sarifRule{
		ID:            r.ID,
		Short:         sarifMessage{Text: "Finds " + r.Summary + "."},
		Full:          sarifMessage{Text: r.Why},
		Help:          sarifMessage{Text: explanation(r, false), Markdown: explanation(r, true)},
		Configuration: map[string]string{"level": r.Severity.String()},
		Properties:    map[string][]lint.Family{"tags": {r.Family}},
	}
}

func sarifResultOf(f *lint.Finding, rule int, prefix string) sarifResult {
	result := sarifResult{
		RuleID: f.Rule.ID, RuleIndex: rule, Level: f.Severity.String(),
		Message:      sarifMessage{Text: sarifText(f.Message, f.Revision)},
		Locations:    []sarifLocation{sarifLocationOf(f.Location, prefix)},
		Fingerprints: map[string]string{fingerprintKey: f.Fingerprint},
	}
	for _, r := range f.Related {
		l := sarifLocationOf(r.Location, prefix)
		l.Message = &sarifMessage{Text: sarifText(r.Message, r.Revision)}
		result.Related = append(result.Related, l)
	}
	return result
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

func sarifLocationOf(l source.Location, prefix string) sarifLocation {
	p := placeOf(l)
	file := url.URL{Path: path.Join(prefix, p.File)}
	return sarifLocation{Physical: sarifPhysical{
		Artifact: map[string]string{"uri": file.String()},
		Region:   sarifRegion{p.Line, p.Column, p.EndLine, p.EndColumn},
	}}
}

// The part of SARIF 2.1.0 that SARIF writes.

type sarifLog struct {
	Schema  string     `json:"$schema"`
	Version string     `json:"version"`
	Runs    []sarifRun `json:"runs"`
}

type sarifRun struct {
	Tool              map[string]*sarifDriver `json:"tool"`
	AutomationDetails map[string]string       `json:"automationDetails"`
	ColumnKind        string                  `json:"columnKind"`
	Invocations       []sarifInvocation       `json:"invocations"`
	Results           []sarifResult           `json:"results"`
}

type sarifDriver struct {
	Name    string      `json:"name"`
	Version string      `json:"version"`
	Rules   []sarifRule `json:"rules"`
}

type sarifRule struct {
	ID            string                   `json:"id"`
	Short         sarifMessage             `json:"shortDescription"`
	Full          sarifMessage             `json:"fullDescription"`
	Help          sarifMessage             `json:"help"`
	Configuration map[string]string        `json:"defaultConfiguration"`
	Properties    map[string][]lint.Family `json:"properties"`
}

type sarifInvocation struct {
	ExecutionSuccessful bool                `json:"executionSuccessful"`
	Notifications       []sarifNotification `json:"toolExecutionNotifications,omitempty"`
}

type sarifNotification struct {
	Level   string       `json:"level"`
	Message sarifMessage `json:"message"`
}

type sarifMessage struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifResult struct {
	RuleID       string            `json:"ruleId"`
	RuleIndex    int               `json:"ruleIndex"`
	Level        string            `json:"level"`
	Message      sarifMessage      `json:"message"`
	Locations    []sarifLocation   `json:"locations"`
	Related      []sarifLocation   `json:"relatedLocations,omitempty"`
	Fingerprints map[string]string `json:"partialFingerprints"`
}

type sarifLocation struct {
	Physical sarifPhysical `json:"physicalLocation"`
	Message  *sarifMessage `json:"message,omitempty"`
}

type sarifPhysical struct {
	Artifact map[string]string `json:"artifactLocation"`
	Region   sarifRegion       `json:"region"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
}
