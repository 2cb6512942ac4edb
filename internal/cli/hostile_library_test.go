package cli

import (
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/rubric-library/rubric-library/internal/dev/bundletest"
	"github.com/rubric-library/rubric-library/internal/dev/must"
	"github.com/rubric-library/rubric-library/internal/lint/printer"
)

// Documents for hostile texts. EVIL is a text in quotes, PLAIN a text on one line.

const hostileRubric = `rubric_id: good_v1
name: EVIL
version: "1.0.0"
artifact_type: prd
description: EVIL
metadata:
  owner: EVIL
criteria:
  - name: clarity
    description: EVIL
    weight: essential
    threshold: 3.0
    anchors:
      1: EVIL
      2: The actor or the action is named.
      3: Actor and action are named.
      4: Actor, action and object are named.
      5: EVIL
    examples:
      score_1: EVIL
      score_5: A clerk archives an invoice so that the audit finds it.
scoring:
  pass_threshold: 3.5
  essential_minimum: 3.0
calibration_dataset: calibration/notes/dataset.yaml
`

const hostileKeys = `rubric_id: broken_v1
name: [EVIL]
version: EVIL
artifact_type: EVIL
EVIL: EVIL
metadata:
  EVIL: EVIL
criteria:
  - name: EVIL
    description: {EVIL: EVIL}
    weight: EVIL
    threshold: EVIL
    EVIL: EVIL
    anchors:
      EVIL: EVIL
      1: EVIL
    examples: EVIL
  - name: EVIL
    weight: EVIL
negative_criteria:
  - name: EVIL
    fail_patterns: [EVIL, "(", "PLAIN("]
scoring:
  pass_threshold: EVIL
  EVIL: 1
calibration_dataset: EVIL
`

const hostileRun = `{
  "schema_version": 1,
  "criteria": {
    "template": {"file": EVIL, "digest": "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"},
    "pass_threshold": 0.5,
    "rules": [
      {"id": "a.x.todo", "description": EVIL, "severity": "fail", "weight": 2, "phase": "A", "check": EVIL,
       "checks": [{"type": "content", "pattern": "TODO", "expect": "absent"}]},
      {"id": "a.x.literal", "description": EVIL, "severity": "warn", "weight": 2, "phase": "A", "check": EVIL,
       "checks": [{"type": "content", "literal": EVIL, "expect": "absent"}]},
      {"id": "a.x.outside", "description": EVIL, "severity": "warn", "weight": 1, "phase": "A", "check": EVIL}
    ]
  }
}
`

const hostileDataset = `applies_to: [good_v1]
labeled_by: people
method: EVIL
license: EVIL
criteria:
  - name: clarity
    digest: sha256:fc4d3ea324f133a5ccd852dbeaf4f00b90a58ee7560b86e3b80ae269ee1e1bef
`

// writeHostileLibraries writes a library, one whose texts are hostile, one in which
// everything is, and the files of a run.
func writeHostileLibraries(t *testing.T, text string) {
	t.Helper()
	quoted := must.Get(json.Marshal(text))(t)
	write := func(name, content string) {
		t.Helper()
		// A name that the file system rejects can't be in a library.
		if err := writeNew(name, content); err != nil && !strings.Contains(name, fileName(text)) {
			t.Fatal(err)
		}
	}
	evil := strings.NewReplacer("EVIL", string(quoted), "PLAIN", oneLine(text))
	// A file that contains such characters unescaped is rejected as a whole.
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
	for i := range 6 {
		fmt.Fprintf(&items, "{\"id\":\"i%03d\",\"artifact\":%s,\"labels\":{\"r1\":{\"clarity\":%d},\"r2\":{\"clarity\":%d}}}\n", i, quoted, 1+i%5, 1+i%4)
		fmt.Fprintf(&answers, "{\"run\":\"2026-11-21\",\"item\":\"i%03d\",\"repeat\":1,\"model\":%s,\"date\":\"2026-11-21\",\"digest\":\"sha256:42338583db3d74e989f7707196775d5092ee21fa509684ec2623428c80afcae3\",\"scores\":{\"clarity\":%d}}\n", i, quoted, 1+i%3)
	}
	write("texts/calibration/notes/items.jsonl", items.String())
	write("texts/calibration/notes/judges/steady.jsonl", answers.String())
	write("texts/calibration/notes/judges/other.jsonl", strings.ReplaceAll(answers.String(), `"clarity":3`, `"clarity":5`))
	write("hostile/calibration/notes/dataset.yaml", evil.Replace(hostileDataset))
	write("hostile/calibration/notes/items.jsonl", evil.Replace("{EVIL: EVIL}\nPLAIN\n"))
	write("hostile/calibration/notes/judges/x.jsonl", evil.Replace("{EVIL: EVIL}\nPLAIN\n"))
	csv := `"` + strings.ReplaceAll(text, `"`, `""`) + `"`
	write("labels.csv", "item,rater,criterion,label,artifact\nnew-1,r1,clarity,3,"+csv+"\nnew-2,r1,clarity,4,"+csv+"\n")
	write("scores.csv", "item,criterion,score,reason,"+csv+"\ni000,clarity,3,"+csv+",\n")
	write("wrong.csv", "item,rater,criterion,label,"+csv+"\n"+strings.Repeat(csv+",", 4)+csv+"\n")
	write("judge.sh", "printf '%s' "+shellQuoted(text)+" >&2\nexit 1\n")
	write("odd-judge.sh", "printf '%s' "+shellQuoted(evil.Replace(`{"scores": {EVIL: 3}, "model": EVIL}`))+"\n")
	write("rows.yaml", evil.Replace("- {id: a.x.todo, description: EVIL, severity: fail, check: EVIL, checks: [{type: content, literal: EVIL, expect: absent}, {type: content, pattern: EVIL, expect: absent}]}\n"))
	write("rows.md", evil.Replace("# PLAIN\n\n| ID | Description | Severity | Check |\n|---|---|---|---|\n| a.x.todo | PLAIN | fail | PLAIN |\n| PLAIN | PLAIN | PLAIN | PLAIN |\n"))
	write("answers.yaml", evil.Replace("task_type: EVIL\nmandatory_checks: [EVIL]\nEVIL: EVIL\n"))
	writeForeign(write, evil, csv)
	write("broken.zip", text)
	write("comment.md", printer.MarkOf("", false).String()+text+"\n")
	var bundle strings.Builder
	if _, err := bundletest.Write(&bundle, bundletest.Library{Verifiable: true, Documents: []string{escaped.Replace(hostileRubric)}}); err != nil {
		t.Fatal(err)
	}
	write("texts.zip", bundle.String())
}

