package main

import (
	"fmt"
	"os"
	"path/filepath"
)

// ownRules are five rules of a library, one of each kind that the page about them shows, which the
// generated rubrics follow.
const ownRules = `rules:
  acme/owner:
    severity: error
    for: rubric
    message: Add metadata.owner, the team that answers questions.
    when: this.metadata.ticket != ""
    require: this.metadata.owner contains " of the "
    good: { metadata: { ticket: A-1, owner: masters of the desk } }
    bad: { metadata: { ticket: A-1, owner: masters } }
  acme/id:
    severity: error
    for: document
    message: End the ID with the number of the version.
    require: id matches "^[a-z0-9_]+_v[0-9]+$"
    good: { rubric_id: story_v1 }
    bad: { rubric_id: story }
  acme/essential:
    severity: warning
    for: rubric
    message: Make a criterion essential.
    require: count(this.criteria, .weight == "essential") >= 1
    good: { criteria: [{ weight: essential }, { weight: important }] }
    bad: { criteria: [{ weight: important }] }
  acme/safety:
    severity: error
    for: rubric
    each: criteria
    message: Set the threshold of a safety criterion to 2 or more.
    when: this.name startsWith "safety"
    require: this.threshold >= 2
    good: { name: safety_of_users, threshold: 4.5 }
    bad: { name: safety, threshold: 1 }
  acme/short:
    severity: warning
    for: document
    each: text
    message: Shorten this description.
    when: this.key == "description"
    require: words(this.text) <= 60
    good: { key: description, text: Whether each step has a result. }
    bad: { key: description, text: a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a a }
`

// compareOwnRules runs rubric-lint on a library with rules of its own, and on the same library
// without.
func (b *lintBenchmark) compareOwnRules() error {
	with, without := filepath.Join(b.work, "with"), filepath.Join(b.work, "without")
	for _, dir := range []string{with, without} {
		if err := generateLibrary(dir, 0, b.size); err != nil {
			return err
		}
	}
	if err := os.WriteFile(filepath.Join(with, ".rubric-lint.yaml"), []byte(ownRules), 0o600); err != nil {
		return err
	}
	costs, err := inTurn(b.runs, b.command(with), b.command(without))
	if err != nil {
		return err
	}
	fmt.Printf("\n%d rubrics, %d runs in turn: median (smallest to largest)\n\n", b.size, b.runs)
	fmt.Printf("| | five own rules | none | ratio |\n|---|---|---|---|\n")
	for _, m := range metrics {
		fmt.Printf("| %s | %s | %s | %.2f |\n", m.name, m.format(costs[0]), m.format(costs[1]), m.ratio(costs[0], costs[1]))
	}
	return nil
}
