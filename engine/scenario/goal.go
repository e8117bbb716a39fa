package scenario

// Goal is something that the learner's own run must reach, in the grammar of Expect with `by` in place of `at`; or a limit on what
// the learner may use. See Run.Goals.
type Goal struct {
	Text   Text
	Expect // At is `by`: the latest moment; From is the earliest one that counts

	Always   bool     // Equals holds at every moment from From to To
	Commands int      // the most commands of the learner; -1: any number
	Without  []string // verbs of kubectl that the learner does without
	Extra    int64    // the most ms of pods above the desired number, since From; -1: any number
}

// goal reads one goal.
func (r *specReader) goal(path string, v any) {
	g := Goal{Commands: -1, Extra: -1}
	known := r.expectFields(&g.Expect)
	known["text"], known["by"] = r.inWords(&g.Text), r.duration(&g.At)
	known["commands"] = r.number(0, 100, func(n int64) { g.Commands = int(n) })
	known["without"] = r.list(func(path string, v any) {
		var verb string
		r.text(&verb)(path, v)
		g.Without = append(g.Without, verb)
	})
	known["extra"] = r.duration(&g.Extra)
	problems := len(r.diagnostics)
	if !r.object(path, v, known) {
		return
	}
	if len(r.diagnostics) == problems {
		m := v.(map[string]any)
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
			p := path + "." + name
			r.add(r.doc.atKey(p, p+": Forbidden: may not be specified when `"+first+"` is set"))
		}
	}
	return first
}
