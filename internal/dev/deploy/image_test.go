package deploy_test

import (
	"debug/elf"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/dev/scripttest"
)

// instruction is one of a Containerfile.
type instruction struct{ name, args string }

// image is what the Containerfile describes.
type image struct {
	bases       []string // of the stages, of which the last one is the image
	build, last []instruction
}

var continued = regexp.MustCompile(`\\\n\s*`)

func readImage(t *testing.T) image {
	t.Helper()
	var i image
	for line := range strings.Lines(continued.ReplaceAllString(scripttest.Text(t, examples+"Containerfile"), "")) {
		if line = strings.TrimSpace(line); line == "" || line[0] == '#' {
			continue
		}
		name, args, _ := strings.Cut(line, " ")
		switch {
		case name == "FROM":
			i.bases = append(i.bases, args)
		case len(i.bases) == 1:
			i.build = append(i.build, instruction{name, args})
		default:
			i.last = append(i.last, instruction{name, args})
		}
	}
	return i
}

// pinned matches an image with the digest of its content.
var pinned = regexp.MustCompile(`^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64} AS build$`)

// TestImageHasOnlyTheProgram: a base can't change, and neither a shell nor root is in the image.
func TestImageHasOnlyTheProgram(t *testing.T) {
	i := readImage(t)
	if len(i.bases) != 2 || !pinned.MatchString(i.bases[0]) || i.bases[1] != "scratch" {
		t.Errorf("the bases are %q, want one pinned by its digest, and scratch", i.bases)
	}
	version := regexp.MustCompile(`(?m)^toolchain go(.*)$`).FindStringSubmatch(scripttest.Text(t, "go.mod"))
	if version == nil || !strings.Contains(i.bases[0], "golang:"+version[1]+"@") {
		t.Errorf("the image is built with %s, and tested with %s", i.bases[0], version)
	}
	for _, step := range i.last {
		switch step.name {
		case "COPY":
			if !strings.HasPrefix(step.args, "--from=build /etc/ssl/certs/ca-certificates.crt ") && !strings.HasPrefix(step.args, "--from=build /out/rubric ") {
				t.Errorf("the image has more: COPY %s", step.args)
			}
		case "USER", "EXPOSE", "ENTRYPOINT":
		default:
			t.Errorf("%s %s is not known to be safe", step.name, step.args)
		}
	}
	if user := i.one(t, "USER"); !regexp.MustCompile(`^[1-9]\d*:[1-9]\d*$`).MatchString(user) {
		t.Errorf("the user is %s, want numbers above 0, because Kubernetes can't check a name", user)
	}
}

// one returns the arguments of an instruction that the last stage has once.
func (i image) one(t *testing.T, name string) (args string) {
	t.Helper()
	found := 0
	for _, step := range i.last {
		if step.name == name {
			args = step.args
			found++
		}
	}
	if found != 1 {
		t.Fatalf("the image has %s %d times", name, found)
	}
	return args
}

// entrypoint is the program that the image runs, in the image.
func (i image) entrypoint(t *testing.T) string {
	t.Helper()
	var words []string
	must.Do(t, json.Unmarshal([]byte(i.one(t, "ENTRYPOINT")), &words))
	if len(words) != 1 {
		t.Fatalf("the image runs %q", words)
	}
	return words[0]
}

// builtProgram carries out the first stage of the Containerfile in this repository, once, and
// returns the program. The tests of this package run one after the other.
func builtProgram(t *testing.T) string {
	t.Helper()
	if testing.Short() {
		t.Skip("it builds the program")
	}
	if runtime.GOOS != "linux" {
		t.Skip("the image is for Linux")
	}
	needs(t, "sh", "git")
	program := filepath.Join(built, "rubric")
	if _, err := os.Stat(program); err == nil {
		return program
	}
	// In the image, all files are of its user, so that Git trusts them.
	environment := append(os.Environ(), "GIT_CONFIG_COUNT=1", "GIT_CONFIG_KEY_0=safe.directory", "GIT_CONFIG_VALUE_0=*")
	for _, step := range readImage(t).build {
		switch step.name {
		case "ENV":
			environment = append(environment, strings.Fields(step.args)...)
		case "RUN":
			cmd := exec.Command("sh", "-ec", strings.ReplaceAll(step.args, "/out/", built+"/"))
			cmd.Env = environment
			if log, err := cmd.CombinedOutput(); err != nil {
				t.Fatalf("RUN %s: %v\n%s", step.args, err, log)
			}
		case "WORKDIR", "COPY": // this repository
		default:
			t.Fatalf("this test can't carry out %s", step.name)
		}
	}
	return program
}

// TestProgramOfTheImageIsStatic: scratch has no libraries and no loader.
func TestProgramOfTheImageIsStatic(t *testing.T) {
	f := must.Get(elf.Open(builtProgram(t)))(t)
	defer f.Close()
	for _, part := range f.Progs {
		if part.Type == elf.PT_INTERP || part.Type == elf.PT_DYNAMIC {
			t.Errorf("the program has the part %s", part.Type)
		}
	}
	if libraries, err := f.ImportedLibraries(); len(libraries) > 0 {
		t.Errorf("the program needs %q, %v", libraries, err)
	}
}
