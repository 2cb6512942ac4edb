package site

import (
	"bufio"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/chromedp"
)

func TestZZShots(t *testing.T) {
	name := os.Getenv("SHOTS")
	if name == "" {
		t.Skip("no")
	}
	f, _ := os.Open(name)
	s := bufio.NewScanner(f)
	b := browse(t, "file://"+os.Getenv("SHOTSITE")+"/")
	for s.Scan() {
		p := strings.Split(s.Text(), "|")
		if len(p) < 5 {
			continue
		}
		w, _ := strconv.ParseInt(p[1], 10, 64)
		h, _ := strconv.ParseInt(p[2], 10, 64)
		do(b, chromedp.EmulateViewport(w, h))
		b.visit("releases.html")
		b.visit(p[3])
		if p[4] != "" {
			b.run("(async()=>{" + p[4] + "})()")
		}
		time.Sleep(700 * time.Millisecond)
		os.WriteFile("/tmp/ev/shots/"+p[0]+".png", do(b, chromedp.CaptureScreenshot()), 0o666)
	}
}
