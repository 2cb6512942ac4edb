package holdings

import (
	"io/fs"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/rubric-library/rubric-library/internal/document"
	"github.com/rubric-library/rubric-library/internal/document/source"
	"github.com/rubric-library/rubric-library/internal/document/yamltree"
	"github.com/rubric-library/rubric-library/internal/library"
)

// Exception is an entry of the file of exceptions: the code owners accept a broken rule. It
// accepts one thing: what the step does that adds it, or what the commit does that it names.
type Exception struct {
	Rule    string `json:"rule"`
	ID      string `json:"id"`
	Version string `json:"version"`
	Commit  string `json:"commit"`
	Item    string `json:"item,omitempty"`
	Reason  string `json:"reason"`
	// At is its place in the file.
	At source.Location `json:"-"`
}

// Meaning is what makes an exception another one: its keys, and the words of its reason, however
// they are written.
type Meaning struct{ rule, id, version, commit, item, reason string }

// Meaning is that of the exception.
func (e *Exception) Meaning() Meaning {
	words := strings.Join(strings.Fields(norm.NFC.String(e.Reason)), " ")
	return Meaning{e.Rule, e.ID, e.Version, e.Commit, e.Item, words}
}

// Meanings is a set of exceptions, in which those with the same meaning are one.
type Meanings map[Meaning]bool

// MeaningsOf is the set of some exceptions.
func MeaningsOf(list []*Exception) Meanings {
	all := Meanings{}
	all.Add(list)
	return all
}

// Add adds exceptions to the set.
func (m Meanings) Add(list []*Exception) {
	for _, e := range list {
		m[e.Meaning()] = true
	}
}

// Has reports whether the set has an equal exception. It can be called on nil.
func (m Meanings) Has(e *Exception) bool { return m[e.Meaning()] }

// Covers reports whether the exception is for a broken rule, in whichever step.
func (e *Exception) Covers(rule, id, version, item string) bool {
	if e.Rule != rule || e.ID != id || e.Item != item {
		return false
	}
	return e.Commit != "" || e.Item != "" || e.Version == version
}

// Exceptions are the exceptions of a library. Those of a file with errors do not count, and
// lint reports the errors.
func (l *Library) Exceptions() ([]*Exception, error) {
	list, _, err := l.ReadExceptions()
	return list, err
}

// ExceptionsIn are the exceptions of a library in files, of which nothing else is read.
func ExceptionsIn(files fs.FS) ([]*Exception, error) {
	l := newLibrary("", func(name string) ([]byte, error) { return fileIn(files, name) })
	return l.Exceptions()
}

// ReadExceptions reads the exceptions. broken says that there is a file, but it has errors.
func (l *Library) ReadExceptions() (list []*Exception, broken bool, err error) {
	d, hidden, err := l.Settings(library.ExceptionsFile, &document.Exceptions)
	switch {
	case err != nil:
		return nil, false, err
	case hidden != "":
		return nil, true, nil
	case d == nil:
		return nil, false, nil
	}
	return exceptionsOf(d), false, nil
}

func exceptionsOf(d *document.Document) []*Exception {
	var list []*Exception
	for _, n := range d.Root().Get("exceptions").List() {
		text := func(key string) string { return n.Get(key).Text() }
		list = append(list, &Exception{
			Rule: text("rule"), ID: text("id"), Version: text("version"),
			Commit: text("commit"), Item: text("item"), Reason: text("reason"),
			At: source.Locate(d.File, placeOf(n)),
		})
	}
	return list
}

// placeOf is the place of an exception for messages: its rule.
func placeOf(n *yamltree.Node) source.Span {
	if rule := n.Get("rule"); rule != nil {
		return rule.Span
	}
	return n.Span
}

// EarlierExceptions are the exceptions that a library already had, for a step that follows it.
// If the file has errors, those of its last valid content count, so that a broken file does not
// make old exceptions new. known is false if nobody can know them.
func (l *Library) EarlierExceptions() (list []*Exception, known bool, err error) {
	if l.Packed {
		return nil, false, nil
	}
	d, hidden, err := l.earlierSettings(library.ExceptionsFile, &document.Exceptions)
	if hidden != "" || err != nil {
		return nil, l.Repo != nil, err
	}
	if d == nil {
		return nil, true, nil
	}
	return exceptionsOf(d), true, nil
}
