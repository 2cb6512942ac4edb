// Package helper has functions whose effects another package has to know.
package helper

import (
	"errors"
	"strings"
)

var Count int

type List struct{ items []string }

func (l *List) Take(item string) string {
	l.add(item)
	return item
}

func (l *List) add(item string) { l.items = append(l.items, item) }

func (l *List) First() string { return l.items[0] }

func Next() int {
	Count++
	return Count
}

func Upper(text string) string {
	var b strings.Builder
	b.WriteString(strings.ToUpper(text))
	return b.String()
}

// Sorted changes a list of its own only.
func Sorted(items []string) string {
	own := append([]string(nil), items...)
	own[0] = ""
	return own[0]
}

func Clear(items []string) string {
	items[0] = ""
	return items[0]
}

type Problem struct{ Text string }

func (p *Problem) Error() string { return p.Text }

func Wrong(text string) error { return &Problem{text} }

func Wrapped(text string) error { return Wrong(errors.New(text).Error()) }

func Check(text string) error {
	if text == "" {
		return Wrong("empty")
	}
	return nil
}