// writeForeign writes files in the formats of other tools with a hostile text wherever
// their readers look.
func writeForeign(write func(name, content string), evil *strings.Replacer, cell string) {
	write("prometheus.json", evil.Replace(`[{"id": EVIL, "criteria": EVIL, EVIL: EVIL, "capability": EVIL, "score1_description": EVIL, "score9_description": EVIL, "reference_answer": EVIL}]`))
	write("ragas.json", evil.Replace(`{"name": EVIL, "rubrics": {EVIL: EVIL, "score0_description": EVIL, "score1_description": EVIL, "score2_description": EVIL}}`))
	write("deepeval.json", evil.Replace(`{"metrics": [{"name": EVIL, "evaluation_steps": [EVIL], EVIL: EVIL, "rubric": [{"score_range": [0, 9], "expected_outcome": EVIL}]}]}`))
	write("deepeval-wrong.json", evil.Replace(`{EVIL: [{"name": EVIL, "rubric": [{"score_range": [EVIL, EVIL]}]}]}`))
	write("rubric-spec.json", evil.Replace(`{"rubric_id": EVIL, "label": EVIL, "provenance": {"source": EVIL}, EVIL: EVIL, "criteria": [{"criterion_id": EVIL, "label": EVIL, EVIL: EVIL, "anchors": [{"value": EVIL, "label": EVIL}]}]}`))
	write("promptfoo.json", evil.Replace(`{"tests": [{"description": EVIL, "assert": [{"type": "llm-rubric", "metric": EVIL, "value": EVIL, EVIL: EVIL}, {"type": EVIL}, {"type": "not-contains", "metric": EVIL, "value": EVIL}]}]}`))
	write("table.csv", "criterion,description,1,"+cell+"\n"+strings.Repeat(cell+",", 3)+"x\n")
	write("list.md", evil.Replace("# PLAIN\n\n- [ ] PLAIN\n- [ ] No PLAIN\n  - PLAIN\n"))
}

// releasedRepository creates a repository whose library was released with good texts.
func releasedRepository(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	must.Do(t, writeNew(filepath.Join(dir, hostileFile), strings.ReplaceAll(hostileRubric, "EVIL", "good")))
	git(t, dir, "init", "-q", "-b", "main", "--template=")
	git(t, dir, "add", ".")
	git(t, dir, "commit", "-q", "-m", "good")
	git(t, dir, "tag", "-a", "-m", "digest: sha256:"+strings.Repeat("0", 64), "library-v1.0.0")
	return dir
}

const hostileFile = "rubrics/prd/good_v1.yaml"

// writeHostileRepository creates a repository whose library was released with good
// texts and now has hostile ones: in the last commit, with a new version, and more in
// the working tree, without one.
func writeHostileRepository(t *testing.T, released, text string) {
	t.Helper()
	const dir = "repository"
	must.Do(t, os.CopyFS(dir, os.DirFS(released)))
	must.Do(t, os.CopyFS(filepath.Join(dir, "calibration"), os.DirFS("texts/calibration")))
	write := func(text string) {
		t.Helper()
		evil := strings.NewReplacer("EVIL", strconv.QuoteToASCII(text), `"1.0.0"`, `"2.0.0"`)
		must.Do(t, writeNew(filepath.Join(dir, hostileFile), evil.Replace(hostileRubric)))
	}
	write(text)
	git(t, dir, "commit", "-q", "-a", "-m", "hostile")
	write(text + " more")
}

func git(t *testing.T, dir string, args ...string) {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "user.name=x", "-c", "user.email=x@example.org", "-c", "commit.gpgsign=false", "-c", "gc.auto=0"}, args...)...)
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git %q: %v\n%s", args, err, out)
	}
}

func writeNew(name, content string) error {
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		return err
	}
	return os.WriteFile(name, []byte(content), 0o666)
}

// shellQuoted is a word of the shell that means the text.
func shellQuoted(text string) string {
	return "'" + strings.ReplaceAll(strings.ReplaceAll(text, "\x00", ""), "'", `'\''`) + "'"
}

func oneLine(text string) string { return strings.NewReplacer("\n", " ", "\r", " ").Replace(text) }

func fileName(text string) string { return strings.ReplaceAll(text, "/", "_") }
