package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// maxRubrics is the number of rubrics with unique IDs.
var maxRubrics = len(artifactTypes) * len(subjects) * len(qualities)

// spread is coprime to maxRubrics: multiplying by it puts neighbors far apart.
const spread = 48_611

// names returns the names of the rubric with that number. Numbers from 0 up to
// maxRubrics have unique IDs.
func names(number int) (artifactType, subject, id string) {
	at := number * spread % maxRubrics
	artifactType = artifactTypes[at%len(artifactTypes)]
	at /= len(artifactTypes)
	subject = subjects[at%len(subjects)]
	quality := qualities[at/len(subjects)]
	return artifactType, subject, artifactType + "_" + strings.ReplaceAll(subject, "é", "e") + "_" + quality + "_v1"
}

// generateLibrary writes the rubrics with the numbers from first up to, but not
// including, n into the library in dir. A rubric depends only on its number, so a
// smaller library is a part of each larger one.
func generateLibrary(dir string, first, n int) error {
	if n > maxRubrics {
		return fmt.Errorf("%d rubrics are too many: at most %d have unique IDs", n, maxRubrics)
	}
	for _, artifactType := range artifactTypes {
		if err := os.MkdirAll(filepath.Join(dir, "rubrics", artifactType), 0o777); err != nil {
			return err
		}
	}
	for number := first; number < n; number++ {
		artifactType, _, id := names(number)
		name := filepath.Join(dir, "rubrics", artifactType, id+".yaml")
		if err := os.WriteFile(name, generateRubric(number), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// generateRubric returns a rubric of about 5 KB without findings from rubric-lint.
func generateRubric(number int) []byte {
	artifactType, subject, id := names(number)
	r := rand.New(rand.NewPCG(20261120, uint64(number)))
	a := &author{Rand: r, artifact: strings.ReplaceAll(artifactType, "_", " "), subject: subject}
	w := newYAMLWriter(r)
	w.comment("", "Owned by the "+a.pick(roles)+" of the "+a.pick(places)+".")
	w.text("", "rubric_id", id)
	w.text("", "name", fmt.Sprintf("%s: %s", a.artifact, subject))
	w.line("", `version: "1.%d.%d"`, a.IntN(12), a.IntN(9))
	w.text("", "artifact_type", artifactType)
	w.text("", "description", a.description())
	a.criteria(w)
	a.negativeCriteria(w)
	w.line("", "scoring:")
	w.line("  ", "pass_threshold: %.1f", 3.5+float64(a.IntN(3))/2)
	w.line("  ", "essential_minimum: 3.0")
	a.rest(w, number)
	return w.Bytes()
}

// criteria writes four or sometimes five criteria. The first is essential and the
// second important, so that both the essential minimum and the pass threshold matter.
func (a *author) criteria(w *yamlWriter) {
	w.line("", "criteria:")
	for i, name := range a.some(4+a.IntN(4)/3, qualities) {
		c := a.criterion()
		indent := w.dash + "  "
		w.text(w.dash, "- name", name)
		w.text(indent, "description", c.description)
		if i == 0 || i != 1 && a.IntN(2) == 0 {
			w.text(indent, "weight", "essential")
			w.line(indent, "threshold: 3.%d", 5*a.IntN(2))
		} else {
			w.text(indent, "weight", "important")
			w.line(indent, "threshold: %d", 2+a.IntN(3))
		}
		w.line(indent, "anchors:")
		for j, anchor := range c.anchors {
			w.text(indent+"  ", fmt.Sprint(j+1), anchor)
		}
		w.line(indent, "examples:")
		for j, score := range []string{"score_1", "score_3", "score_5"} {
			if score != "score_3" || a.IntN(3) > 0 {
				w.text(indent+"  ", score, c.examples[j])
			}
		}
	}
}

func (a *author) negativeCriteria(w *yamlWriter) {
	w.line("", "negative_criteria:")
	used := map[string]bool{}
	for _, name := range a.some(2+a.IntN(2), vagueWords) {
		indent := w.dash + "  "
		w.comment(w.dash, "From the review of "+a.pick(days)+".")
		w.text(w.dash, "- name", name+"_wording")
		w.text(indent, "description", fmt.Sprintf("Leaves the %s to the %s. Say what the %s sees.",
			a.pick(parts), a.pick(roles), a.pick(roles)))
		var exprs, hits []string
		for n := 2 + a.IntN(3); len(exprs) < n; {
			if p := a.pattern(); !used[p.expr] {
				used[p.expr] = true
				exprs, hits = append(exprs, p.expr), append(hits, p.hit)
			}
		}
		w.list(indent, "fail_patterns", singleQuoted, exprs)
		switch a.IntN(4) {
		case 0:
			w.line(indent, "ignore_case: true")
		case 1:
			w.text(indent, "effect", "report")
		case 2:
			w.list(indent, "fail_examples", doubleQuoted, hits)
			w.list(indent, "pass_examples", doubleQuoted, []string{a.sentence()})
		}
	}
}

// rest writes the labels, which every rubric from 1.0.0 on should have, and the keys
// that only some rubrics have.
func (a *author) rest(w *yamlWriter, number int) {
	w.text("", "calibration_dataset", fmt.Sprintf("https://example.org/labels/%s-%d.jsonl", a.pick(qualities), number))
	if a.IntN(3) == 0 {
		w.text("", "language", a.oneOf("en", "en-GB", "en-US"))
	}
	if number > 0 && a.IntN(50) == 0 {
		_, _, before := names(number - 1)
		w.line("", "deprecated:")
		w.text("  ", "reason", "Asks for the "+a.pick(parts)+" only.")
		w.text("  ", "replaced_by", before)
	}
	if a.IntN(2) == 0 {
		w.line("", "metadata:")
		w.text("  ", "owner", a.pick(roles)+"s of the "+a.pick(places))
		w.text("  ", "ticket", fmt.Sprintf("LIB-%d", number))
	}
}
