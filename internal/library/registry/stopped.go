package registry

import (
	"fmt"
	"strings"
)

// StoppedError means that a remote step of a push failed. What is stored stays, and the same
// push continues.
type StoppedError struct {
	// Step is what failed, such as "setting the tag 1.4".
	Step string
	// Reference and Attestation are what is known to be stored, "" if nothing is.
	Reference, Attestation string
	// Set are the tags that refer to the bundle, and Missing those that should.
	Set, Missing []string
	// Err is why the step failed.
	Err error
}

// failedStep returns the error of a step that failed.
func (p *pushing) failedStep(step string, err error) error {
	s := &StoppedError{Step: step, Reference: p.Reference, Attestation: p.Attestation, Err: p.explain(p.ref, err)}
	for _, t := range p.Tags {
		switch {
		case t.Set && !t.done:
			s.Missing = append(s.Missing, t.Name)
		case t.Version == p.Version:
			s.Set = append(s.Set, t.Name)
		}
	}
	return s
}

func (e *StoppedError) Error() string {
	stored, missing := "nothing", ""
	if e.Reference != "" {
		stored = e.Reference
		if e.Attestation != "" {
			stored += ", its attestation " + e.Attestation
		}
		if len(e.Set) > 0 {
			stored += ", and the tags " + strings.Join(e.Set, ", ")
		}
		if len(e.Missing) > 0 {
			missing = ". Not set: " + strings.Join(e.Missing, ", ")
		}
	}
	return fmt.Sprintf("the push stopped at %s: %s. Known to be stored: %s%s", e.Step, e.Err, stored, missing)
}

func (e *StoppedError) Unwrap() error { return e.Err }
