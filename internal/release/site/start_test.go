package site

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/chromedp/chromedp"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/lint/rules"
)

// TestWhatToCiteIsOnTheFirstScreen: the name, the ID, the reference, and the digest of a document
// are read and copied without scrolling, for each kind of document, old versions, versions and
// documents that ended, and the longest IDs and names.
func TestWhatToCiteIsOnTheFirstScreen(t *testing.T) {
	l := small(t)
	longID, longName := strings.Repeat("long_", 12)+"v1", strings.TrimSpace(strings.Repeat("A long name ", 8))
	l.Documents = append(l.Documents, strings.NewReplacer("story_v1", longID, `name: "Story quality"`, fmt.Sprintf("name: %q", longName)).Replace(text(t, "story_1.yaml")))
	l.Ledger += "yanked:\n  - {id: story_v1, version: 2.0.0, reason: " + strings.Repeat("It passes vague work. ", 20) + "}\n"
	l.Statistics = nil
	dir := build(t, l)
	made := files(t, dir)
	b := browse(t, folderURL(dir))
	for _, size := range [][2]int64{{1280, 800}, {390, 844}} {
		do(b, chromedp.EmulateViewport(size[0], size[1]))
		for _, d := range decode[indexData](t, made[indexDataName]).Documents {
			for _, v := range d.Versions {
				b.visit(strings.TrimSuffix(v.Path, ".json") + ".html")
				const seen = `[document.querySelector("h1"), ...document.querySelectorAll(".identity [data-copy]")].map((each) => {
					const { top, left, bottom, right } = each.getBoundingClientRect();
					const button = each.matches("h1") || each.nextElementSibling.matches("button.copy") && each.nextElementSibling.getBoundingClientRect().bottom <= innerHeight;
					return button && top >= 0 && left >= 0 && bottom <= innerHeight && right <= innerWidth && each.scrollWidth <= each.clientWidth + 1 ? each.innerText : "not on the first screen: " + each.innerText;
				})`
				want := []string{d.ID, d.ID + "@" + v.Version + "#" + v.Digest, v.Digest}
				got := value[[]string](b, seen)
				if fmt.Sprint(got[1:]) != fmt.Sprint(want) || !strings.HasPrefix(got[0], d.Name) {
					t.Errorf("%s %s at %d: got %q, want %q", d.ID, v.Version, size[0], got, want)
				}
			}
		}
	}
	b.silent()
}

// TestTheAddressOfAVersionStays: each version has its own page with its text, whose canonical
// address it is. The page of the document is that of the latest version.
func TestTheAddressOfAVersionStays(t *testing.T) {
	made := files(t, build(t, small(t), func(o *Options) { o.BaseURL = "https://example.org/r/" }))
	canonical := regexp.MustCompile(`<link rel="canonical" href="([^"]*)">`)
	for _, d := range decode[indexData](t, made[indexDataName]).Documents {
		for _, v := range d.Versions {
			name := strings.TrimSuffix(v.Path, ".json") + ".html"
			if got := canonical.FindStringSubmatch(made[name]); len(got) == 0 || got[1] != "https://example.org/r/"+name {
				t.Errorf("%s has the canonical address %q", name, got)
			}
			if !strings.Contains(made[name], d.ID+"@"+v.Version+"#"+v.Digest) || !strings.Contains(made[name], `id="section-read"`) || strings.Contains(made[name], "refresh") {
				t.Errorf("%s does not have the text of its version", name)
			}
			if v.Version == d.Latest && made[d.Page] != made[name] {
				t.Errorf("%s does not have the text of %s", d.Page, name)
			}
		}
	}
}

