package lint

import "github.com/rubric-library/rubric-library/internal/document/source"

// places finds places in documents whose trees were dropped.
type places struct {
	content func(name string) ([]byte, error)
	last    *source.File // findings in one file are consecutive
}

// Locate turns a span of a document into a location. If the file can no longer be read,
// the location is the whole file.
func (p *places) Locate(name string, span source.Span) source.Location {
	if p.last == nil || p.last.Path != name {
		data, err := p.content(name)
		if err != nil {
			return source.Location{File: name}
		}
		p.last = source.NewFile(name, data)
	}
	if span.End > len(p.last.Data) {
		return source.Location{File: name} // changed in the meantime
	}
	return source.Locate(p.last, span)
}
