package library

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/rubric"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// Rubric returns a rubric. The constraint is one of
//
//   - "" for the latest version: the highest one, which is a draft (0.x.y) only if there
//     are no other versions. A deprecated rubric is returned with Deprecated set; a
//     retired rubric is a *RetiredError.
//   - a version such as "1.2.0". This is the fastest, because no other part of the bundle
//     is read. It also returns versions of retired rubrics and yanked ones, to explain
//     stored scores.
//   - a constraint such as "~1.2" (at least 1.2.0 and below 1.3.0), "^1", or ">=1.2, <2",
//     for the highest version that satisfies it, including drafts and retired rubrics.
//
// If decisions depend on a score, use a version or a constraint such as "~1.2": a minor
// version can reword what the judge reads.
//
// The result is a copy that the caller owns. The error is a *NotFoundError, *RetiredError,
// *ConstraintError, *IntegrityError, *AuditError, the error of ctx if it is done, or an
// error of the reader.
func (l *Library) Rubric(ctx context.Context, id, constraint string) (*rubric.Rubric, error) {
	d, err := l.retrieve(ctx, KindRubric, Reference{ID: id, Version: constraint})
	return d.Rubric, err
}

// RuleSet returns a rule set. It works like Rubric.
func (l *Library) RuleSet(ctx context.Context, id, constraint string) (*ruleset.RuleSet, error) {
	d, err := l.retrieve(ctx, KindRuleSet, Reference{ID: id, Version: constraint})
	return d.RuleSet, err
}

// Get returns a document of either kind with its reference. Otherwise, it works like
// Rubric.
func (l *Library) Get(ctx context.Context, id, constraint string) (*Document, error) {
	return l.get(ctx, Reference{ID: id, Version: constraint})
}

// GetReference returns the document for a text such as "ID", "ID@CONSTRAINT", or
// "ID@VERSION#DIGEST", which is stored with scores. If the library has a different digest
// for the version, the error is a *DigestError. Other errors are as for Rubric.
func (l *Library) GetReference(ctx context.Context, text string) (*Document, error) {
	ref, err := ParseReference(text)
	if err != nil {
		return nil, err
	}
	return l.get(ctx, ref)
}

func (l *Library) get(ctx context.Context, want Reference) (*Document, error) {
	d, err := l.retrieve(ctx, "", want)
	if err != nil {
		return nil, err
	}
	return &d, nil
}

// Resolve returns the reference of the version that Rubric or RuleSet would return for an
// ID and a constraint, without reading the document and without an audit record. Errors are
// as for Rubric.
func (l *Library) Resolve(id, constraint string) (Reference, error) {
	if err := l.check(); err != nil {
		return Reference{}, err
	}
	_, ref, err := l.resolve("", Reference{ID: id, Version: constraint})
	return ref, err
}

// retrieve gets a document of a kind, or of any kind if kind is "", and reports the call to
// the telemetry. Every retrieval uses it.
func (l *Library) retrieve(ctx context.Context, kind Kind, want Reference) (Document, error) {
	start := time.Now()
	d, err := l.fetch(ctx, kind, want)
	if l.telemetry != nil {
		l.telemetry.Retrieved(ctx, Retrieval{
			Kind: cmp.Or(d.Kind(), kind), Reference: d.Reference, Duration: time.Since(start), Err: err,
		})
	}
	return d, err
}

// fetch returns a copy of a document after the audit has recorded it.
func (l *Library) fetch(ctx context.Context, kind Kind, want Reference) (Document, error) {
	if err := l.check(); err != nil {
		return Document{}, err
	}
	if err := ctx.Err(); err != nil {
		return Document{}, err
	}
	kind, got, err := l.resolve(kind, want)
	if err != nil {
		return Document{}, err
	}
	d, err := l.document(kind, got)
	if err == nil {
		err = l.record(ctx, kind, got)
	}
	if err != nil {
		return Document{}, err
	}
	own := d.clone()
	own.Yanked = l.Yanked(got.ID, got.Version)
	return own, nil
}

