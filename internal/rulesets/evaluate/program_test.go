package evaluate

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// asProgram is the first argument with which this test is the program that
// checks run. It is not a variable, because commands get a clean environment.
const asProgram = "as-program"

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == asProgram {
		if err := programs[os.Args[2]](os.Args[3:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(99)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

// programs are the programs that the test can run as. They get only arguments.
var programs = map[string]func(args []string) error{
	"exit": func(args []string) error {
		code, err := strconv.Atoi(args[0])
		if err == nil {
			os.Exit(code)
		}
		return err
	},
	"arguments": func(args []string) error {
		_, err := fmt.Printf("%q\n", args)
		return err
	},
	"environment": func([]string) error {
		all := os.Environ()
		slices.Sort(all)
		_, err := fmt.Println(strings.Join(all, "\n"))
		return err
	},
	"cat": func(args []string) error {
		data, err := os.ReadFile(args[0])
		fmt.Printf("%s", data)
		return err
	},
	"stdin": func([]string) error {
		n, err := io.Copy(os.Stdout, os.Stdin)
		fmt.Printf("%d bytes\n", n)
		return err
	},
	"folder": func([]string) error {
		_, err := os.Stat("artifact.md")
		return err
	},
	"both": func([]string) error {
		fmt.Fprint(os.Stdout, "out ")
		fmt.Fprint(os.Stderr, "err ")
		fmt.Fprint(os.Stdout, "out")
		return nil
	},
	// much writes a text again and again.
	"much": func(args []string) error {
		for range 100_000 {
			if _, err := io.WriteString(os.Stdout, args[0]); err != nil {
				return err
			}
		}
		return nil
	},
	"broken": func([]string) error {
		_, err := os.Stdout.WriteString("a\xFF\xFEb")
		return err
	},
	"home": func([]string) error {
		_, err := fmt.Println(os.Getenv("HOME"))
		return err
	},
	// litter leaves a read-only folder in the temporary one, whose name it keeps.
	"litter": func([]string) error {
		inner := filepath.Join(os.Getenv("HOME"), "inner")
		if err := os.Mkdir(inner, 0o700); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(inner, "file"), nil, 0o600); err != nil {
			return err
		}
		if err := os.Chmod(inner, 0o500); err != nil {
			return err
		}
		return os.WriteFile("home", []byte(os.Getenv("HOME")), 0o600)
	},
	"linger": func([]string) error { return linger() },
	// family lingers and has a child that does.
	"family": func([]string) error {
		if _, err := startLingering(nil); err != nil {
			return err
		}
		return linger()
	},
	// leave ends at once and leaves a child that holds the output open.
	"leave": func([]string) error {
		if _, err := startLingering(nil); err != nil {
			return err
		}
		_, err := fmt.Println("done")
		return err
	},
}

// linger keeps the pipe in its folder open until it is killed.
func linger() error {
	pipe, err := os.OpenFile("pipe", os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	if _, err := fmt.Fprintln(pipe, "started"); err != nil {
		return err
	}
	if err := os.WriteFile("started", nil, 0o600); err != nil {
		return err
	}
	time.Sleep(20 * time.Second)
	_, err = fmt.Fprintln(pipe, "survived")
	return err
}

// startLingering starts a child that lingers, and waits until it is running.
func startLingering(attributes *syscall.SysProcAttr) (*os.Process, error) {
	self, err := os.Executable()
	if err != nil {
		return nil, err
	}
	child := exec.Command(self, asProgram, "linger")
	child.Stdout, child.Stderr, child.SysProcAttr = os.Stdout, os.Stderr, attributes
	if err := child.Start(); err != nil {
		return nil, err
	}
	for {
		if _, err := os.Stat("started"); err == nil {
			return child.Process, nil
		}
		time.Sleep(time.Millisecond)
	}
}

// command returns a check that runs this test as a program.
func command(t *testing.T, args ...string) ruleset.Check {
	t.Helper()
	self := must.Get(os.Executable())(t)
	return ruleset.Check{Type: ruleset.CheckExecutable, Command: append([]string{self, asProgram}, args...)}
}
