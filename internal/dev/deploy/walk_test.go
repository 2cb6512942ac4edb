package deploy_test

import (
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

const production = "docs/production.md"

// pageCommands matches the commands of the page.
var pageCommands = regexp.MustCompile("(?s)```sh\n(.*?)```")

// TestWalkRunsThePage: the script has each command of the page, in order. It may wait for one.
func TestWalkRunsThePage(t *testing.T) {
	script := strings.ReplaceAll(scripttest.Text(t, examples+"walk"), "\neventually ", "\n")
	blocks := pageCommands.FindAllStringSubmatch(scripttest.Text(t, production), -1)
	if len(blocks) < 6 {
		t.Fatalf("%s has %d blocks of commands", production, len(blocks))
	}
	for _, block := range blocks {
		_, after, there := strings.Cut(script, "\n"+block[1])
		if !there {
			t.Errorf("examples/deploy/walk lacks these commands of the page, or has them earlier:\n%s", block[1])
		}
		script = "\n" + after
	}
}

// TestWalk runs the script with the program of the image, and with ports that are free.
func TestWalk(t *testing.T) {
	program := builtProgram(t)
	needs(t, "bash", "git", "curl")
	script := scripttest.Text(t, examples+"walk")
	for _, port := range []string{":7070", ":7071"} {
		free := must.Get(net.Listen("tcp", "127.0.0.1:0"))(t)
		_, number, _ := net.SplitHostPort(free.Addr().String())
		script = strings.ReplaceAll(script, port, ":"+number)
		must.Do(t, free.Close())
	}
	// The script is in a copy of the clone that has what it reads.
	clone := t.TempDir()
	walk := filepath.Join(clone, examples, "walk")
	must.Do(t, os.MkdirAll(filepath.Dir(walk), 0o777))
	must.Do(t, os.Symlink(must.Get(filepath.Abs("rubrics"))(t), filepath.Join(clone, "rubrics")))
	must.Do(t, os.WriteFile(walk, []byte(script), 0o777))
	cmd := exec.Command("bash", walk)
	cmd.Env = append(os.Environ(), "PATH="+filepath.Dir(program)+string(os.PathListSeparator)+os.Getenv("PATH"))
	if out, err := cmd.CombinedOutput(); err != nil || !strings.HasSuffix(string(out), "\n== All is as the page says\n") {
		t.Errorf("%v\n%s", err, out)
	}
}