// resolve finds the requested version, of any kind if kind is "". It returns the kind and
// the full reference.
func (l *Library) resolve(kind Kind, want Reference) (Kind, Reference, error) {
	line, err := l.line(kind, want.ID, l.documents.line)
	if gone := l.withdrawn(want.ID, bundlefile.IsVersion); gone != nil && errors.As(err, new(*NotFoundError)) {
		err = &ConstraintError{ID: want.ID, Constraint: want.Version, Reason: gone.why(), Withdrawn: gone}
	}
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
	if want.Digest != "" && want.Digest != v.Digest {
		err = &DigestError{Reference: want, Found: v.Digest}
	}
	return Kind(line.Kind), Reference{line.ID, v.Version, v.Digest}, err
}

// choose returns the version of this name, or else the highest one that satisfies the constraint.
// No constraint is the name of a version.
func (l *Library) choose(line *line, constraint string) (v bundlefile.Version, err error) {
	if i := slices.IndexFunc(line.Versions, func(v bundlefile.Version) bool { return v.Version == constraint }); i >= 0 {
		return line.Versions[i], nil
	}
	if gone := line.retirement; constraint == "" && gone != nil {
		last := line.Latest
		if l.withdrawn(line.ID, func(version string) bool { return version == last }) != nil {
			last = ""
		}
		return v, &RetiredError{ID: line.ID, LastVersion: last, Reason: gone.Reason, ReplacedBy: gone.ReplacedBy}
	}
	satisfies, err := satisfying(constraint)
	for _, v := range slices.Backward(line.Versions) {
		if l.Yanked(line.ID, v.Version) == "" && satisfies(v.Version) {
			return v, nil
		}
	}
	none := &ConstraintError{ID: line.ID, Constraint: constraint, Withdrawn: l.withdrawn(line.ID, satisfies)}
	none.Reason = l.absence(line.ID, constraint)
	if none.Withdrawn != nil {
		none.Reason = none.Withdrawn.why()
	}
	if err != nil {
		none.Reason = "expected a version such as 1.2.0 or a constraint such as ~1.2"
	}
	for _, v := range line.Versions {
		if why := l.Yanked(line.ID, v.Version); why == "" {
			none.Versions = append(none.Versions, v.Version)
		} else if satisfies(v.Version) {
			none.Reason = fmt.Sprintf("version %s was yanked: %s", v.Version, why) // of several, the highest
		}
	}
	return v, none
}

// absence returns why an earlier version is not available, or "".
func (l *Library) absence(id, version string) string {
	if l.documents.bundle == nil {
		return "a folder has only the current version; a bundle has all versions"
	}
	is := func(o bundlefile.Omission) bool { return o.ID == id && o.Version == version }
	if i := slices.IndexFunc(l.about.Refused, is); i >= 0 {
		return "it could not be read when the bundle was built: " + l.about.Refused[i].Reason
	}
	return ""
}

// withdrawn returns the last withdrawn version of a document that is as required, or nil.
func (l *Library) withdrawn(id string, satisfies func(version string) bool) *Withdrawal {
	for _, o := range slices.Backward(l.documents.withdrawn) {
		if o.ID == id && satisfies(o.Version) {
			return &o
		}
	}
	return nil
}

// line returns what find returns for an ID, of any kind if kind is "". The error is a
// *NotFoundError if there is none.
func (l *Library) line(kind Kind, id string, find func(string) (*line, error)) (*line, error) {
	line, err := find(id)
	switch {
	case err != nil:
		return nil, err
	case line == nil:
		return nil, &NotFoundError{
			ID: id, Kind: kind, near: sync.OnceValue(func() []string { return l.documents.near(kind, id) }),
		}
	}
	return line, nil
}

// document returns a shared version of a document. Each version is decoded once and
// cached as long as the library is in use.
func (l *Library) document(kind Kind, ref Reference) (*Document, error) {
	if d, ok := l.decoded.Load(ref); ok {
		return d.(*Document), nil
	}
	from, err := l.documents.read(kind, ref.ID, ref.Version)
	if err != nil {
		return nil, err
	}
	d := decode(ref, from)
	if l.uncached {
		return d, nil
	}
	kept, _ := l.decoded.LoadOrStore(ref, d)
	return kept.(*Document), nil
}
