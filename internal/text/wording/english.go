package wording

import "strings"

// SaysNothing reports whether an English text only grades and describes nothing
// observable: it has words, and all of them are grades, common words, words for what is
// graded, or in name, the name of the criterion.
func SaysNothing(t Text, name string) bool {
	graded := false
	var names Text
	for w := range t.Words() {
		kind := lexicon[w] &^ article
		if kind == 0 {
			if names.Len == 0 {
				names = Read(name)
			}
			if !names.has(w) {
				return false
			}
		}
		graded = graded || kind&(grade|degree) != 0
	}
	return graded
}

// OnlyDegree reports whether two English texts differ only in words of degree, such as
// "mostly" and "fully". Texts that are the same, or have only such words, do not count.
func OnlyDegree(a, b Text) bool {
	if Same(a, b) {
		return false
	}
	alike := 0
	for {
		v, w := a.skipDegree(), b.skipDegree()
		if v != w {
			return false
		}
		if v == "" {
			return alike > 1
		}
		alike++
	}
}

// has reports whether the text has a word.
func (t Text) has(word string) bool {
	for w := range t.Words() {
		if w == word {
			return true
		}
	}
	return false
}

// skipDegree removes from a text everything up to the first word that is not an
// article, grade, or degree, and returns that word, "" if there is none. "And" is such
// a word: a text with "or" instead is another text.
func (t *Text) skipDegree() string {
	for w := range t.Words() {
		t.joined = t.joined[1+len(w):]
		t.Len--
		if lexicon[w]&(grade|degree|article) == 0 {
			return w
		}
	}
	return ""
}

// kind is what the lexicon knows about a word: one or more of the following.
type kind uint8

const (
	grade kind = 1 << iota
	degree
	article
	idle
)

// lexicon has the kinds of all words that have no meaning by themselves.
var lexicon = map[string]kind{}

func init() {
	for kind, words := range map[kind]map[string]bool{grade: grades, degree: degrees, article: articles, idle: idles} {
		for word := range words {
			lexicon[word] |= kind
		}
	}
}

// grades are words that say how good something is, but not what it is.
var grades = Set(
	"good|better|best|great|excellent|outstanding|exceptional|superb|superior|perfect|ideal|exemplary|brilliant|impressive|fantastic|flawless",
	"bad|worse|worst|poor|terrible|awful|weak|weaker|inferior|unacceptable|inadequate|insufficient|unsatisfactory|deficient|lacking|subpar|substandard",
	"adequate|acceptable|satisfactory|sufficient|fair|average|mediocre|decent|fine|ok|okay|nice|solid|strong|stronger|sound|reasonable|suitable|proper|improper|appropriate|inappropriate|competent|proficient",
	"high|higher|highest|low|lower|lowest|medium|moderate|mixed|basic|advanced|intermediate|minimal|limited|effective|ineffective|successful|unsuccessful|correct|incorrect|clear|unclear",
	"quality|level|grade|standard|standards|expectation|expectations|requirement|requirements|meets|meet|met|exceeds|exceed|exceeded|satisfies|satisfied|fails|failed|failing|succeeds|passes|performs|performed|performance|below|above|beyond|expected|required",
	"pass|fail|yes|true|false|failure|success",
)

// degrees are words that say how much.
var degrees = Set(
	"very|extremely|highly|really|truly|quite|rather|fairly|pretty|somewhat|slightly|barely|hardly|moderately|reasonably|relatively|remarkably|exceptionally|particularly|especially|significantly|substantially|considerably|strongly|deeply",
	"well|poorly|badly|adequately|acceptably|satisfactorily|sufficiently|insufficiently|inadequately|excellently|perfectly|flawlessly|effectively|ineffectively|successfully|unsuccessfully|appropriately|inappropriately|properly|improperly|correctly|incorrectly|accurately|inaccurately|clearly|unclearly|nicely",
	"completely|fully|entirely|totally|thoroughly|wholly|absolutely|utterly|mostly|largely|mainly|generally|usually|partially|partly|nearly|almost|minimally|too|more|less|enough|overall",
)

// idles are common words, and general words for what is graded.
var idles = Set(
	"a|an|and|are|as|at|be|been|being|but|by|can|could|do|does|for|from|had|has|have|how|if|in|into|is|it|its|it's|of|on|or|so|that|the|their|them|there|these|they|this|those|to|was|were|what|when|where|which|while|who|whose|will|with|would",
	"response|responses|answer|answers|output|outputs|artifact|artifacts|result|results|submission|work|text|document|item|criterion|criteria|aspect|aspects|regard|regards|respect|respects|way|manner|everything|something|anything|one|all|any|not|no|user|user's|reader|readers|task",
)

// articles are words that don't matter in a comparison of texts.
var articles = Set("a|an|the|is|are|was|were|be|been|in|of|its|their")

// Set returns the set of the words separated by | in the lists.
func Set(lists ...string) map[string]bool {
	words := map[string]bool{}
	for _, list := range lists {
		for word := range strings.SplitSeq(list, "|") {
			words[word] = true
		}
	}
	return words
}
