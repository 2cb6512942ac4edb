package clients_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
)

// unpack returns the entries of a bundle in the order of the container.
func unpack(t *testing.T, data []byte) []bundlefile.File {
	t.Helper()
	r := must.Get(zip.NewReader(bytes.NewReader(data), int64(len(data))))(t)
	var files []bundlefile.File
	for _, f := range r.File {
		content := must.Get(f.Open())(t)
		data := must.Get(io.ReadAll(content))(t)
		files = append(files, bundlefile.File{Path: f.Name, Data: data})
	}
	return files
}

// tampered are changed bundles by reason.
func tampered(t *testing.T, original []byte) map[string][]byte {
	const doc = "rubrics/a/1.2.0.json"
	cases := map[string][]byte{}
	entries := func(reason string, change func([]bundlefile.File) []bundlefile.File) {
		cases[reason] = bundletest.Pack(change(unpack(t, original)), nil)
	}
	agreeing := func(reason string, change func([]bundlefile.File) []bundlefile.File) {
		entries(reason, change)
		cases[reason+", and SHA256SUMS agrees"] = bundletest.Pack(bundletest.Resum(change(unpack(t, original))), nil)
	}
	at := func(f []bundlefile.File, path string) int {
		return slices.IndexFunc(f, func(f bundlefile.File) bool { return f.Path == path })
	}
	add := func(reason, path string) {
		agreeing(reason, func(f []bundlefile.File) []bundlefile.File {
			return append(f, bundlefile.File{Path: path, Data: []byte("{}")})
		})
	}
	agreeing("a document removed", func(f []bundlefile.File) []bundlefile.File { return slices.Delete(f, at(f, doc), at(f, doc)+1) })
	agreeing("the manifest removed", func(f []bundlefile.File) []bundlefile.File { return f[1:] })
	agreeing("the sums removed", func(f []bundlefile.File) []bundlefile.File { return slices.Delete(f, 1, 2) })
	agreeing("the index removed", func(f []bundlefile.File) []bundlefile.File { return slices.Delete(f, 2, 3) })
	agreeing("the calibrations removed", func(f []bundlefile.File) []bundlefile.File { return slices.Delete(f, 3, 4) })
	agreeing("the calibrations last", func(f []bundlefile.File) []bundlefile.File { return slices.Concat(f[:3], f[4:], f[3:4]) })
	agreeing("the calibration removed", func(f []bundlefile.File) []bundlefile.File {
		return slices.Delete(f, at(f, "calibration/a/statistics.json"), at(f, "calibration/a/statistics.json")+1)
	})
	agreeing("nothing but the manifest", func(f []bundlefile.File) []bundlefile.File { return f[:1] })
	agreeing("no entry", func(f []bundlefile.File) []bundlefile.File { return nil })
	agreeing("renamed", func(f []bundlefile.File) []bundlefile.File { f[at(f, doc)].Path = "rubrics/a/1.2.1.json"; return f })
	agreeing("reordered", func(f []bundlefile.File) []bundlefile.File { f[3], f[4] = f[4], f[3]; return f })
	agreeing("the manifest second", func(f []bundlefile.File) []bundlefile.File { f[0], f[1] = f[1], f[0]; return f })
	agreeing("contents swapped", func(f []bundlefile.File) []bundlefile.File {
		i := at(f, doc)
		f[i].Data, f[i-1].Data = f[i-1].Data, f[i].Data
		return f
	})
	agreeing("duplicated", func(f []bundlefile.File) []bundlefile.File { return slices.Insert(f, at(f, doc), f[at(f, doc)]) })
	add("a document added", "rulesets/z/1.0.0.json")
	entries("a schema added", func(f []bundlefile.File) []bundlefile.File { return append(f, bundlefile.File{Path: "schema/z.json"}) })
	for _, name := range []string{
		"../../etc/passwd", "/etc/passwd", `schema\z.json`, "rulesets/", "", "schema/Z.json", "z", "schema/\u00e4.json",
		"schema/" + strings.Repeat("z", 129) + ".json", "rulesets/z/1.0.json", "rulesets/z/01.0.0.json", "rulesets/1z/1.0.0.json",
	} {
		add("an entry named "+name, name)
	}
	for _, edit := range [][3]string{
		{"a future format", `"format_version":2`, `"format_version":3`},
		{"format 1 with the keys of format 2", `"format_version":2`, `"format_version":1`},
		{"format 0", `"format_version":2`, `"format_version":0`},
		{"a key twice", `"format_version":2`, `"format_version":2,"format_version":2`},
		{"no version of readers", `"reader_version":"0.1.0",`, ``},
		{"a version of readers that is none", `"reader_version":"0.1.0"`, `"reader_version":"0.1"`},
		{"no list of yanked versions", `"yanked":`, `"yanks":`},
		{"a yanked version that is not there", `good work.","version":"1.2.0"`, `good work.","version":"1.3.0"`},
		{"a yanked version without a number", `good work.","version":"1.2.0"`, `good work.","version":""`},
		{"every version yanked", `good work.","version":"1.2.0"}`, `good work.","version":"1.10.0"},{"commit":"","id":"a","reason":"It failed good work.","version":"1.2.0"}`},
		{"an unknown key", `"counts":{`, `"a":1,"counts":{`},
		{"wrong counts", `"documents":3`, `"documents":4`},
		{"true for a number", `"rule_sets":1`, `"rule_sets":true`},
		{"a number in another form", `"documents":3`, `"documents":3.0`},
		{"a space", `"counts":`, `"counts": `},
		{"another escape", `a \"tab`, `\u0061 \"tab`},
		{"half of a surrogate pair", `a \"tab`, `\ud800 \"tab`},
		{"broken UTF-8", `a \"tab`, "\xff \\\"tab"},
		{"a wrong version", "1.4.0", "1.4"},
		{"a wrong commit", strings.Repeat("a", 40), strings.Repeat("a", 39)},
		{"a list that contains a list", `"refused":[`, `"refused":[[`},
		{"a tombstone of an existing version", `"id":"prd_quality_v1","reason":"It held a name.","version":"0.9.0"`, `"id":"a","reason":"It held a name.","version":"1.2.0"`},
		{"no retired ID", `"retired":["b"]`, `"retired":[]`},
		{"another retired ID", `"retired":["b"]`, `"retired":["a"]`},
		{"a retired ID twice", `"retired":["b"]`, `"retired":["b","b"]`},
		{"retired IDs that are not a list", `"retired":["b"]`, `"retired":{}`},
		{"a retired ID that is a number", `"retired":["b"]`, `"retired":[1]`},
		{"no list of retired IDs", `"retired":["b"],`, ``},
		{"deep JSON", `"refused":[`, `"refused":` + strings.Repeat("[", 200_000)},
		{"a huge number", `"documents":3`, `"documents":` + strings.Repeat("9", 10_000)},
		{"no line feed at the end", "}\n", "}"},
		{"more after the end", "}\n", "}\n{}\n"},
	} {
		agreeing("in the manifest: "+edit[0], replacing(t, bundlefile.ManifestName, edit[1], edit[2]))
	}
	for _, edit := range [][3]string{
		{"a digest in upper case", `"digest":"sha256:`, `"digest":"SHA256:`},
		{"another digest", `"digest":"sha256:`, `"digest":"sha256:0`},
		{"another version", `"version":"1.10.0"`, `"version":"1.11.0"`},
		{"a latest that is not the latest", `"latest":"1.10.0"`, `"latest":"1.2.0"`},
		{"an unknown kind", `"kind":"rule_set"`, `"kind":"rules"`},
		{"the other kind", `"kind":"rule_set"`, `"kind":"rubric"`},
		{"a default written out", `"name":"B"`, `"name":"B","retired":false`},
		{"null", `"retired":true`, `"retired":null`},
		{"a commit without a time", `"time":"2024-02-29T23:59:59Z","version":"1.2.0"`, `"version":"1.2.0"`},
		{"a day that does not exist", `"time":"2024-02-29T23:59:59Z","version":"1.2.0"`, `"time":"2023-02-29T23:59:59Z","version":"1.2.0"`},
		{"an hour that does not exist", `"time":"2024-02-29T23:59:59Z","version":"1.2.0"`, `"time":"2024-02-29T24:00:00Z","version":"1.2.0"`},
		{"a year before there were commits", `"time":"2024-02-29T23:59:59Z","version":"1.2.0"`, `"time":"1969-02-28T23:59:59Z","version":"1.2.0"`},
		{"a time in another zone", `"time":"2024-02-29T23:59:59Z","version":"1.2.0"`, `"time":"2024-02-29T23:59:59+00:00","version":"1.2.0"`},
		{"a release of two numbers", `"release":"1.0.0","time":"2024-02-29T23:59:59Z","version":"1.2.0"`, `"release":"1.0","time":"2024-02-29T23:59:59Z","version":"1.2.0"`},
		{"a release that is null", `"release":"1.0.0","time":"2024-02-29T23:59:59Z","version":"1.2.0"`, `"release":null,"time":"2024-02-29T23:59:59Z","version":"1.2.0"`},
		{"a calibration", `{"artifact_type":"api",`, `{"artifact_type":"api","calibration":{"reason":"x"},`},
		{"a line twice", `{"artifact_type":"api"`, `{"artifact_type":"api"}` + "\n" + `{"artifact_type":"api"`},
		{"an empty line", `{"artifact_type":"api"`, "\n" + `{"artifact_type":"api"`},
		{"a key that objects have by themselves", `"name":"B"`, `"__proto__":{},"name":"B"`},
	} {
		agreeing("in the index: "+edit[0], replacing(t, bundlefile.IndexName, edit[1], edit[2]))
	}
	for _, edit := range [][3]string{
		{"a number in another form", "1e-7", "1.0e-7"},
		{"a number off the scale", "1e-7", "1.5"},
		{"true for a number", `"value":1e-7`, `"value":true`},
		{"null for a number", `"value":1e-7`, `"value":null`},
		{"a gate that is yes, for a reason why not", `"gate":"no"`, `"gate":"yes"`},
		{"a gate of another word", `"gate":"no"`, `"gate":"not_met"`},
		{"no rank", `"rank":"yes",`, ``},
		{"no reason", `"reason":"Low.",`, ``},
		{"no judge", `"judge":"j",`, ``},
		{"no model", `"judge":"j","model":"m"`, `"judge":"j"`},
		{"no date", `"date":"2024-02-29",`, ``},
		{"a day that does not exist", `"date":"2024-02-29"`, `"date":"2023-02-29"`},
		{"a judge in upper case", `"judge":"j"`, `"judge":"J"`},
		{"a judge twice", `"judge":"j"`, `"judge":"k"`},
		{"judges that are not sorted", `"judge":"j"`, `"judge":"z"`},
		{"a judge that may rank without a correlation", `"correlation":{"criterion":"x","value":1e-7},`, ``},
		{"judges without their statistics", `,"path":"calibration/a/statistics.json"`, ``},
		{"labels by nobody", `"labeled_by":"people",`, ``},
		{"judges without statistics", `"id":"c"`, `"id":"c","judges":[]`},
		{"statistics elsewhere", `"path":"calibration/a/statistics.json"`, `"path":"changelog.json"`},
		{"a reason that is empty", `"reason":"Elsewhere."`, `"reason":""`},
		{"a reason that is not a text", `"reason":"Elsewhere."`, `"reason":1`},
		{"neither a reason nor a path", `,"reason":"Elsewhere."`, ``},
		{"a calibration with another key", `"reason":"Elsewhere."`, `"reason":"Elsewhere.","run":"a"`},
		{"a calibration of no document", `"id":"c"`, `"id":"z"`},
		{"an ID that is none", `"id":"c"`, `"id":"C"`},
		{"an ID that is missing", `"id":"c",`, ``},
		{"an ID twice", `"id":"c"`, `"id":"a"`},
		{"a line twice", `{"id":"c","reason":"Elsewhere."}`, `{"id":"c","reason":"Elsewhere."}` + "\n" + `{"id":"c","reason":"Elsewhere."}`},
		{"lines that are not sorted", `{"id":"a"`, `{"id":"c","reason":"Elsewhere."}` + "\n" + `{"id":"a"`},
		{"an empty line", `{"id":"c"`, "\n" + `{"id":"c"`},
		{"a space", `{"id":"c"`, `{ "id":"c"`},
		{"a carriage return", "Elsewhere.\"}\n", "Elsewhere.\"}\r\n"},
		{"no line feed at the end", "Elsewhere.\"}\n", "Elsewhere.\"}"},
		{"broken UTF-8", "Elsewhere.", "\xff"},
		{"a line that is too long", "Elsewhere.", strings.Repeat("x", bundlefile.MaxIndexLine)},
		{"no object", `{"id":"c","reason":"Elsewhere."}`, "null"},
		{"a key that objects have by themselves", `{"id":"c"`, `{"__proto__":{},"id":"c"`},
	} {
		agreeing("in the calibrations: "+edit[0], replacing(t, bundlefile.CalibrationName, edit[1], edit[2]))
	}
	for _, edit := range [][3]string{
		{"another sum", "  index.jsonl", "0  index.jsonl"},
		{"one space", "  index.jsonl", " index.jsonl"},
		{"a line less", "  manifest.json\n", ""},
	} {
		entries("in SHA256SUMS: "+edit[0], replacing(t, bundlefile.SumsName, edit[1], edit[2]))
	}
	addRecords(t, original, cases)
	return cases
}

