package scenario

import "strings"

// Try is an edit that a lesson prepares for its last caption, with the result that the edited run shows.
type Try struct {
	From, To string   // From is replaced by To in the text
	At       int64    // from when on the edited run shows it
	Text     Text     // its result, in words
	Expects  []Expect // the same for a test
}

// Label names the edit by the text that it writes.
func (t *Try) Label() string { return strings.TrimSpace(strings.Replace(t.To, t.From, "", 1)) }

// try reads a prepared edit.
func (r *specReader) try(path string, v any) {
	t := &Try{}
	if !r.object(path, v, fields{
		"from": r.text(&t.From), "to": r.text(&t.To), "at": r.duration(&t.At), "text": r.inWords(&t.Text),
		"expect": r.list(func(path string, v any) {
			var e Expect
			if r.expectation(&e)(path, v) {
				t.Expects = append(t.Expects, e)
			}
		}),
	}) {
		return
	}
	if r.requiredOf(path, v.(map[string]any), "from", "to", "at", "text"); t.From != "" {
		r.scenario.Try = t
	}
}
