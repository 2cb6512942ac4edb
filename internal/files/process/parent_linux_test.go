package process

import (
	"bufio"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// TestNothingSurvivesAKill: a program ends when the one that runs it is killed, which then
// can't end anything itself.
func TestNothingSurvivesAKill(t *testing.T) {
	self := must.Get(os.Executable())(t)
	parent := exec.Command(self, asProgram, "parent")
	out := must.Get(parent.StdoutPipe())(t)
	must.Do(t, parent.Start())
	line := must.Get(bufio.NewReader(out).ReadString('\n'))(t)
	child := must.Get(strconv.Atoi(strings.TrimSpace(line)))(t)
	must.Do(t, parent.Process.Kill())
	_ = parent.Wait() // it was killed
	for end := time.Now().Add(5 * time.Second); ; time.Sleep(10 * time.Millisecond) {
		stat, err := os.ReadFile("/proc/" + strconv.Itoa(child) + "/stat")
		if err != nil || strings.Contains(string(stat), ") Z ") {
			return
		}
		if time.Now().After(end) {
			_ = syscall.Kill(child, syscall.SIGKILL)
			t.Fatalf("process %d survived", child)
		}
	}
}