// replacing edits one entry.
func replacing(t *testing.T, path, old, now string) func([]bundlefile.File) []bundlefile.File {
	return func(files []bundlefile.File) []bundlefile.File {
		for i, f := range files {
			if f.Path == path {
				if !bytes.Contains(f.Data, []byte(old)) {
					t.Fatalf("%s has no %q:\n%s", path, old, f.Data)
				}
				files[i].Data = bytes.Replace(f.Data, []byte(old), []byte(now), 1)
			}
		}
		return files
	}
}

// addRecords adds cases in which a record of the zip does not match its entry.
func addRecords(t *testing.T, original []byte, cases map[string][]byte) {
	files := unpack(t, original)
	lie := func(reason string, local, central map[int]byte) {
		cases["a record with "+reason] = bundletest.Pack(files, func(name string, l, c []byte) ([]byte, []byte) {
			if name == "changelog.json" || name == bundlefile.ManifestName && strings.Contains(reason, "manifest") {
				for i, b := range local {
					l[i] = b
				}
				for i, b := range central {
					c[i] = b
				}
			}
			return l, c
		})
	}
	lie("a size of 4 GB", map[int]byte{21: 0xff, 25: 0xff}, map[int]byte{23: 0xff, 27: 0xff})
	lie("a size of 4 GB in the directory", nil, map[int]byte{23: 0xff, 27: 0xff})
	lie("a size of 4 GB of the manifest", map[int]byte{21: 0xff, 25: 0xff}, map[int]byte{23: 0xff, 27: 0xff})
	lie("a size that is too large", map[int]byte{18: 9, 22: 9}, map[int]byte{20: 9, 24: 9})
	lie("two sizes", map[int]byte{18: 9}, map[int]byte{20: 9})
	lie("method deflate", map[int]byte{8: 8}, map[int]byte{10: 8})
	lie("encryption", map[int]byte{6: 1}, map[int]byte{8: 1})
	lie("a data descriptor", map[int]byte{6: 8}, map[int]byte{8: 8})
	lie("another time", map[int]byte{10: 1}, map[int]byte{12: 1})
	lie("another CRC-32", map[int]byte{14: 1}, map[int]byte{16: 1})
	lie("an extra field", map[int]byte{28: 4}, map[int]byte{30: 4})
	lie("a comment", nil, map[int]byte{32: 4})
	lie("attributes of a link", nil, map[int]byte{41: 0xa1})
	lie("another offset", nil, map[int]byte{42: 0})
	lie("a name before the content that is another", map[int]byte{30: 'x'}, nil)
	lie("a name in the directory that is another", nil, map[int]byte{46: 'x'})
	cases["bytes before"] = append([]byte("x"), original...)
	cases["bytes after"] = append(bytes.Clone(original), "x"...)
	cases["the bundle twice"] = append(bytes.Clone(original), original...)
	cases["half of it"] = original[:len(original)/2]
	cases["nothing"] = []byte{}
	cases["text"] = []byte("404: not found")
	var deflated, stored bytes.Buffer
	for out, method := range map[*bytes.Buffer]uint16{&deflated: zip.Deflate, &stored: zip.Store} {
		w := zip.NewWriter(out)
		for _, f := range files {
			entry := must.Get(w.CreateHeader(&zip.FileHeader{Name: f.Path, Method: method}))(t)
			must.Get(entry.Write(f.Data))(t)
		}
		must.Do(t, w.Close())
	}
	cases["compressed"], cases["made by another program"] = deflated.Bytes(), stored.Bytes()
}

