package bundlefile

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

// TestAgreeingWithItself changes a bundle and recomputes SHA256SUMS.
func TestAgreeingWithItself(t *testing.T) {
	without := func(files []File, path string) []File {
		return slices.DeleteFunc(files, func(f File) bool { return f.Path == path })
	}
	in := func(path, old, now string) func([]File) []File {
		return func(files []File) []File { return replace(t, files, path, old, now) }
	}
	const doc = "rubrics/a/1.2.0.json"
	tests := []struct {
		reason string
		change func([]File) []File
		want   string
	}{
		{"a document changed", in(doc, "two", "tow"), doc + ": is not the version that the index lists"},
		{"a document removed", func(f []File) []File { return without(f, doc) }, "manifest.json: counts 3 documents (2 rubrics, 1 rule sets) in 4 versions, but the bundle has 3 documents (2 rubrics, 1 rule sets) in 3"},
		{"a document added", func(f []File) []File { return append(f[:len(f)-1], File{"rulesets/b/1.0.0.json", nil}, f[len(f)-1]) }, "manifest.json: counts 3 documents (2 rubrics, 1 rule sets) in 4 versions, but the bundle has 4 documents"},
		{"the index removed", func(f []File) []File { return without(f, IndexName) }, "SHA256SUMS: does not list index.jsonl"},
		{"the calibration removed", func(f []File) []File { return without(f, "calibration/a/statistics.json") }, "calibration/a/statistics.json: is missing"},
		{"counts that are wrong", in(ManifestName, `"documents":3`, `"documents":4`), "manifest.json: counts 4 documents (2 rubrics, 1 rule sets) in 4 versions, but the bundle has 3"},
		{"a retired document that the manifest leaves out", in(ManifestName, `"retired":["old_v1"]`, `"retired":[]`), "manifest.json: lists [] as retired, but the index differs for old_v1"},
		{"a retired ID twice", in(ManifestName, `"old_v1"`, `"old_v1","old_v1"`), "manifest.json: retired"},
		{"a part of no list", in(IndexName, `"list":"rules"`, `"list":"anchors"`), "index.jsonl: line 2: parts"},
		{"a part without a name", in(IndexName, `"name":"a.b"`, `"name":""`), "index.jsonl: line 2: parts"},
		{"an empty text of a part", in(IndexName, `"name":"vague"`, `"name":"vague","text":""`), "index.jsonl: line 1: its JSON is not in canonical form"},
		{"an empty list of parts", in(IndexName, `"parts":[{"list":"rules","name":"a.b","text":"Ü"}]`, `"parts":[]`), "index.jsonl: line 2: its JSON is not in canonical form"},
		{"a tombstone for what is there", in(ManifestName, `"version":"1.1.0"`, `"version":"1.2.0"`), doc + ": is present, but the manifest says that it was withdrawn"},
		{"an unknown key", in(ManifestName, `"counts":{`, `"counts":{"a":1,`), `manifest.json: its JSON is not valid in a bundle: unknown field "a"`},
		{"a key twice", in(ManifestName, `"format_version":2`, `"format_version":2,"format_version":2`), "manifest.json: its JSON is not in canonical form: at byte"},
		{"a key in another case", in(ManifestName, `"previous"`, `"Previous"`), "not in canonical form"},
		{"a key that is missing", in(ManifestName, `"refused":[`, `"tombstones":[`), "not in canonical form"},
		{"a space", in(ManifestName, `"counts":`, `"counts": `), "not in canonical form"},
		{"another escape", in(ManifestName, "a tab", `a \u0074ab`), "not in canonical form"},
		{"broken UTF-8", in(ManifestName, "a tab", "a \xff"), "not in canonical form"},
		{"a number in another form", in(ManifestName, `"documents":3`, `"documents":3.0`), "manifest.json: its JSON"},
		{"a number beyond all integers", in(ManifestName, `"documents":3`, `"documents":99999999999999999999`), "manifest.json: its JSON"},
		{"null", in(ManifestName, `"previous":"`+digestPrefix+strings.Repeat("0", 64)+`"`, `"previous":null`), "not in canonical form"},
		{"more JSON after the end", in(ManifestName, "}\n", "}\n{}\n"), "manifest.json: its JSON"},
		{"no line feed", in(ManifestName, "}\n", "}"), "not in canonical form: at byte 677, expected \"\\n\", got the end"},
		{"a manifest without a format", in(ManifestName, `"format_version":2,`, ""), "not in canonical form"},
		{"format 0", in(ManifestName, `"format_version":2`, `"format_version":0`), `manifest.json: format_version is "0", expected 1 to 2`},
		{"a wrong library version", in(ManifestName, "1.4.0", "1.4"), "manifest.json: library_version"},
		{"a digest in upper case", in(IndexName, "d039", "D039"), "index.jsonl: line 1: versions"},
		{"an unknown key in the index", in(IndexName, `"kind":"rule_set"`, `"kind":"rule_set","kinds":1`), `index.jsonl: line 2: its JSON is not valid in a bundle: unknown field "kinds"`},
		{"a key twice in the index", in(IndexName, `"name":"Old"`, `"name":"New","name":"Old"`), "index.jsonl: line 3: its JSON is not in canonical form"},
		{"a default written out", in(IndexName, `"name":"Old"`, `"name":"Old","retired":false`), "index.jsonl: line 3"},
		{"a number in another form in the index", in(CalibrationName, "0.8125", "8125e-4"), "calibration.jsonl: line 1"},
		{"a negative zero", in(CalibrationName, "0.8125", "-0"), "calibration.jsonl: line 1"},
		{"a document twice in the index", in(IndexName, `"id":"a_b_v1"`, `"id":"a"`), "index.jsonl: line 2 is not that of a_b_v1"},
		{"a calibration in the index", in(IndexName, `"artifact_type":"api_design",`, `"artifact_type":"api_design","calibration":{"reason":"x"},`), "index.jsonl: line 2: its JSON is not valid in a bundle: unknown field"},
		{"the calibrations removed", func(f []File) []File { return without(f, CalibrationName) }, "SHA256SUMS: does not list calibration.jsonl"},
		{"a calibration of another document", in(CalibrationName, `"id":"a"`, `"id":"b"`), "calibration.jsonl: has a line for b, which is not in the index"},
		{"a calibration twice", in(CalibrationName, `"id":"old_v1"`, `"id":"a"`), "calibration.jsonl: a follows a: expected each document once"},
		{"a calibration without a result", in(CalibrationName, `,"reason":"Too \"few\" items."`, ""), "calibration.jsonl: line 2: reason of the calibration of"},
		{"a last calibration without its end", in(CalibrationName, "few\\\" items.\"}\n", "few\\\" items.\"}"), "calibration.jsonl: line 2 is longer than"},
		{"an empty line", in(IndexName, "}\n{\"artifact_type\":\"api", "}\n\n{\"artifact_type\":\"api"), "index.jsonl: line 2 is not that of a_b_v1"},
		{"a last line without its end", in(IndexName, "3.0.0\"}]}\n", "3.0.0\"}]}"), "index.jsonl: line 3 is not that of old_v1"},
		{"a manifest without the version of readers", in(ManifestName, `"0.1.0"`, `""`), "manifest.json: its JSON is not in canonical form"},
		{"no list of yanked versions", in(ManifestName, `,"yanked":[{"commit":"","id":"a","reason":"It failed good work.","version":"1.2.0"}]`, ""), "not in canonical form"},
		{"a yanked version that is not there", in(ManifestName, `good work.","version":"1.2.0"`, `good work.","version":"1.3.0"`), "manifest.json: yanks version 1.3.0 of a, which is not in the bundle"},
		{"every version yanked", in(ManifestName, `good work.","version":"1.2.0"}`, `good work.","version":"1.10.0"},{"commit":"","id":"a","reason":"It failed good work.","version":"1.2.0"}`), "manifest.json: yanks every version of a, which is not retired"},
		{"a time without a commit", in(IndexName, `"commit":"`+commit+`",`, ""), "index.jsonl: line 1: versions"},
		{"a time that does not exist", in(IndexName, "2026-11-21T", "2026-11-31T"), "index.jsonl: line 1: versions"},
		{"a time before there were commits", in(IndexName, "2026-11-21T", "1969-11-21T"), "index.jsonl: line 1: versions"},
		{"a time with a zone", in(IndexName, "08:30:00Z", "08:30:00+01:00"), "index.jsonl: line 1: versions"},
		{"a short commit of a version", in(IndexName, commit, commit[:8]), "index.jsonl: line 1: versions"},
		{"a release of two numbers", in(IndexName, `"release":"1.0.0"`, `"release":"1.0"`), "index.jsonl: line 1: versions"},
		{"a gate of another word", in(CalibrationName, `"gate":"not_yet"`, `"gate":"undecided"`), `gate of the calibration of "a" is "undecided", expected one of [yes library_limits not_yet cannot_tell no]`},
		{"a rank of another word", in(CalibrationName, `"rank":"yes"`, `"rank":"met"`), "rank of"},
		{"a gate that is yes, for a reason why not", in(CalibrationName, `"gate":"not_yet"`, `"gate":"yes"`), "reason of"},
		{"no rank", in(CalibrationName, `,"rank":"yes"`, ""), "not in canonical form"},
		{"no judge", in(CalibrationName, `"judge":"gpt-4",`, ""), "not in canonical form"},
		{"a judge of no name", in(CalibrationName, `"judge":"gpt-4"`, `"judge":"GPT-4"`), "the name of a judge"},
		{"a judge twice", in(CalibrationName, `"judge":"gpt-4"`, `"judge":"flat"`), "each judge once"},
		{"no model", in(CalibrationName, `"model":"s",`, ""), "not in canonical form"},
		{"a prompt that is not a digest", in(CalibrationName, `"prompt_digest":"sha256:`, `"prompt_digest":"md5:`), "sha256: and 64 hexadecimal digits"},
		{"an unknown prompt that is left out", in(CalibrationName, `"model":"s","prompt_digest":"",`, `"model":"s",`), "not in canonical form"},
		{"too many repeats", in(CalibrationName, `"repeats":3`, `"repeats":1001`), "a number from 1 to 1000"},
		{"repeats beyond all integers", in(CalibrationName, `"repeats":3`, `"repeats":99999999999999999999`), "not valid in a bundle"},
		{"a part of a repeat", in(CalibrationName, `"repeats":3`, `"repeats":3.5`), "not valid in a bundle"},
		{"a run with a path", in(CalibrationName, `"run":"first"`, `"run":"../first"`), "the name of a run"},
		{"a day that does not exist", in(CalibrationName, "\"date\":\"2026-11-14\"", "\"date\":\"2026-11-31\""), "the date of the run"},
		{"judges that are no list", in(CalibrationName, `"judges":[`, `"judges":{"a":[`), "calibration.jsonl: line 1"},
		{"judges and a reason why there are none", in(CalibrationName, `"path":"calibration/a/statistics.json"`, `"path":"calibration/a/statistics.json","reason":"x"`), "reason of"},
		{"a correlation with labels by authors", in(CalibrationName, `"labeled_by":"people"`, `"labeled_by":"authors"`), "correlation of"},
		{"labels by nobody", in(CalibrationName, `"labeled_by":"people",`, ""), "labeled_by of"},
		{"labels by somebody", in(CalibrationName, `"labeled_by":"people"`, `"labeled_by":"somebody"`), "labeled_by of"},
		{"a judge that may rank without a correlation", in(CalibrationName, `"rank":"cannot_tell"`, `"rank":"library_limits"`), "correlation of"},
		{"a value off the scale", in(CalibrationName, "0.8125", "1.5"), "correlation of"},
		{"an endless value", in(CalibrationName, "0.8125", "1e999"), "not valid in a bundle"},
		{"an interval that is turned", in(CalibrationName, `"high":0.875`, `"high":0.5`), "correlation of"},
		{"half an interval", in(CalibrationName, `"high":0.875,`, ""), "correlation of"},
		{"neither a value nor a reason", in(CalibrationName, `,"undefined":"all scores are equal"`, ""), "correlation of"},
		{"a value and a reason", in(CalibrationName, `"value":0.8125`, `"undefined":"x","value":0.8125`), "correlation of"},
		{"a correlation on nothing", in(CalibrationName, `{"criterion":"clear","high"`, `{"criterion":"","high"`), "correlation of"},
		{"judges without statistics", in(CalibrationName, `"labeled_by":"people","path":"calibration/a/statistics.json"`, `"x":1`), "not valid in a bundle"},
		{"a reason and statistics by nobody", in(CalibrationName, `"id":"old_v1"`, `"id":"old_v1","path":"calibration/a/statistics.json"`), "labeled_by of"},
		{"carriage returns", in(IndexName, "3.0.0\"}]}\n", "3.0.0\"}]}\r\n"), "index.jsonl: line 3"},
	}
	one := unpack(t, golden(t, 1).data)
	for _, tt := range []struct{ reason, path, old, now, want string }{
		{"the version of readers", ManifestName, `"refused"`, `"reader_version":"0.1.0","refused"`, "not in canonical form"},
		{"yanked versions", ManifestName, "]}\n", "],\"yanked\":[]}\n", "not in canonical form"},
		{"a release", IndexName, `,"version":"1.2.0"`, `,"release":"1.0.0","version":"1.2.0"`, "which format 1 does not have"},
		{"a list of judges", CalibrationName, `"id":"a"`, `"id":"a","judges":[]`, "calibration.jsonl: line 1"},
		{"who labeled", CalibrationName, `"id":"a"`, `"id":"a","labeled_by":"people"`, "calibration.jsonl: line 1"},
		{"a correlation and a reason", CalibrationName, `"path":"calibration/a/statistics.json"`, `"path":"calibration/a/statistics.json","reason":"x"`, "calibration.jsonl: line 1"},
	} {
		if _, err := verify(pack(t, resum(replace(t, one, tt.path, tt.old, tt.now)))); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("format 1 with %s: got %v, expected %q in it", tt.reason, err, tt.want)
		}
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			_, err := verify(pack(t, resum(tt.change(unpack(t, write(t, nil))))))
			var integrity *IntegrityError
			if !errors.As(err, &integrity) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, expected %q in it", err, tt.want)
			}
		})
	}
}

