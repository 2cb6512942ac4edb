// Package hidden has the lint rules about what the reviewer of a text does not see, and
// about words that address the judge as a program.
package hidden

import (
	_ "embed"

	"github.com/rubric-library/rubric-library/internal/document/hiddentext"
	"github.com/rubric-library/rubric-library/internal/lint"
	"github.com/rubric-library/rubric-library/internal/text/invisible"
)

// Rules check everything that the authors of a library write. The items of a dataset
// are texts by others, which can contain anything.
var Rules = lint.Describe(texts, map[string]lint.Rule{
	hiddentext.Code:       {Document: hiddenText},
	hiddentext.CodeNotNFC: {Document: func(p *lint.DocumentPass) { p.ReportAll(hiddentext.NotNFC(p.Doc)) }},
	"judge-delimiter":     {Document: judgeDelimiters},
	"judge-instruction":   {Document: judgeInstructions},
})

//go:embed rules.txt
var texts string

func hiddenText(p *lint.DocumentPass) {
	if found := invisible.Find(p.Entry.Path); len(found) > 0 {
		p.ReportFile(nil, "Rename this: %s. %s", hiddentext.Describe(found[:1], "its path contains the hidden"), hiddentext.Why[found[0].Kind])
	}
	p.ReportAll(hiddentext.Find(p.Doc))
}
