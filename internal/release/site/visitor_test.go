package site

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/rubric-library/rubric-library/internal/calibration/report"
	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// mostClicks is how many clicks a visitor needs at most. Choosing in a list counts; typing and opening
// a section don't.
const mostClicks = 4

// visitor is a person who comes to a site for something and starts on its first page.
type visitor struct {
	*tab
	clicks int
}

// visitorOf opens the first page of a site on a screen of a width in pixels.
func visitorOf(t *testing.T, base string, width int64) *visitor {
	t.Helper()
	v := &visitor{tab: browse(t, base)}
	v.resize(width)
	v.visit("index.html")
	return v
}

// click follows a link or presses a button that can be seen: the first one that a selector finds, with
// a text in it.
func (v *visitor) click(selector, text string) {
	v.t.Helper()
	find := fmt.Sprintf("Array.from(document.querySelectorAll(%s)).find((each) => each.checkVisibility() && each.textContent.includes(%s))", v.quoted(selector), v.quoted(text))
	const press = `((found) => {
		if (!found) return "absent";
		if (found.href && found.pathname !== location.pathname) return found.href;
		found.click();
		return "";
	})(%s)`
	v.clicks++
	switch to := value[string](v.tab, fmt.Sprintf(press, find)); {
	case to == "absent":
		v.t.Fatalf("after %d clicks, no %s has %q", v.clicks-1, selector, text)
	case to != "":
		do(v.tab, chromedp.Navigate(to))
	}
	if v.clicks > mostClicks {
		v.t.Errorf("the visitor needs %d clicks", v.clicks)
	}
}

// sees returns whether a text is on the page, and whether it is on the screen without scrolling.
func (v *visitor) sees(text string) (on, first bool) {
	v.t.Helper()
	place := fmt.Sprintf(`Array.from(document.querySelectorAll("main p, main li, main td, main h3, main code"), (each) => [each.innerText.replace(/\s+/gu, " "), each.checkVisibility() ? each.getBoundingClientRect() : undefined])
		.filter(([text, box]) => box && text.includes(%s)).map(([, box]) => [1, Number(box.top >= 0 && box.bottom <= innerHeight)])`, v.quoted(text))
	for _, found := range value[[][]int](v.tab, place) {
		on, first = true, first || found[1] == 1
	}
	return on, first
}

func (v *visitor) quoted(text string) string { return string(must.Get(json.Marshal(text))(v.t)) }

// TestATeamLeadLearnsWhetherToTrustTheJudge: what it may be used for is in the list, and with the reasons
// on the first screen of the rubric; one click leads to the numbers.
func TestATeamLeadLearnsWhetherToTrustTheJudge(t *testing.T) {
	dir := build(t, small(t))
	of := &decode[report.Statistics](t, string(statistics(t, text(t, "story_2.yaml")))).Reports[0]
	for _, width := range []int64{1280, 390} {
		v := visitorOf(t, folderURL(dir), width)
		if on, _ := v.sees(strings.Join(of.Answer, " ")); !on {
			t.Errorf("the list at %d does not say %q", width, of.Answer)
		}
		v.click(`#all a[href="rubrics/story_v1/index.html"]`, "Story quality") // others have the name, too
		for _, said := range of.Answer {
			if on, first := v.sees(said); !on || width == 1280 && !first {
				t.Errorf("the first screen at %d does not say %q: %v, %v", width, said, on, first)
			}
		}
		v.click("main a", "See the evidence")
		for _, fact := range append([]string{"(m), run first", of.Next, "judge and people agree on 60 of 60 items", of.Criteria[1].Spearman.Text()}, of.About...) {
			if on, _ := v.sees(strings.ReplaceAll(fact, "`", "")); !on {
				t.Errorf("the evidence at %d does not say %q", width, fact)
			}
		}
		v.silent()
	}
}
