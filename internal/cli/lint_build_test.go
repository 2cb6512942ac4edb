package cli

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/schema"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/pkg/library"
)

// TestWhatLintAcceptsBuildAccepts: if lint finds no error in a commit of the main branch, its
// bundle can be built after the last release, or as the first one, and continues the last release.
func TestWhatLintAcceptsBuildAccepts(t *testing.T) { holdBuilds(t, 20, "") }

func holdBuilds(t *testing.T, some int, program string) {
	seen := map[string]int{}
	checkStories(t, some, program, func(rt *rapid.T, d *depot) {
		p := &press{T: rt, depot: d, seen: seen, care: rapid.SampledFrom([]int{9, 8, 5}).Draw(rt, "care"), now: fullShelf()}
		for range rapid.IntRange(2, 8).Draw(rt, "commits") {
			p.play()
		}
		seen["histories"]++
	})
	expect(t, seen, "accepted", "refused", "first release", "later release", "accepted after a fault")
	if seen["histories"] >= 200 && seen["accepted"] < seen["histories"] {
		t.Errorf("too few commits are accepted: %v", seen)
	}
}

// TestTheProgramHoldsTheProperties checks both properties of random histories with the built
// program.
func TestTheProgramHoldsTheProperties(t *testing.T) {
	if os.Getenv("WEEKLY") == "" {
		t.Skip("run .ci/fuzz, or set WEEKLY=1")
	}
	program := filepath.Join(t.TempDir(), "rubric")
	if runtime.GOOS == "windows" {
		program += ".exe"
	}
	build := exec.Command("go", "build", "-o", program, "./cmd/rubric")
	build.Dir = filepath.Join("..", "..")
	if out, err := build.CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	t.Run("exceptions", func(t *testing.T) { holdExceptions(t, 500, program) })
	t.Run("builds", func(t *testing.T) { holdBuilds(t, 500, program) })
}

// shelf is a library with everything that can be in one.
type shelf struct {
	state
	yanked []acceptance      // the version and the reason of each; form 1 is a withdrawal
	more   map[string]string // other files, or other texts of documents, by name
}

func (s shelf) clone() shelf {
	return shelf{s.state.clone(), slices.Clone(s.yanked), maps.Clone(s.more)}
}

func (s shelf) files() map[string]string {
	out := s.state.files()
	if len(s.yanked) > 0 {
		text := out["rubrics/retired.yaml"]
		if text == "" {
			text = "retired: []\n"
		}
		text += "yanked:\n"
		for _, y := range s.yanked {
			withdrawn := ""
			if y.form == 1 {
				withdrawn = ", withdrawn: true"
			}
			text += fmt.Sprintf("  - {id: %s, version: %q, reason: %s%s}\n", y.id, y.version, y.reason, withdrawn)
		}
		out["rubrics/retired.yaml"] = text
	}
	for name, text := range s.more {
		if text == "" {
			delete(out, name)
		} else {
			out[name] = text
		}
	}
	return out
}

// press makes a history commit by commit, and bundles of it.
type press struct {
	*rapid.T
	*depot
	seen map[string]int
	care int

	now     shelf
	past    []shelf // of main
	hashes  []string
	faulty  bool              // main has a commit that lint refused, which no release has passed
	tags    map[string]string // of the releases
	last    string            // the bundle of the last one, or ""
	version string            // of it
}

// fullShelf is the library at the beginning of each history.
func fullShelf() shelf {
	first := edition{pass: 35, minimum: 30, essential: 30, version: [3]int{1, 2, 0}}
	draft := first
	draft.version = [3]int{0, 1, 0}
	documents := map[string]edition{"a_v1": first, "b": first, "c_v1": first, "d": draft}
	return shelf{state: state{documents: documents, retired: map[string]string{}}, more: map[string]string{}}
}

// play makes a commit and asks about it.
func (p *press) play() {
	before := p.now
	next := before.clone()
	for range rapid.IntRange(0, 2).Draw(p.T, "edits") {
		next = p.edit(before, next)
	}
	var parents []string
	if n := len(p.hashes); n > 0 {
		parents = p.hashes[n-1:]
	}
	hash := p.depot.commit(next.files(), parents...)
	refs := maps.Clone(p.tags)
	if refs == nil {
		refs = map[string]string{}
	}
	refs["refs/heads/main"] = hash
	p.refs("refs/heads/main", refs)
	code, out := p.rubric("lint", "--rev", "main")
	before, p.now = p.now, next
	if code == 0 {
		p.seen["accepted"]++
		if p.faulty {
			p.seen["accepted after a fault"]++
		}
		p.build(hash, out)
	} else {
		p.seen["refused"]++
		if rapid.IntRange(0, 3).Draw(p.T, "pushed without a check") > 0 {
			p.now = before
			return
		}
		p.faulty = true
	}
	p.past, p.hashes = append(p.past, next), append(p.hashes, hash)
}

