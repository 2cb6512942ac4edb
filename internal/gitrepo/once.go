package gitrepo

import (
	"cmp"
	"slices"
	"sync"

	"github.com/rubric-library/rubric-library/internal/gitrepo/objects"
)

// known has what callers found out about contents. A content never changes, so this is true for as
// long as it is kept.
type known struct{ facts sync.Map }

type factKey struct {
	content string
	kind    any // a nil pointer to the type of the fact
}

// Once returns what find finds out about a content, such as the hash of a file. For each content and
// type, that is found out once, and must not depend on anything else. It must be small.
func Once[T any](r *Repo, content string, find func() (T, error)) (T, error) {
	key := factKey{content, (*T)(nil)}
	if fact, ok := r.known.facts.Load(key); ok {
		return fact.(T), nil
	}
	fact, err := find()
	if err == nil {
		r.known.facts.Store(key, fact)
	}
	return fact, err
}

// ByPlace sorts files by where their contents are stored. To read many in this order takes much less
// time, because Git stores a content as a difference from others next to it.
func ByPlace[T any](r *Repo, files []T, hashOf func(T) string) []T {
	type place struct {
		pack   int
		offset int64
	}
	places := make(map[string]place, len(files))
	for _, f := range files {
		name := hashOf(f)
		h, _ := objects.ParseHash(name)
		pack, offset := r.objects.Place(h)
		places[name] = place{pack, offset}
	}
	return slices.SortedStableFunc(slices.Values(files), func(a, b T) int {
		x, y := places[hashOf(a)], places[hashOf(b)]
		return cmp.Or(cmp.Compare(x.pack, y.pack), cmp.Compare(x.offset, y.offset))
	})
}
