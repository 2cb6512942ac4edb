package deploy_test

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// contain runs a program as a container runtime does, but in this network: in the folder $1, which
// is read-only except for $1/var, as the user $2, and without privileges. The other arguments are
// the command.
const contain = `root=$1 user=$2
shift 2
mount --rbind "$root" "$root"
mount --bind "$root/var" "$root/var"
mount -o remount,bind,ro "$root"
exec setpriv --no-new-privs chroot --userspec="$user" --groups= "$root" "$@"`

// container is a process of the image.
type container struct {
	*exec.Cmd
	root            string
	address, health string
	log             bytes.Buffer // complete after stop
	logged          chan struct{}
}

// start starts the image with arguments and waits until it is ready. A bundle is in
// /library/rubrics.zip, and only /var can be written.
func start(t *testing.T, environment []string, args func(digest string) []string) *container {
	t.Helper()
	program, i := builtProgram(t), readImage(t)
	needs(t, "unshare", "mount", "setpriv", "chroot")
	if err := exec.Command("unshare", "--mount", "chroot", "--userspec=65532:65532", "--groups=", "/", "true").Run(); err != nil {
		t.Skipf("no containers here, which needs root: %v", err)
	}
	user, c := i.one(t, "USER"), &container{root: t.TempDir(), logged: make(chan struct{})}
	for _, folder := range []string{"library", "var"} {
		must.Do(t, os.Mkdir(filepath.Join(c.root, folder), 0o777))
	}
	must.Do(t, os.Chmod(c.root, 0o755)) // folders of tests are for their user only
	must.Do(t, os.Chmod(filepath.Join(c.root, "var"), 0o777))
	at := filepath.Join(c.root, i.entrypoint(t))
	must.Do(t, os.MkdirAll(filepath.Dir(at), 0o755))
	must.Do(t, os.WriteFile(at, must.Get(os.ReadFile(program))(t), 0o755))
	var bundle bytes.Buffer
	text, _, _ := strings.Cut(scripttest.Rubric("story_v1", "1.0.0", "stories"), "calibration_dataset:")
	digest := must.Get(bundletest.Write(&bundle, bundletest.Library{Verifiable: true, Documents: []string{text}}))(t)
	must.Do(t, os.WriteFile(filepath.Join(c.root, "library", "rubrics.zip"), bundle.Bytes(), 0o644))

	command := append([]string{"--mount", "sh", "-euc", contain, "sh", c.root, user, i.entrypoint(t)}, args(digest)...)
	c.Cmd = exec.Command("unshare", command...)
	c.Env = append([]string{"PATH=" + os.Getenv("PATH")}, environment...)
	c.ready(t)
	return c
}

// ready starts the process and waits until it is ready.
func (c *container) ready(t *testing.T) {
	t.Helper()
	stderr := must.Get(c.StderrPipe())(t)
	must.Do(t, c.Start())
	t.Cleanup(func() { _ = c.Process.Kill() }) // without effect after stop
	lines := bufio.NewScanner(io.TeeReader(stderr, &c.log))
	for lines.Scan() {
		var line struct{ Msg, Address, Health_address string }
		if json.Unmarshal(lines.Bytes(), &line) != nil {
			continue // an error for people; the log shows it
		}
		switch line.Msg {
		case "listening":
			c.address, c.health = "http://"+line.Address, "http://"+line.Health_address
		case "ready":
			go func() {
				defer close(c.logged)
				_, _ = io.Copy(&c.log, stderr)
			}()
			return
		}
	}
	t.Fatalf("%s does not start: %v\n%s", c.Args, c.Wait(), &c.log)
}

// get returns the status of a GET request.
func (c *container) get(t *testing.T, url string) int {
	t.Helper()
	answer := must.Get(http.Get(url))(t)
	must.Do(t, answer.Body.Close())
	return answer.StatusCode
}

// stop ends the server as a container runtime does.
func (c *container) stop(t *testing.T) {
	t.Helper()
	must.Do(t, c.Process.Signal(syscall.SIGTERM))
	<-c.logged
	if err := c.Wait(); err != nil {
		t.Errorf("SIGTERM ends the server with %v\n%s", err, &c.log)
	}
}

// isConfined checks what the kernel says about the process.
func (c *container) isConfined(t *testing.T) {
	t.Helper()
	status := scripttest.Text(t, fmt.Sprintf("/proc/%d/status", c.Process.Pid))
	for _, line := range []string{
		"Name:\trubric\n", "Uid:\t65532\t65532\t65532\t65532\n", "Gid:\t65532\t65532\t65532\t65532\n", "Groups:\t \n",
		"CapEff:\t0000000000000000\n", "CapPrm:\t0000000000000000\n", "NoNewPrivs:\t1\n",
	} {
		if !strings.Contains(status, line) {
			t.Errorf("the process lacks %q:\n%s", line, status)
		}
	}
	if root := must.Get(os.Readlink(fmt.Sprintf("/proc/%d/root", c.Process.Pid)))(t); root != c.root {
		t.Errorf("its root is %s", root)
	}
	mounts := scripttest.Text(t, fmt.Sprintf("/proc/%d/mountinfo", c.Process.Pid))
	if !strings.Contains(mounts, " / ro") || strings.Contains(mounts, " / rw") {
		t.Errorf("its root can be written:\n%s", mounts)
	}
}
