package site

import (
	"fmt"

	"github.com/rubric-library/rubric-library/internal/bundlefile"
)

// use shows how a program gets exactly this version.
type use struct{ Language, Code string }

// uses are in Go, Python and JavaScript. digest is that of the bundle, "" for none.
func uses(e *entry, v *version, digest string) []use {
	goOption, pyArgument, jsOption := "", "", ""
	if digest != "" {
		goOption = fmt.Sprintf(", library.WithDigest(%q)", digest)
		pyArgument = fmt.Sprintf(", %q", digest)
		jsOption = fmt.Sprintf(", { digest: %q }", digest)
	}
	goGet, pyApply, jsImport, jsApply := "Rubric", "verdict(document, scores)", "verdict", "verdict(document, scores)"
	goApply := "verdict, err := document.Verdict(scores, nil)"
	if e.Kind == bundlefile.KindRuleSet {
		goGet, goApply = "RuleSet", `score, err := document.Score("A", results)`
		pyApply, jsImport, jsApply = `rule_score(document, "A", results)`, "ruleScore", `ruleScore(document, "A", results)`
	}
	return []use{
		{"Go", fmt.Sprintf("lib, err := library.Open(%q%s)\ndocument, err := lib.%s(ctx, %q, %q)\n%s", bundleName, goOption, goGet, e.ID, v.Version, goApply)},
		{"Python", fmt.Sprintf("bundle = rubric_bundle.open(%q%s)\ndocument = bundle.get(%q, %q)\nresult = rubric_bundle.%s", bundleName, pyArgument, e.ID, v.Version, pyApply)},
		{"JavaScript", fmt.Sprintf("import { openFile, %s } from \"./rubric-bundle.mjs\";\nconst bundle = await openFile(%q%s);\nconst document = bundle.get(%q, %q);\nconst result = %s;", jsImport, bundleName, jsOption, e.ID, v.Version, jsApply)},
	}
}
