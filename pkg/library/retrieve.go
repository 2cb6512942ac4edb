package library

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
	lib "github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Rubric returns a rubric. The constraint is
//
//   - "" for the latest version: the highest, which is a draft (0.x.y) only if
//     there is nothing else. A deprecated rubric is still served, and Deprecated
//     says so; for a retired one there is a *RetiredError.
//   - a version such as "1.2.0". It costs least: no other part of the bundle is
//     read. A retired rubric is served, too, to explain a stored score.
//   - a constraint such as "~1.2" (1.2.0 and up, below 1.3.0), "^1" or
//     ">=1.2, <2": the highest version that satisfies it, drafts and retired
//     rubrics included.
//
// Where a score decides something, name a version, or constrain to "~1.2": a
// minor version may reword what the judge reads.
//
// The result is a copy that belongs to the caller. The error is a *NotFoundError,
// *RetiredError, *ConstraintError, *IntegrityError, *AuditError, that of ctx if
// it is done, or what the reader said.
func (l *Library) Rubric(ctx context.Context, id, constraint string) (*rubric.Rubric, error) {
	d, err := l.retrieve(ctx, KindRubric, Reference{ID: id, Version: constraint})
	return d.rubric, err
}

// RuleSet returns a rule set as Rubric returns a rubric.
func (l *Library) RuleSet(ctx context.Context, id, constraint string) (*ruleset.RuleSet, error) {
	d, err := l.retrieve(ctx, KindRuleSet, Reference{ID: id, Version: constraint})
	return d.ruleSet, err
}

// RubricByReference returns the rubric that a text names: "ID", "ID@CONSTRAINT"
// or what is stored beside a score, "ID@VERSION#DIGEST". If the digest is another
// one here, the error is a *DigestError; else it is as of Rubric.
func (l *Library) RubricByReference(ctx context.Context, text string) (*rubric.Rubric, error) {
	ref, err := ParseReference(text)
	if err != nil {
		return nil, err
	}
	d, err := l.retrieve(ctx, KindRubric, ref)
	return d.rubric, err
}

// RuleSetByReference returns a rule set as RubricByReference returns a rubric.
func (l *Library) RuleSetByReference(ctx context.Context, text string) (*ruleset.RuleSet, error) {
	ref, err := ParseReference(text)
	if err != nil {
		return nil, err
	}
	d, err := l.retrieve(ctx, KindRuleSet, ref)
	return d.ruleSet, err
}

// Resolve says which version Rubric or RuleSet would return for an ID and a
// constraint, with its digest. With the ID and the version of a document it gives
// the reference to store beside a score. No document is read and nothing is
// audited. Errors are as of Rubric.
func (l *Library) Resolve(id, constraint string) (Reference, error) {
	if err := l.check(); err != nil {
		return Reference{}, err
	}
	_, ref, err := l.resolve("", Reference{ID: id, Version: constraint})
	return ref, err
}

// retrieve is what every retrieval goes through: it times, audits and counts.
func (l *Library) retrieve(ctx context.Context, kind Kind, want Reference) (decoded, error) {
	start := time.Now()
	got, d, err := l.fetch(ctx, kind, want)
	if l.telemetry != nil {
		l.telemetry.Retrieved(ctx, Retrieval{Kind: kind, Reference: got, Duration: time.Since(start), Err: err})
	}
	return d, err
}

// fetch returns a copy of a document, after the audit took its record.
func (l *Library) fetch(ctx context.Context, kind Kind, want Reference) (Reference, decoded, error) {
	if err := l.check(); err != nil {
		return Reference{}, decoded{}, err
	}
	if err := ctx.Err(); err != nil {
		return Reference{}, decoded{}, err
	}
	kind, got, err := l.resolve(kind, want)
	if err != nil {
		return Reference{}, decoded{}, err
	}
	d, err := l.document(kind, got)
	if err == nil {
		err = l.record(ctx, kind, got)
	}
	if err != nil {
		return Reference{}, decoded{}, err
	}
	return got, d.clone(), nil
}

