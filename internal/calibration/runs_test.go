package calibration

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// TestRunsAreOrderedByWhenTheyBegan: neither names nor files decide what is known.
func TestRunsAreOrderedByWhenTheyBegan(t *testing.T) {
	at := func(name, start string) Start {
		s, ok := ParseStart(start)
		if !ok {
			t.Fatalf("%q is not a start", start)
		}
		s.Run = name
		return s
	}
	for _, tt := range []struct {
		reason        string
		first, second Start
		known         bool // whether the second is known to follow
	}{
		{"dates", at("z", "2026-11-20"), at("a", "2026-11-21"), true},
		{"times, whatever the names are", at("z-2026-11-21", "2026-11-21T09:00:00Z"), at("2026-11-21", "2026-11-21T09:00:01Z"), true},
		{"time zones", at("b", "2026-11-21T10:00:00+02:00"), at("a", "2026-11-21T09:00:00Z"), true},
		{"a time zone in which it is another day", at("b", "2026-11-21T23:59:59Z"), at("a", "2026-11-21T23:30:00-05:00"), true},
		{"the day before in UTC", at("b", "2026-11-21T00:30:00+01:00"), at("a", "2026-11-21"), true},
		{"numbers of a day without times", at("2026-11-21-9", "2026-11-21"), at("2026-11-21-10", "2026-11-21"), true},
		{"the first of a day has no number", at("2026-11-21", "2026-11-21"), at("2026-11-21-2", "2026-11-21"), true},
		{"numbers where the times are equal", at("2026-11-21-2", "2026-11-21T09:00:00Z"), at("2026-11-21-3", "2026-11-21T10:00:00+01:00"), true},
		{"only the date is known", at("2026-11-21-2", "2026-11-21"), at("2026-11-21", "2026-11-21T00:00:00Z"), false},
		{"another name without a time", at("z", "2026-11-21"), at("2026-11-21", "2026-11-21"), false},
		{"the number of another day", at("2026-11-20-9", "2026-11-21"), at("2026-11-21", "2026-11-21"), false},
		{"what no program counts", at("2026-11-21-02", "2026-11-21"), at("2026-11-21", "2026-11-21"), false},
		{"a number that is too large", at("2026-11-21-99999999999999999999", "2026-11-21"), at("2026-11-21", "2026-11-21"), false},
	} {
		if tt.first.Compare(tt.second) >= 0 || tt.second.Compare(tt.first) <= 0 {
			t.Errorf("%s: %v is not before %v", tt.reason, tt.first, tt.second)
		}
		if tt.second.Follows(tt.first) != tt.known || tt.first.Follows(tt.second) {
			t.Errorf("%s: follows is %v, want %v", tt.reason, tt.second.Follows(tt.first), tt.known)
		}
	}
	for _, wrong := range []string{"", "2026-02-30", "2026-11-21T25:00:00Z", "2026-11-21T09:30:00", "2026-11-21 09:30:00Z", "21.11.2026"} {
		if s, ok := ParseStart(wrong); ok {
			t.Errorf("%q is the start %v", wrong, s)
		}
	}
}

// TestOrderOfStartsIsOne: it is the same in whatever order the runs are read, and agrees with
// what is known.
func TestOrderOfStartsIsOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		starts := rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Start {
			var s Start
			s.Date = rapid.SampledFrom([]string{"2026-11-21", "2026-11-22"}).Draw(t, "date")
			if rapid.Bool().Draw(t, "has a time") {
				s.Time = fmt.Sprintf("%sT0%d:00:00Z", s.Date, rapid.IntRange(0, 3).Draw(t, "hour"))
			}
			s.Run = rapid.SampledFrom([]string{"a", "2026-11-21", "2026-11-22", s.Date + "-2", s.Date + "-10"}).Draw(t, "run")
			return s
		}), 2, 8).Draw(t, "starts")
		sorted := slices.SortedStableFunc(slices.Values(starts), Start.Compare)
		for i, s := range sorted {
			for _, later := range sorted[i+1:] {
				if s.Follows(later) || s.Compare(later) > 0 {
					t.Fatalf("%v is before %v in %v", s, later, sorted)
				}
			}
		}
	})
}

