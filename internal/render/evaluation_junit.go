package render

import (
	"encoding/xml"
	"fmt"
	"io"
	"strings"

	"github.com/rubric-library/rubric-library/internal/rulesets/evaluate"
	"github.com/rubric-library/rubric-library/internal/text/sanitize"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

type junitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Skipped  int          `xml:"skipped,attr"`
	Suites   []junitSuite `xml:"testsuite"`
}

type junitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []junitCase `xml:"testcase"`
}

type junitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *junitMessage `xml:"failure"`
	Skipped *junitMessage `xml:"skipped"`
	Output  string        `xml:"system-out,omitempty"`
}

type junitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// EvaluationJUnit writes the rules as test cases, and the score as one more. A
// case fails if it keeps the artifact from passing: a fail rule that does not
// pass, or the score below the threshold. A warn or info rule that does not pass
// is skipped with its reason, because JUnit knows no warnings; so a run is red
// exactly if the artifact does not pass.
func EvaluationJUnit(w io.Writer, e *Evaluation) error {
	suite := junitSuite{Name: sanitize.Line(fmt.Sprintf("%s, phase %s", origin(e.Run), e.Score.Phase))}
	for i, o := range e.Score.Rules {
		suite.add(ruleCase(&o, &e.Rules[i], e.Artifact))
	}
	suite.add(scoreCase(&e.Score))
	return writeJUnit(w, []junitSuite{suite})
}

// writeJUnit writes suites as one document.
func writeJUnit(w io.Writer, suites []junitSuite) error {
	all := junitSuites{Suites: suites}
	for _, s := range suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
		all.Skipped += s.Skipped
	}
	out, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, out)
	return err
}

func (s *junitSuite) add(c junitCase) {
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}

func ruleCase(o *ruleset.Outcome, r *evaluate.RuleResult, artifact string) junitCase {
	class := o.ID
	if last := strings.LastIndexByte(o.ID, '.'); last > 0 {
		class = o.ID[:last]
	}
	t := text{}
	t.evidence(r, artifact)
	evidence := strings.TrimSpace(t.out.String())
	c := junitCase{Class: class, Name: o.ID}
	switch {
	case o.Verdict == ruleset.VerdictPass:
		c.Output = evidence
	case o.Severity == ruleset.SeverityFail:
		c.Failure = &junitMessage{sanitize.Line(fmt.Sprintf("%s: %s", o.Verdict, o.Reason)), evidence}
	default:
		c.Skipped = &junitMessage{sanitize.Line(fmt.Sprintf("%s (%s): %s", o.Verdict, o.Severity, o.Reason)), evidence}
	}
	return c
}

func scoreCase(s *ruleset.Score) junitCase {
	c := junitCase{Class: "score", Name: "score", Output: scoreLine(s)}
	for _, r := range s.Reasons {
		if r.Kind == ruleset.ReasonScore {
			c.Failure = &junitMessage{Message: r.String()}
		}
	}
	return c
}
