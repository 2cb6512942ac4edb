package clients_test

import (
	"bytes"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/library/bundlefile"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// Parts of the only judge of the bundle, in its order.
const (
	steadyCorrelation = `"correlation":{"criterion":"clarity","high":0.9905447205522296,"low":0.9325467007471282,"value":0.9684864203964253}`
	steadyGate        = `"gate":"yes","judge":"steady","model":"m-1","prompt_digest":"","rank":"yes"`
	steadyDate        = `"date":"2023-12-31"`
	steadyList        = `"judges":[{` + steadyCorrelation + "," + steadyDate + "," + steadyGate + `,"repeats":1,"run":"2023-12-31"}]`
	noGate            = `"gate":"no","judge":"steady","model":"m-1","prompt_digest":"","rank":"no","reason":"R."`
)

// hostileJudges are the hostile bundles of which a calibration is wrong, and others that are
// only unusual.
func hostileJudges() (list []hostile) {
	wrong := func(reason, old, now string) {
		list = append(list, hostile{reason, bundlefile.CalibrationName, old, now, "IntegrityError", false, false})
	}
	fine := func(reason, old, now string) {
		list = append(list, hostile{reason, bundlefile.CalibrationName, old, now, "", false, false})
	}
	another := func(name string) string {
		return `},{` + steadyDate + `,` + strings.Replace(noGate, "steady", name, 1) + `,"repeats":1,"run":"r"}],"labeled_by"`
	}
	fine("two judges", `}],"labeled_by"`, another("tired"))
	wrong("two judges that are not sorted", `}],"labeled_by"`, another("quick"))
	wrong("a judge twice", `}],"labeled_by"`, another("steady"))
	fine("a prompt", `"prompt_digest":""`, `"prompt_digest":"sha256:`+strings.Repeat("a", 64)+`"`)
	fine("many repeats", `"repeats":1`, `"repeats":1000`)
	fine("another name of a run", `"run":"2023-12-31"`, `"run":"A.b_c-1"`)
	fine("a model that is not only ASCII", `"model":"m-1"`, `"model":"\"ü\\ 😀"`)
	fine("no interval", `"high":0.9905447205522296,"low":0.9325467007471282,`, ``)
	fine("a judge that may not gate and has no value", steadyCorrelation+","+steadyDate+","+steadyGate, `"correlation":{"criterion":"clarity","undefined":"U."},`+steadyDate+`,`+noGate)
	fine("a judge without a run that counts", steadyCorrelation+","+steadyDate+","+steadyGate, steadyDate+`,`+noGate)
	for _, answer := range []string{"library_limits", "not_yet", "cannot_tell", "no"} {
		fine("the gate "+answer, steadyGate, `"gate":"`+answer+`","judge":"steady","model":"m-1","prompt_digest":"","rank":"`+answer+`","reason":"R."`)
		wrong("the gate "+answer+" without a reason", `"gate":"yes"`, `"gate":"`+answer+`"`)
	}
	for _, key := range []string{`"judge":"steady",`, `"model":"m-1",`, `"prompt_digest":"",`, `"repeats":1,`, steadyDate + ",", `"gate":"yes",`, `"rank":"yes",`, steadyCorrelation + ",", `"criterion":"clarity",`, `,"value":0.9684864203964253`, `"low":0.9325467007471282,`, `"labeled_by":"people",`, `,"path":"calibration/stories/statistics.json"`} {
		wrong("without "+key, key, "")
	}
	for _, value := range []string{"null", "true", "1", "[]", "{}", `""`, `"A b"`, `"\u0000"`, `["steady"]`, "NaN", "1e999"} {
		wrong("a judge that is "+value, `"judge":"steady"`, `"judge":`+value)
		wrong("a gate that is "+value, `"gate":"yes"`, `"gate":`+value)
		wrong("a rank that is "+value, `"rank":"yes"`, `"rank":`+value)
		wrong("a date that is "+value, steadyDate, `"date":`+value)
		wrong("a run that is "+value, `"run":"2023-12-31"`, `"run":`+value)
		wrong("a criterion that is "+value, `"criterion":"clarity"`, `"criterion":`+value)
		wrong("a correlation that is "+value, steadyCorrelation, `"correlation":`+value)
		wrong("labels by "+value, `"labeled_by":"people"`, `"labeled_by":`+value)
		wrong("the list "+value, steadyList, `"judges":`+value)
		if value != "1" {
			wrong("repeats that are "+value, `"repeats":1`, `"repeats":`+value)
			wrong("a value that is "+value, `"value":0.9684864203964253`, `"value":`+value)
			wrong("a low end that is "+value, `"low":0.9325467007471282`, `"low":`+value)
		}
		if value != `"A b"` && value != `"\u0000"` {
			wrong("a model that is "+value, `"model":"m-1"`, `"model":`+value)
			wrong("a reason that is "+value, steadyGate, strings.Replace(noGate, `"R."`, value, 1))
		}
		if value != `""` {
			wrong("a prompt that is "+value, `"prompt_digest":""`, `"prompt_digest":`+value)
		}
	}
	for _, value := range []string{"0", "-1", "1001", "1.0", "1.5", "1e0", "-0", "99999999999999999999", strings.Repeat("9", 5000)} {
		wrong("repeats that are "+value[:min(len(value), 30)], `"repeats":1`, `"repeats":`+value)
	}
	for _, value := range []string{"1.5", "-1.1", "-0", "0.50", "5e-1", "1e400", "99999999999999999999", strings.Repeat("9", 5000)} {
		wrong("a value of "+value[:min(len(value), 30)], `"value":0.9684864203964253`, `"value":`+value)
		wrong("a high end of "+value[:min(len(value), 30)], `"high":0.9905447205522296`, `"high":`+value)
	}
	wrong("a date in a list", steadyDate, `"date":["2023-12-31"]`)
	wrong("a day that does not exist", steadyDate, `"date":"2023-12-32"`)
	wrong("a date with a time", steadyDate, `"date":"2023-12-31T00:00:00Z"`)
	wrong("a run with a path", `"run":"2023-12-31"`, `"run":"../x"`)
	wrong("a run with a line feed", `"run":"2023-12-31"`, `"run":"x\n"`)
	wrong("a run that is too long", `"run":"2023-12-31"`, `"run":"`+strings.Repeat("x", 65)+`"`)
	wrong("a judge with a line feed", `"judge":"steady"`, `"judge":"steady\n"`)
	wrong("a judge that is too long", `"judge":"steady"`, `"judge":"`+strings.Repeat("x", 129)+`"`)
	wrong("a prompt in upper case", `"prompt_digest":""`, `"prompt_digest":"sha256:`+strings.Repeat("A", 64)+`"`)
	wrong("an interval that is turned", `"high":0.9905447205522296`, `"high":0.5`)
	wrong("an interval without a value", `"value":0.9684864203964253`, `"undefined":"U."`)
	wrong("a value and a reason why it is undefined", `"value"`, `"undefined":"U.","value"`)
	wrong("a judge with an unknown key", `"judge":"steady"`, `"judge":"steady","judges":1`)
	wrong("a judge with a key twice", `"judge":"steady"`, `"judge":"quick","judge":"steady"`)
	wrong("a judge with a key that objects have by themselves", `{"correlation"`, `{"__proto__":{},"correlation"`)
	wrong("a correlation with an unknown key", `"criterion":"clarity"`, `"criterion":"clarity","data":1`)
	wrong("a correlation with labels by authors", `"labeled_by":"people"`, `"labeled_by":"authors"`)
	wrong("no judges and no reason", steadyList+",", "")
	fine("no judges and a reason", steadyList+`,"labeled_by":"people","path":"calibration/stories/statistics.json"`, `"labeled_by":"authors","path":"calibration/stories/statistics.json","reason":"R."`)
	wrong("a reason and labels without statistics", steadyList+`,"labeled_by":"people","path":"calibration/stories/statistics.json"`, `"labeled_by":"people","reason":"R."`)
	wrong("judges and a reason", `statistics.json"`, `statistics.json","reason":"R."`)
	wrong("a judge that is a list", `"judges":[{`, `"judges":[[],{`)
	wrong("a judge that is nothing", `"judges":[{`, `"judges":[null,{`)
	wrong("judges that are nested too deeply", `"judges":[{`, `"judges":[`+strings.Repeat("[", 50_000)+strings.Repeat("]", 50_000)+`,{`)
	return list
}

// TestAWrongCalibrationTellsNothing asks for the judge of each bundle of hostileJudges, without
// verifying the bundle: no reader returns what it would not accept, and all say the same.
func TestAWrongCalibrationTellsNothing(t *testing.T) {
	table := hostileJudges()
	requests, want := make([]request, len(table)), make([]string, len(table))
	for i, h := range table {
		data := pack(reindex(t, replacing(t, h.path, h.old, h.new)(right(t))), nil)
		requests[i] = request{"op": "tells_of", "data": data, "id": "a_v1", "judge": "steady", "model": "m-1"}
		lib := must.Get(library.NewReader(bytes.NewReader(data), int64(len(data))))(t)
		j, err := lib.Calibration("a_v1", "steady", "m-1")
		if want[i] = asClient(err); j != nil {
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