func TestSumsInAnotherForm(t *testing.T) {
	in := func(old, now string) func(string) string {
		return func(sums string) string { return strings.Replace(sums, old, now, 1) }
	}
	const line = "080a9ed428559ef602668b4c00f114f1a11c3f6b02a435f0bdc154578e4d7f22  conformance/verdict.json\n"
	tests := []struct {
		reason string
		change func(string) string
		want   string
	}{
		{"a sum in upper case", in("080a9e", "080A9E"), `conformance/verdict.json: has different content: SHA256SUMS lists "080A9Ed42855"…, got "080a9ed42855"…`},
		{"an invalid sum", in("080a9e", "080x9e"), "conformance/verdict.json: has different content"},
		{"another sum", in("080a9e", "080a9f"), "conformance/verdict.json: has different content"},
		{"the mark of binary files", in("  conf", " *conf"), "SHA256SUMS: line 5 is not a sum"},
		{"one space", in("  conf", " conf"), "SHA256SUMS: line 5 is not a sum"},
		{"carriage returns", in("verdict.json\n", "verdict.json\r\n"), "SHA256SUMS: line 5 names"},
		{"no line feed at the end", func(s string) string { return s[:len(s)-1] }, "SHA256SUMS: line 13 is not a sum"},
		{"an empty line", in(line, line+"\n"), "SHA256SUMS: line 6 is not a sum"},
		{"a line twice", in(line, line+line), "SHA256SUMS: line 6, conformance/verdict.json, must be sorted after conformance/verdict.json"},
		{"not sorted", func(s string) string { return line + strings.Replace(s, line, "", 1) }, "SHA256SUMS: line 2, calibration.jsonl, must be sorted"},
		{"a line for itself", func(s string) string { return line[:66] + SumsName + "\n" + s }, `SHA256SUMS: line 1 names "SHA256SUMS"`},
		{"a line for an odd name", in("conformance/", "../conformance/"), "SHA256SUMS: line 5 names"},
		{"a line less", in(line, ""), "conformance/verdict.json: is in the zip's directory, but SHA256SUMS does not list it"},
		{"a line more", in(line, line[:66]+"conformance/a.json\n"+line), "conformance/a.json: is missing"},
		{"another name", in("verdict.json", "verdicu.json"), "conformance/verdict.json: is in the zip's directory, but SHA256SUMS does not list it"},
		{"nothing", func(string) string { return "" }, "SHA256SUMS: does not list manifest.json"},
	}
	for _, tt := range tests {
		t.Run(tt.reason, func(t *testing.T) {
			files := unpack(t, write(t, nil))
			files[1].Data = []byte(tt.change(string(files[1].Data)))
			_, err := verify(pack(t, files))
			var integrity *IntegrityError
			if !errors.As(err, &integrity) || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("got %v, expected %q in it", err, tt.want)
			}
		})
	}
}
