package site

import (
	"fmt"
	"strings"

	"github.com/rubric-library/rubric-library/internal/bundle/bundlefile"
)

// use is an example program that gets exactly this version and applies it.
type use struct{ Language, Code string }

// The example programs. ID, VERSION, and DIGEST are replaced. Scores, text, and results
// are the consumer's.
var rubricUses, ruleSetUses = []use{
	{"Go", `import (
	"github.com/rubric-library/rubric-library/pkg/library"
	"github.com/rubric-library/rubric-library/pkg/rubric"
)

lib, err := library.Open("rubrics.zip", library.WithDigest(DIGEST))
r, err := lib.Rubric(ctx, ID, VERSION)
hits, err := r.NegativeHits(text)
verdict, err := r.Verdict(scores, rubric.HitNames(hits))`},
	{"Python", `import rubric_bundle

bundle = rubric_bundle.open("rubrics.zip", DIGEST)
rubric = bundle.get(ID, VERSION)
hits = rubric_bundle.hits(rubric, text)
verdict = rubric_bundle.verdict(rubric, scores, [hit.name for hit in hits])`},
	{"JavaScript", `import { hits, openFile, verdict } from "./rubric-bundle.mjs";

const bundle = await openFile("rubrics.zip", { digest: DIGEST });
const rubric = bundle.get(ID, VERSION);
const found = hits(rubric, text).map(({ name }) => name);
const result = verdict(rubric, scores, found);`},
}, []use{
	{"Go", `import "github.com/rubric-library/rubric-library/pkg/library"

lib, err := library.Open("rubrics.zip", library.WithDigest(DIGEST))
s, err := lib.RuleSet(ctx, ID, VERSION)
score, err := s.Score("A", results)`},
	{"Python", `import rubric_bundle

bundle = rubric_bundle.open("rubrics.zip", DIGEST)
rule_set = bundle.get(ID, VERSION)
score = rubric_bundle.rule_score(rule_set, "A", results)`},
	{"JavaScript", `import { openFile, ruleScore } from "./rubric-bundle.mjs";

const bundle = await openFile("rubrics.zip", { digest: DIGEST });
const ruleSet = bundle.get(ID, VERSION);
const score = ruleScore(ruleSet, "A", results);`},
}

// uses returns the example programs for a version, none in a preview without a bundle.
func uses(e *entry, v *version, digest string) []use {
	if digest == "" {
		return nil
	}
	programs := rubricUses
	if e.Kind == bundlefile.KindRuleSet {
		programs = ruleSetUses
	}
	filled := strings.NewReplacer("DIGEST", fmt.Sprintf("%q", digest), "VERSION", fmt.Sprintf("%q", v.Version), "ID", fmt.Sprintf("%q", e.ID))
	out := make([]use, len(programs))
	for i, u := range programs {
		out[i] = use{u.Language, filled.Replace(u.Code)}
	}
	return out
}
