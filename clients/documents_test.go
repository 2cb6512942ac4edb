package clients_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// fullDocuments use every field of both kinds. %s is the ID.
var fullDocuments = map[string]string{
	bundlefile.KindRubric: `{"rubric_id":"%s","name":"Full","version":"1.0.0","artifact_type":"prd","description":"All fields.",
		"criteria":[
			{"name":"one","description":"d","weight":"essential","relative_weight":2.5,"threshold":3.5,"anchors":{"1":"a","2":"b","3":"c","4":"d","5":"e"},
			 "examples":{"score_1":"x","score_3":"y","score_5":"z"}},
			{"name":"two","description":"d","weight":"important","threshold":1,"anchors":{"1":"a","2":"b","3":"c","4":"d","5":"e"},
			 "examples":{"score_1":"x","score_5":"z"}}],
		"negative_criteria":[{"name":"bad","description":"d","fail_patterns":["x"," "],"ignore_case":true,"effect":"report","fail_examples":["x"],"pass_examples":["y"]}],
		"scoring":{"pass_threshold":3.5,"essential_minimum":3},"calibration_dataset":"https://example.org/x","language":"de",
		"deprecated":{"reason":"old","replaced_by":"new_v1"},"metadata":{"owner":"me"}}`,
	bundlefile.KindRuleSet: `{"ruleset_id":"%s","name":"Full","version":"1.0.0","artifact_type":"api","description":"All fields.","scoring":{"pass_threshold":0.8},
		"rules":[
			{"id":"a.correctness.endpoints","description":"d","severity":"fail","weight":2,"phase":"A","check":"c","checks":[
				{"type":"content","pattern":"^GET","multiline":true,"ignore_case":true,"expect":"absent","min_count":1,"max_count":3},
				{"type":"content","literal":"x"},{"type":"executable","command":["spectral","lint"]}]},
			{"id":"b.style.naming-case","description":"d","severity":"info","weight":0,"phase":"B","check":"c"}],
		"language":"de-AT","deprecated":{"reason":"old"},"metadata":{"owner":"me"}}`,
}

// others are the values that a mutation inserts.
var others = []any{
	nil, true, false, "", " ", "\u00a0", "\ufeff", "x", "X", "a_b", "_a", "1", "1.2.3", "01.2.3", "essential", "fail", "content", "executable", "A", "a.b.c", "c.b.a", "en", "de-AT", "x y", "(", "ä",
	"calibration/x", "http://x", "\n", "x\n", strings.Repeat("😀", 128), strings.Repeat("a", 128), strings.Repeat("a", 129), strings.Repeat("😀", 257),
	-1.0, 0.0, 0.5, 0.1234567890123456, 1.0, 1.5, 2.5, 5.0, 5.01, 1e-7, 1e6, 1e7, 1e300, []any{}, []any{"x"}, []any{nil}, []any{map[string]any{}}, map[string]any{}, map[string]any{"x": "y"},
	map[string]any{"X": "y"}, map[string]any{"x": ""}, map[string]any{"x": 1.0},
}

// mutations calls do with every value that differs from v in one place.
func mutations(v any, do func(any)) {
	for _, other := range others {
		do(other)
	}
	switch v := v.(type) {
	case map[string]any:
		for _, key := range append(slices.Sorted(maps.Keys(v)), "unknown") {
			with := func(value any) {
				c := maps.Clone(v)
				c[key] = value
				do(c)
			}
			if inner, there := v[key]; there {
				without := maps.Clone(v)
				delete(without, key)
				do(without)
				mutations(inner, with)
			} else {
				with("x")
			}
		}
	case []any:
		do(append(slices.Clone(v), v...))
		for i := range v {
			do(slices.Delete(slices.Clone(v), i, i+1))
			mutations(v[i], func(value any) {
				c := slices.Clone(v)
				c[i] = value
				do(c)
			})
		}
	}
}