// build builds the bundle of a commit, and perhaps releases it.
func (p *press) build(hash, lint string) {
	args, kind := []string{"build", hash, "-o", "next.zip", "--first-release"}, "first release"
	if p.last != "" {
		args, kind = []string{"build", hash, "-o", "next.zip", "--previous", p.last}, "later release"
	}
	p.seen[kind]++
	must := func(args ...string) string {
		code, out := p.rubric(args...)
		if code != 0 {
			p.Fatalf("lint accepts the commit:\n%s\nrubric %s exits with %d:\n%s\n%s", lint, strings.Join(args, " "), code, out, p.history())
		}
		return out
	}
	must(args...)
	lib, err := library.Open(filepath.Join(p.depot.dir, "next.zip"))
	if err != nil {
		p.Fatal(err)
	}
	version, digest := lib.Version(), lib.Digest()
	if err := lib.Close(); err != nil {
		p.Fatal(err)
	}
	switch {
	case p.last == "":
		must("verify", "next.zip")
	case version != p.version:
		must("verify", "next.zip", "--after", p.last)
	default: // nothing to release
		if out := must("diff", p.last, "next.zip"); !strings.Contains(out, "No documents differ") {
			p.Fatalf("documents differ, but the version %s stays:\n%s\n%s", version, out, p.history())
		}
	}
	if version == p.version || rapid.Bool().Draw(p.T, "not released") {
		return
	}
	if p.tags == nil {
		p.tags = map[string]string{}
	}
	p.last, p.version, p.faulty = fmt.Sprintf("%s.zip", version), version, false
	if err := os.Rename(filepath.Join(p.depot.dir, "next.zip"), filepath.Join(p.depot.dir, p.last)); err != nil {
		p.Fatal(err)
	}
	p.tags["refs/tags/library-v"+version] = p.release("library-v"+version, hash, digest)
}

// history is what the commits have, for a failure.
func (p *press) history() string {
	text := ""
	for i, s := range append(p.past, p.now) {
		text += fmt.Sprintf("== commit %d\n", i)
		for _, id := range slices.Sorted(maps.Keys(s.documents)) {
			text += fmt.Sprintf("%s %+v\n", id, s.documents[id])
		}
		text += fmt.Sprintf("retired %v, yanked %v, exceptions %v, others %.2000q\n", s.retired, s.yanked, s.exceptions, fmt.Sprint(s.more))
	}
	return text
}

func (p *press) right() bool { return rapid.IntRange(1, 10).Draw(p.T, "right") <= p.care }

// edit draws a change of the library.
func (p *press) edit(before, now shelf) shelf {
	id := rapid.SampledFrom([]string{"a_v1", "b", "c_v1", "d", "e_v1"}).Draw(p.T, "document")
	e, there := now.documents[id]
	right := p.right()
	switch what := rapid.SampledFrom([]string{
		"text", "text", "text", "text", "draft", "retire", "gone", "yank", "withdraw", "schema", "dataset", "dataset", "exception", "exception", "odd", "restore", "config", "repair", "repair",
	}).Draw(p.T, "what"); what {
	case "text":
		p.editText(&now, id, right)
	case "draft":
		e, _ := now.documents["d"], there
		switch rapid.IntRange(0, 2).Draw(p.T, "draft") {
		case 0:
			e.word++
		case 1:
			e.second = !e.second
			e.version[1] += count(!right)
		default:
			e.version = [3]int{1, 0, 0}
		}
		if _, there := now.documents["d"]; there {
			now.documents["d"] = e
		}
	case "retire":
		if there || !right {
			now.retired[id] = before.documents[id].number()
			if right || rapid.Bool().Draw(p.T, "removed") {
				delete(now.documents, id)
			}
		}
	case "gone":
		if !right || rapid.Bool().Draw(p.T, "with an exception") {
			now.exceptions = append(now.exceptions, acceptance{rule: "document-gone", id: id, version: e.number(), reason: "Nobody uses it."})
		}
		delete(now.documents, id)
	case "yank", "withdraw":
		p.yank(&now, id, right, count(what == "withdraw"))
	case "schema":
		p.writeSchema(&now)
	case "dataset":
		p.writeDataset(&now, right)
	case "exception":
		p.accept(before, &now, id)
	case "odd":
		p.writeOdd(&now, id)
	case "restore":
		if len(p.past) > 0 {
			older := rapid.SampledFrom(p.past).Draw(p.T, "restored")
			if was, had := older.documents[id]; had {
				now.documents[id] = was
			}
		}
	case "config":
		now.more[".rubric-lint.yaml"] = rapid.SampledFrom([]string{"", "{}\n", "rules:\n  version-idle: \"off\"\n", "calibration:\n  minimum_items: 10\n", "rules: [\n"}).Draw(p.T, "configuration")
	case "repair":
		now.more = map[string]string{}
		if p.faulty {
			p.acceptLast(&now)
		}
	}
	return now
}

