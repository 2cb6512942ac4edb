package site

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestAJudgeIsAnsweredForByItsReport: the list, the search, the feed, and the page of the rubric begin
// with the sentences with which the report begins.
func TestAJudgeIsAnsweredForByItsReport(t *testing.T) {
	made := files(t, build(t, small(t)))
	v := &decode[report.Statistics](t, string(statistics(t, text(t, "story_2.yaml")))).Reports[0]
	if len(v.Answer) < 2 {
		t.Fatalf("the report begins with %q", v.Answer)
	}
	whole := strings.Join(v.Answer, " ")
	for _, test := range []struct{ reason, page, want string }{
		{"a judge that may gate is marked", "index.html", `<li class="calibrated">` + whole + "</li>"},
		{"a judge without a report is answered for by the index, with its model in order", "index.html", "<li>lenient (m &lt;U&#43;202E&gt;2) may rank with story_v1. It may not gate yet. Too few items.</li>"},
		{"a rubric without a judge says so", "index.html", "<li>No judge is listed.</li>"},
		{"a list says the same", "types/jira_tickets/index.html", whole},
		{"so does the feed", feedName, whole},
		{"the page has it on its first screen", "rubrics/story_v1/index.html", "<div class=\"conclusion judged met\">\n<p><strong>" + v.Answer[0] + "</strong></p>\n<p>" + v.Answer[1] + "</p>\n</div>"},
		{"its section has what to do next", "rubrics/story_v1/index.html", v.Next[:20]},
		{"a page without a report gives the reason", "rubrics/tale_v1/index.html", "<li>" + bundletest.NoJudges + "</li>"},
	} {
		if !strings.Contains(made[test.page], test.want) {
			t.Errorf("%s: %s does not have %s", test.reason, test.page, test.want)
		}
	}
	for _, about := range v.About {
		if !strings.Contains(made["rubrics/story_v1/index.html"], about) {
			t.Errorf("the page does not say %q", about)
		}
	}
	if strings.Contains(made["index.html"], bundletest.NoJudges) || strings.Contains(made["rubrics/story_v1/1.0.0.html"], v.Answer[0]) {
		t.Error("the first page gives the reason, which it leaves to the documents, or an old version has the report on the latest")
	}
}

// TestOnlyTheDefaultLimitsMakeARubricCalibrated: every judge is listed, and only one that may gate by
// limits of which none is looser than the default makes a rubric calibrated.
func TestOnlyTheDefaultLimitsMakeARubricCalibrated(t *testing.T) {
	judge := func(name string, rank, gate library.Answer) library.JudgeCalibration {
		return library.JudgeCalibration{Judge: name, Model: "m", Date: "2026-11-21", Rank: rank, Gate: gate}
	}
	of := func(judges ...library.JudgeCalibration) *library.Calibration {
		return &library.Calibration{Judges: judges}
	}
	for _, c := range []struct {
		of         *library.Calibration
		calibrated bool
		says       []string
	}{
		{nil, false, []string{"No judge is listed."}},
		{&library.Calibration{Reason: "Elsewhere."}, false, []string{"No judge is listed."}},
		{of(judge("a", library.No, library.No), judge("b", library.Yes, library.Yes)), true,
			[]string{"a (m) may not rank or gate with x_v1.", "b (m) may rank and gate with x_v1."}},
		{of(judge("a", library.Yes, library.LibraryLimits)), false,
			[]string{"a (m) may rank with x_v1. It may gate, by this library's limits."}},
		{of(judge("a", library.CannotTell, library.NotYet)), false,
			[]string{"The labels can't tell if a (m) may rank with x_v1. It may not gate yet."}},
	} {
		e := &entry{Entry: &library.Entry{ID: "x_v1", Calibration: c.of}}
		var got []string
		for _, said := range e.Evidence() {
			got = append(got, said.Text())
		}
		if diff := cmp.Diff(c.says, got); diff != "" || e.calibrated() != c.calibrated {
			t.Errorf("calibrated %v (-want +got):\n%s", e.calibrated(), diff)
		}
	}
}
