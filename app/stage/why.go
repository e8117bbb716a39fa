package stage

import (
	_ "embed" // upstream.txt
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/past"
)

// Kubernetes is the version whose rules the engine follows.
const Kubernetes = "v1.37.1"

// Why explains the state of the cluster at the cursor: the decision with its sum, its reconcile and what woke it, the fields that were
// written, and the chain of causes. See session.Reason. The panel's height is fixed, so that nothing moves while playing.
func (p *Panels) Why() app.UI {
	l, reason := p.s.Lang(), p.s.Cursor.Why()
	r := &reason
	return parts.Card("why", l.Say("why")).DataSet("act", "why").Body(
		app.Elem("div").Class("why-head").Body(
			app.Elem("h2").Text(l.Say("why")),
			app.Elem("span").Class("why-now").Title(r.Time+" "+r.Actor+" "+r.Object).Body(
				app.Elem("span").Class("why-time").Text(r.Time),
				app.Text(" "+r.Actor+" "),
				app.Elem("span").Class("why-object").Text(r.Object),
			),
			jump("why-prev", "tool", "‹", l.Say("why-prev", r.Actor), r.Prev),
			jump("why-next", "tool", "›", l.Say("why-next", r.Actor), r.Next),
			parts.Maximize(l, "why"),
		),
		app.Elem("p").Class("why-short").DataSet("act", "why-short").Text(p.whyNumber()),
		app.Elem("p").Class("why-what").Title(r.What).Text(r.What),
		app.Elem("div").Class("why-rows").TabIndex(0).Role("group").Aria("label", l.Say("why-rows")).Body(
			sums(r.Sums[:min(1, len(r.Sums))]),
			reconcile(l, r),
			app.If(len(r.Writes) > 0, func() app.UI { return writes(l, r) }),
			app.If(len(r.Chain) > 0, func() app.UI { return chain(l, r) }),
			app.If(len(r.Sums) > 1, func() app.UI { return whyPart(l.Say("why-also"), sums(r.Sums[1:])) }), // the other decisions of the reconcile
		),
	)
}

// whyNumber says in a sentence why there are as many pods as there are, "" where that needs none.
func (p *Panels) whyNumber() string {
	sc, l := p.score(), p.s.Lang()
	if !sc.Known || p.s.Lesson.Question() != nil {
		return ""
	}
	f := p.frame(p.s.Run())
	row, ok := p.s.Run().Past().Workload(p.s.Workload(), p.s.Cursor.Record)
	rolls := ok && sc.Rollout != nil && !sc.Finished && sc.Rollout.Cause != forecast.Created && row.MaxSurge != ""
	switch {
	case rolls && f.Available < f.Desired && f.Available >= f.Lower:
		return l.Say("why-fewer", f.Available, f.Desired, row.MaxUnavailable, f.Desired-f.Lower)
	case rolls && f.Total > f.Desired && f.Total <= f.Upper:
		return l.Say("why-more-pods", f.Total, f.Desired, row.MaxSurge, f.Upper-f.Desired)
	case f.Available < f.Desired && f.Available < f.Lower:
		_, line := p.judgement()
		return line
	}
	return ""
}

func whyPart(title string, body ...app.UI) app.UI {
	return app.Elem("div").Class("why-part").Body(append([]app.UI{app.Elem("span").Class("why-title").Text(title)}, body...)...)
}

// sums draws the sums that led to decisions, the place of each rule, and the action if the head has another one.
func sums(rows []session.Sum) app.UI {
	return parts.EachOf(rows, func(r *session.Sum) app.UI {
		what := r.What
		if r.Times > 1 {
			what += " ×" + strconv.Itoa(r.Times)
		}
		return app.Elem("div").Class("why-row").Body(
			parts.When(what != "", jump("why-also", "why-link", what, "", r.Index)),
			parts.When(r.Formula != "", app.Elem("code").Class("formula").Text(r.Formula)),
			parts.When(r.Note != "", app.Elem("span").Class("why-note muted").Text(r.Note)),
			app.Elem("span").Class("why-source").Title("Kubernetes "+Kubernetes+", "+r.Upstream).Body(
				app.Elem("span").Class("rule").Text(r.Rule),
				app.Text(" "),
				upstreamLink(r.Upstream),
			),
		)
	})
}

// reconcile says what woke the reconcile and which branch it took.
func reconcile(l lang.Lang, r *session.Reason) app.UI {
	if r.Branch == "" {
		return nil
	}
	line := func(title lang.Message, body ...app.UI) app.UI {
		return app.Elem("p").Class("why-line").Body(append([]app.UI{app.Elem("span").Class("why-title").Text(l.Say(title) + " ")}, body...)...)
	}
	return app.Elem("div").Class("why-part").DataSet("act", "why-sync").Body(
		parts.When(r.Woken.Text != "", line("why-woken", jump("why-woken", "why-link", r.Woken.Text, "", r.Woken.Index),
			parts.When(r.MoreWoken > 0, app.Text(" "+l.Say("and-more", r.MoreWoken))))),
		line("why-took", jump("why-took", "why-link", r.Branch, "", r.Sync)),
		parts.When(r.Idle != "", line("why-idle", app.Text(r.Idle))),
	)
}

