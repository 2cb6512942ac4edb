package site

import (
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
)

// TestAJudgeEngineerGetsCodeThatRuns: what to cite is on the first screen of a document, and one
// click leads to the commands and programs with this very version, which TestUseRuns runs.
func TestAJudgeEngineerGetsCodeThatRuns(t *testing.T) {
	dir := build(t, small(t), func(o *Options) { o.BaseURL = "https://rubrics.example.org/" })
	for _, d := range decode[indexData](t, files(t, dir)[indexDataName]).Documents {
		latest := d.Versions[len(d.Versions)-1]
		for _, width := range []int64{1280, 390} {
			v := visitorOf(t, folderURL(dir), width)
			v.click(`#all a[href="`+d.Page+`"]`, d.Name)
			reference := d.ID + "@" + latest.Version + "#" + latest.Digest
			for _, said := range []string{d.ID, reference, latest.Digest} {
				if on, first := v.sees(said); !on || !first {
					t.Errorf("the first screen of %s at %d does not say %q", d.ID, width, said)
				}
			}
			v.click("main a", "Use")
			if d.Status == retired || d.Status == deprecated {
				if v.shows("use-name") == "" || !strings.HasSuffix(value[string](v.tab, "location.pathname"), "/story_v1/index.html") {
					t.Errorf("%s does not lead to its replacement", d.ID)
				}
				continue
			}
			for _, code := range []string{"rubric get rubrics.zip " + reference, `bundle.get("` + d.ID + `", "` + latest.Version + `")`, `from "rubric-bundle"`} {
				if on, _ := v.sees(code); !on {
					t.Errorf("the page of %s at %d does not have %q", d.ID, width, code)
				}
			}
			v.silent()
		}
	}
}

// TestAnAuthorStartsFromARubricLikeTheirs: two clicks lead to a command that copies the document,
// which TestUseRuns runs, and one more to its YAML.
func TestAnAuthorStartsFromARubricLikeTheirs(t *testing.T) {
	dir := build(t, small(t), func(o *Options) { o.BaseURL = "https://rubrics.example.org/" })
	for _, width := range []int64{1280, 390} {
		v := visitorOf(t, serve(t, dir), width)
		v.click(`#all a[href="rubrics/story_v1/index.html"]`, "Story quality")
		v.click("main a", "Use this version")
		var digest string
		for _, d := range decode[indexData](t, files(t, dir)[indexDataName]).Documents {
			if d.ID == "story_v1" {
				digest = d.Versions[len(d.Versions)-1].Digest
			}
		}
		command := "rubric new rubrics.zip rubric --from 'story_v1@2.0.0#" + digest + "' --id my_copy_v1"
		if on, _ := v.sees(command); !on {
			t.Errorf("the page at %d does not have %q", width, command)
		}
		// A browser saves the file, or shows it.
		v.clicks++
		link := value[string](v.tab, `[...document.querySelectorAll("#section-use a")].find((each) => each.checkVisibility() && each.textContent === "YAML").pathname`)
		saved := files(t, dir)[strings.TrimPrefix(link, "/")]
		if got, err := document.Parse(source.NewFile("rubrics/jira_tickets/story_v1.yaml", []byte(saved))).Digest(); err != nil || got != digest || v.clicks > mostClicks {
			t.Errorf("at %d, after %d clicks, the YAML has the digest %s (%v), want %s:\n%s", width, v.clicks, got, err, digest, saved)
		}
		v.silent()
	}
}
