package bundlecheck

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/jsontext"
	"github.com/rubric-library/rubric-library/internal/regex/portable"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Retirement is the end of a document according to the ledger.
type Retirement struct {
	ID          string `json:"id"`
	Kind        string `json:"kind"`
	LastVersion string `json:"last_version"`
	Reason      string `json:"reason"`
	// ReplacedBy is the ID of the document to use instead, or "".
	ReplacedBy string `json:"replaced_by,omitempty"`
}

// Ledger reads the entry LedgerName: the canonical form of a ledger and a line feed.
func Ledger(data []byte) ([]Retirement, error) {
	canonical, ended := bytes.CutSuffix(data, []byte("\n"))
	if !ended {
		return nil, errors.New("does not end with a line feed")
	}
	if _, err := document.ParseCanonical(LedgerName, canonical, &document.Ledger); err != nil {
		return nil, err
	}
	return DecodeLedger(canonical)
}

// DecodeLedger decodes the canonical form of a valid ledger.
func DecodeLedger(canonical []byte) ([]Retirement, error) {
	var ledger struct {
		Retired []Retirement `json:"retired"`
	}
	err := json.Unmarshal(canonical, &ledger)
	return ledger.Retired, err
}

// Changelog is the content of changelog.json.
type Changelog struct {
	SchemaVersion int                 `json:"schema_version"`
	Documents     []ChangelogDocument `json:"documents"`
}

// ChangelogDocument has the versions of a document in ascending order.
type ChangelogDocument struct {
	ID       string             `json:"id"`
	Kind     string             `json:"kind"`
	Versions []ChangelogVersion `json:"versions"`
}

// ChangelogVersion describes the changes of a version since the one before.
type ChangelogVersion struct {
	Version string  `json:"version"`
	Since   *string `json:"since"` // null for the first
	// Class is null for the first version, and if the two can't be compared.
	Class   *string           `json:"class"`
	Changes []ChangelogChange `json:"changes"`
}

// ChangelogChange is one change.
type ChangelogChange struct {
	Kind    string  `json:"kind"`
	Path    string  `json:"path"`
	Class   string  `json:"class"`
	Base    *string `json:"base"`
	Head    *string `json:"head"`
	Message string  `json:"message"`
}

// Encode returns the entry.
func (c *Changelog) Encode() ([]byte, error) {
	data, err := jsontext.Encode(c, "", "")
	return append(data, '\n'), err
}

// classes are the possible classes of a change or a version.
var classes = []string{"none", "patch", "minor", "major"}

// decodeChangelog reads what Encode writes, and nothing else.
func decodeChangelog(data []byte) ([]ChangelogDocument, error) {
	var c Changelog
	if err := json.Unmarshal(data, &c); err != nil {
		return nil, errors.New("is not the JSON of a changelog")
	}
	if again, err := c.Encode(); err != nil || !bytes.Equal(again, data) || c.SchemaVersion != 1 || c.Documents == nil {
		return nil, errors.New("is not in the form that a build writes")
	}
	for _, d := range c.Documents {
		for _, v := range d.Versions {
			right := v.Changes != nil && (v.Class != nil || len(v.Changes) == 0) && (v.Class == nil || v.Since != nil && slices.Contains(classes, *v.Class))
			for _, change := range v.Changes {
				right = right && change.Kind != "" && change.Message != "" && slices.Contains(classes, change.Class)
			}
			if !right {
				return nil, errors.New("has invalid changes of version " + v.Version)
			}
		}
	}
	return c.Documents, nil
}

// isOf reports whether a document of the changelog has the versions of a line of the
// index, each since the one before.
func (d *ChangelogDocument) isOf(line *bundlefile.IndexLine) bool {
	if d.ID != line.ID || d.Kind != line.Kind || len(d.Versions) != len(line.Versions) {
		return false
	}
	for i, v := range d.Versions {
		if v.Version != line.Versions[i].Version || (v.Since == nil) != (i == 0) || i > 0 && *v.Since != d.Versions[i-1].Version {
			return false
		}
	}
	return true
}

// maxNesting is the maximum depth of JSON without a fixed form.
const maxNesting = 100

// decodeObject decodes a JSON object of any form.
func decodeObject(data []byte) (value map[string]json.RawMessage, err error) {
	depth, inText := 0, false
	for i := 0; i < len(data); i++ {
		switch b := data[i]; {
		case b == '"':
			inText = !inText
		case b == '\\':
			i++ // outside texts it is an error, which Unmarshal reports
		case inText:
		case b == '{' || b == '[':
			depth++
		case b == '}' || b == ']':
			depth--
		}
		if depth > maxNesting {
			return nil, errors.New("is nested too deeply")
		}
	}
	if err := json.Unmarshal(data, &value); err != nil || value == nil {
		return nil, errors.New("is not a JSON object")
	}
	return value, nil
}

// checkVectors requires vectors with names.
func checkVectors(file map[string]json.RawMessage) error {
	var vectors []map[string]json.RawMessage
	ok := json.Unmarshal(file["vectors"], &vectors) == nil && vectors != nil
	for _, vector := range vectors {
		var name string
		ok = ok && json.Unmarshal(vector["name"], &name) == nil && name != ""
	}
	if !ok {
		return errors.New("is not a list of vectors, each with a name")
	}
	return nil
}

// Document reads the entry of a version of a document of bundlefile.KindRubric or
// bundlefile.KindRuleSet. It must be what a build writes: valid by the schema, in
// canonical form, with this ID and version, and usable. The error is a
// bundlefile.Problem.
func Document(kind, id, version string, data []byte) (*document.Document, error) {
	k := &document.Rubric
	if kind == bundlefile.KindRuleSet {
		k = &document.RuleSet
	}
	name := bundlefile.DocumentPath(kind, id, version)
	d, err := document.ParseCanonical(name, data, k)
	if err == nil && (d.ID() != id || d.Version() != version) {
		err = fmt.Errorf("contains %+.100q, version %+.100q", d.ID(), d.Version())
	}
	if err == nil {
		err = Usable(d)
	}
	if err != nil {
		return nil, problemf(name, "%v", err)
	}
	return d, nil
}

// Usable returns an error for a document that has the right structure but that no
// program can apply: a duplicate name, a rule without weight, or a text that is not a
// regular expression. The gate lets none of these through.
func Usable(d *document.Document) error {
	if r := d.Rubric(); r != nil {
		var refused *rubric.InputError
		if _, err := r.Verdict(nil, nil); errors.As(err, &refused) && len(refused.Definition) > 0 {
			return errors.New(refused.Definition[0])
		}
		for _, n := range r.NegativeCriteria {
			for _, pattern := range n.FailPatterns {
				if err := checkPattern(pattern, n.IgnoreCase); err != nil {
					return err
				}
			}
		}
	} else if s := d.RuleSet(); s != nil {
		var refused *ruleset.InputError
		if _, err := s.Score(ruleset.PhaseB, nil); errors.As(err, &refused) && len(refused.Definition) > 0 {
			return errors.New(refused.Definition[0])
		}
		for i := range s.Rules {
			for _, c := range s.Rules[i].Checks {
				if err := checkPattern(c.Pattern, c.IgnoreCase); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func checkPattern(pattern string, ignoreCase bool) error {
	switch {
	case !portable.Valid(pattern):
		return fmt.Errorf("the pattern %+.100q is not a regular expression", pattern)
	case ignoreCase && !rubric.NamesASCII(pattern):
		return fmt.Errorf("the pattern %+.100q contains non-ASCII characters, which ignore_case does not support", pattern)
	}
	return nil
}