// anything accepts any content of a container.
type anything struct{}

func (anything) Entry(string, []byte) error { return nil }

func (anything) Line(*bundlefile.Bundle, *bundlefile.IndexLine) error { return nil }

// TestTampering checks that the clients reject what Go rejects, with an error of the right
// type.
func TestTampering(t *testing.T) {
	original := small(t)
	if !bytes.Equal(bundletest.Pack(unpack(t, original), nil), original) {
		t.Fatal("packing again does not give the same bundle, so the cases test nothing")
	}
	cases := tampered(t, original)
	var reasons []string
	var requests []request
	for reason, data := range cases {
		_, err := bundlefile.Verify(bytes.NewReader(data), int64(len(data)), bundlefile.Options{}, anything{})
		var integrity *bundlefile.IntegrityError
		var format *bundlefile.FormatError
		if !errors.As(err, &integrity) && !errors.As(err, &format) {
			t.Errorf("%s: Go says %v, so the case is invalid", reason, err)
		}
		reasons = append(reasons, reason)
		requests = append(requests, request{"op": "accepts", "data": data})
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for i, a := range ask(requests...) {
			if got := into[string](t, a); got != "" {
				t.Errorf("%s: it was accepted", reasons[i])
			}
		}
	})
}

func TestEveryByteCounts(t *testing.T) {
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		missed := into[[]int](t, ask(request{"op": "flip", "data": small(t)})[0])
		if len(missed) > 0 {
			t.Errorf("changes at the bytes %v were not found", missed)
		}
	})
}
