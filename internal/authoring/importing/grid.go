package importing

import (
	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/document/markdown"
)

func (o *outliner) tableCriteria(s *section, p *block) []found     { return nil }
func (o *outliner) levelsOfTable(b *markdown.Block) []levels.Level { return nil }
