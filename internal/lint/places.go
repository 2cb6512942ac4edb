package lint

import "github.com/rubric-library/rubric-library/internal/document/source"

// places finds places of documents again whose trees were dropped.
type places struct {
	content func(name string) ([]byte, error)
	last    *source.File // findings of one file follow each other
}

// Locate turns a span of a document into a location. A file that can't be read any
// more is located as a whole.
func (p *places) Locate(name string, span source.Span) source.Location {
	if p.last == nil || p.last.Path != name {
		data, err := p.content(name)
		if err != nil {
			return source.Location{File: name}
		}
		p.last = source.NewFile(name, data)
	}
	if span.End > len(p.last.Data) {
		return source.Location{File: name} // it was changed in the meantime
	}
	return source.Locate(p.last, span)
}
