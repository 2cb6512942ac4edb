package render

import (
	"encoding/xml"
	"fmt"
	"io"
)

// JUnitSuites is a document of test results. It conforms to the schema of Jenkins
// (junit-10.xsd of its xUnit plugin), which requires the number of errors: tests that could
// not run, of which there are none.
type JUnitSuites struct {
	XMLName  xml.Name     `xml:"testsuites"`
	Tests    int          `xml:"tests,attr"`
	Failures int          `xml:"failures,attr"`
	Errors   int          `xml:"errors,attr"`
	Suites   []JUnitSuite `xml:"testsuite"`
}

// JUnitSuite is a list of test cases with counts that Add updates.
type JUnitSuite struct {
	Name     string      `xml:"name,attr"`
	Tests    int         `xml:"tests,attr"`
	Failures int         `xml:"failures,attr"`
	Errors   int         `xml:"errors,attr"`
	Skipped  int         `xml:"skipped,attr"`
	Cases    []JUnitCase `xml:"testcase"`

	names map[JUnitCase]int // how often a class and a name were added
}

// JUnitCase is a test case. It passes if Failure and Skipped are nil.
type JUnitCase struct {
	Class   string        `xml:"classname,attr"`
	Name    string        `xml:"name,attr"`
	Failure *JUnitMessage `xml:"failure"`
	Skipped *JUnitMessage `xml:"skipped"`
	Output  string        `xml:"system-out,omitempty"`
}

// JUnitMessage is the reason why a case failed or was skipped, as a summary and in full.
type JUnitMessage struct {
	Message string `xml:"message,attr"`
	Text    string `xml:",chardata"`
}

// WriteJUnit writes suites as one document.
func WriteJUnit(w io.Writer, suites []JUnitSuite) error {
	all := JUnitSuites{Suites: suites}
	for _, s := range suites {
		all.Tests += s.Tests
		all.Failures += s.Failures
	}
	out, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(w, "%s%s\n", xml.Header, out)
	return err
}

// Add appends a case and counts it.
func (s *JUnitSuite) Add(c JUnitCase) {
	if s.names == nil {
		s.names = map[JUnitCase]int{}
	}
	key := JUnitCase{Class: c.Class, Name: c.Name}
	if s.names[key]++; s.names[key] > 1 {
		c.Name += fmt.Sprintf(" (%d)", s.names[key])
	}
	s.Tests++
	if c.Failure != nil {
		s.Failures++
	}
	if c.Skipped != nil {
		s.Skipped++
	}
	s.Cases = append(s.Cases, c)
}
