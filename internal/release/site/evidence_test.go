package site

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/calibration"
	"github.com/rubric-library/rubric-library/internal/calibration/agreement"
	"github.com/rubric-library/rubric-library/internal/calibration/decide"
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
		if diff := cmp.Diff(c.says, got); diff != "" || e.isCalibrated() != c.calibrated {
			t.Errorf("calibrated %v (-want +got):\n%s", e.isCalibrated(), diff)
		}
	}
}

// withRuns gives a site the runs of two judges of story_v1.
func withRuns(o *Options) {
	o.Runs = func(id string) (all []report.Past, err error) {
		for i := range 3 {
			of := agreement.Estimate{Value: agreement.Value{Number: 0.7}, Interval: agreement.Interval{Low: 0.6, High: 0.8}}
			past := report.Past{Judge: calibration.Identity{Name: "steady", Model: fmt.Sprint("m", i/2), Repeats: 1}, Start: calibration.Start{Date: fmt.Sprintf("2026-11-%02d", 1+8*i)}, Since: fmt.Sprint("1.", i%2, ".0"), Target: 0.7}
			for _, name := range []string{"clarity", "scope"} {
				past.Criteria = append(past.Criteria, report.PastCriterion{Name: name, Spearman: of, People: of.Value, Outcome: decide.Undecided})
			}
			if id == "story_v1" {
				all = append(all, past)
			}
		}
		return all, nil
	}
}

// TestTablesFitAPhone: approvals, changes, and evidence are read without scrolling sideways in a table.
func TestTablesFitAPhone(t *testing.T) {
	b := browse(t, folderURL(build(t, small(t), withRuns)))
	b.resize(390)
	for page, tables := range map[string]int{releasesPage: 1, governancePage: 1, "rubrics/story_v1/index.html": 6} {
		b.visit(page)
		b.run("document.querySelectorAll('details').forEach((each) => { each.open = true; })")
		const wider = `Array.from(document.querySelectorAll(".scroll")).map((each) => each.scrollWidth > each.clientWidth ? each.textContent : "")`
		if got := value[[]string](b, wider); len(got) != tables || strings.Join(got, "") != "" {
			t.Errorf("%s has %d tables, and these are wider than a phone: %q", page, len(got), got)
		}
		if page == releasesPage || page == governancePage {
			continue
		}
		for _, cell := range []string{"Bias: ", "Outcome: ", "Date: ", "People: "} {
			if got := value[int](b, fmt.Sprintf(`Array.from(document.querySelectorAll("#section-evidence td")).filter((each) => each.dataset.column + ": " === %q && each.checkVisibility()).length`, cell)); got < 2 {
				t.Errorf("%d cells are named %s", got, cell)
			}
		}
	}
}

// TestARightToLeftRubricHasOneAlignment: what is in the rubric's language begins at the same side, in closed rows, too.
func TestARightToLeftRubricHasOneAlignment(t *testing.T) {
	const arabic = "لا يوجد وقت."
	story := strings.NewReplacer("artifact_type:", "language: ar\nartifact_type:", "name: Story quality", "name: "+arabic, "No part is named.", arabic).Replace(text(t, "story_1.yaml"))
	l := bundletest.Library{Documents: []string{story}}
	b := browse(t, folderURL(build(t, l)))
	for _, width := range []int64{390, 1280} {
		b.resize(width)
		b.visit("rubrics/story_v1/index.html")
		const sides = `Array.from(document.querySelectorAll("h1, .end-text, .levels .anchor")).filter((each) => each.textContent.includes("لا يوجد")).map((each) => getComputedStyle(each).direction)`
		if got := value[[]string](b, sides); len(got) < 3 || strings.Contains(strings.Join(got, " "), "ltr") {
			t.Errorf("at %d, the texts are %v", width, got)
		}
	}
}
