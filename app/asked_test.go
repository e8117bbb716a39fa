package app

import (
	"cmp"
	"fmt"
	"html"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/apptest"
	"github.com/rollplay/rollplay/app/gallery"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/lesson"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

// readable are the questions, as lesson:ms, whose answer is on the screen before it is given, with the reason why that is no help. A review
// asks them, too.
var readable = map[string]string{
	"sts-partition-canary:20000": given,
	"recap-stuck:60000":          given,
	"recap-nodes:20000":          given,
	"recap-nodes:45000":          given,
	"quota:10000":                given,
	"recap-time:29000":           now,
	"long-goodbye:11000":         now,
	"hand-scaled-rs:10000":       now,
	"recap-nodes:60000":          now,
	"undo-twice:40000":           now,
	"ds-on-delete:10000":         other,
	"recap-sets:65000":           other,
	"drain:25000":                other,
	"rounding:10000":             other,
}

const (
	given = "the question itself has the number, and asks whether it decides"
	now   = "it is a count of this moment, and the question asks what becomes of it"
	other = "something else has the same number, or a menu has the field's name in every lesson"
)

// TestAnswersAreNotOnTheScreen: what the page shows when a question waits, in both languages, has neither the number nor the words that are
// the answer, whether the questions before were answered right or wrong. The choices themselves do not count, nor does the axis of the chart, which is no text.
func TestAnswersAreNotOnTheScreen(t *testing.T) {
	p, found := pageOf(session.New(false)), map[string]string{}
	p.s.Cursor.Guide = lesson.ReadGuide("")
	for i, name := range slices.Concat(scenarios.Names(), scenarios.Names()) {
		right := i < len(scenarios.Names())
		p.s.LoadScenario(name)
		apptest.Compute(t, p.s)
		p.s.Cursor.Pause()
		for _, c := range p.s.Run().Scenario().Captions {
			if c.Ask == nil {
				continue
			}
			if told := toldAt(t, p, c); told != "" {
				found[fmt.Sprintf("%s:%d", name, c.At)] += told
			}
			answer, _ := p.s.Run().Answer(c.Ask)
			if !right {
				answer = (answer + 1) % max(len(c.Ask.Choices), answer+2) // what is said of it stands beside the next question
			}
			p.s.Lesson.Answer(answer)
			p.s.Cursor.Pause()
		}
	}
	for question, told := range found {
		if readable[question] == "" {
			t.Errorf("%s: %s", question, told)
		}
	}
	for question := range readable {
		if found[question] == "" {
			t.Errorf("%s is named in vain", question)
		}
	}
}

// TestDrawnAnswersAreNotOnTheScreen: nor has the page of a question that is asked again its answer. Only the questions that keep their
// lesson's words have its exceptions; those with other numbers have none.
func TestDrawnAnswersAreNotOnTheScreen(t *testing.T) {
	p := pageOf(session.New(false))
	p.s.Cursor.Guide = lesson.ReadGuide("")
	for _, name := range scenarios.Names() {
		for _, at := range gallery.Asks(name) {
			key := name + ":" + at
			numbers := strings.Contains(scenarios.Drawn(key+":0", scenarios.Text), "\n  name: again\n")
			draws := 3
			if numbers {
				draws = 40
			} else if readable[key] != "" {
				continue
			}
			for draw := range draws {
				p.s.LoadScenario(fmt.Sprintf("%s:%d", key, draw))
				apptest.Compute(t, p.s)
				p.s.Cursor.Pause()
				if told := toldAt(t, p, p.s.Run().Scenario().Captions[0]); told != "" {
					t.Errorf("%s, draw %d: %s", key, draw, told)
				}
			}
		}
	}
}

// toldAt goes to a caption that asks and returns the parts of its screen that have the answer, in both languages.
func toldAt(t *testing.T, p *page, c scenario.Caption) (told string) {
	t.Helper()
	p.s.Cursor.SeekTo(c.At)
	if p.s.Lesson.Question() != c.Ask {
		t.Fatalf("%s at %d: the question does not wait", p.s.Document.Preset, c.At)
	}
	for _, code := range Langs() {
		p.s.Visit.SetLang(code)
		if part := toldBefore(p, c.Ask); part != "" {
			told += code + ": " + part + "; "
		}
	}
	return told
}

// toldBefore returns the part of the screen that has the answer, "" for none. What the screen also has of each other choice tells nothing.
func toldBefore(p *page, ask *scenario.Ask) string {
	is, _ := p.s.Run().Answer(ask)
	texts := textsBefore(p)
	if len(ask.Choices) == 0 {
		return textWith(texts, strconv.Itoa(is))
	}
	told := ""
	for k := range ask.Choices {
		found := ""
		for _, part := range ownParts(p.s.Lang(), ask.Choices, k) {
			found = cmp.Or(found, textWith(texts, part))
		}
		if k == is {
			told = found
		} else if found != "" {
			return ""
		}
	}
	return told
}

var aNumber = regexp.MustCompile(`[0-9.]*[0-9]`)

// ownParts are the words between commas and the numbers of a choice that no other choice has.
func ownParts(l lang.Lang, choices []scenario.Choice, k int) (own []string) {
	text := l.In(choices[k].Text)
	parts := append(strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune(":：,，", r) }), text)
	for _, part := range append(parts, aNumber.FindAllString(text, -1)...) {
		part = strings.TrimSpace(part)
		shared := slices.ContainsFunc(choices, func(c scenario.Choice) bool {
			return c.Text != choices[k].Text && textWith([]string{l.In(c.Text)}, part) != ""
		})
		if alone := textWith([]string{text}, part) != ""; alone && !shared && (len([]rune(part)) > 3 || aNumber.MatchString(part)) {
			own = append(own, part)
		}
	}
	return own
}

