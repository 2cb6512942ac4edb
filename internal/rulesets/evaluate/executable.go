package evaluate

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/rubric-library/rubric-library/internal/files/process"
	"github.com/rubric-library/rubric-library/internal/files/safefile"
	"github.com/rubric-library/rubric-library/pkg/ruleset"
)

// placeholder is replaced with the artifact's path in the arguments of a command.
const placeholder = "{artifact}"

// checkExecutable runs an executable check. The result is meaningless if ctx is canceled.
func checkExecutable(ctx context.Context, c ruleset.Check, a *Artifact, o Options) CheckResult {
	if !o.AllowExec {
		return skipped("commands only run with --allow-exec")
	}
	if len(c.Command) == 0 || c.Command[0] == "" {
		return skipped("the check has no command")
	}
	home, err := newTemporary()
	if err != nil {
		return skipped("%q could not be started: can't create a temporary folder: %v", c.Command[0], safefile.Reason(err))
	}
	defer home.remove()
	folder := a.folder
	if folder == "" {
		folder = filepath.Join(home.path, "artifact")
		if err := a.copyTo(folder); err != nil {
			return skipped("%q could not be started: can't copy the artifact: %v", c.Command[0], safefile.Reason(err))
		}
	}
	program, err := process.Find(c.Command[0], folder)
	if err != nil {
		return skipped("%q could not be started: %v", c.Command[0], err)
	}

	args := slices.Clone(c.Command)
	for i := range args[1:] { // ./ keeps a name that starts with - from being an option
		args[1+i] = strings.ReplaceAll(args[1+i], placeholder, "./"+a.name)
	}
	out := newOutput(home.names())
	e := process.Run(ctx, process.Command{
		Program:     program,
		Args:        args,
		Folder:      folder,
		Environment: environment(home.path),
		Output:      out,
		Limit:       o.TimeLimit,
	})
	result := resultOf(e, c.Command[0], o)
	result.Output, result.Truncated = out.text()
	return result
}

// resultOf returns the result of a check for the ending of its command. A check whose
// command crashed is skipped, because a crash says nothing about the artifact.
func resultOf(e process.Ending, name string, o Options) CheckResult {
	switch {
	case e.NotStarted != nil:
		return skipped("%q could not be started: %v", name, e.NotStarted)
	case e.OutOfTime:
		return skipped("%q did not finish within %v", name, o.TimeLimit)
	case e.ExitCode == nil:
		return skipped("%q crashed: %s", name, e.How)
	}
	result := CheckResult{Verdict: ruleset.VerdictPass, ExitCode: e.ExitCode}
	if *e.ExitCode != 0 {
		result.Verdict = ruleset.VerdictFail
	}
	result.Reason = fmt.Sprintf("%q exited with code %d", name, *e.ExitCode)
	return result
}

// environment returns the complete environment of a command. It has none of the user's
// tokens and settings, so that the verdict does not depend on the user.
func environment(home string) []string {
	env := []string{
		"PATH=" + os.Getenv("PATH"),
		"HOME=" + home,
		"TMPDIR=" + home,
		"LANG=C.UTF-8",
		"LC_ALL=C.UTF-8",
		"TZ=UTC",
	}
	if runtime.GOOS == "windows" { // os/exec adds SYSTEMROOT
		env = append(env, "PATHEXT="+os.Getenv("PATHEXT"), "TEMP="+home, "TMP="+home, "USERPROFILE="+home)
	}
	return env
}

const maxOutput = 16 << 10

// hiddenAs replaces the temporary folder, whose name varies, in the output.
const hiddenAs = "$TMPDIR"

// output keeps the start of a command's output. It replaces paths before it truncates,
// so that the result does not depend on their lengths.
type output struct {
	replacer *strings.Replacer
	enough   int // the number of bytes after which every path that starts in the first maxOutput is complete
	kept     string
}

func newOutput(hidden []string) *output {
	o := &output{enough: maxOutput + 1}
	var pairs []string
	for _, path := range hidden {
		pairs = append(pairs, path, hiddenAs)
		o.enough = max(o.enough, maxOutput+len(path))
	}
	o.replacer = strings.NewReplacer(pairs...)
	return o
}

// Write never fails; it discards what is not kept.
func (o *output) Write(chunk []byte) (int, error) {
	if len(o.kept) < o.enough {
		o.kept = o.replacer.Replace(o.kept + string(chunk))
	}
	return len(chunk), nil
}

// text returns the kept output as valid UTF-8, and whether there was more. It never
// splits a character.
func (o *output) text() (text string, truncated bool) {
	text = o.kept
	if truncated = len(text) > maxOutput; truncated {
		end := maxOutput
		for end > maxOutput-utf8.UTFMax && !utf8.RuneStart(text[end]) {
			end--
		}
		text = text[:end]
	}
	return strings.ToValidUTF8(text, string(utf8.RuneError)), truncated
}

// temporary is a folder that a command can write to and that is removed with it.
type temporary struct{ path string }

func newTemporary() (temporary, error) {
	parent, err := filepath.Abs(os.TempDir()) // TMPDIR can be relative, but not to the command's folder
	if err != nil {
		return temporary{}, err
	}
	path, err := os.MkdirTemp(parent, "rubric-check-")
	return temporary{path}, err
}

// names returns the paths under which a command can see the folder, longest first.
func (t temporary) names() []string {
	names := []string{t.path}
	if real, err := filepath.EvalSymlinks(t.path); err == nil && real != t.path {
		names = append(names, real)
	}
	slices.SortFunc(names, func(a, b string) int { return len(b) - len(a) })
	return names
}

// remove makes folders writable that a command left read-only (the go command does this
// for modules) and removes them. The system cleans up what still can't be removed, for
// example because a program that left its process group is still writing.
func (t temporary) remove() {
	if root, err := os.OpenRoot(t.path); err == nil {
		_ = fs.WalkDir(root.FS(), ".", func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.IsDir() {
				return root.Chmod(path, 0o700)
			}
			return nil
		})
		_ = root.Close()
	}
	_ = os.RemoveAll(t.path)
}

// copyTo writes the artifact to a new folder.
func (a *Artifact) copyTo(folder string) error {
	files := a.files
	if a.whole != nil {
		files = []file{*a.whole}
	}
	if err := os.Mkdir(folder, 0o700); err != nil {
		return err
	}
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	for _, f := range files {
		if err := root.MkdirAll(path.Dir(f.path), 0o700); err != nil {
			return err
		}
		if err := root.WriteFile(f.path, f.data, f.perm|0o600); err != nil {
			return err
		}
	}
	return nil
}