// acceptLast accepts what the last commit did with the documents, and publishes their next versions.
func (p *press) acceptLast(now *shelf) {
	n := len(p.past) - 1
	for _, id := range []string{"a_v1", "b", "c_v1", "d", "e_v1"} {
		e, there := p.past[n].documents[id]
		if n == 0 || !there || e == p.past[n-1].documents[id] {
			continue
		}
		a := fitting(p.past[n-1].state, p.past[n].state, id)
		a.version, a.commit = "", p.hashes[n]
		now.exceptions = append(now.exceptions, a)
		if now.documents[id] == e {
			e.version[2]++
			now.documents[id] = e
		}
	}
}

func (p *press) editText(now *shelf, id string, right bool) {
	e, there := now.documents[id]
	if !there {
		e = edition{pass: 35, minimum: 30, essential: 30, version: [3]int{count(right || rapid.Bool().Draw(p.T, "published")), 0, 0}}
		if e.version[0] == 0 {
			e.version[1] = 1
		}
		now.documents[id] = e
		return
	}
	was := e
	edits[rapid.IntRange(0, len(edits)-1).Draw(p.T, "edit")](&e)
	if right {
		version, ok := was.next(id, e)
		if was.version[0] == 0 && was.class(e) == schema.Major {
			version, ok = [3]int{0, was.version[1] + 1, 0}, true
		}
		e.version = version
		if !ok {
			e = was
		}
	} else {
		switch at := rapid.IntRange(0, 3).Draw(p.T, "number"); at {
		case 3:
		default:
			e.version[at] += rapid.SampledFrom([]int{-1, 1, 2}).Draw(p.T, "by")
			e.version[at] = max(0, e.version[at])
		}
	}
	now.documents[id] = e
}

// yank yanks or withdraws a version, or removes an entry.
func (p *press) yank(now *shelf, id string, right bool, form int) {
	versions := []string{"1.0.0", "9.9.9"}
	for _, s := range p.past {
		if e, had := s.documents[id]; had && (!right || e.number() != now.documents[id].number()) {
			versions = append(versions, e.number())
		}
	}
	version := versions[len(versions)-1]
	if !right {
		version = rapid.SampledFrom(versions).Draw(p.T, "version")
	}
	y := acceptance{id: id, version: version, reason: "It passes vague work.", form: form}
	at := slices.IndexFunc(now.yanked, func(other acceptance) bool { return other.id == y.id && other.version == y.version })
	switch {
	case at >= 0 && !right && rapid.Bool().Draw(p.T, "no longer yanked"):
		now.yanked = slices.Delete(now.yanked, at, at+1)
	case at >= 0:
		now.yanked[at].form = max(form, now.yanked[at].form*count(right))
	case !right || version != "9.9.9" && version != "1.0.0":
		now.yanked = append(now.yanked, y)
	}
}

// writeSchema writes or removes a file in schema/.
func (p *press) writeSchema(now *shelf) {
	name := rapid.SampledFrom([]string{"rubric.schema.json", "rubric.schema.json", "extra.json", "notes.md", "Odd Name.json", "deep/er.json"}).Draw(p.T, "name")
	now.more["schema/"+name] = rapid.SampledFrom([]string{
		"", "{}\n", `{"type": "object", "properties": {"a": {"type": "string"}}}`, "true\n", "{ not json", "\ufeff{}", "{\"title\": \"Caf\xe9\"}", `{"a": 1, "a": 2}`,
		strings.Repeat("[", 2000) + strings.Repeat("]", 2000), `{"n": 1e999}`, `{"n": 12345678901234567890}`, "# Notes\n", "\"\\ud800\"", "[1, 2]", `{"$ref": "other.json"}`,
	}).Draw(p.T, "schema")
}

