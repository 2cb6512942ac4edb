// Command house measures the structure of the repository and compares it with the limits
// that keep it readable: rooms, arrows, circles, packages, files, and what rubric-lint links.
// The limits leave room: who exceeds one looks first for what is in the wrong place.
//
//	go run -C tools ./house [-build]
//	go run -C tools ./house -order PACKAGE...
//
// The second form prints, for each package, the order of its files in which the fewest arrows
// between them run back up, and these arrows. The first one counts them in the worst package.
//
// A room is a folder below internal/ or pkg/, or cmd, without the test support in
// internal/dev. An arrow is an import between two rooms outside tests. The exit code is 1 if a
// limit is exceeded.
package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

const module = "github.com/rubric-library/rubric-library/"

// goPackage is a part of what `go list -json` prints.
type goPackage struct {
	ImportPath, Dir                  string
	GoFiles, IgnoredGoFiles, Imports []string
	Deps                             []string
}

func (p goPackage) name() string { return strings.TrimPrefix(p.ImportPath, module) }

// room is the room of a package, or "" if it is in none.
func room(importPath string) string {
	name, own := strings.CutPrefix(importPath, module)
	parts := strings.Split(name, "/")
	switch {
	case !own:
		return ""
	case parts[0] == "cmd":
		return "cmd"
	case len(parts) < 2 || parts[0] != "internal" && parts[0] != "pkg" || parts[1] == "dev":
		return ""
	}
	return parts[0] + "/" + parts[1]
}

func list(root string, args ...string) ([]goPackage, error) {
	cmd := exec.Command("go", append([]string{"list", "-json=ImportPath,Dir,GoFiles,IgnoredGoFiles,Imports,Deps"},
		args...)...)
	cmd.Dir, cmd.Stderr = root, os.Stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, err
	}
	var all []goPackage
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := d.Decode(&p); err == io.EOF {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, p)
	}
}

// house is what was measured.
type house struct {
	arrows   map[string]map[string]bool // by room
	packages map[string]int             // lines
	files    map[string]int             // lines
	back     map[string]int             // arrows between the files of a package that run back up
	inRooms  int                        // packages in rooms
	named    []string                   // places of types named Library
	linked   []string                   // what rubric-lint links and does not need
}

var typeLibrary = regexp.MustCompile(`(?m)^(?:type |\t)Library (?:struct|interface)`)

// heavy are what a linter of files does not need.
var heavy = []string{"oras.land/oras-go/v2", "github.com/yuin/goldmark", "net/http", "crypto/tls"}

func measure(root string) (*house, error) {
	all, err := list(root, "./...")
	if err != nil {
		return nil, err
	}
	h := &house{
		arrows: map[string]map[string]bool{}, packages: map[string]int{}, files: map[string]int{},
		back: map[string]int{},
	}
	for _, p := range all {
		if err := h.readFiles(p); err != nil {
			return nil, err
		}
		h.addArrows(p)
	}
	if err := h.order(root); err != nil {
		return nil, err
	}
	linter, err := list(root, "./cmd/rubric-lint")
	if err != nil {
		return nil, err
	}
	for _, p := range heavy {
		if slices.ContainsFunc(linter[0].Deps, func(dep string) bool { return dep == p || strings.HasPrefix(dep, p+"/") }) {
			h.linked = append(h.linked, p)
		}
	}
	return h, nil
}

// readFiles counts the lines of a package, except for those of tests.
func (h *house) readFiles(p goPackage) error {
	for _, file := range slices.Concat(p.GoFiles, p.IgnoredGoFiles) { // those of other systems too
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		data, err := os.ReadFile(filepath.Join(p.Dir, file))
		if err != nil {
			return err
		}
		lines := bytes.Count(data, []byte("\n"))
		h.packages[p.name()] += lines
		h.files[p.name()+"/"+file] = lines
		if room(p.ImportPath) != "" && typeLibrary.Match(data) {
			h.named = append(h.named, p.name())
		}
	}
	return nil
}

