package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spf13/cobra"
)

// hostile is what an author could write into any text, name, ID or path so that
// it acts in a log, a terminal, a summary or a report. Each has the word evil, by
// which it is known again.
var hostile = []string{
	"::error::evil", "  ::add-mask::evil", "\u00a0::stop-commands::evil", "\u3000::debug::evil",
	"x\n::set-output name=a::evil", "x\r::error::evil", "x\u2028::error::evil", "x\u0085::error::evil",
	"%0A::error::evil", "%0D%0A##[error]evil", "\\n::error::evil", "&#58;&#58;error&#58;&#58;evil",
	"##[error]evil", "x ##[add-mask]evil", "##vso[task.setvariable]evil", "#\u200d#[error]evil", "##\x00[error]evil",
	",line=1::evil", "x,title=y::evil:: ::error::evil",
	"\x1b[31mevil", "\x1b]0;evil\a", "\u009b31mevil", "evil\x08\x7f", "\u202eevil", "\u2066evil", "\U000e0041evil", "\ufeffevil",
	"<img src=x onerror=evil()>", "</pre></details><script>evil()</script>", "<!-- evil", "--> evil <!--", "]]><evil/>", "&lt;evil&gt; &#60;evil&#62;",
	"[evil](https://evil.example)", "![evil](https://evil.example/x.png)", "[evil]: https://evil.example", "[evil][evil]",
	"https://evil.example", "www.evil.example", "<https://evil.example>", "evil@evil.example", "@evil", "evil/evil#1", "#1 evil",
	"`evil` ``evil", "`", "| evil |", "\\| evil \\", "**evil** ~~evil~~ $evil$", "# evil", "x\n\n# evil\n\n<evil>", "```\nevil\n```",
	"${{ evil }}", "EOF\nevil=1\nEOF", "{0} evil %s %!d(x)",
}

// written is what a command wrote in one format.
type written struct {
	what, format, text string
}

// TestNothingInALibraryActs puts each hostile text wherever an author can write
// and holds that it acts in the output of no command, in no format.
func TestNothingInALibraryActs(t *testing.T) {
	for i, text := range hostile {
		t.Run(fmt.Sprintf("%02d", i), func(t *testing.T) {
			dir := t.TempDir()
			t.Chdir(dir)
			writeHostileLibraries(t, text)
			for _, c := range hostileCalls(text) {
				for _, o := range c.run(t) {
					holdInert(t, o)
				}
			}
		})
	}
}

// call is a command, called for all the formats it has, and its exit code: one
// that could not do its work would show nothing.
type call struct {
	command func(Streams) *cobra.Command
	args    []string
	formats []string
	code    int
}

func hostileCalls(text string) []call {
	textOrJSON := []string{"text", "json"}
	diffFormats := []string{"text", "json", "markdown"}
	return []call{
		{Lint, []string{"--base", "none", "hostile"}, lintFormats, ExitFindings},
		{Lint, []string{"--base", "none", "--config", "wrong.yaml", "hostile"}, lintFormats, ExitFailure},
		{Lint, []string{"--base", "none", "--explain", text}, nil, ExitFailure},
		{Lint, []string{"--format", text}, nil, ExitFailure},
		{Diff, []string{"good", "hostile"}, diffFormats, ExitOK},
		{Diff, []string{"good", "texts"}, diffFormats, ExitOK},
		{Diff, []string{"good", text}, diffFormats, ExitFailure},
		{Bundle, []string{"list", "texts"}, textOrJSON, ExitOK},
		{Bundle, []string{"get", "texts", "good_v1"}, []string{"text", "json", "reference"}, ExitOK},
		{Bundle, []string{"get", "texts", text}, textOrJSON, ExitFailure},
		{Bundle, []string{"search", "texts", "good"}, textOrJSON, ExitOK},
		{Bundle, []string{"refs", "texts", "contract.json"}, textOrJSON, ExitFindings},
		{Rules, []string{"prepare"}, nil, ExitOK},
		{Rules, []string{"evaluate", "artifact.md", "--phase", "A", "--verdicts", "verdicts.json"}, resultFormats, ExitFindings},
		{Calibrate, []string{"report", "--library", "texts", "good_v1"}, reportFormats, ExitOK},
	}
}