// TestNewestRunIsTheOneThatBeganLast reads three runs of a day from files whose names sort
// otherwise, and each in an earlier program's single file.
func TestNewestRunIsTheOneThatBeganLast(t *testing.T) {
	run := func(name, model, started string) string {
		line := answer(`"item":"i1"`, `"scores":{"clarity":4,"brevity":2}`)
		if started != "" {
			line = strings.Replace(line, `"digest"`, `"started":"`+started+`","digest"`, 1)
		}
		return strings.NewReplacer(`"run":"x"`, `"run":"`+name+`"`, `"m-1"`, `"`+model+`"`).Replace(line) + "\n"
	}
	at := func(minute int) string {
		return time.Date(2026, 11, 21, 9, minute, 0, 0, time.UTC).Format(time.RFC3339)
	}
	for _, tt := range []struct {
		reason string
		runs   [3][2]string // name and time, in their order
	}{
		{"the program's names", [3][2]string{{"2026-11-21", at(1)}, {"2026-11-21-2", at(2)}, {"2026-11-21-10", at(3)}}},
		{"other names", [3][2]string{{"z-2026-11-21", at(1)}, {"2026-11-21", at(2)}, {"2026-11-21-2", at(3)}}},
		{"files that were renamed", [3][2]string{{"c", at(1)}, {"b", at(2)}, {"a", at(3)}}},
		{"without times", [3][2]string{{"2026-11-21", ""}, {"2026-11-21-9", ""}, {"2026-11-21-10", ""}}},
		{"one time", [3][2]string{{"zz", ""}, {"2026-11-21-2", ""}, {"a", at(0)}}},
	} {
		fsys := dataset(goodHead, goodItems, "", "")
		single := ""
		for _, i := range rand.New(rand.NewPCG(1, 2)).Perm(len(tt.runs)) {
			name := tt.runs[i][0]
			line := run(name, fmt.Sprint("m-", i), tt.runs[i][1])
			fsys["calibration/d/judges/j/"+name+".jsonl"] = &fstest.MapFile{Data: []byte(line)}
			single += line
		}
		files, problems, err := Load(fsys, "d")
		if err != nil || len(problems) > 0 {
			t.Fatal(told(problems), err)
		}
		for _, d := range []*Dataset{files, loaded(t, goodHead, goodItems, single, "")} {
			var got []string
			for _, r := range d.Judges[0].Runs() {
				got = append(got, r.Model)
			}
			if diff := cmp.Diff([]string{"m-0", "m-1", "m-2"}, got); diff != "" {
				t.Errorf("%s: the runs (-want +got):\n%s", tt.reason, diff)
			}
			if newest := d.Judges[0].NewestRun(digestA); newest.Model != "m-2" {
				t.Errorf("%s: the newest run is %s by %s", tt.reason, newest.Name, newest.Model)
			}
		}
	}
}

// TestStartOfARunIsOne: it is a time in UTC on the date of the run, and the same in all answers.
func TestStartOfARunIsOne(t *testing.T) {
	line := func(item, started string) string {
		return answer(`"item":"`+item+`"`, `"started":"`+started+`"`, `"scores":{"clarity":4,"brevity":2}`)
	}
	for _, tt := range []struct{ answers, want string }{
		{lines(line("i1", "2026-11-21T09:30:00Z"), line("i2", "2026-11-21T09:30:00Z")), ""},
		{lines(line("i1", "2026-11-22T00:30:00Z")), "The run started on 2026-11-22, but its date is 2026-11-21: both must be the same day in UTC. Fix the date or the time."},
		{lines(line("i1", "2026-11-21T10:30:00+01:00")), `"started" must be a time in UTC such as 2026-11-21T09:30:00Z, in quotes, got "2026-11-21T10:30:00+01:00".`},
		{lines(line("i1", "2026-11-31T09:30:00Z")), "The time 2026-11-31T09:30:00Z does not exist. Fix the time."},
		{
			lines(line("i1", "2026-11-21T09:30:00Z"), line("i2", "2026-11-21T09:31:00Z")),
			`All answers of a run must have the same start: run "x" has "2026-11-21T09:30:00Z" in line 1, got "2026-11-21T09:31:00Z".`,
		},
	} {
		_, problems, err := Load(dataset(goodHead, goodItems, tt.answers, ""), "d")
		if got := strings.Join(told(problems), "|"); err != nil || (got == "") != (tt.want == "") || !strings.Contains(got, tt.want) {
			t.Errorf("got %s, %v, want %s", got, err, tt.want)
		}
	}
}

