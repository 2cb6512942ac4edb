package cli

import (
	"maps"
	"strings"
	"testing"
)

// everyKindOfFile makes the working folder a repository whose commits have every kind of file
// that a check reads: main has one library, and the topic, which is checked out, changes it. On
// the branch second, a library in a folder is new.
func everyKindOfFile(t *testing.T) {
	t.Helper()
	d := newDepot(t)
	t.Chdir(d.dir)
	released := map[string]string{
		"rubrics/prd/good_v1.yaml":           strings.ReplaceAll(hostileRubric, "EVIL", "good"),
		"rubrics/prd/odd_v1.yaml":            strings.ReplaceAll(oddRubric, "calibration/notes/dataset.yaml", "https://labels.example.org/odd.jsonl"),
		"rubrics/retired.yaml":               "retired: []\n",
		"rubrics/exceptions.yaml":            "exceptions: []\n",
		"calibration/notes/dataset.yaml":     strings.ReplaceAll(hostileDataset, "EVIL", "good"),
		"calibration/notes/items.jsonl":      `{"id":"i1","artifact":"x","labels":{"r1":{"clarity":3}}}` + "\n",
		"calibration/notes/history.jsonl":    `{"note":1}` + "\n",
		"calibration/notes/judges/j.jsonl":   `{"run":"2026-11-21","item":"i1","repeat":1,"model":"m","date":"2026-11-21","digest":"sha256:42338583db3d74e989f7707196775d5092ee21fa509684ec2623428c80afcae3","scores":{"clarity":3}}` + "\n",
		"schema/rubric.schema.json":          "{}\n",
		".rubric-lint.yaml":                  "severity: {no-essential: error}\n",
		".rubric-lint-baseline.json":         `{"schema_version": 1, "findings": [{"rule": "anchor-repeated", "id": "good_v1", "count": 2}]}` + "\n",
		".github/CODEOWNERS":                 "* @acme/q\n",
		".github/workflows/check.yml":        "on: pull_request\n",
		".github/workflows/nested/README.md": "not a workflow\n",
	}
	changed := maps.Clone(released)
	for name, edit := range map[string][2]string{
		"rubrics/prd/good_v1.yaml":         {"Actor and action are named.", "Actor and action are there."},
		"rubrics/prd/odd_v1.yaml":          {`"1.0.0"`, `"1.0.1"`},
		"rubrics/exceptions.yaml":          {"[]", "\n  - {rule: major-change, id: odd_v1, version: \"1.0.1\", reason: none}"},
		"calibration/notes/items.jsonl":    {`"x"`, `"y"`},
		"calibration/notes/judges/j.jsonl": {`"clarity":3`, `"clarity":4`},
		".rubric-lint.yaml":                {"error", "note"},
		".rubric-lint-baseline.json":       {"2", "3"},
		".github/CODEOWNERS":               {"/q", "/p"},
		".github/workflows/check.yml":      {"pull_request", "push"},
	} {
		changed[name] = strings.Replace(released[name], edit[0], edit[1], 1)
	}
	second := maps.Clone(released)
	second["library/rubrics/prd/third_v1.yaml"] = strings.ReplaceAll(released["rubrics/prd/odd_v1.yaml"], "odd_v1", "third_v1")
	first := d.commit(map[string]string{"README.md": "x\n", "rubrics/prd/odd_v1.yaml": released["rubrics/prd/odd_v1.yaml"]})
	main := d.commit(released, first)
	topic := d.commit(changed, main)
	d.refs("refs/heads/topic", map[string]string{
		"refs/heads/main": main, "refs/heads/topic": topic, "refs/heads/second": d.commit(second, main),
		"refs/tags/library-v1.0.0": d.release("library-v1.0.0", first, "sha256:"+strings.Repeat("0", 64)),
	})
	d.checkOut(changed)
}