// run runs a command that writes each format into a file, and returns what it
// wrote, to the streams and the job summary too.
func (c call) run(t *testing.T) []written {
	t.Helper()
	var out, errs strings.Builder
	summary := filepath.Join(t.TempDir(), "summary.md")
	getenv := func(name string) string {
		if name == "GITHUB_STEP_SUMMARY" {
			return summary
		}
		return ""
	}
	args := slices.Clone(c.args)
	for _, f := range c.formats {
		args = append(args, "--format", f+"="+f+".out")
	}
	what := fmt.Sprintf("%q", c.args)
	if code := Main(c.command, args, Streams{In: strings.NewReader(""), Out: &out, Err: &errs, Getenv: getenv}); code != c.code {
		t.Errorf("%s exits with %d, want %d: %s", what, code, c.code, errs.String())
	}
	outputs := []written{{what, "text", out.String()}, {what, "text", errs.String()}}
	if data, err := os.ReadFile(summary); err == nil {
		outputs = append(outputs, written{what, "markdown", string(data)})
	}
	for _, f := range c.formats {
		data, err := os.ReadFile(f + ".out")
		if err != nil && c.code != ExitFailure {
			t.Errorf("%s wrote no %s: %v", what, f, err)
		}
		if err == nil {
			outputs = append(outputs, written{what, f, string(data)})
			_ = os.Remove(f + ".out")
		}
	}
	return outputs
}

// writeHostileLibraries makes a library, one whose texts are hostile, and one in
// which everything is, and the files of a run.
func writeHostileLibraries(t *testing.T, text string) {
	t.Helper()
	quoted, err := json.Marshal(text)
	if err != nil {
		t.Fatal(err)
	}
	write := func(name, content string) {
		t.Helper()
		err := os.MkdirAll(filepath.Dir(name), 0o777)
		if err == nil {
			err = os.WriteFile(name, []byte(content), 0o666)
		}
		// What a file system refuses as a name can't be in a library.
		if err != nil && !strings.Contains(name, fileName(text)) {
			t.Fatal(err)
		}
	}
	evil := strings.NewReplacer("EVIL", string(quoted), "PLAIN", oneLine(text))
	// A file that holds such characters themselves is refused as a whole.
	escaped := strings.NewReplacer("EVIL", strconv.QuoteToASCII(text))
	write("good/rubrics/prd/good_v1.yaml", strings.ReplaceAll(hostileRubric, "EVIL", `"good"`))
	write("texts/rubrics/prd/good_v1.yaml", escaped.Replace(hostileRubric))
	write("hostile/rubrics/prd/good_v1.yaml", escaped.Replace(hostileRubric))
	write("hostile/rubrics/prd/broken_v1.yaml", evil.Replace(hostileKeys))
	write("hostile/rubrics/prd/keys_v1.yaml", escaped.Replace(hostileKeys))
	write("hostile/rubrics/prd/id_v1.yaml", escaped.Replace("rubric_id: EVIL\nname: EVIL\nversion: EVIL\nartifact_type: EVIL\ncriteria: EVIL\n"))
	write("hostile/rubrics/prd/syntax_v1.yaml", oneLine(text)+": [\n"+text)
	write("hostile/rubrics/prd/ignored_v1.yaml", evil.Replace(strings.Replace(hostileRubric, "name: EVIL", "name: EVIL # rubric-lint: ignore PLAIN -- PLAIN", 1)))
	write(filepath.Join("hostile/rubrics/prd", fileName(text)+".yaml"), evil.Replace(hostileRubric))
	write(filepath.Join("hostile/rubrics", fileName(text), "x"), text)
	write("hostile/.git/HEAD", "")
	write("hostile/.github/CODEOWNERS", evil.Replace("PLAIN\n* PLAIN\n/rubrics/prd/PLAIN\n/PLAIN/\n")+text+"\n*\n")
	write("wrong.yaml", evil.Replace("EVIL: EVIL\n"))
	write("contract.json", evil.Replace(`{"rubric": EVIL}`))
	write("artifact.md", text+"\nTODO "+text+"\n")
	write("verdicts.json", evil.Replace(`{"verdicts": [{"rule": "a.x.outside", "verdict": "fail", "reason": EVIL}]}`))
	write("run.json", evil.Replace(hostileRun))
	write("texts/calibration/notes/dataset.yaml", escaped.Replace(hostileDataset))
	var items, answers strings.Builder
	for i := range 12 {
		fmt.Fprintf(&items, "{\"id\":\"i%03d\",\"artifact\":%s,\"labels\":{\"r1\":{\"clarity\":%d},\"r2\":{\"clarity\":%d}}}\n", i, quoted, 1+i%5, 1+i%4)
		fmt.Fprintf(&answers, "{\"run\":\"2026-11-21\",\"item\":\"i%03d\",\"repeat\":1,\"model\":%s,\"date\":\"2026-11-21\",\"digest\":\"sha256:42338583db3d74e989f7707196775d5092ee21fa509684ec2623428c80afcae3\",\"scores\":{\"clarity\":%d}}\n", i, quoted, 1+i%3)
	}
	write("texts/calibration/notes/items.jsonl", items.String())
	write("texts/calibration/notes/judges/steady.jsonl", answers.String())
}

func oneLine(text string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(text) }

func fileName(text string) string { return strings.ReplaceAll(text, "/", "_") }
