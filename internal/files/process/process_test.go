package process

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/rubric-library/rubric-library/internal/dev/must"
)

// asProgram is the first argument that makes this test run as a program.
const asProgram = "as-program"

func TestMain(m *testing.M) {
	if len(os.Args) == 3 && os.Args[1] == asProgram {
		programs[os.Args[2]]()
		os.Exit(0)
	}
	os.Exit(m.Run())
}

var programs = map[string]func(){
	"parent": func() {
		self, _ := os.Executable()
		Run(context.Background(), Command{Program: self, Args: []string{self, asProgram, "child"}, Output: os.Stdout})
	},
	"child": func() {
		fmt.Println(os.Getpid())
		time.Sleep(20 * time.Second)
	},
	"echo": func() {
		data, _ := io.ReadAll(os.Stdin)
		fmt.Printf("%d bytes", len(data))
		fmt.Fprint(os.Stderr, "err")
	},
	"deaf":   func() { fmt.Print("done") },
	"refuse": func() { os.Exit(3) },
	"endless": func() {
		for {
			fmt.Println("again")
		}
	},
	"sleep":       func() { time.Sleep(20 * time.Second) },
	"environment": func() { fmt.Print(os.Getenv("RUBRIC_TEST_KEY")) },
}

func command(t *testing.T, name string) (c Command, out, err *bytes.Buffer) {
	t.Helper()
	self := must.Get(os.Executable())(t)
	out, err = &bytes.Buffer{}, &bytes.Buffer{}
	return Command{Program: self, Args: []string{self, asProgram, name}, Output: out, Error: err}, out, err
}

func code(n int) *int { return &n }

func TestEndings(t *testing.T) {
	t.Setenv("RUBRIC_TEST_KEY", "inherited")
	large := bytes.Repeat([]byte("x"), 1<<20) // more than a pipe holds
	for _, tt := range []struct {
		reason, program string
		input           []byte
		limit           time.Duration
		want            Ending
		out, err        string
	}{
		{"both outputs and all of the input", "echo", large, 0, Ending{ExitCode: code(0), How: "exit status 0"}, "1048576 bytes", "err"},
		{"without input there is nothing to read", "echo", nil, 0, Ending{ExitCode: code(0), How: "exit status 0"}, "0 bytes", "err"},
		{"input that nobody reads keeps nobody waiting", "deaf", large, 0, Ending{ExitCode: code(0), How: "exit status 0"}, "done", ""},
		{"the exit code is told", "refuse", large, 0, Ending{ExitCode: code(3), How: "exit status 3"}, "", ""},
		{"the time limit ends it", "sleep", large, 10 * time.Millisecond, Ending{OutOfTime: true, How: "signal: killed"}, "", ""},
		{"without an environment it has this one", "environment", nil, 0, Ending{ExitCode: code(0), How: "exit status 0"}, "inherited", ""},
	} {
		t.Run(tt.reason, func(t *testing.T) {
			c, out, stderr := command(t, tt.program)
			c.Input, c.Limit = bytes.NewReader(tt.input), tt.limit
			if diff := cmp.Diff(tt.want, Run(t.Context(), c)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if out.String() != tt.out || stderr.String() != tt.err {
				t.Errorf("it wrote %q and %q, want %q and %q", out, stderr, tt.out, tt.err)
			}
		})
	}
}

func TestOneWriterGetsBothOutputs(t *testing.T) {
	c, out, _ := command(t, "echo")
	c.Error = nil
	Run(t.Context(), c)
	if got := out.String(); got != "0 byteserr" {
		t.Errorf("the output is %q", got)
	}
}

type full struct{ err error }

func (f full) Write([]byte) (int, error) { return 0, f.err }

func TestWriterThatRefusesEndsTheProgram(t *testing.T) {
	enough := errors.New("enough")
	c, _, _ := command(t, "endless")
	c.Output = full{enough}
	if e := Run(t.Context(), c); !errors.Is(e.Refused, enough) || e.OutOfTime {
		t.Errorf("it ended as %+v", e)
	}
}

func TestCanceledBeforeItStarts(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	c, out, _ := command(t, "echo")
	if e := Run(ctx, c); e.NotStarted == nil || out.Len() > 0 {
		t.Errorf("it ended as %+v and wrote %q", e, out)
	}
}

func TestFindTellsWhatIsMissing(t *testing.T) {
	if _, err := Find("no-such-program-anywhere", ""); err == nil || !strings.Contains(err.Error(), "the program is not in PATH") {
		t.Errorf("a name that does not exist: %v", err)
	}
	got, err := Find("./judge", "")
	wd, _ := os.Getwd()
	if want := wd + string(os.PathSeparator) + "judge"; got != want || err != nil {
		t.Errorf("a path is %q, %v, want %q", got, err, want)
	}
}
