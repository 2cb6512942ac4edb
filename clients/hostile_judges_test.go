package clients_test

import (
	"bytes"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// Parts of the only judge of the bundle, in its order.
const (
	steadyGate = `"gate":"yes","judge":"steady","model":"m-1","prompt_digest":"","rank":"yes"`
	steadyDate = `"date":"2023-12-31"`
	noGate     = `"gate":"no","judge":"steady","model":"m-1","prompt_digest":"","rank":"no","reason":"R."`
)

// judgeCases are hostile bundles of which a calibration is wrong, and others that are only unusual.
type judgeCases struct {
	all []hostile
	// Parts of the line: the correlation of the judge with its numbers, and the list of judges.
	correlation, high, low, value, list string
}

// hostileJudges are the cases about the only judge of the bundle.
func hostileJudges(t *testing.T) []hostile {
	t.Helper()
	c := &judgeCases{}
	for _, f := range right(t) {
		if f.Path == bundlefile.CalibrationName {
			parts := regexp.MustCompile(`"correlation":{"criterion":"clarity",("high":[^,]+),("low":[^,]+),("value":[^}]+)}`).FindStringSubmatch(string(f.Data))
			c.correlation, c.high, c.low, c.value = parts[0], parts[1], parts[2], parts[3]
		}
	}
	c.list = `"judges":[{` + c.correlation + "," + steadyDate + "," + steadyGate + `,"repeats":1,"run":"2023-12-31"}]`
	c.unusual()
	c.missing()
	c.otherTypes()
	c.otherNumbers()
	c.contradictions()
	return c.all
}

func (c *judgeCases) fine(reason, old, now string) {
	c.all = append(c.all, hostile{reason, bundlefile.CalibrationName, old, now, "", false, false})
}

func (c *judgeCases) wrong(reason, old, now string) {
	c.all = append(c.all, hostile{reason, bundlefile.CalibrationName, old, now, "IntegrityError", false, false})
}

// another is what follows the first judge if there is a second one.
func another(name string) string {
	return `},{` + steadyDate + `,` + strings.Replace(noGate, "steady", name, 1) + `,"repeats":1,"run":"r"}],"labeled_by"`
}

func (c *judgeCases) unusual() {
	measured := c.correlation + "," + steadyDate + "," + steadyGate
	c.fine("two judges", `}],"labeled_by"`, another("tired"))
	c.fine("a prompt", `"prompt_digest":""`, `"prompt_digest":"sha256:`+strings.Repeat("a", 64)+`"`)
	c.fine("many repeats", `"repeats":1`, `"repeats":1000`)
	c.fine("another name of a run", `"run":"2023-12-31"`, `"run":"A.b_c-1"`)
	c.fine("a model that is not only ASCII", `"model":"m-1"`, `"model":"\"ü\\ 😀"`)
	c.fine("no interval", c.high+","+c.low+",", "")
	c.fine("a judge that may not gate and has no value", measured, `"correlation":{"criterion":"clarity","undefined":"U."},`+steadyDate+`,`+noGate)
	c.fine("a judge without a run that counts", measured, steadyDate+`,`+noGate)
	c.fine("no judges and a reason", c.list+`,"labeled_by":"people","path":"calibration/stories/statistics.json"`, `"labeled_by":"authors","path":"calibration/stories/statistics.json","reason":"R."`)
	for _, answer := range []string{"library_limits", "not_yet", "cannot_tell", "no"} {
		c.fine("the gate "+answer, steadyGate, `"gate":"`+answer+`","judge":"steady","model":"m-1","prompt_digest":"","rank":"`+answer+`","reason":"R."`)
		c.wrong("the gate "+answer+" without a reason", `"gate":"yes"`, `"gate":"`+answer+`"`)
	}
}

func (c *judgeCases) missing() {
	for _, key := range []string{
		`"judge":"steady",`, `"model":"m-1",`, `"prompt_digest":"",`, `"repeats":1,`, steadyDate + ",", `"gate":"yes",`, `"rank":"yes",`,
		c.correlation + ",", `"criterion":"clarity",`, "," + c.value, c.low + ",", `"labeled_by":"people",`, `,"path":"calibration/stories/statistics.json"`,
	} {
		c.wrong("without "+key, key, "")
	}
	c.wrong("no judges and no reason", c.list+",", "")
	c.wrong("a reason and labels without statistics", c.list+`,"labeled_by":"people","path":"calibration/stories/statistics.json"`, `"labeled_by":"people","reason":"R."`)
}

func (c *judgeCases) otherTypes() {
	for _, other := range []string{"null", "true", "1", "[]", "{}", `""`, `"A b"`, `"\u0000"`, `["steady"]`, "NaN", "1e999"} {
		c.wrong("a judge that is "+other, `"judge":"steady"`, `"judge":`+other)
		c.wrong("a gate that is "+other, `"gate":"yes"`, `"gate":`+other)
		c.wrong("a rank that is "+other, `"rank":"yes"`, `"rank":`+other)
		c.wrong("a date that is "+other, steadyDate, `"date":`+other)
		c.wrong("a run that is "+other, `"run":"2023-12-31"`, `"run":`+other)
		c.wrong("a criterion that is "+other, `"criterion":"clarity"`, `"criterion":`+other)
		c.wrong("a correlation that is "+other, c.correlation, `"correlation":`+other)
		c.wrong("labels by "+other, `"labeled_by":"people"`, `"labeled_by":`+other)
		c.wrong("the list "+other, c.list, `"judges":`+other)
		if other != "1" {
			c.wrong("repeats that are "+other, `"repeats":1`, `"repeats":`+other)
			c.wrong("a value that is "+other, c.value, `"value":`+other)
			c.wrong("a low end that is "+other, c.low, `"low":`+other)
		}
		if other != `"A b"` && other != `"\u0000"` {
			c.wrong("a model that is "+other, `"model":"m-1"`, `"model":`+other)
			c.wrong("a reason that is "+other, steadyGate, strings.Replace(noGate, `"R."`, other, 1))
		}
		if other != `""` {
			c.wrong("a prompt that is "+other, `"prompt_digest":""`, `"prompt_digest":`+other)
		}
	}
	c.wrong("a date in a list", steadyDate, `"date":["2023-12-31"]`)
	c.wrong("a judge that is a list", `"judges":[{`, `"judges":[[],{`)
	c.wrong("a judge that is nothing", `"judges":[{`, `"judges":[null,{`)
	c.wrong("judges that are nested too deeply", `"judges":[{`, `"judges":[`+strings.Repeat("[", 50_000)+strings.Repeat("]", 50_000)+`,{`)
}

func (c *judgeCases) otherNumbers() {
	for _, other := range []string{"0", "-1", "1001", "1.0", "1.5", "1e0", "-0", "99999999999999999999", strings.Repeat("9", 5000)} {
		c.wrong("repeats that are "+other[:min(len(other), 30)], `"repeats":1`, `"repeats":`+other)
	}
	for _, other := range []string{"1.5", "-1.1", "-0", "0.50", "5e-1", "1e400", "99999999999999999999", strings.Repeat("9", 5000)} {
		c.wrong("a value of "+other[:min(len(other), 30)], c.value, `"value":`+other)
		c.wrong("a high end of "+other[:min(len(other), 30)], c.high, `"high":`+other)
	}
	c.wrong("an interval that is turned", c.high, `"high":0.5`)
	c.wrong("an interval without a value", c.value, `"undefined":"U."`)
	c.wrong("a value and a reason why it is undefined", `"value"`, `"undefined":"U.","value"`)
}

func (c *judgeCases) contradictions() {
	c.wrong("two judges that are not sorted", `}],"labeled_by"`, another("quick"))
	c.wrong("a judge twice", `}],"labeled_by"`, another("steady"))
	c.wrong("a day that does not exist", steadyDate, `"date":"2023-12-32"`)
	c.wrong("a date with a time", steadyDate, `"date":"2023-12-31T00:00:00Z"`)
	c.wrong("a run with a path", `"run":"2023-12-31"`, `"run":"../x"`)
	c.wrong("a run with a line feed", `"run":"2023-12-31"`, `"run":"x\n"`)
	c.wrong("a run that is too long", `"run":"2023-12-31"`, `"run":"`+strings.Repeat("x", 65)+`"`)
	c.wrong("a judge with a line feed", `"judge":"steady"`, `"judge":"steady\n"`)
	c.wrong("a judge that is too long", `"judge":"steady"`, `"judge":"`+strings.Repeat("x", 129)+`"`)
	c.wrong("a prompt in upper case", `"prompt_digest":""`, `"prompt_digest":"sha256:`+strings.Repeat("A", 64)+`"`)
	c.wrong("a judge with an unknown key", `"judge":"steady"`, `"judge":"steady","judges":1`)
	c.wrong("a judge with a key twice", `"judge":"steady"`, `"judge":"quick","judge":"steady"`)
	c.wrong("a judge with a key that objects have by themselves", `{"correlation"`, `{"__proto__":{},"correlation"`)
	c.wrong("a correlation with an unknown key", `"criterion":"clarity"`, `"criterion":"clarity","data":1`)
	c.wrong("a correlation with labels by authors", `"labeled_by":"people"`, `"labeled_by":"authors"`)
	c.wrong("no line feed at the end", "\"}\n", "\"}")
	c.wrong("another line that is not UTF-8", "\"}\n", "\"}\n{\"id\":\"b_v1\",\"reason\":\"\xff\"}\n")
	c.wrong("judges and a reason", `statistics.json"`, `statistics.json","reason":"R."`)
}

// TestAWrongCalibrationTellsNothing asks for the judge of each bundle of hostileJudges, without
// verifying the bundle: no reader returns what it would not accept, and all say the same.
func TestAWrongCalibrationTellsNothing(t *testing.T) {
	table := hostileJudges(t)
	requests, want := make([]request, len(table)), make([]string, len(table))
	for i, h := range table {
		data := bundletest.Pack(reindex(t, replacing(t, h.path, h.old, h.new)(right(t))), nil)
		requests[i] = request{"op": "tells_of", "data": data, "id": "a_v1", "judge": "steady", "model": "m-1"}
		lib := must.Get(library.NewReader(bytes.NewReader(data), int64(len(data))))(t)
		j, err := lib.Calibration("a_v1", "steady", "m-1")
		want[i] = asClient(err)
		if j != nil {
			want[i] = string(j.Gate)
		}
		if wrong := want[i] == "IntegrityError"; wrong != (h.want != "") {
			t.Errorf("%s: Go says %q", h.reason, want[i])
		}
	}
	eachClient(t, func(t *testing.T, ask func(...request) []answer) {
		for i, a := range ask(requests...) {
			if got := into[string](t, a); got != want[i] {
				t.Errorf("%s: got %q, and Go says %q", table[i].reason, got, want[i])
			}
		}
	})
}