// TestWhatEndedLeadsToItsReplacement: the first button of a page is to use the version, or what
// replaces it if nobody should start to use it.
func TestWhatEndedLeadsToItsReplacement(t *testing.T) {
	story := text(t, "story_1.yaml")
	variant := func(id, more string) string { return strings.Replace(story, "story_v1", id, 1) + more }
	yanked := "yanked:\n  - {id: story_v1, version: 2.0.0, reason: It passes vague work.}\n"
	dir := build(t, bundletest.Library{
		Documents: []string{
			story, text(t, "story_2.yaml"), text(t, "api_1.yaml"), variant("gone_v1", ""), variant("lost_v1", ""),
			variant("tale_v1", "deprecated: {reason: There is a better one., replaced_by: story_v1}\n"),
			variant("myth_v1", "deprecated: {reason: It was a try.}\n"),
		},
		Ledger: "retired:\n  - {id: gone_v1, kind: rubric, last_version: 1.0.0, reason: Nobody used it., replaced_by: story_v1}\n" +
			"  - {id: lost_v1, kind: rubric, last_version: 1.0.0, reason: Nobody used it.}\n" + yanked,
	})
	made := files(t, dir)
	first := regexp.MustCompile(`<p class="actions"><a class="action( first)?" href="([^"]*)">(.*?)</a>`)
	for _, test := range []struct{ page, href, says, why string }{
		{"rubrics/story_v1/1.0.0.html", "#section-use", "Use this version", "the latest that is not yanked"},
		{"rubrics/story_v1/2.0.0.html", "index.html", "Use <bdi>1.0.0</bdi> instead", "yanked"},
		{"rubrics/gone_v1/1.0.0.html", "../../rubrics/story_v1/index.html", "Use <bdi>Story quality</bdi> instead", "retired"},
		{"rubrics/lost_v1/index.html", "#section-try", "Try it on a text", "retired without a replacement"},
		{"rubrics/tale_v1/index.html", "../../rubrics/story_v1/index.html", "Use <bdi>Story quality</bdi> instead", "deprecated"},
		{"rubrics/myth_v1/index.html", "#section-try", "Try it on a text", "deprecated without a replacement"},
		{"rulesets/api_v1/index.html", "#section-use", "Use this version", "a draft"},
	} {
		got := first.FindStringSubmatch(made[test.page])
		if len(got) == 0 || got[2] != test.href || got[3] != test.says {
			t.Errorf("%s (%s): got %q, want %s %s", test.page, test.why, got, test.href, test.says)
		}
	}
}

// TestEveryVersionIsThereAsYAML: it has the digest of the version, and lint finds in it what it
// finds in the source.
func TestEveryVersionIsThereAsYAML(t *testing.T) {
	for name, made := range map[string]map[string]string{"small": files(t, build(t, small(t))), "shipped": files(t, shipped(t))} {
		for _, d := range decode[indexData](t, made[indexDataName]).Documents {
			for _, v := range d.Versions {
				file := strings.TrimSuffix(v.Path, ".json") + ".yaml"
				doc := document.Parse(source.NewFile(file, []byte(made[file])))
				if got, err := doc.Digest(); err != nil || got != v.Digest {
					t.Errorf("%s: %s has the digest %s (%v), want %s", name, file, got, err, v.Digest)
				}
				if page := made[strings.TrimSuffix(file, ".yaml")+".html"]; strings.Count(page, `href="`+v.Version+`.yaml"`) < 2 {
					t.Errorf("%s: the page of %s does not lead to its YAML", name, file)
				}
				if name == "small" || v.Version != d.Latest {
					continue
				}
				path := "rubrics/" + d.ArtifactType + "/" + d.ID + ".yaml"
				report := must.Get(lint.Run(fstest.MapFS{path: {Data: []byte(made[file]), Mode: 0o644}}, rules.All(), lint.Options{Only: []string{path}}))(t)
				for _, found := range report.Findings {
					if found.Rule.ID != "calibration-dataset" && found.Severity > lint.Note {
						t.Errorf("%s: %s: %s", file, found.Rule.ID, found.Message)
					}
				}
			}
		}
	}
}