// subjects are valid and invalid documents, each under its own ID.
type subjects struct {
	contents
	accepted map[string]bool // by ID, whether Go accepts it
}

func (s *subjects) id() string { return fmt.Sprintf("d%06d", len(s.index)) }

// add adds a document under the next ID, and records whether Go accepts it.
func (s *subjects) add(kind string, data []byte) {
	id := s.id()
	_, err := bundlecheck.Document(kind, id, "1.0.0", data)
	s.accepted[id] = err == nil
	s.files = append(s.files, bundlefile.File{Path: bundlefile.DocumentPath(kind, id, "1.0.0"), Data: data})
	s.index = append(s.index, bundlefile.IndexLine{ID: id, Kind: kind, Name: "n", ArtifactType: "prd", Latest: "1.0.0", Versions: []bundlefile.Version{{Version: "1.0.0", Digest: "sha256:" + sumOf(data)}}})
}

// agree checks that the clients reject exactly the documents that Go rejects.
func (s *subjects) agree(t *testing.T, least int) {
	t.Helper()
	data, digest := s.write(t)
	path := filepath.Join(t.TempDir(), "documents.zip")
	must.Do(t, os.WriteFile(path, data, 0o666))
	var want []string
	for _, id := range slices.Sorted(maps.Keys(s.accepted)) {
		if !s.accepted[id] {
			want = append(want, id)
		}
	}
	if len(want) < least || len(s.accepted)-len(want) < least {
		t.Errorf("%d of %d documents are wrong: they are too one-sided to show anything", len(want), len(s.accepted))
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		got := into[[]string](t, ask(request{"op": "open", "path": path, "digest": digest}, request{"op": "refused", "version": "1.0.0"})[1])
		for _, id := range strings.Fields(cmp.Diff(want, got)) {
			if id = strings.Trim(id, `",+-`); strings.HasPrefix(id, "d") {
				for _, f := range s.files {
					if strings.Contains(f.Path, "/"+id+"/") {
						t.Errorf("Go accepts it: %v, the client %v\n%s", s.accepted[id], !slices.Contains(got, id), f.Data)
					}
				}
			}
		}
		if !slices.Equal(want, got) {
			t.Error("the client refuses other documents than Go")
		}
	})
}

// TestDocumentsAreTheSameToAll changes each value of a document in turn.
func TestDocumentsAreTheSameToAll(t *testing.T) {
	s := &subjects{accepted: map[string]bool{}}
	for kind, text := range fullDocuments {
		var doc any
		must.Do(t, json.Unmarshal(fmt.Appendf(nil, text, "x"), &doc))
		mutations(doc, func(mutated any) {
			// Each has its own ID, unless the ID was changed.
			s.add(kind, bytes.Replace(canonical(mutated), []byte(`_id":"x"`), []byte(`_id":"`+s.id()+`"`), 1))
		})
	}
	s.agree(t, 300)
}

// successor is a bundle after right: the next patch version, built on it.
func successor(t *testing.T, digest string) []bundlefile.File {
	t.Helper()
	files := right(t)
	for _, edit := range [][2]string{{`"library_version":"1.4.0"`, `"library_version":"1.4.1"`}, {`"previous":""`, `"previous":"` + digest + `"`}} {
		files = replacing(t, bundlefile.ManifestName, edit[0], edit[1])(files)
	}
	return files
}

// textOf is what a client says of a bundle: the type of the error, and what a bundle lacks that does
// not continue the one before, in the same words as Go.
func textOf(kind string, err error) string {
	if kind == "ContinuityError" {
		return kind + ": " + err.Error()
	}
	return kind
}