// writes lists what was written, one write with its fields.
func writes(l lang.Lang, r *session.Reason) app.UI {
	return whyPart(l.Say("why-written"),
		app.Elem("ul").Class("why-writes").Body(parts.EachOf(r.Writes, writeLine)),
		parts.When(r.MoreWrites > 0, app.Elem("span").Class("why-more").Text(l.Count(r.MoreWrites, "one-more-write", "n-more-writes"))),
	)
}

// chain is the chain of causes, the first one first.
func chain(l lang.Lang, r *session.Reason) app.UI {
	return whyPart(l.Say("why-chain"), app.Elem("ol").Class("why-chain").DataSet("act", "why-chain").Body(
		parts.EachOf(r.Chain, func(c *session.Ref) app.UI {
			if c.Index < 0 { // several steps
				return app.Elem("li").Class("why-more").Text(c.Text)
			}
			return app.Elem("li").Body(jump("why-cause", "why-link", c.Text, c.Text, c.Index))
		}),
		app.Elem("li").Class("why-here").Aria("current", "true").Text(r.What),
	))
}

// writeLine draws a write, with the fields that it changed if it is the write on the screen.
func writeLine(w *session.Write) app.UI {
	line := jump("why-write", "why-link", w.Text, w.Text, w.Index)
	if len(w.Fields) == 0 {
		return app.Elem("li").Body(line)
	}
	return app.Elem("li").Class("why-shown").Body(line, app.Elem("ul").Class("why-diff").DataSet("act", "why-diff").Body(
		parts.EachOf(w.Fields, func(f *past.FieldChange) app.UI {
			return app.Elem("li").Body(
				app.Elem("span").Class("field").Text(f.Path),
				parts.When(f.Old != "", app.Elem("del").Text("− "+f.Old)),
				parts.When(f.New != "", app.Elem("ins").Text("+ "+f.New)),
			)
		}),
	))
}

// jump is a button that moves the cursor to a record, disabled if the index is -1. Its title says what the text does not.
func jump(name, class, text, title string, index int) app.UI {
	return &parts.Button{Act: name, Class: class, Text: text, Title: title, Off: index < 0, Do: act.Record, Value: index, Data: "index"}
}

// upstreamLines is where the functions that decisions name begin in the pinned version of Kubernetes: a file, then a function and its line
// in each line.
//
//go:embed upstream.txt
var upstreamLines string

// upstreamURL is the function in the pinned source, empty for one whose line is not known. Rules name a module with k8s.io/ or without.
func upstreamURL(upstream string) string {
	path, function, _ := strings.Cut(upstream, ":")
	_, functions, _ := strings.Cut("\n"+upstreamLines, "\n"+path+"\n")
	for !strings.HasPrefix(functions, "\t"+function+" ") {
		if _, functions, _ = strings.Cut(functions, "\n"); !strings.HasPrefix(functions, "\t") {
			return ""
		}
	}
	line, _, _ := strings.Cut(functions[len(function)+2:], "\n")
	if !strings.HasPrefix(path, "pkg/") && !strings.HasPrefix(path, "staging/") {
		path = "staging/src/k8s.io/" + strings.TrimPrefix(path, "k8s.io/")
	}
	return "https://github.com/kubernetes/kubernetes/blob/" + Kubernetes + "/" + path + "#L" + line
}

// upstreamLink leads to the function, and is plain text without its line.
func upstreamLink(upstream string) app.UI {
	text := strings.TrimPrefix(upstream, "pkg/controller/")
	if url := upstreamURL(upstream); url != "" {
		return app.Elem("a").Class("upstream").DataSet("act", "why-upstream").Attr("href", url).Attr("target", "_blank").Attr("rel", "noopener noreferrer").Text(text)
	}
	return app.Elem("span").Class("upstream").Text(text)
}

// plain leaves out the rules that a sentence of the engine cites in brackets: the why panel names them.
func plain(text string) string {
	for from := 0; ; {
		i := strings.Index(text[from:], " (")
		if i < 0 {
			return text
		}
		i += from
		n := strings.IndexByte(text[i:], ')')
		if n > 0 && cites(text[i+2:i+n]) {
			text = text[:i] + text[i+n+1:]
		} else {
			from = i + 2
		}
	}
}

// cites says whether a text is a list of rules: R-25, or D-53, R-9.
func cites(text string) bool {
	for _, id := range strings.Split(text, ", ") {
		letters, digits, ok := strings.Cut(id, "-")
		if !ok || len(letters) > 3 || strings.Trim(letters, "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" || strings.Trim(digits, "0123456789") != "" || digits == "" {
			return false
		}
	}
	return true
}