// TestStopped: a run that lacks answers was stopped, unless it says that it ended. What is removed
// from one that ended, and what was imported, hides no bad run.
func TestStopped(t *testing.T) {
	tests := []struct {
		reason  string
		answers []string // after the run, model, date, and digest
		stopped bool
		lost    int
		gone    bool // the second item
	}{
		{"every item was answered", []string{`"item":"i1","scores":{"clarity":4}`, `"item":"i2","scores":{"clarity":4}`}, false, 0, false},
		{"one was not asked about", []string{`"item":"i1","scores":{"clarity":4}`}, true, 0, false},
		{"nothing could be read", []string{`"item":"i1","error":"no key"`, `"item":"i2","error":"no key"`}, false, 2, false},
		{"the first could not be read", []string{`"item":"i1","error":"no key"`}, true, 1, false},
		{"the judge was unavailable, and can be asked again", []string{`"item":"i1","scores":{"clarity":4}`, `"item":"i2","unavailable":"503"`}, true, 0, false},
		{"the judge was unavailable, and it ended", []string{`"item":"i1","scores":{"clarity":4}`, `"item":"i2","unavailable":"503","ended":true`}, false, 0, false},
		{"the judge was unavailable each time", []string{`"item":"i1","scores":{"clarity":4}`, `"item":"i2","unavailable":"503"`, `"item":"i2","attempt":2,"unavailable":"503"`, `"item":"i2","attempt":3,"unavailable":"503"`}, false, 1, false},
		{"an item was removed from one that ended", []string{`"item":"i1","scores":{"clarity":4},"ended":true`}, false, 0, false},
		{"an item was removed from the dataset, too", []string{`"item":"i1","scores":{"clarity":4}`}, false, 0, true},
		{"an item was not imported", []string{`"item":"i1","scores":{"clarity":4},"imported":true`}, false, 0, false},
		{"a repeat is missing", []string{`"item":"i1","repeats":2,"scores":{"clarity":4}`, `"item":"i2","repeats":2,"scores":{"clarity":4}`, `"item":"i1","repeat":2,"repeats":2,"scores":{"clarity":4}`}, true, 0, false},
	}
	for _, tt := range tests {
		text := ""
		for _, a := range tt.answers {
			text += `{"run":"2026-11-14","model":"m","date":"2026-11-14","digest":"sha256:` + strings.Repeat("a", 64) + `","items":2,` + a + "}\n"
		}
		items := `{"id":"i1","artifact":"One.","labels":{}}` + "\n"
		if !tt.gone {
			items += `{"id":"i2","artifact":"Two.","labels":{}}` + "\n"
		}
		d, problems, err := Load(dataset(goodHead, items, text, ""), "d")
		if err != nil || len(problems) > 0 {
			t.Fatalf("%s: %v %v", tt.reason, err, problems)
		}
		run := d.Judges[0].Runs()[0]
		if run.WasStopped() != tt.stopped || run.Lost != tt.lost {
			t.Errorf("%s: stopped %v, lost %d, want %v and %d", tt.reason, run.WasStopped(), run.Lost, tt.stopped, tt.lost)
		}
	}
}
