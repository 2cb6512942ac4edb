package release

import (
	"cmp"
	"slices"

	"github.com/rubric-library/rubric-library/internal/change"
	"github.com/rubric-library/rubric-library/internal/change/holdings"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/gitrepo"
	"github.com/rubric-library/rubric-library/internal/library"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// judged is what the steps since the previous bundle say.
type judged struct {
	remarks
	// letGo has the IDs of the documents that exceptions let the history remove without an entry in
	// the ledger.
	letGo map[string]bool
}

// judge refuses the steps since the previous bundle that do not fit their versions. Before the
// first bundle, these are all steps since history.since, which may have skipped numbers.
func judge(h *History, before *prior, since string) (out judged, err error) {
	repo, c := h.repo.WithHead(h.commit), h.commit
	q := &change.Question{Repo: repo, Folder: h.folder, Head: h.head, Commit: c, Since: since, Published: true}
	if before.bundle != nil {
		if q.Range, err = change.ParseRange(repo, before.manifest.Commit+".."+c.Hash); err == nil {
			q.Published = false
		}
	}
	if q.Range == nil {
		if q.Range, err = change.Everything(repo, c, since); err != nil {
			return out, err
		}
	}
	j, err := change.Judge(q)
	if err != nil {
		return out, err
	}
	out.letGo = map[string]bool{}
	noted := map[*holdings.Exception]bool{}
	for _, s := range append(slices.Clone(j.Earlier), j.Last) {
		for _, v := range s.Broken {
			k, at := key{v.ID, v.Version}, cmp.Or(s.Commit, c.Hash)
			if v.Accepted != nil && v.Rule == change.DocumentGone {
				out.letGo[v.ID] = true
			}
			switch {
			case v.Accepted != nil && !noted[v.Accepted]:
				noted[v.Accepted] = true
				out.note(k, "%s accepts this finding of %s: %s", library.ExceptionsFile, v.Rule, v.Accepted.Reason)
			case v.Final:
				out.problem(k, "%s", v.Text())
			case v.Fails():
				out.problem(k,
					"%s This is in commit %.12s. To accept it, add to %s: {%s, reason: …}",
					v.Text(), at, library.ExceptionsFile, v.Entry(at))
			}
		}
	}
	return out, nil
}

// compareWithPrior is the publish gate: what was released must not change. It says nothing about a
// document that is gone, a draft, or an entry of the ledger if a problem that is known says more.
func compareWithPrior(
	d *documents, before *prior, version string, letGo map[string]bool, known []VersionProblem,
) (said remarks, err error) {
	if before.bundle == nil {
		return said, nil
	}
	if last := before.manifest.LibraryVersion; bundlefile.CompareVersions(version, last) < 0 {
		said.problem(key{}, "The library version %s is lower than the released version %s: versions must increase.", version, last)
	}
	for _, id := range sortedKeys(before.lines) {
		unsaid := !slices.ContainsFunc(known, func(p VersionProblem) bool { return p.ID == id })
		gone := !before.lines[id].Retired && d.current.documents[id] == nil && !d.current.broken[id] && d.now.Find(id) == nil
		if gone && !letGo[id] && unsaid {
			said.problem(key{id: id},
				"This document was released, but it is gone without an entry in %s. Restore it, or retire it with `rubric retire`.",
				library.LedgerFile)
		}
		said = said.merge(compareVersions(d, before.lines[id]))
		draft, err := compareDraft(d, before, id, known, said.problems)
		if err != nil {
			return said, err
		}
		said = said.merge(draft)
	}
	return said.merge(compareEnds(d, before, known, said.problems)), nil
}

const anotherText = "This version was released with another text. Give the new text a new version."

// compareVersions compares the versions of a document with those of the previous bundle.
func compareVersions(d *documents, line bundlefile.IndexLine) (said remarks) {
	for _, v := range line.Versions {
		k := key{line.ID, v.Version}
		switch c := d.chosen[k].content; {
		case d.now.Withdrawn(k.id, k.version):
		case c == nil:
			said.problem(k, "This version was released, but it is not in the history of this commit. Build from the branch that it was released from.")
		case c.digest != v.Digest:
			said.problem(k, anotherText)
		}
	}
	return said
}

// compareDraft refuses another text of a draft in the commit if the previous bundle has its
// version: the steps say so only if the bundle's tag is known.
func compareDraft(d *documents, before *prior, id string, known ...[]VersionProblem) (said remarks, err error) {
	now := d.current.documents[id]
	if now == nil || !isDraft(now.version) {
		return said, nil
	}
	released := before.digestOf(now.key)
	if released == "" || released == now.digest || isAbout(known, now.key) {
		return said, nil
	}
	_, inNFC, err := before.read(now.key)
	if err == nil && inNFC != now.digest {
		said.problem(now.key, anotherText)
	}
	return said, err
}

// compareEnds finds the entries that the ledger had in the previous bundle and no longer has.
func compareEnds(d *documents, before *prior, known ...[]VersionProblem) (said remarks) {
	for _, o := range before.manifest.Tombstones {
		if !d.now.Withdrawn(o.ID, o.Version) && !isAbout(known, keyOf(o)) {
			said.problem(keyOf(o),
				"This version was withdrawn, but its entry is no longer in %s, or no longer says withdrawn: true. Restore the entry: a withdrawal is permanent.",
				library.LedgerFile)
		}
	}
	yanks := bundlefile.Manifest{Yanked: d.ends.yanked}
	for _, o := range before.manifest.Yanked {
		lost := yanks.YankOf(o.ID, o.Version) == "" && d.chosen[keyOf(o)].content != nil
		if lost && !isAbout(known, keyOf(o)) {
			said.problem(keyOf(o),
				"This version was yanked, but its entry is no longer in %s. Restore the entry, and publish a new version to undo it.",
				library.LedgerFile)
		}
	}
	return said
}

// forClients refuses the latest version of a document if the clients refuse a pattern of it. Earlier
// versions can have one, because they were released before this was checked.
func forClients(d *documents) (said remarks) {
	for i := range d.index {
		line := &d.index[i]
		k := key{line.ID, line.Latest}
		refused, _ := document.CheckTexts(d.chosen[k].data) // what nobody can apply was refused when it was read
		if refused != nil && !line.Retired {
			said.problem(k, "In this version, %s.", refused)
		}
	}
	return said
}

// isAbout reports whether one of the problems in some lists is about a version.
func isAbout(lists [][]VersionProblem, k key) bool {
	for _, problems := range lists {
		if slices.ContainsFunc(problems, func(p VersionProblem) bool { return p.key() == k }) {
			return true
		}
	}
	return false
}

// BuiltFrom reports whether a commit builds the documents, versions, and digests of a
// bundle, no more and no fewer. Schemas, statistics, and conformance vectors are not
// compared, because they also depend on the program that built the bundle.
func BuiltFrom(released *bundlefile.Bundle, repo *gitrepo.Repo, c gitrepo.Commit, folder string) (bool, error) {
	h, err := Read(repo, c, folder)
	if err != nil {
		return false, err
	}
	before, err := readPrior(released)
	if err != nil {
		return false, err
	}
	d, err := readDocuments(h, before, before.manifest.LibraryVersion)
	if err != nil {
		return false, err
	}
	differs := func(made bundlefile.IndexLine) bool {
		line, ok := before.lines[made.ID]
		return !ok || made.Retired != line.Retired || !slices.Equal(made.Versions, line.Versions)
	}
	isSame := len(d.problems) == 0 && len(d.index) == len(before.lines) && !slices.ContainsFunc(d.index, differs)
	return isSame, nil
}
