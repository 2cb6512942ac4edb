package importing

import (
	"strconv"
	"strings"

	"github.com/rubric-library/rubric-library/internal/authoring/importing/levels"
	"github.com/rubric-library/rubric-library/internal/text/lazy"
)

// titleNote is what a title says of a criterion next to its name.
type titleNote struct{ weight, points, scale, word string }

var (
	// noted are the notes in parentheses at the end of a title, or after a dash.
	noted = lazy.Expr(`(?i)\s*(?:[(\[]\s*([^()\[\]]+?)\s*[)\]]|(?:[-–—:,]|\s)\s*((?:weight\s*[:=]?\s*)?[0-9]+(?:[.,][0-9]+)?\s*(?:%|points?|pts?\.?|marks?)))\s*:?$`)
	// share, points, and ends are the notes that say how much a criterion counts, or its scale.
	noteWeight = lazy.Expr(`(?i)^(?:weight(?:ing|age)?|counts?)?\s*[:=]?\s*([x×]?[0-9]+(?:[.,][0-9]+)?\s*%?[x×]?)(?:\s+(?:of\s+.*|weight(?:ing)?|total))?$`)
	notePoints = lazy.Expr(`(?i)^(?:max(?:imum)?\.?|up\s+to|out\s+of|worth|/)?\s*[:=]?\s*([0-9]+(?:[.,][0-9]+)?)\s*(points?|pts?\.?|marks?|p)?(?:\s+(?:max(?:imum)?|total|possible|each))?$`)
	noteEnds   = lazy.Expr(`(?i)^(?:score|scale|rating|points?)?\s*[:=]?\s*([0-9]+)\s*(?:-|–|—|to)\s*([0-9]+)\s*(points?|pts?\.?|marks?)?(?:\s+scale)?$`)
	noteWord   = lazy.Expr(`(?i)^(?:essential|required|critical|mandatory|must(?:[ -](?:have|pass))?|blocking|blocker|important|recommended|nice[ -]to[ -]have|optional|high|medium|low)(?:\s+(?:priority|importance|weight))?$`)
)

// noteOf reads the note at the end of a title.
func noteOf(title string) (a titleNote) {
	m := noted().FindStringSubmatch(title)
	if m == nil {
		return a
	}
	note := m[1] + m[2]
	switch points, ends := notePoints().FindStringSubmatch(note), noteEnds().FindStringSubmatch(note); {
	case noteWord().MatchString(note):
		a.word = strings.ToLower(note)
	case ends != nil:
		a.scale = ends[1] + "-" + ends[2]
		if ends[3] != "" {
			a.points = ends[2]
		}
	case points != nil && (points[2] != "" || points[0] != points[1]):
		a.points = points[1]
	default:
		if m := noteWeight().FindStringSubmatch(note); m != nil && m[0] != m[1] || m != nil && strings.ContainsAny(m[1], "%x×") {
			a.weight = m[1]
		}
	}
	return a
}

// counted reads the notes at the end of a title, and returns the title without them.
func (r *reader) counted(c *criterion, title string) string {
	for range 3 { // such as "Clarity (30 %) (required)"
		a, note := noteOf(title), noted().FindString(title)
		if a == (titleNote{}) || len(note) == len(title) {
			break
		}
		title = strings.TrimRight(title[:len(title)-len(note)], " :")
		r.setCount(c, a)
	}
	return title
}

// ordinal is a number or a code before a name: "1. ", "Criterion 2: ", "C3 - ".
var ordinal = lazy.Expr(`(?i)^(?:(?:criterion|criteria|dimension|metric|category|axis|part|question|item|aspect)\s+[#]?([0-9a-z]{1,4})\s*[.:)–—-]+\s*|([a-z]{0,4}-?[0-9]+(?:\.[0-9]+)*)(?:[.:)]+\s+|\s+[–—-]\s+)|[0-9]+(?:\.[0-9]+)+\s+|[0-9]+[.)]\s+)`)

// setCount sets how much a criterion counts.
func (r *reader) setCount(c *criterion, a titleNote) {
	if a.weight != "" {
		c.weight = a.weight
	}
	if a.points != "" {
		c.points = a.points
	}
	if a.scale != "" {
		c.scale = declared(a.scale)
	}
	switch word, _, _ := strings.Cut(a.word, " "); {
	case word == "":
	case strings.HasPrefix(word, "important"), strings.HasPrefix(word, "essential"):
		c.weight = word
	case strings.HasPrefix(word, "required"), strings.HasPrefix(word, "critical"), strings.HasPrefix(word, "mandatory"), strings.HasPrefix(word, "must"), strings.HasPrefix(word, "block"):
		c.required = true
	default:
		r.dropped(c.place, "A note such as (optional) or (high) after a name is dropped: write essential or important as weight, or a number as relative_weight.")
	}
}

// declared are the ends of a scale, such as 0-10.
func declared(ends string) (d levels.Declared) {
	low, high, _ := strings.Cut(ends, "-")
	first, errFirst := strconv.ParseFloat(low, 64)
	last, errLast := strconv.ParseFloat(high, 64)
	if errFirst != nil || errLast != nil || first >= last {
		return d
	}
	return levels.Declared{Low: first, High: last, IsKnown: true}
}