// addArrows counts the imports of a package that lead to other rooms.
func (h *house) addArrows(p goPackage) {
	from := room(p.ImportPath)
	if from == "" || len(p.GoFiles) == 0 {
		return
	}
	h.inRooms++
	if h.arrows[from] == nil {
		h.arrows[from] = map[string]bool{}
	}
	for _, path := range p.Imports {
		if to := room(path); to != "" && to != from {
			h.arrows[from][to] = true
		}
	}
}

// order counts the arrows between the files of each package that run back up.
func (h *house) order(root string) error {
	all, err := readFiles(root, "./...")
	if err != nil {
		return err
	}
	for _, f := range all {
		h.back[f.pkg] = len(f.back().arrows)
	}
	return nil
}

// circle lists the rooms that can reach themselves.
func (h *house) circle() []string {
	var in []string
	for start := range h.arrows {
		reached, next := map[string]bool{}, []string{start}
		for len(next) > 0 {
			at := next[0]
			next = next[1:]
			for to := range h.arrows[at] {
				if !reached[to] {
					reached[to] = true
					next = append(next, to)
				}
			}
		}
		if reached[start] {
			in = append(in, start)
		}
	}
	slices.Sort(in)
	return in
}

// coldBuild is the CPU time of building rubric-lint with an empty cache.
func coldBuild(root string) (time.Duration, error) {
	cache, err := os.MkdirTemp("", "house-")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(cache)
	cmd := exec.Command("go", "build", "-o", filepath.Join(cache, "rubric-lint"), "./cmd/rubric-lint")
	cmd.Dir, cmd.Stderr, cmd.Env = root, os.Stderr, append(os.Environ(), "GOCACHE="+filepath.Join(cache, "go"))
	if err := cmd.Run(); err != nil {
		return 0, err
	}
	return cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime(), nil
}

// report prints the table, and returns how many limits are exceeded.
func (h *house) report(w io.Writer, root string, build bool) (exceeded int, err error) {
	row := func(what string, has, most int, details ...string) {
		note := ""
		if has > most {
			exceeded++
			note = "exceeded"
		}
		fmt.Fprintf(w, "| %s | %d | %d | %s |\n", what, has, most, strings.TrimSpace(note+" "+strings.Join(details, ", ")))
	}
	fmt.Fprint(w, "| | has | at most | |\n|---|---|---|---|\n")
	arrows := 0
	for _, to := range h.arrows {
		arrows += len(to)
	}
	row("rooms", len(h.arrows), 20)
	row("arrows", arrows, 90)
	circle := h.circle()
	row("rooms in a circle", len(circle), 0, circle...)
	row("packages in rooms", h.inRooms, 87)
	worst := func(what string, sizes map[string]int, limit int) {
		name := slices.MaxFunc(slices.Sorted(maps.Keys(sizes)), func(a, b string) int { return sizes[a] - sizes[b] })
		row(what, sizes[name], limit, name)
	}
	worst("lines of the largest package", h.packages, 4000)
	worst("lines of the longest file", h.files, 500)
	worst("arrows between the files of a package that run back up", h.back, 8)
	row("types named Library", len(h.named), 2, h.named...)
	row("what rubric-lint links and does not need", len(h.linked), 0, h.linked...)
	if build {
		took, err := coldBuild(root)
		if err != nil {
			return exceeded, err
		}
		row("CPU seconds of a cold build of rubric-lint", int(took.Seconds()), 60)
	}
	return exceeded, nil
}

func run() error {
	build := flag.Bool("build", false, "also measure a cold build of rubric-lint")
	order := flag.Bool("order", false, "print the best order of the files of the named packages instead")
	flag.Parse()
	out, err := exec.Command("git", "rev-parse", "--show-toplevel").Output()
	if err != nil {
		return fmt.Errorf("not in a clone of the repository: %w", err)
	}
	root := strings.TrimSpace(string(out))
	if *order {
		return printOrder(os.Stdout, root, flag.Args())
	}
	h, err := measure(root)
	if err != nil {
		return err
	}
	exceeded, err := h.report(os.Stdout, root, *build)
	if err == nil && exceeded > 0 {
		err = errors.New("limits are exceeded")
	}
	return err
}

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "house:", err)
		os.Exit(1)
	}
}
