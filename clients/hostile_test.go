package clients_test

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlecheck"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// right is a small bundle that verifies, with one of everything, as its entries.
func right(t *testing.T) []bundlefile.File {
	t.Helper()
	data := must.Get(os.ReadFile("../internal/release/testdata/format-2.zip"))(t)
	return unpack(t, data)
}

// reindex updates the index, the counts, and SHA256SUMS to match the documents, as an
// attacker would.
func reindex(t *testing.T, files []bundlefile.File) []bundlefile.File {
	t.Helper()
	for i := range files {
		kind, id, version, isDocument := bundlefile.SplitDocumentPath(files[i].Path)
		if !isDocument {
			continue
		}
		for j := range files {
			if files[j].Path == bundlefile.IndexName {
				lines := strings.SplitAfter(string(files[j].Data), "\n")
				for k, line := range lines {
					if strings.Contains(line, `"id":"`+id+`","kind":"`+kind+`"`) {
						before, _, _ := strings.Cut(line, `"version":"`+version+`"`)
						at := strings.LastIndex(before, `"digest":"sha256:`) + len(`"digest":"sha256:`)
						lines[k] = line[:at] + sumOf(files[i].Data) + line[at+64:]
					}
				}
				files[j].Data = []byte(strings.Join(lines, ""))
			}
		}
	}
	return bundletest.Resum(files)
}

// hostile is a bundle that is consistent in itself, with the expected result.
type hostile struct {
	reason, path, old, new string
	// want is "" if the bundle is valid. document means that no reader may return
	// the document of the path. texts means that only a command rejects the bundle.
	want            string
	document, texts bool
}

const (
	aDoc    = "rubrics/a_v1/1.0.0.json"
	missing = "\x00" // instead of a new text: without the entry
	cDoc    = "rulesets/c_v1/0.1.0.json"
)

