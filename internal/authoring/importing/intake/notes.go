package intake

import (
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// TitleNote is what a title says of a criterion next to its name.
type TitleNote struct{ Weight, Points, scale, word string }

var (
	// noted are the notes in parentheses at the end of a title, or after a dash.
	noted = lazy.Expr(`(?i)\s*(?:[(\[]\s*([^()\[\]]+?)\s*[)\]]|(?:[-–—:,]|\s)\s*((?:weight\s*[:=]?\s*)?[0-9]+(?:[.,][0-9]+)?\s*(?:%|points?|pts?\.?|marks?)))\s*:?$`)
	// share, points, and ends are the notes that say how much a criterion counts, or its scale.
	noteWeight = lazy.Expr(`(?i)^(?:weight(?:ing|age)?|counts?)?\s*[:=]?\s*([x×]?[0-9]+(?:[.,][0-9]+)?\s*%?[x×]?)(?:\s+(?:of\s+.*|weight(?:ing)?|total))?$`)
	notePoints = lazy.Expr(`(?i)^(?:max(?:imum)?\.?|up\s+to|out\s+of|worth|/)?\s*[:=]?\s*([0-9]+(?:[.,][0-9]+)?)\s*(points?|pts?\.?|marks?|p)?(?:\s+(?:max(?:imum)?|total|possible|each))?$`)
	NoteEnds   = lazy.Expr(`(?i)^(?:score|scale|rating|points?)?\s*[:=]?\s*([0-9]+)\s*(?:-|–|—|to)\s*([0-9]+)\s*(points?|pts?\.?|marks?)?(?:\s+scale)?$`)
	noteWord   = lazy.Expr(`(?i)^(?:essential|required|critical|mandatory|must(?:[ -](?:have|pass))?|blocking|blocker|important|recommended|nice[ -]to[ -]have|optional|high|medium|low)(?:\s+(?:priority|importance|weight))?$`)
)

// NoteOf reads the note at the end of a title.
func NoteOf(title string) (a TitleNote) {
	m := noted().FindStringSubmatch(title)
	if m == nil {
		return a
	}
	note := m[1] + m[2]
	switch points, ends := notePoints().FindStringSubmatch(note), NoteEnds().FindStringSubmatch(note); {
	case noteWord().MatchString(note):
		a.word = strings.ToLower(note)
	case ends != nil:
		a.scale = ends[1] + "-" + ends[2]
		if ends[3] != "" {
			a.Points = ends[2]
		}
	case points != nil && (points[2] != "" || points[0] != points[1]):
		a.Points = points[1]
	default:
		m := noteWeight().FindStringSubmatch(note)
		if m != nil && (m[0] != m[1] || strings.ContainsAny(m[1], "%x×")) {
			a.Weight = m[1]
		}
	}
	return a
}

// ReadNotes reads the notes at the end of a title, and returns the title without them.
func (r *Reader) ReadNotes(c *Criterion, title string) string {
	for range 3 { // such as "Clarity (30 %) (required)"
		a, note := NoteOf(title), noted().FindString(title)
		if a == (TitleNote{}) || len(note) == len(title) {
			break
		}
		title = strings.TrimRight(title[:len(title)-len(note)], " :")
		r.setCount(c, a)
	}
	return title
}

// Ordinal is a number or a code before a name: "1. ", "Criterion 2: ", "C3 - ".
var Ordinal = lazy.Expr(`(?i)^(?:(?:criterion|criteria|dimension|metric|category|axis|part|question|item|aspect)\s+[#]?([0-9a-z]{1,4})\s*[.:)–—-]+\s*|([a-z]{0,4}-?[0-9]+(?:\.[0-9]+)*)(?:[.:)]+\s+|\s+[–—-]\s+)|[0-9]+(?:\.[0-9]+)+\s+|[0-9]+[.)]\s+)`)

// setCount sets how much a criterion counts.
func (r *Reader) setCount(c *Criterion, a TitleNote) {
	if a.Weight != "" {
		c.Weight = a.Weight
	}
	if a.Points != "" {
		c.Points = a.Points
	}
	if a.scale != "" {
		c.Scale = Declared(a.scale)
	}
	switch word, _, _ := strings.Cut(a.word, " "); {
	case word == "":
	case strings.HasPrefix(word, "important"), strings.HasPrefix(word, "essential"):
		c.Weight = word
	case strings.HasPrefix(word, "required"), strings.HasPrefix(word, "critical"),
		strings.HasPrefix(word, "mandatory"), strings.HasPrefix(word, "must"), strings.HasPrefix(word, "block"):
		c.Required = true
	default:
		r.AddDropped(c.Place, "A note such as (optional) or (high) after a name is dropped: write essential or important as weight, or a number as relative_weight.")
	}
}

// Declared are the ends of a scale, such as 0-10.
func Declared(ends string) (d levels.Declared) {
	low, high, _ := strings.Cut(ends, "-")
	first, errFirst := strconv.ParseFloat(low, 64)
	last, errLast := strconv.ParseFloat(high, 64)
	if errFirst != nil || errLast != nil || first >= last {
		return d
	}
	return levels.Declared{Low: first, High: last, IsKnown: true}
}
