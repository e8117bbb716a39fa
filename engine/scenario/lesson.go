package scenario

import "strings"

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

// translated reads the lesson in other languages. In English it is the comment that opens the text.
func (r *specReader) translated(path string, v any) {
	r.object(path, v, fields{"zh": r.text(&r.scenario.Lesson.Zh)})
}

// about reads the name of an API field that the scenario is about.
func (r *specReader) about(path string, v any) {
	var name string
	r.text(&name)(path, v)
	r.scenario.Fields = append(r.scenario.Fields, name)
}

// link reads a link. Texts come from strangers too, so nothing but an address of the web may be one.
func (r *specReader) link(path string, v any) {
	var l Link
	if !r.object(path, v, fields{"title": r.inWords(&l.Title), "url": r.text(&l.URL)}) {
		return
	}
	m := v.(map[string]any)
	r.requiredOf(path, m, "title", "url")
	if m["url"] != nil && !strings.HasPrefix(l.URL, "https://") {
		r.invalid(path+".url", m["url"], "must begin with https://")
	}
	r.scenario.Links = append(r.scenario.Links, l)
}

func (r *specReader) caption(path string, v any) {
	var c Caption
	if r.object(path, v, fields{"at": r.duration(&c.At), "text": r.inWords(&c.Text), "ask": r.ask(&c.Ask)}) {
		r.requiredOf(path, v.(map[string]any), "at", "text")
	}
	if c.Ask != nil && c.Ask.At > 0 && c.Ask.At <= c.At {
		r.add(r.doc.at(path+".ask.at", path+".ask.at: Invalid value: must be after the caption"))
	}
	r.scenario.Captions = append(r.scenario.Captions, c)
}