// hostiles is the table of hostile bundles that all readers are asked about.
func hostiles(t *testing.T) []hostile {
	t.Helper()
	const wrong = "IntegrityError"
	document := func(reason, old, now string) hostile { return hostile{reason, aDoc, old, now, wrong, true, false} }
	ruleSet := func(reason, old, now string) hostile { return hostile{reason, cDoc, old, now, wrong, true, false} }
	entry := func(reason, path, old, now string) hostile {
		return hostile{reason, path, old, now, wrong, false, false}
	}
	fine := func(reason, path, old, now string) hostile { return hostile{reason, path, old, now, "", false, false} }
	texts := func(reason, path, old, now string) hostile { return hostile{reason, path, old, now, "", false, true} }
	changelog := func(reason, old, now string) hostile { return texts(reason, bundlecheck.ChangelogName, old, now) }
	const name = `"name":"Clarity"`
	withPattern := func(pattern string) string {
		return name + `,"negative_criteria":[{"fail_patterns":` + string(canonical([]string{pattern})) + `,"name":"n"}]`
	}
	list := []hostile{
		fine("what a build writes", aDoc, "", ""),
		fine("other words", aDoc, "Is it clear?", "Is it bright?"),
		fine("a pattern", aDoc, name, withPattern(`\betc\b`)),
		fine("a pattern that only Go takes", aDoc, name, withPattern(`(?i)[[:alpha:]]\x{41}\Q(\E(?<n>a)\z`)),
		fine("a pattern with a class of Unicode to come", aDoc, name, withPattern(`\p{Klingon}`)),
		fine("a weight with an exponent", cDoc, `"weight":2`, `"weight":1e-7`),
		texts("a text with every kind of character", aDoc, "Is it clear?", `\u0000\b\"\\`+"/\u007f\u2028\ufffd😀"),

		fine("texts that are not only ASCII", aDoc, "Is it clear?", "Ist „es“ klar? 👩\u200d💻 ✔\ufe0f می\u200cخواهم"),
		texts("a text in another order", aDoc, "Is it clear?", "Is it \u202eraelc\u202c?"),
		texts("a mark of the direction", cDoc, `"check":"`, `"check":"`+"\u200f"),
		texts("a zero-width space", aDoc, name, `"metadata":{"owner":"m`+"\u200b"+`e"},`+name),
		texts("a message in tags", aDoc, "Is it clear?", "Is it clear?\U000e0079\U000e0065\U000e0073"),
		texts("an escaped control character", aDoc, "Is it clear?", `Is it clear?\u001b[8m`),
		texts("a reason in another order", bundlecheck.LedgerName, "Nobody uses it.", "Nobody \u2067uses it."),
		texts("a message with another order", bundlecheck.ChangelogName, "Is it clear?", "Is it \u202eclear?"),
		texts("a model in another order", bundlefile.CalibrationName, `"model":"m-1"`, `"model":"m`+"\u202e"+`1"`),
		texts("a reason of a judge in another order", bundlefile.CalibrationName, steadyGate, `"gate":"no","judge":"steady","model":"m-1","prompt_digest":"","rank":"no","reason":"`+"\u202e"+`"`),
		texts("a withdrawal in another order", bundlefile.ManifestName, "It named a customer.", "It \u202enamed a customer."),

		document("no JSON", `{`, `xx`),
		document("another ID", `"rubric_id":"a_v1"`, `"rubric_id":"b_v1"`),
		document("another version", `"version":"1.0.0"`, `"version":"1.0.1"`),
		document("another kind", `"rubric_id":"a_v1"`, `"ruleset_id":"a_v1"`),
		document("a key twice", name, name+`,"name":"B"`),
		document("a key twice, the same", name, name+","+name),
		document("a key within twice", `"weight":"essential"`, `"weight":"essential","weight":"important"`),
		document("an unknown key", name, name+`,"names":"x"`),
		document("an unknown key within", `"weight":"essential"`, `"weight":"essential","zzz":1`),
		document("a key in another case", `"name":"Clarity"`, `"Name":"Clarity"`),
		document("a key that objects have by themselves", name, `"__proto__":{},`+name),
		document("a key that is missing", name+",", ""),
		document("bad UTF-8", "Is it clear?", "Is it \xff?"),
		document("half of a surrogate pair", "Is it clear?", `Is it \ud800?`),
		document("a surrogate pair as UTF-8", "Is it clear?", "\xed\xa0\x80\xed\xb0\x80"),
		document("an escape that need not be", "Is it clear?", `Is it \u0063lear?`),
		document("a byte order mark", `{`, "\ufeff{"),
		document("a space", `{`, "{ "),
		document("a line feed at the end", `"version":"1.0.0"}`, `"version":"1.0.0"}`+"\n"),
		document("something after the end", `"version":"1.0.0"}`, `"version":"1.0.0"}{}`),
		document("keys that are not sorted", name+`,"rubric_id":"a_v1"`, `"rubric_id":"a_v1",`+name),
		document("a threshold of 9", `"threshold":3`, `"threshold":9`),
		document("a threshold as a text", `"threshold":3`, `"threshold":"3"`),
		document("a threshold in another form", `"threshold":3`, `"threshold":3.0`),
		document("a threshold with an exponent", `"threshold":3`, `"threshold":3e0`),
		document("more digits than programs keep", `"threshold":3`, `"threshold":3.1234567890123456`),
		document("not a number", `"threshold":3`, `"threshold":NaN`),
		document("a number that is endless", `"threshold":3`, `"threshold":1e999`),
		document("a threshold that is true", `"threshold":3`, `"threshold":true`),
		document("a blank text", "Is it clear?", `\u00a0 \n`),
		document("an empty text", "Is it clear?", ""),
		document("nothing", `"name":"Clarity"`, `"name":null`),
		document("a default that is written out", name, `"language":"en",`+name),
		document("an empty list that is written out", name, name+`,"negative_criteria":[]`),
		document("an empty group that is written out", `"scoring":{"essential_minimum":3,"pass_threshold":3.5}`, `"scoring":{}`),
		document("an ID with a line feed", name, name+`,"negative_criteria":[{"fail_patterns":["x"],"name":"n\n"}]`),
		document("a name that is too long", name, name+`,"negative_criteria":[{"fail_patterns":["x"],"name":"`+strings.Repeat("n", 129)+`"}]`),
		document("a name twice", name, name+`,"negative_criteria":[{"fail_patterns":["x"],"name":"n"},{"fail_patterns":["y"],"name":"n"}]`),
		texts("a pattern with ignore_case beyond ASCII", aDoc, name, name+`,"negative_criteria":[{"fail_patterns":["ä"],"ignore_case":true,"name":"n"}]`),
		document("nested too deeply", `"Is it clear?"`, strings.Repeat("[", 50_000)+strings.Repeat("]", 50_000)),
		ruleSet("a rule that weighs nothing", `"weight":2`, `"weight":0`),
		ruleSet("a rule without a weight", `,"weight":2`, ``),
		ruleSet("an unknown severity", `"severity":"fail"`, `"severity":"failed"`),
		ruleSet("a check of no kind", `"check":"`, `"checks":[{"type":"x"}],"check":"`),
		ruleSet("a check with two texts", `"description":`, `"checks":[{"literal":"a","pattern":"a","type":"content"}],"description":`),
		texts("a check with a broken pattern", cDoc, `"description":`, `"checks":[{"pattern":"(","type":"content"}],"description":`),
		ruleSet("a whole number with a fraction", `"description":`, `"checks":[{"literal":"a","min_count":1.5,"type":"content"}],"description":`),

		entry("another name", bundlefile.IndexName, `"name":"Clarity"`, `"name":"Z"`),
		entry("another artifact type", bundlefile.IndexName, `"artifact_type":"prd"`, `"artifact_type":"jira"`),
		entry("a deprecation that the document lacks", bundlefile.IndexName, `"id":"a_v1"`, `"deprecated":{"reason":"x"},"id":"a_v1"`),
		entry("a description that the document lacks", bundlefile.IndexName, `"id":"a_v1"`, `"description":"x","id":"a_v1"`),
		entry("a language that is not that of the document", bundlefile.IndexName, `"kind":"rubric"`, `"kind":"rubric","language":"de"`),
		entry("a calibration in the index", bundlefile.IndexName, `"id":"gone_v1"`, `"calibration":{"reason":"x"},"id":"gone_v1"`),
		entry("a calibration of a retired rubric", bundlefile.CalibrationName, `"id":"a_v1"`, `"id":"gone_v1"`),
		entry("a calibration of a rule set", bundlefile.CalibrationName, `"id":"a_v1"`, `"id":"c_v1"`),
		entry("a calibration of another document", bundlefile.CalibrationName, `"id":"a_v1"`, `"id":"b_v1"`),
		entry("a second calibration", bundlefile.CalibrationName, "\"}\n", "\"}\n{\"id\":\"gone_v1\",\"reason\":\"x\"}\n"),
		entry("a part with another text", bundlefile.IndexName, `"text":"Is it short?"`, `"text":"Is it dark?"`),
		entry("a part with another name", bundlefile.IndexName, `"list":"rules","name":"`, `"list":"rules","name":"x`),
		entry("a part of another list", bundlefile.IndexName, `"list":"rules"`, `"list":"criteria"`),
		entry("a part of no list", bundlefile.IndexName, `"list":"rules"`, `"list":"anchors"`),
		entry("a part with an empty text", bundlefile.IndexName, `"text":"Is it short?"`, `"text":""`),
		entry("a part with an unknown key", bundlefile.IndexName, `"text":"Is it short?"`, `"text":"Is it short?","x":1`),
		entry("no parts", bundlefile.IndexName, `"parts":[{"list":"rules"`, `"part":[{"list":"rules"`),
		entry("an empty list of parts", bundlefile.IndexName, `"parts":[{"list":"rules"`, `"parts":[],"q":[{"list":"rules"`),
		entry("no retired ID in the manifest", bundlefile.ManifestName, `"retired":["gone_v1"]`, `"retired":[]`),
		entry("another retired ID in the manifest", bundlefile.ManifestName, `"retired":["gone_v1"]`, `"retired":["a_v1"]`),
		fine("what the index does not say", aDoc, name, `"metadata":{"owner":"x"},`+name),
		entry("no line feed at the end of the ledger", bundlecheck.LedgerName, "}]}\n", "}]}"),
		entry("an unknown key in the ledger", bundlecheck.LedgerName, `"reason"`, `"reasons"`),
		entry("an invalid ID in the ledger", bundlecheck.LedgerName, `"id":"gone_v1"`, `"id":"Gone"`),
		entry("an entry of the ledger with a key twice", bundlecheck.LedgerName, `{"id":`, `{"id":"x","id":`),
		entry("an invalid ledger", bundlecheck.LedgerName, `{"retired":`, `{"retired":[],"x":`),
		entry("a rubric that is not retired in the ledger", bundlecheck.LedgerName, `{"retired":[`, `{"retired":[{"id":"a_v1","kind":"rubric","last_version":"1.10.0","reason":"x"},`),
		entry("a rule set that is not retired in the ledger", bundlecheck.LedgerName, `{"retired":[`, `{"retired":[{"id":"c_v1","kind":"rule_set","last_version":"1.0.0","reason":"x"},`),
		entry("a rubric that is not retired in the ledger, and came back", bundlecheck.LedgerName, `{"retired":[`, `{"retired":[{"id":"a_v1","kind":"rubric","last_version":"1.10.0","reason":"x"},{"id":"a_v1","kind":"rubric","last_version":"1.0.0","reason":"x"},`),
		fine("a rubric that came back with a later version", bundlecheck.LedgerName, `{"retired":[`, `{"retired":[{"id":"a_v1","kind":"rubric","last_version":"1.9.0","reason":"x"},`),
		fine("an ID in the ledger without a text", bundlecheck.LedgerName, `{"retired":[`, `{"retired":[{"id":"withdrawn_v1","kind":"rubric","last_version":"1.0.0","reason":"x"},`),
		entry("no ledger", bundlecheck.LedgerName, "", missing),
		entry("no changelog", bundlecheck.ChangelogName, "", missing),
		entry("no vectors of verdicts", "conformance/verdict.json", "", missing),
		entry("no vectors of hits", "conformance/hits.json", "", missing),
		fine("no schema", "schema/rubric.schema.json", "", missing),
		changelog("an invalid changelog", `{"schema_version":1`, `{"schema_version":2`),
		changelog("a changelog with a space", `"schema_version":1,`, `"schema_version":1, `),
		changelog("a changelog with a key twice", `"schema_version":1,`, `"schema_version":1,"schema_version":1,`),
		changelog("a changelog with another key", `"since":null,`, `"since":null,"x":1,`),
		changelog("a changelog without a document", `,{"id":"gone_v1","kind":"rubric","versions":[{"version":"1.0.0","since":null,"class":null,"changes":[]}]}`, ``),
		changelog("a changelog with another version", `"version":"1.10.0"`, `"version":"1.9.0"`),
		changelog("a changelog with an unknown class", `"class":"minor","changes"`, `"class":"tiny","changes"`),
		changelog("a changelog with a change without a message", `"base":null,"head":"calibration/stories"`, `"base":1,"head":"calibration/stories"`),
		changelog("a changelog with null for its changes", `"class":null,"changes":[]`, `"class":null,"changes":null`),
		changelog("a changelog with the versions turned", `"since":"1.0.0"`, `"since":null`),
		entry("a changelog that is not JSON", bundlecheck.ChangelogName, "{", "{,"),
		entry("a changelog that is not UTF-8", bundlecheck.ChangelogName, `"Is it clear?"`, "\"\xff\""),
		fine("a changelog with a separator of lines", bundlecheck.ChangelogName, `"Is it clear?"`, `"\u2028\b\f\u0001<&>`+"\u007f😀\""),
		changelog("a changelog with a raw separator of lines", `"Is it clear?"`, "\"\u2028\""),
		entry("vectors without a name", "conformance/verdict.json", `"name"`, `"names"`),
		entry("vectors that are not a list", "conformance/verdict.json", `{"vectors":[`, `{"vectors":1,"x":[`),
		entry("vectors that are not JSON", "conformance/verdict.json", `"result":1`, `"result":NaN`),
		fine("vectors with large numbers", "conformance/verdict.json", `"result":1`, `"result":[1e999,`+strings.Repeat("9", 5000)+`]`),
		entry("a schema that is not JSON", "schema/rubric.schema.json", "{", "{,"),
		entry("a schema with a byte order mark", "schema/rubric.schema.json", "{", "\ufeff{"),
		entry("a schema that is nested too deeply", "schema/rubric.schema.json", "{", `{"x":`+strings.Repeat("[", 100)+strings.Repeat("]", 100)),
		fine("a schema that is nested deeply", "schema/rubric.schema.json", "{", `{"x":`+strings.Repeat("[", 99)+strings.Repeat("]", 99)),
		entry("items that are not JSON", "calibration/stories/items.jsonl", "{", "x{"),
		fine("an empty line among the items", "calibration/stories/items.jsonl", "{", " \r\n{"),
		entry("a dataset that is not UTF-8", "calibration/stories/dataset.yaml", "a", "\xff"),
	}
	list = append(list, hostileJudges(t)...)
	for _, broken := range []string{
		"(", ")", "a)", "(a", "[", "[a", "*", "a**", "a{2}{3}", "a{1001}", "a{3,2}", "(a{100}){11}", `\`, `\8`, `\1`, `\C`, `\Z`, `\e`, `\x4`, `\x{110000}`, `[\b]`, `[z-a]`, `[a-\d]`,
		"[[:beta:]]", "(?=a)", "(?!a)", "(?<=a)", "(?P=n)", "(?P<n>a)(?P<n>b)", "(?<n-m>a)", "(?x)", "(?i-)", "(?>a)", `\p`, `\p{`, `\p{1}`, `\u0041`, "(|*)", "a|*",
		strings.Repeat("(", 101) + strings.Repeat(")", 101),
	} {
		list = append(list, texts("the pattern "+broken, aDoc, name, withPattern(broken)))
	}
	return list
}

func sure[T any](value T, err error) T {
	if err != nil {
		panic(err)
	}
	return value
}

// asClient returns the clients' name for an error of Go.
func asClient(err error) string {
	switch {
	case err == nil:
		return ""
	case errors.As(err, new(*library.FormatError)):
		return "FormatError"
	case errors.As(err, new(*library.IntegrityError)):
		return "IntegrityError"
	case errors.As(err, new(*library.ContinuityError)):
		return "ContinuityError"
	}
	return err.Error()
}

// served is a source with what it points to.
type served struct{ data []byte }

func (s *served) Fetch(context.Context, string) ([]byte, string, error) { return s.data, "", nil }

// TestHostileBundles checks the same bundles with all readers. Each bundle is consistent
// in itself, so only a reader of the documents finds the fault.
func TestHostileBundles(t *testing.T) {
	table := hostiles(t)
	bundles := make([][]byte, len(table))
	source := &served{bundletest.Pack(right(t), nil)}
	live := must.Get(library.Follow(t.Context(), source, library.WithAnyDigest(), library.WithInterval(time.Hour)))(t)
	defer live.Close()
	for i, h := range table {
		files := right(t)
		switch {
		case h.new == missing:
			files = slices.DeleteFunc(files, func(f bundlefile.File) bool { return f.Path == h.path })
		case h.old != "":
			files = replacing(t, h.path, h.old, h.new)(files)
		}
		bundles[i] = bundletest.Pack(reindex(t, files), nil)
		opened, err := library.NewReader(bytes.NewReader(bundles[i]), int64(len(bundles[i])))
		if err != nil && (h.document || asClient(err) != h.want) {
			t.Fatalf("%s: the container is invalid, so the case tests nothing: %v", h.reason, err)
		}
		_, err = library.NewReader(bytes.NewReader(bundles[i]), int64(len(bundles[i])), library.WithVerification())
		if got := asClient(err); got != h.want {
			t.Errorf("%s: Go says %v, want %q", h.reason, err, h.want)
		}
		_, err = bundlecheck.Verify(bytes.NewReader(bundles[i]), int64(len(bundles[i])), bundlefile.Options{})
		if (err != nil) != (h.want != "" || h.texts) {
			t.Errorf("%s: a command says %v", h.reason, err)
		}
		// Most of the bundle is known from the right one, which is the same version.
		source.data = bundles[i]
		if got := asClient(live.Check(t.Context())); h.old+h.new != "" && got != cmp.Or(h.want, "ContinuityError") {
			t.Errorf("%s: as the next bundle, Go says %q, want %q", h.reason, got, h.want)
		}
		kind, id, version, isDocument := bundlefile.SplitDocumentPath(h.path)
		if !isDocument {
			continue
		}
		if kind == bundlefile.KindRubric {
			_, err = opened.Rubric(t.Context(), id, version)
		} else {
			_, err = opened.RuleSet(t.Context(), id, version)
		}
		if (err != nil) != h.document {
			t.Errorf("%s: Go returns the document with %v", h.reason, err)
		}
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		var requests []request
		for i, data := range bundles {
			_, id, version, _ := bundlefile.SplitDocumentPath(table[i].path)
			requests = append(requests, request{"op": "verify", "data": data}, request{"op": "hands_out", "data": data, "id": id, "constraint": version})
		}
		answers := ask(requests...)
		for i, h := range table {
			if got := into[string](t, answers[2*i]); got != h.want {
				t.Errorf("%s: got %q, want %q", h.reason, got, h.want)
			}
			if _, _, _, isDocument := bundlefile.SplitDocumentPath(h.path); isDocument && into[bool](t, answers[2*i+1]) == h.document {
				t.Errorf("%s: the document is rejected: %v, want %v", h.reason, !h.document, h.document)
			}
		}
	})
}

// TestFormatOneHasNoKeysOfFormatTwo: a bundle says no more than its format can.
func TestFormatOneHasNoKeysOfFormatTwo(t *testing.T) {
	var bundles [][]byte
	for _, edit := range [][3]string{
		{bundlefile.ManifestName, `"refused"`, `"reader_version":"0.1.0","refused"`},
		{bundlefile.ManifestName, "]}\n", "],\"yanked\":[]}\n"},
		{bundlefile.IndexName, `"version":"0.1.0"`, `"release":"1.0.0","version":"0.1.0"`},
		{bundlefile.CalibrationName, `"id":"a_v1"`, `"id":"a_v1","judges":[]`},
		{bundlefile.CalibrationName, `"id":"a_v1"`, `"id":"a_v1","labeled_by":"people"`},
		{bundlefile.CalibrationName, `"path":"calibration/stories/statistics.json"`, `"path":"calibration/stories/statistics.json","reason":"x"`},
	} {
		files := unpack(t, must.Get(os.ReadFile("../internal/release/testdata/format-1.zip"))(t))
		data := bundletest.Pack(bundletest.Resum(replacing(t, edit[0], edit[1], edit[2])(files)), nil)
		bundles = append(bundles, data)
		if _, err := library.NewReader(bytes.NewReader(data), int64(len(data)), library.WithVerification()); asClient(err) != "IntegrityError" {
			t.Errorf("%s: Go says %v", edit[2], err)
		}
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		var requests []request
		for _, data := range bundles {
			requests = append(requests, request{"op": "verify", "data": data})
		}
		for i, answer := range ask(requests...) {
			if got := into[string](t, answer); got != "IntegrityError" {
				t.Errorf("bundle %d: got %q", i, got)
			}
		}
	})
}

func TestAnEmptyDigestIsNoDigest(t *testing.T) {
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		if got := into[string](t, ask(request{"op": "empty_digest"})[0]); !strings.Contains(got, "digest") {
			t.Errorf("an empty digest gives %q", got)
		}
	})
}