// TestBundlesContinueEachOther checks with all readers whether a bundle keeps what a
// consumer of the previous one relies on.
func TestBundlesContinueEachOther(t *testing.T) {
	const (
		none   = `"yanked":[]`
		yanked = `"yanked":[{"commit":"","id":"a_v1","reason":"It fails good work.","version":"1.0.0"}]`
	)
	manifest := func(files []bundlefile.File, edits ...string) []bundlefile.File {
		for i := 0; i < len(edits); i += 2 {
			files = replacing(t, bundlefile.ManifestName, edits[i], edits[i+1])(files)
		}
		return files
	}
	before := manifest(right(t), `"previous":""`, `"previous":"sha256:`+strings.Repeat("1", 64)+`"`, none, yanked)
	old := bundletest.Pack(bundletest.Resum(before), nil)
	digest := "sha256:" + sumOf(bundletest.Resum(before)[1].Data)
	next := func(edits ...string) []bundlefile.File {
		return manifest(manifest(successor(t, digest), none, yanked), edits...)
	}
	without := func(files []bundlefile.File) []bundlefile.File {
		files = manifest(files, `"documents":3`, `"documents":3`, `"versions":4`, `"versions":3`)
		files = slices.DeleteFunc(files, func(f bundlefile.File) bool { return f.Path == aDoc })
		index := files[slices.IndexFunc(files, func(f bundlefile.File) bool { return f.Path == bundlefile.IndexName })].Data
		entry, _, _ := bytes.Cut(index[bytes.Index(index, []byte(`"versions":[`))+len(`"versions":[`):], []byte("},"))
		return replacing(t, bundlefile.IndexName, string(entry)+"},", "")(files)
	}
	const tombstone = `"tombstones":[`
	withdrawn := tombstone + `{"commit":"","id":"a_v1","reason":"It named a person.","version":"1.0.0"},`
	const wrong = "ContinuityError"
	type step struct {
		reason string
		files  []bundlefile.File
		want   string
	}
	cases := []step{
		{"itself", before, ""},
		{"the next one", next(), ""},
		{"a later one", next(`"1.4.1"`, `"1.5.0"`, digest, "sha256:"+strings.Repeat("2", 64)), ""},
		{"a version that was withdrawn, and so is no longer yanked", without(next(tombstone, withdrawn, yanked, none)), ""},
		{"a yank of a document that was retired since", next(yanked, strings.Replace(yanked, "]", `,{"commit":"","id":"gone_v1","reason":"It is slow.","version":"1.0.0"}]`, 1)), ""},
		{"a version that is gone", without(next(yanked, none)), wrong},
		{"a yank that is undone", next(yanked, none), wrong},
		{"a yank of another version instead", next(yanked, strings.Replace(yanked, "a_v1", "gone_v1", 1)), wrong},
		{"a version with another text", reindex(t, replacing(t, aDoc, "Is it clear?", "Is it bright?")(next())), wrong},
		{"a withdrawal that is gone", next(`{"commit":"","id":"a_v1","reason":"It named a customer.","version":"1.1.0"}`, ``), wrong},
		{"a retired ID that is free again", replacing(t, bundlecheck.LedgerName, `{"id":"gone_v1","kind":"rubric","last_version":"1.0.0","reason":"Nobody uses it.","replaced_by":"a_v1"}`, ``)(next()), wrong},
		{"a lower version", next(`"1.4.1"`, `"1.3.9"`), wrong},
		{"the same version with another content", next(`"1.4.1"`, `"1.4.0"`), wrong},
		{"a first one", next(`"previous":"`+digest+`"`, `"previous":""`), wrong},
		{"one that was built on the bundle before", next(`"1.4.1"`, `"1.5.0"`, digest, "sha256:"+strings.Repeat("1", 64)), wrong},
		{"one that cuts the line right behind", next(digest, "sha256:"+strings.Repeat("2", 64)), wrong},
		{"a withdrawal beside the text", next(tombstone, withdrawn, yanked, none), "IntegrityError"},
		{"a withdrawal without a version", without(next(tombstone, strings.Replace(withdrawn, `"1.0.0"`, `""`, 1), yanked, none)), "IntegrityError"},
		{"a yank instead of the text", without(next()), "IntegrityError"},
	}
	var requests []request
	var texts []string
	continues := func(old []byte, cases ...step) {
		earlier := must.Get(library.NewReader(bytes.NewReader(old), int64(len(old)), library.WithVerification()))(t)
		source := &served{}
		for _, c := range cases {
			data := bundletest.Pack(bundletest.Resum(c.files), nil)
			requests = append(requests, request{"op": "verify", "data": data, "after": old})
			_, err := library.NewReader(bytes.NewReader(data), int64(len(data)), library.WithVerification(), library.WithAfter(earlier))
			if got := asClient(err); got != c.want {
				t.Errorf("%s: Go says %v, want %q", c.reason, err, c.want)
			}
			texts = append(texts, textOf(c.want, err))
			source.data = old
			live := must.Get(library.Follow(t.Context(), source, library.WithAnyDigest(), library.WithInterval(time.Hour)))(t)
			source.data = data
			if got := asClient(live.Check(t.Context())); got != c.want {
				t.Errorf("%s: a program that follows says %q, want %q", c.reason, got, c.want)
			}
			must.Do(t, live.Close())
		}
	}
	continues(old, cases...)
	plain := right(t) // without a yank
	after := func(before []bundlefile.File, edits ...string) []bundlefile.File {
		return manifest(successor(t, "sha256:"+sumOf(bundletest.Resum(before)[1].Data)), edits...)
	}
	retired := func(files []bundlefile.File) []bundlefile.File {
		files = manifest(files, `"documents":3,"rubrics":2`, `"documents":2,"rubrics":1`, `"versions":4`, `"versions":3`, `"retired":["gone_v1"]`, `"retired":[]`,
			`"version":"1.1.0"}]`, `"version":"1.1.0"},{"commit":"","id":"gone_v1","reason":"It named a person.","version":"1.0.0"}]`)
		files = slices.DeleteFunc(files, func(f bundlefile.File) bool { return strings.Contains(f.Path, "/gone_v1/") })
		index := string(files[slices.IndexFunc(files, func(f bundlefile.File) bool { return f.Path == bundlefile.IndexName })].Data)
		return replacing(t, bundlefile.IndexName, index[strings.LastIndex(index, `{"artifact_type"`):], "")(files)
	}
	gone := without(manifest(right(t), tombstone, withdrawn))
	fromPlain := []step{
		{"a version that constraints selected and that was withdrawn", without(after(plain, tombstone, withdrawn)), ""},
		{"all versions of a retired document, withdrawn", retired(after(plain)), ""},
	}
	continues(bundletest.Pack(bundletest.Resum(plain), nil), fromPlain...)
	fromGone := []step{
		{"a version that stays withdrawn", without(after(gone, tombstone, withdrawn)), ""},
		{"a withdrawn version that is text again", after(gone), wrong},
		{"a withdrawn version that is yanked instead", after(gone, none, yanked), wrong},
	}
	continues(bundletest.Pack(bundletest.Resum(gone), nil), fromGone...)
	var more strings.Builder
	for i := range 12 {
		fmt.Fprintf(&more, `,{"commit":"","id":"person_v1","reason":"It named a person.","version":"1.%d.0"}`, 10+i)
	}
	many := manifest(right(t), `"version":"1.1.0"}]`, `"version":"1.1.0"}`+more.String()+"]")
	fromMany := []step{{"more withdrawals that are gone than an error lists", after(many), wrong}}
	continues(bundletest.Pack(bundletest.Resum(many), nil), fromMany...)
	cases = slices.Concat(cases, fromPlain, fromGone, fromMany)
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for i, a := range ask(requests...) {
			if got := into[string](t, a); got != texts[i] {
				t.Errorf("%s: got %q, want %q", cases[i].reason, got, texts[i])
			}
		}
	})
}