// everyKindOfStep makes the working folder a repository with what a check reads of the past: drafts
// that keep their numbers, a version that is withdrawn, a document that is retired, files that could
// not be read, an exception that names a commit, a merge, and a tag beside the line of main. There
// are two libraries.
func everyKindOfStep(t *testing.T) {
	t.Helper()
	h := &writtenHistory{depot: newDepot(t), files: map[string]string{}}
	t.Chdir(h.dir)
	first := edition{pass: 35, minimum: 30, essential: 30, version: [3]int{1, 0, 0}}
	next := func(name, pass int, version ...int) edition {
		e := first
		e.name, e.pass, e.version = name, pass, [3]int(version)
		return e
	}
	rubric := func(id string, e edition) map[string]string {
		return map[string]string{"rubrics/prd/" + id + ".yaml": e.text(id)}
	}
	c0 := h.commit(rubric("a_v1", first), rubric("b", first), rubric("gone", first), map[string]string{
		".rubric-lint.yaml":            "severity: {no-essential: error}\n",
		"CODEOWNERS":                   "* @acme/q\n",
		"rubrics/exceptions.yaml":      "exceptions: []\n",
		"rubrics/retired.yaml":         "retired: []\n",
		"team/rubrics/prd/o.yaml":      first.text("o"),
		"team/rubrics/exceptions.yaml": "exceptions: []\n",
	})
	c1 := h.commit(rubric("a_v1", next(1, 35, 1, 0, 1)), rubric("e_v1", next(0, 35, 0, 1, 0)))
	retired := "retired:\n  - {id: gone, kind: rubric, last_version: \"1.0.0\", reason: Nobody uses it.}\n"
	c2 := h.commit(map[string]string{"rubrics/prd/gone.yaml": "", "rubrics/retired.yaml": retired})
	atC2 := maps.Clone(h.files)
	h.commit(rubric("draft_v1", next(0, 35, 0, 1, 0)), map[string]string{
		"rubrics/prd/b.yaml": "rubric_id: [\n", "rubrics/exceptions.yaml": "exceptions: [\n",
	})
	c4 := h.commit(rubric("a_v1", next(2, 35, 1, 0, 2)), rubric("b", next(0, 40, 1, 1, 0)), rubric("draft_v1", next(1, 35, 0, 1, 0)),
		map[string]string{"rubrics/exceptions.yaml": "exceptions: []\n"})
	h.commit(map[string]string{
		"rubrics/exceptions.yaml": "exceptions:\n  - {rule: version-too-low, id: b, commit: " + c4 + ", reason: Agreed.}\n",
		"rubrics/retired.yaml":    retired + "yanked:\n  - {id: a_v1, version: \"1.0.1\", reason: Bad., withdrawn: true}\n",
	})
	c5, atC5 := h.last, h.files
	h.last, h.files = c2, atC2
	t1 := h.commit(rubric("new", next(0, 35, 0, 1, 0)))
	topic := h.commit(rubric("new", next(1, 35, 0, 1, 1)), rubric("e_v1", next(3, 35, 0, 1, 1)))
	h.last, h.files = c5, atC5
	main := h.merge(t1, rubric("new", next(0, 35, 0, 1, 0)))
	zeros := "sha256:" + strings.Repeat("0", 64)
	h.refs("refs/heads/main", map[string]string{
		"refs/heads/main": main, "refs/heads/topic": topic, "refs/heads/first": c0, "refs/heads/c2": c2,
		"refs/tags/library-v1.0.0": h.release("library-v1.0.0", c1, zeros),
		"refs/tags/library-v1.1.0": h.release("library-v1.1.0", t1, zeros),
	})
	h.checkOut(h.files)
}

// writtenHistory is a history whose commits follow each other.
type writtenHistory struct {
	*depot
	files map[string]string // of the last commit
	last  string            // its hash, or ""
}

// commit adds a commit that changes some files; an empty one is removed.
func (h *writtenHistory) commit(changes ...map[string]string) string { return h.merge("", changes...) }

// merge is commit with another parent, or none if it is "".
func (h *writtenHistory) merge(other string, changes ...map[string]string) string {
	h.files = maps.Clone(h.files)
	for _, change := range changes {
		maps.Copy(h.files, change)
	}
	maps.DeleteFunc(h.files, func(_, text string) bool { return text == "" })
	h.last = h.depot.commit(h.files, strings.Fields(h.last+" "+other)...)
	return h.last
}