// writeDataset writes a dataset that a rubric names, rightly or wrongly, or changes it.
func (p *press) writeDataset(now *shelf, right bool) {
	const folder = "calibration/stories/"
	id := rapid.SampledFrom([]string{"a_v1", "c_v1"}).Draw(p.T, "labeled")
	e, there := now.documents[id]
	if !there {
		return
	}
	text := strings.Replace(e.text(id), "https://labels.example.org/clarity.jsonl", "calibration/stories", 1)
	digests, err := document.Parse(source.NewFile("a.yaml", []byte(text))).JudgeDigests()
	if err != nil {
		p.Fatal(err)
	}
	items, answers := "", ""
	for i := range 5 {
		items += fmt.Sprintf("{\"id\": \"i%d\", \"artifact\": \"The labeled text %d.\", \"labels\": {\"ann\": {\"clarity\": %d}}}\n", i, i, i+1)
		answers += fmt.Sprintf("{\"run\": \"2026-11-20\", \"item\": \"i%d\", \"model\": \"m-1\", \"date\": \"2026-11-20\", \"digest\": %q, \"scores\": {\"clarity\": %d}}\n", i, digests.Whole, i+1)
	}
	head := "applies_to: [" + id + "]\nlabeled_by: people\nmethod: Two people labeled on their own.\nlicense: CC0-1.0\ncriteria:\n  - name: clarity\n    digest: " + digests.Parts["clarity"] + "\n"
	if now.more[folder+"dataset.yaml"] == "" || right && rapid.Bool().Draw(p.T, "again") {
		now.more[folder+"dataset.yaml"], now.more[folder+"items.jsonl"], now.more[folder+"judges/steady.jsonl"] = head, items, answers
	}
	if right {
		return
	}
	switch rapid.IntRange(0, 6).Draw(p.T, "fault") {
	case 0:
		now.more[folder+"items.jsonl"] = strings.Replace(items, "labeled text 2", "changed text 2", 1)
	case 1:
		now.more[folder+"items.jsonl"] = items[:len(items)/2]
	case 2:
		now.more[folder+"dataset.yaml"] = strings.Replace(head, "license", "unknown", 1)
	case 3:
		now.more[folder+"judges/steady.jsonl"] = answers + "{ not json\n"
	case 4:
		now.more[folder+"dataset.yaml"] = ""
	case 5:
		now.more[folder+"notes.txt"] = "A note.\n"
	case 6:
		lines := strings.SplitAfter(items, "\n")
		now.more[folder+"items.jsonl"] = strings.Join(lines[1:], "")
		now.more[folder+"judges/steady.jsonl"] = strings.Join(strings.SplitAfter(answers, "\n")[1:], "")
		now.exceptions = append(now.exceptions, acceptance{rule: "evidence-changed", id: "stories", item: "i0", reason: "The text named a customer."})
	}
}

// accept adds or removes an exception.
func (p *press) accept(before shelf, now *shelf, id string) {
	at := len(now.exceptions) - 1
	switch how := rapid.IntRange(0, 5).Draw(p.T, "how"); {
	case how == 0 && at >= 0:
		now.exceptions = slices.Delete(now.exceptions, at, at+1)
	case how == 1 && len(p.past) > 1:
		step := rapid.IntRange(1, len(p.past)-1).Draw(p.T, "accepted step")
		a := fitting(p.past[step-1].state, p.past[step].state, id)
		a.version, a.commit = "", p.hashes[step]
		now.exceptions = append(now.exceptions, a)
	case how == 2:
		now.more["rubrics/exceptions.yaml"] = rapid.SampledFrom([]string{"", "exceptions: [\n", "exceptions: []\n", "\xff\n"}).Draw(p.T, "file")
	case how == 3:
		p.editText(now, id, false)
		fallthrough
	default:
		now.exceptions = append(now.exceptions, fitting(before.state, now.state, id))
	}
}

// writeOdd writes something else in place of a document, or beside it.
func (p *press) writeOdd(now *shelf, id string) {
	e := now.documents[id]
	text, name := e.text(id), "rubrics/prd/"+id+".yaml"
	switch rapid.IntRange(0, 9).Draw(p.T, "odd") {
	case 0:
		now.more[name] = strings.Replace(text, "Whether the reader knows who does what.", "TODO", 1)
	case 1:
		now.more[name] = strings.Replace(text, "threshold:", "threshold: high #", 1)
	case 2:
		now.more[name] = "rubric_id: [\n"
	case 3:
		now.more["rubrics/prd/copy.yaml"] = text
	case 4:
		now.more[name] = fmt.Sprintf("ruleset_id: %s\nname: Rules\nversion: %q\nartifact_type: prd\nrules:\n  - id: R1\n    title: It is short\n    severity: high\n    checks: [\"It has at most two pages.\"]\n", id, rapid.SampledFrom([]string{e.number(), "2.0.0"}).Draw(p.T, "version"))
	case 5:
		now.more["rubrics/prd/"+id+".yml"] = text
	case 6:
		now.more["rubrics/notes.txt"] = "A note.\n"
	case 7:
		now.more[name], now.more["rubrics/plans/"+id+".yaml"] = "", strings.Replace(text, "artifact_type: prd", "artifact_type: plans", 1)
	case 8:
		now.more[name] = "# A comment.\n" + text
	case 9:
		now.more["rubrics/retired.yaml"] = rapid.SampledFrom([]string{"", "retired: [\n", "retired: []\n"}).Draw(p.T, "ledger")
	}
}