// resolve finds the version that is wanted, of any kind if kind is "". It returns
// the kind and the full reference.
func (l *Library) resolve(kind Kind, want Reference) (Kind, Reference, error) {
	// A constraint is the name of no version, so there is no need to tell them
	// apart.
	for _, k := range []Kind{KindRubric, KindRuleSet} {
		if kind != "" && k != kind {
			continue
		}
		if digest := l.documents.Digest(string(k), want.ID, want.Version); digest != "" {
			return k, Reference{want.ID, want.Version, digest}, differs(want, digest)
		}
	}
	line, err := l.line(kind, want.ID)
	if err != nil {
		return "", Reference{}, err
	}
	if found := Kind(line.Kind); kind != "" && found != kind {
		return "", Reference{}, &NotFoundError{ID: want.ID, Kind: kind, Found: found}
	}
	v, err := l.choose(line, want.Version)
	if err != nil {
		return "", Reference{}, err
	}
	if digest := l.documents.Digest(line.Kind, line.ID, v.Version); digest != v.Digest {
		return "", Reference{}, damaged(line.ID+"@"+v.Version, "the index gives the digest %s, and the list of digests %q", v.Digest, digest)
	}
	return Kind(line.Kind), Reference{line.ID, v.Version, v.Digest}, differs(want, v.Digest)
}

// differs is the error of a reference whose content is not the library's.
func differs(want Reference, digest string) error {
	if want.Digest != "" && want.Digest != digest {
		return &DigestError{Reference: want, Found: digest}
	}
	return nil
}

// choose returns the highest version that satisfies a constraint.
func (l *Library) choose(line *lib.Line, constraint string) (Version, error) {
	if gone := line.Retirement; constraint == "" && gone != nil {
		return Version{}, &RetiredError{ID: line.ID, LastVersion: line.Latest, Reason: gone.Reason, ReplacedBy: gone.ReplacedBy}
	}
	v, ok, err := line.Highest(constraint)
	if ok {
		return Version(v), nil
	}
	none := &ConstraintError{ID: line.ID, Constraint: constraint, Reason: l.absence(line.ID, constraint)}
	if err != nil {
		none.Reason = "write a version such as 1.2.0 or a constraint such as ~1.2"
	}
	for _, v := range line.Versions {
		none.Versions = append(none.Versions, v.Version)
	}
	return Version{}, none
}

// absence says why a version that was there is not, or "".
func (l *Library) absence(id, version string) string {
	if l.documents.Bundle == nil {
		return "a folder has the current version only, and a bundle has all"
	}
	is := func(o bundlefile.Omission) bool { return o.ID == id && o.Version == version }
	if i := slices.IndexFunc(l.about.Tombstones, is); i >= 0 {
		return "it was withdrawn: " + l.about.Tombstones[i].Reason
	}
	if i := slices.IndexFunc(l.about.Refused, is); i >= 0 {
		return "it could not be read when the bundle was built: " + l.about.Refused[i].Reason
	}
	return ""
}

// line is the line of an ID. The error is a *NotFoundError if there is none; kind is
// what was asked for, "" if any kind will do.
func (l *Library) line(kind Kind, id string) (*lib.Line, error) {
	line, err := l.documents.Line(id)
	switch {
	case err != nil:
		return nil, public(err)
	case line == nil:
		return nil, &NotFoundError{ID: id, Kind: kind, near: sync.OnceValue(func() []string {
			if l.closed.Load() {
				return nil
			}
			return l.documents.Near(string(kind), id)
		})}
	}
	return line, nil
}

// documentKey is the key in Library.decoded.
type documentKey struct {
	kind        Kind
	id, version string
}

// document returns a version of a document, which is shared. Each is decoded once
// and kept until nobody uses the library.
func (l *Library) document(kind Kind, ref Reference) (*decoded, error) {
	key := documentKey{kind, ref.ID, ref.Version}
	if d, ok := l.decoded.Load(key); ok {
		return d.(*decoded), nil
	}
	data, err := l.documents.Read(string(kind), ref.ID, ref.Version)
	if err != nil {
		return nil, public(err)
	}
	d, err := decode(kind, data)
	if err != nil {
		return nil, damaged(ref.ID+"@"+ref.Version, "%v", err)
	}
	kept, _ := l.decoded.LoadOrStore(key, d)
	return kept.(*decoded), nil
}
