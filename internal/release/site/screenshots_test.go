package site

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestScreenshots writes the pictures of the documentation to the folder in
// SITE_SCREENSHOTS. They show the site in the folder in SITE, which is that of this
// repository's library.
func TestScreenshots(t *testing.T) {
	dir, site := os.Getenv("SITE_SCREENSHOTS"), os.Getenv("SITE")
	if dir == "" || site == "" {
		t.Skip("SITE_SCREENSHOTS names no folder for pictures, or SITE no site")
	}
	const story = "As a user, I want to renew a loan at the desk, so that it is user-friendly.\n\nAcceptance: the due date moves by 14 days, etc."
	b := browse(t, folderURL(site))
	do(b, chromedp.EmulateViewport(1180, 740))
	for _, shot := range []struct{ name, scheme, page, action string }{
		{"first-page", "light", "index.html", ""},
		{"search", "light", "index.html?q=vague+wordng", ""},
		{"rubric", "light", "rubrics/user_story_quality_v1/index.html", ""},
		{"criterion", "dark", "rubrics/user_story_quality_v1/index.html#clarity", ""},
		{"workbench", "light", "rubrics/user_story_quality_v1/index.html", `
			document.getElementById("section-try").scrollIntoView();
			document.querySelectorAll("#bench-steps .step").forEach((step, i) => step.querySelectorAll("input")[[2, 3, 4, 3, 4][i]].click());`},
		{"changes", "light", "rulesets/code_change_v1/1.0.0...1.1.0.html", ""},
	} {
		b.media("screen", shot.scheme)
		b.visit("releases.html") // so that a fragment alone is another page
		b.visit(shot.page)
		if strings.Contains(shot.page, "?q=") {
			b.searched()
		}
		if shot.action != "" {
			b.enter("bench-text", story)
			b.run("{" + shot.action + "}")
			b.judged()
		}
		must.Do(t, os.WriteFile(filepath.Join(dir, shot.name+".png"), smaller(t, do(b, chromedp.CaptureScreenshot())), 0o666))
	}
	b.silent()
}

// smaller returns a picture with 32 levels of each color, which takes half the space.
func smaller(t *testing.T, data []byte) []byte {
	t.Helper()
	picture := must.Get(png.Decode(bytes.NewReader(data)))(t)
	level := func(c uint32) uint8 { return uint8((c>>8*31 + 127) / 255 * 255 / 31) }
	out := image.NewNRGBA(picture.Bounds())
	for y := range out.Rect.Dy() {
		for x := range out.Rect.Dx() {
			r, g, b, _ := picture.At(x, y).RGBA()
			out.Set(x, y, color.NRGBA{level(r), level(g), level(b), 255})
		}
	}
	var encoded bytes.Buffer
	must.Do(t, (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&encoded, out))
	return encoded.Bytes()
}

// fill sets the controls of a page, so that tests see results.
func (b *tab) fill(page string) {
	b.t.Helper()
	values := map[string]string{}
	switch {
	case page == "index.html":
		values = map[string]string{"words": "story"}
	case strings.HasPrefix(page, "rubrics/") && strings.HasSuffix(page, "index.html"):
		b.choose(0, 3)
		b.choose(1, 4)
		values = map[string]string{"bench-text": "Tables, lists etc and so on.\nTODO: the rest."}
	case strings.HasPrefix(page, "rulesets/") && strings.HasSuffix(page, "index.html"):
		values = map[string]string{"bench-text": "GET /\n"}
	}
	for id, value := range values {
		b.enter(id, value)
	}
	if page == "index.html" {
		b.searched()
	} else if len(values) > 0 {
		b.judged()
	}
}
