package scenario

import (
	"strings"
)

// Caption is a sentence that belongs to a moment.
type Caption struct {
	At   int64
	Text Text
	Ask  *Ask // a question to answer before the run continues; nil means no question
}

// Same reports whether two captions have the same text at the same moment.
func (c Caption) Same(d Caption) bool { return c.At == d.At && c.Text == d.Text }

// Link leads to more about the subject of a scenario: upstream's documentation, or a thread with the question.
type Link struct {
	Title Text
	URL   string
}

// link reads a link. Texts come from strangers too, so nothing but an address of the web may be one.
func (r *specReader) link(path string, v any) {
	var l Link
	m := r.object(path, v, fields{"title": r.inWords(&l.Title), "url": r.text(&l.URL)}, "title", "url")
	if m == nil {
		return
	}
	if m["url"] != nil && !strings.HasPrefix(l.URL, "https://") {
		r.invalid(path+".url", m["url"], "must begin with https://")
	}
	r.scenario.Links = append(r.scenario.Links, l)
}

func (r *specReader) caption(path string, v any) {
	var c Caption
	r.object(path, v, fields{"at": r.duration(&c.At), "text": r.inWords(&c.Text), "ask": r.ask(&c.Ask)}, "at", "text")
	if c.Ask != nil && c.Ask.At > 0 && c.Ask.At <= c.At {
		r.complain(path+".ask.at", "Invalid value: must be after the caption")
	}
	r.scenario.Captions = append(r.scenario.Captions, c)
}

// Goal is something that the learner's own run must reach, in the grammar of Expect with `by` in place of `at`; or a limit on what
// the learner may use. See Run.Goals.
type Goal struct {
	Text   Text
	Expect // At is `by`: the latest moment; From is the earliest one that counts

	Always   bool     // Equals holds at every moment from From to To
	Commands int      // the most commands of the learner; -1: any number
	Without  []string // verbs of kubectl that the learner does without; delete: and whatever else deletes
	Extra    int64    // the most ms of pods above the number desired before the learner's first command, since From; -1: any number
}

func (r *specReader) goal(path string, v any) {
	g := Goal{Commands: -1, Extra: -1}
	known := r.expectFields(&g.Expect)
	known["text"], known["by"] = r.inWords(&g.Text), r.duration(&g.At)
	known["commands"] = r.number(0, 100, func(n int64) { g.Commands = int(n) })
	known["without"] = r.textList(&g.Without)
	known["extra"] = r.duration(&g.Extra)
	problems := len(r.diagnostics)
	m := r.object(path, v, known)
	if m == nil {
		return
	}
	if len(r.diagnostics) == problems {
		r.requiredOf(path, m, "text")
		if r.onlyOne(path, m, "commands", "without", "extra") == "" {
			r.expectForm(path, m, "by")
			g.Always = m["equals"] != nil && m["by"] == nil
		}
	}
	r.scenario.Goals = append(r.scenario.Goals, g)
}

// onlyOne complains about all but the first of some fields that an object has, and returns the first.
func (r *specReader) onlyOne(path string, m map[string]any, names ...string) (first string) {
	for _, name := range names {
		switch {
		case m[name] == nil:
		case first == "":
			first = name
		default:
			r.forbidden(path+"."+name, first)
		}
	}
	return first
}

// Try is an edit that a lesson prepares for its last caption, with the result that the edited run shows.
type Try struct {
	From, To string   // From is replaced by To in the text
	At       int64    // from when on the edited run shows it
	Text     Text     // its result, in words
	Expects  []Expect // the same for a test
}

// Label names the edit by the text that it writes, without the fields behind it that it keeps.
func (t *Try) Label() string {
	label := strings.TrimSpace(strings.Replace(t.To, t.From, "", 1))
	if _, kept, ok := strings.Cut(t.From, ", "); ok {
		return strings.TrimSuffix(label, ", "+kept)
	}
	return label
}

func (r *specReader) try(path string, v any) {
	t := &Try{}
	if r.object(path, v, fields{
		"from": r.text(&t.From), "to": r.text(&t.To), "at": r.duration(&t.At), "text": r.inWords(&t.Text), "expect": r.expects(&t.Expects),
	}, "from", "to", "at", "text"); t.From != "" {
		r.scenario.Try = t
	}
}
