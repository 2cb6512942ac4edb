package release

import (
	"fmt"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// documents are the documents of a bundle, with what decides which they are.
type documents struct {
	*settled
	current current
	// chosen has the content of each version in the bundle.
	chosen map[key]choice
	// refused are versions of the history that the bundle doesn't have.
	refused []bundlefile.Omission
	ends    ends
	index   []bundlefile.IndexLine
	remarks
}

// choice is the content of a version, and the first commit that has it, if that is known.
type choice struct {
	*content
	first gitrepo.Commit
	note  string // for people, or ""
}

// readDocuments selects the documents of a bundle of a version of the library.
func readDocuments(h *History, before *prior, version string) (*documents, error) {
	settled, err := readSettled(h.head)
	if err != nil {
		return nil, err
	}
	now, said, err := readCurrent(h)
	if err != nil {
		return nil, err
	}
	found, err := choose(h.past, &now, before)
	if err != nil {
		return nil, err
	}
	taken, unusable, err := takeRefused(h.past, found, before)
	if err != nil {
		return nil, err
	}
	maps.Copy(found, taken)
	ofOneKind, others := selectKind(found, &now)
	d := &documents{settled: settled, current: now, ends: endsOf(settled.now, ofOneKind)}
	d.chosen = without(ofOneKind, d.ends.tombstones)
	d.refused = slices.DeleteFunc(append(unusable, others...), func(o bundlefile.Omission) bool {
		return d.ends.withdraws(keyOf(o))
	})
	index, unselectable, err := makeIndex(d, before, version)
	if err != nil {
		return nil, err
	}
	d.index, d.remarks = index, said.merge(notesOf(h.past, d.chosen)).merge(unselectable)
	return d, nil
}

// notesOf are the notes on what was chosen.
func notesOf(p *past, chosen map[key]choice) (said remarks) {
	if p.moved != nil {
		said.note(key{},
			"At commit %.12s, the library was in another folder: %s. Its versions up to that commit are not in the bundle.",
			p.moved.Commit.Hash, path.Join(p.moved.Folder, library.Root))
	}
	for _, k := range slices.SortedFunc(maps.Keys(chosen), compareKeys) {
		if note := chosen[k].note; note != "" {
			said.note(k, "%s", note)
		}
	}
	return said
}

// current has the documents of a commit by ID, and the IDs of those that can't be read.
type current struct {
	documents map[string]*content
	broken    map[string]bool
}

// has is the document of a commit with a version, or nil.
func (n *current) has(k key) *content {
	if c := n.documents[k.id]; c != nil && c.version == k.version {
		return c
	}
	return nil
}

// readCurrent finds the documents of the commit by ID. A link or an unreadable file is a
// problem, because the bundle would be incomplete without a sign of it.
func readCurrent(h *History) (now current, said remarks, err error) {
	now = current{map[string]*content{}, map[string]bool{}}
	listed, err := library.List(h.head.Files)
	if err != nil {
		return now, said, err
	}
	for _, e := range listed {
		if e.Hides() {
			said.problem(key{}, "%s can't be in a bundle: it is not a regular file. Replace it with the file itself.", e.Path)
		}
	}
	files := map[string]string{}
	for _, name := range sortedKeys(h.past.tip) {
		d := h.past.tip[name]
		switch {
		case d.reason != "":
			now.broken[d.id] = true
			said.problem(d.key, "%s:%d:%d can't be in a bundle: %s", name, d.at.Line, d.at.Column, d.reason)
		case files[d.id] != "":
			said.problem(d.key, "%s and %s have the same ID. Change one of them.", files[d.id], name)
		default:
			files[d.id], now.documents[d.id] = name, d
		}
	}
	return now, said, nil
}

// choose selects one content for each version of the history.
func choose(p *past, now *current, before *prior) (map[key]choice, error) {
	chosen := map[key]choice{}
	for k := range p.versions {
		c, err := chooseOf(p, k, now, before)
		if err != nil {
			return nil, err
		}
		chosen[k] = c
	}
	return chosen, nil
}

// chooseOf selects the content of a version: the one that was released, or the current one, or the
// oldest one.
func chooseOf(p *past, k key, now *current, before *prior) (choice, error) {
	list := p.versions[k]
	if isDraft(k.version) && before.digestOf(k) == "" {
		c := lastDraft(p, now, k)
		return choice{content: c, first: p.firsts[c]}, nil
	}
	chosen, why := list[len(list)-1], "the oldest one"
	if c := now.has(k); c != nil {
		chosen, why = c, "the current one"
	}
	added := chosen // to the history
	released, same, err := before.among(list, k)
	if err != nil {
		return choice{}, err
	}
	if released != nil {
		chosen, added, why = released, same, "the released one"
	}
	c := choice{content: chosen, first: p.first[k]}
	if isDraft(k.version) { // other texts came before
		c.first = p.firsts[added]
	}
	if len(list) > 1 {
		c.note = fmt.Sprintf("The history has %d texts for this version. The bundle has %s.", len(list), why)
	}
	return c, nil
}

// isDraft reports whether a version is 0.y.z.
func isDraft(version string) bool { return strings.HasPrefix(version, "0.") }

// lastDraft is the content of a draft that was not released, which can change under its number:
// that of the commit, or the last one of a number that was left.
func lastDraft(p *past, now *current, k key) *content {
	last := p.last[k]
	if c := now.has(k); c != nil {
		last = c
	}
	for _, c := range p.versions[k] {
		if c.digest == last.digest {
			return c
		}
	}
	return last
}

// takeRefused takes the versions that today's parser rejects from the previous bundle. It lists
// those that the bundle doesn't have.
func takeRefused(
	p *past, chosen map[key]choice, before *prior,
) (taken map[key]choice, refused []bundlefile.Omission, err error) {
	taken = map[key]choice{}
	there := func(k key) bool { return chosen[k].content != nil || taken[k].content != nil }
	for _, k := range slices.SortedFunc(maps.Keys(p.refused), compareKeys) {
		if there(k) {
			continue
		}
		found := false
		for _, this := range before.versionsOf(k) {
			if there(this) {
				continue
			}
			c, _, err := before.read(this)
			if err != nil {
				return nil, nil, err
			}
			taken[this], found = choice{content: c}, true
		}
		if !found {
			refused = append(refused, p.refused[k])
		}
	}
	return taken, refused, nil
}

// selectKind leaves out the versions of a document with another kind, and lists them: in a bundle, an
// ID has one kind.
func selectKind(chosen map[key]choice, now *current) (ofOneKind map[key]choice, others []bundlefile.Omission) {
	kinds := map[string]string{}
	for _, k := range slices.SortedFunc(maps.Keys(chosen), compareKeys) {
		kinds[k.id] = chosen[k].kind // the highest version stays
		if c := now.documents[k.id]; c != nil {
			kinds[k.id] = c.kind
		}
	}
	ofOneKind = map[key]choice{}
	for k, c := range chosen {
		if c.kind == kinds[k.id] {
			ofOneKind[k] = c
			continue
		}
		others = append(others, bundlefile.Omission{
			ID: k.id, Version: k.version,
			Reason: fmt.Sprintf("This version is a %s, but the ID is now the ID of a %s.", noun(c.kind), noun(kinds[k.id])),
		})
	}
	return ofOneKind, others
}

// noun is the word for a kind in sentences.
func noun(kind string) string { return strings.ReplaceAll(kind, "_", " ") }

// ends are the versions that constraints no longer select: yanked ones that the bundle has, and
// tombstones for those that are withdrawn.
type ends struct{ yanked, tombstones []bundlefile.Omission }

// endsOf takes the ends of versions from the ledger. Whether the ledger may list them is judged with
// its steps.
func endsOf(ledger *holdings.Ledger, chosen map[key]choice) (out ends) {
	for _, e := range ledger.Entries {
		entry := bundlefile.Omission{ID: e.ID, Version: e.Yanked, Reason: e.Reason}
		switch {
		case e.Withdrawn:
			out.tombstones = append(out.tombstones, entry)
		case e.Yanked != "" && chosen[keyOf(entry)].content != nil:
			out.yanked = append(out.yanked, entry)
		}
	}
	return out
}

func (e *ends) withdraws(k key) bool {
	return slices.ContainsFunc(e.tombstones, func(o bundlefile.Omission) bool { return keyOf(o) == k })
}

// without leaves out the versions that are withdrawn.
func without(chosen map[key]choice, withdrawn []bundlefile.Omission) map[key]choice {
	left := maps.Clone(chosen)
	for _, o := range withdrawn {
		delete(left, keyOf(o))
	}
	return left
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