// textWith returns the first text with a number or words as a whole, "" for none: the 3 of node-3, 3 s and 1:3 is no number of pods.
func textWith(texts []string, words string) string {
	whole := regexp.MustCompile(`(?i)(^|[^0-9A-Za-z.:/_=-])` + regexp.QuoteMeta(words) + `($|[^0-9A-Za-z×/_%.:-]|[.:]($|[^0-9])| [^s])`)
	for _, text := range texts {
		if whole.MatchString(text) {
			return fmt.Sprintf("%q has %q", text, words)
		}
	}
	return ""
}

var (
	hiddenElement = regexp.MustCompile(`(?s)<(select|script|style)[ >].*?</(select|script|style)>|<[^>]* hidden[ >][^<]*<`)
	noCount       = regexp.MustCompile(`^(rev \d+ · .*|\d+ of \d+|第 \d+ 段，共 \d+ 段)$`) // a revision, or the number of the caption

	aTable   = regexp.MustCompile(`(?s)<table.*?</table>`)
	aRow     = regexp.MustCompile(`(?s)<tr.*?</tr>`)
	aCell    = regexp.MustCompile(`(?s)<t[hd][ >].*?</t[hd]>`)
	aMarkup  = regexp.MustCompile(`<[^>]*>`)
	noCounts = []string{"REVISION", "RESTARTS"} // columns of tables that number or count no pods
)

// withoutColumns removes the columns noCounts of a page's tables.
func withoutColumns(page string) string {
	return aTable.ReplaceAllStringFunc(page, func(table string) string {
		var heads []string
		for _, cell := range aCell.FindAllString(aRow.FindString(table), -1) {
			heads = append(heads, strings.TrimSpace(aMarkup.ReplaceAllString(cell, "")))
		}
		return aRow.ReplaceAllStringFunc(table, func(row string) string {
			i := -1
			return aCell.ReplaceAllStringFunc(row, func(cell string) string {
				if i++; i < len(heads) && slices.Contains(noCounts, heads[i]) {
					return ""
				}
				return cell
			})
		})
	})
}

// textsBefore are the texts of the stage and its notes, without the answers that are offered.
func textsBefore(p *page) (texts []string) {
	p.stage.Answer("place", fmt.Sprintf("900 400 0 %d 20", p.s.End()))
	for _, n := range p.stage.Notes() {
		texts = append(texts, n.Text)
	}
	if ask := p.s.Lesson.Question(); ask != nil {
		defer func(choices []scenario.Choice) { ask.Choices = choices }(ask.Choices)
		ask.Choices = nil
	}
	page := apptest.HTML(app.Elem("div").Body(p.stage.Status(), p.stage.Chart(), p.stage.Requests(), p.details.PodsInPlace(), p.stage.Transport(), p.lesson.Strip(false),
		p.stage.Controls(), p.stage.Branches(), p.stage.Diagnosis(), p.details.Bar(), p.details.Tabs()))
	for _, m := range textOfElement.FindAllStringSubmatch(hiddenElement.ReplaceAllString(withoutColumns(page), "<"), -1) {
		if text := strings.TrimSpace(html.UnescapeString(m[1])); !noCount.MatchString(text) {
			texts = append(texts, text)
		}
	}
	return texts
}

// TestTheScreenCanTell: the tests above see a bound on the chart, which names the lowest number, as soon as nothing keeps it back, in a lesson
// and in a question that is asked again.
func TestTheScreenCanTell(t *testing.T) {
	p := pageOf(session.New(false))
	for name, caption := range map[string]int{"recap-basics": 3, "recap-basics:30000:1": 0} {
		p.s.LoadScenario(name)
		apptest.Compute(t, p.s)
		c := p.s.Run().Scenario().Captions[caption]
		p.s.Cursor.SeekTo(c.At)
		is, _ := p.s.Run().Answer(c.Ask)
		if told := toldBefore(p, c.Ask); !strings.Contains(told, fmt.Sprintf("at least %d", is)) {
			t.Errorf("%s: found %q", name, told)
		}
	}
}

// TestStripsAfterAnAnswer: what the strips keep back while a question waits is drawn when it was answered: the figure is another one then.
func TestStripsAfterAnAnswer(t *testing.T) {
	p := pageOf(session.New(false))
	p.s.Cursor.Guide = lesson.ReadGuide("")
	p.s.LoadScenario("grace-cuts")
	apptest.Compute(t, p.s)
	p.s.Cursor.SeekTo(p.s.Run().Scenario().Captions[0].At)
	p.s.Cursor.Pause()
	end := func() (to int64) {
		for _, row := range p.stage.Strips() {
			if n := len(row.Segments); row.Requests && n > 0 {
				to = row.Segments[n-1].To
			}
		}
		return to
	}
	asked, figure := end(), p.state().figure
	p.s.Lesson.Answer(0)
	p.s.Cursor.Pause()
	if asked != p.s.Run().Scenario().Captions[0].At || end() <= asked {
		t.Errorf("the strip of requests ends at %d ms while the question waits, and then at %d ms", asked, end())
	}
	if p.state().figure == figure {
		t.Error("the answer draws nothing")
	}
}
