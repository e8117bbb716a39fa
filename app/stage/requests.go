package stage

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/traffic"
	"github.com/rollplay/rollplay/engine/words"
)

// requests keeps what becomes of the requests to the chosen workload; see traffic.Report.
type requests struct {
	run      *engine.Run
	workload string
	records  int
	reports  []traffic.Report // of the Services that select the workload
	story    int64            // a moment of the losses that are told, 0 for none
	worst    session.Memo[worstKey, *traffic.Report]
	repairs  map[repairKey]string // the field that ends the losses of a cause, "" if the text has no place for it
}

type worstKey struct {
	at      cursor.Place
	records int
}

type repairKey struct {
	of *traffic.Report
	traffic.Outcome
}

// reports are those of the Services that select the workload. A run that is still computed is looked at again when it has grown by
// half, so all looks together take three times as long as the last one.
func (p *Panels) reports() []traffic.Report {
	run, workload, k := p.s.Run(), p.s.Workload(), &p.requests
	if run == nil || workload == "" {
		return nil
	}
	if same := k.run == run && k.workload == workload; same && (k.records == run.Len() || !run.Done() && run.Len() < k.records+k.records/2) {
		return k.reports
	}
	*k = requests{run: run, workload: workload, records: run.Len(), repairs: map[repairKey]string{}}
	for _, t := range traffic.For(run.Past(), workload) {
		k.reports = append(k.reports, traffic.Of(run.Past(), t))
	}
	return k.reports
}

// report is that of the Service with most failed requests since the last command, and among equal ones with most in all; nil if none
// selects the workload. A drawing asks several times.
func (p *Panels) report() *traffic.Report {
	all := p.reports()
	if len(all) == 0 {
		return nil
	}
	return session.Recall(&p.requests.worst, worstKey{p.s.Cursor.Place, p.s.Run().Len()}, func() *traffic.Report { return p.worstOf(all) })
}

func (p *Panels) worstOf(all []traffic.Report) (worst *traffic.Report) {
	sc := p.score()
	failed := func(r *traffic.Report) int64 {
		c, _, _ := r.Ended(sc.From, p.s.Cursor.T)
		return c.Failed()
	}
	for i := range all {
		r := &all[i]
		if worst == nil || cmp.Or(cmp.Compare(failed(r), failed(worst)), cmp.Compare(r.Total.Failed(), worst.Total.Failed())) > 0 {
			worst = r
		}
	}
	return worst
}

// asked are the requests since the last command; ok is false if none are known, or not up to the cursor yet.
func (p *Panels) asked(sc *score) (c traffic.Counts, ok bool) {
	r := p.report()
	if r == nil || sc.Command == "" || p.s.Cursor.T > r.Until && !p.s.Run().Done() {
		return c, false
	}
	c, _, _ = r.Ended(sc.From, p.s.Cursor.T)
	return c, c.All() > 0
}

func thousands(n int64) string { return words.Thousands(int(n)) }

// inRequests puts the failed requests in the place of the lowest count, and where no wait has a cause, which setting helps and what is assumed.
func (p *Panels) inRequests(v *verdict, sc *score) {
	asked, ok := p.asked(sc)
	if !ok {
		return
	}
	v.parts[1] = p.s.Lang().Say("verdict-failed", thousands(asked.Failed()), thousands(asked.All()))
	if v.cause != "" {
		return
	}
	v.cause = p.model()
	if o, lost := p.worst(sc); lost && p.tells() {
		v.cause = p.s.Lang().Engine(p.report().Helps(o, p.object())) + " " + v.cause
	}
}

// worst is the cause of most losses since the last command.
func (p *Panels) worst(sc *score) (o traffic.Outcome, ok bool) {
	c, ok := p.asked(sc)
	return c.Worst(), ok && c.All() > c[traffic.Served]
}

// inAggregate is how many requests make the page say that they are not computed one by one.
const inAggregate = 1_000_000

// model says what is assumed of the requests, and how they are computed if they are many.
func (p *Panels) model() string {
	r, l := p.report(), p.s.Lang()
	text := l.Engine(r.Model())
	if r.Aggregate && r.Total.All() >= inAggregate {
		text += " " + l.Say("requests-aggregate")
	}
	return text
}

// tells says that the page may name the setting: an exercise keeps it to itself until the learner asks for a hint.
func (p *Panels) tells() bool {
	return p.s.Lesson.Question() == nil && (!p.s.Lesson.Exercise() || p.Hinted())
}

// requestFix is the button that gives the manifest what ends the losses, nil if there is none to give.
func (p *Panels) requestFix() app.UI {
	sc := p.score()
	o, lost := p.worst(&sc)
	if !lost || !p.tells() || p.embedded {
		return nil
	}
	key := repairKey{p.report(), o}
	field, known := p.requests.repairs[key]
	if !known {
		var value string
		switch field, value, _ = p.report().Repair(o); field {
		case "lifecycle":
			seconds, _, _ := p.report().PreStop()
			field = "preStop " + strconv.FormatInt(seconds, 10) + " s"
		case "minReadySeconds":
			field += " " + value
		}
		if text := p.s.Recording().Scenario; field != "" {
			if fixed, err := p.repair()(text); err != nil || fixed == text {
				field = ""
			}
		}
		p.requests.repairs[key] = field
	}
	if field == "" {
		return nil
	}
	return &parts.Button{Act: "fix", Class: "button primary fix next helps", Title: p.s.Lang().Say("requests-fix-is"), Do: act.Requests, Value: "fix",
		Spans: []parts.Span{{Class: "fix-label", Text: p.s.Lang().Say("requests-fix", field)}, {Tag: "code", Text: p.s.Lang().Say("requests-fix-in")}}}
}

// object is the chosen workload at the cursor.
func (p *Panels) object() api.Object {
	return p.s.Run().Past().ObjectAt(past.ParseKey(p.s.Workload()), p.s.Cursor.Record)
}

// repair returns what changes a text so that most losses end. What it writes depends on the run of now, whatever runs when it is called.
func (p *Panels) repair() func(text string) (string, error) {
	sc, workload := p.score(), past.ParseKey(p.s.Workload())
	o, _ := p.worst(&sc)
	field, value, grace := p.report().Repair(o)
	template := api.TemplateOf(p.object())
	longer := template != nil && grace > template.Spec.TerminationGracePeriodSeconds
	return func(text string) (string, error) {
		text, err := sweep.SetRepair(text, workload, field, value)
		if err == nil && longer {
			return sweep.SetField(text, workload, []string{"template", "spec", "terminationGracePeriodSeconds"}, strconv.FormatInt(grace, 10))
		}
		return text, err
	}
}

// serviceText is a Service for the pods of a workload; its requests are assumed.
const serviceText = `
---
# Added to ask what becomes of requests. Without a traffic entry in the Scenario they are assumed.
apiVersion: v1
kind: Service
metadata: {name: %s-requests, namespace: %s}
spec:
  selector: {%s}
  ports: [{port: 80}]
`

// OnRequests asks what becomes of requests, repairs the manifest, or tells of the losses of a moment.
func (p *Panels) OnRequests(what string) {
	say, workload := p.s.Lang().Say, past.ParseKey(p.s.Workload())
	switch what {
	case "fix":
		session.Rewrite(p.s, p.repair(), say("requests-fixed"))
	case "ask":
		template := api.TemplateOf(p.object())
		if template == nil {
			return
		}
		selector := words.Join(slices.Sorted(maps.Keys(template.Labels)), ", ", func(k string) string { return fmt.Sprintf("%q: %q", k, template.Labels[k]) })
		session.Rewrite(p.s, func(text string) (string, error) {
			return strings.TrimRight(text, "\n") + fmt.Sprintf(serviceText, workload.Name, workload.Namespace, selector), nil
		}, say("requests-asked"))
	default:
		p.requests.story, _ = strconv.ParseInt(what, 10, 64) // "close" is no number; the cursor stays, and with it the verdict
	}
}

// requestStrip shows which revisions serve, and where requests fail or are slow. While a question waits it ends at the cursor.
func (p *Panels) requestStrip() []strip {
	r, l := p.report(), p.s.Lang()
	if r == nil {
		return nil
	}
	sets, until := p.replicaSets.Of(p.s.Run(), p.s.Workload()), r.Until
	if p.s.Lesson.Question() != nil {
		until = p.s.Cursor.T
	}
	row := strip{Name: "Requests", Title: l.Say("requests") + l.Stop() + p.model(), Label: l.Say("requests-label"), Requests: true, Segments: []stripSegment{}}
	for i := range r.Intervals {
		part := &r.Intervals[i]
		kind := parts.Rating(part.Failed() > 0, part.Slow() > 0)
		mix, n := mixOf(r, part, sets), len(row.Segments)
		if n > 0 && row.Segments[n-1].Kind == kind && (kind != "good" || row.Segments[n-1].Mix == mix) {
			row.Segments[n-1].To = part.To
		} else if part.From < until {
			row.Segments = append(row.Segments, stripSegment{From: part.From, To: part.To, Kind: kind, Mix: mix})
		}
	}
	for i := range row.Segments {
		s := &row.Segments[i]
		c, _, _ := r.Between(s.From, s.To)
		s.To, s.Record = min(s.To, until), p.s.Run().Past().Find(s.From)
		if s.Title = cursor.Clock(s.From) + "  " + l.Say("requests-served", thousands(c[traffic.Served])); s.Kind != "good" {
			s.Title = cursor.Clock(s.From) + "  " + l.Engine(r.Verdict(s.From, s.To))
			for _, of := range c.ByName()[1:] {
				if of.Requests > 0 {
					s.Title += " " + l.Engine(of.Name) + ": " + thousands(of.Requests) + "."
				}
			}
			s.Text = thousands(c.All() - c[traffic.Served])
		}
	}
	row.Dots = dotsOf(r)
	return []strip{row}
}

// requestDots are requests that JavaScript shows on their way to the tiles of their pods while the run plays.
type requestDots struct {
	Rate      int64        `json:"rate"` // a second
	Stretches []dotStretch `json:"stretches"`
}

// dotStretch is a time in which dots travel to a pod.
type dotStretch struct {
	Pod  string `json:"pod"` // as the tiles are called
	From int64  `json:"from"`
	To   int64  `json:"to"`
	Kind string `json:"kind"` // good, legal for slow, or bad
}

// stretchesMax is how many stretches are sent to JavaScript at most: with more pods than tiles have room for, dots show nothing.
const stretchesMax = 1000

// dotsOf returns the dots of a report, nil if its requests are not few.
func dotsOf(r *traffic.Report) *requestDots {
	if n := len(r.Stretches); n == 0 || n > stretchesMax {
		return nil
	}
	d := &requestDots{Rate: r.PerSecond(), Stretches: make([]dotStretch, len(r.Stretches))}
	for i := range r.Stretches {
		s := &r.Stretches[i]
		kind := parts.Rating(s.Outcome != traffic.Served && !s.Slow(), s.Slow())
		d.Stretches[i] = dotStretch{r.Of.Object().Namespace + "/" + s.Pod, s.From, s.To, kind}
	}
	return d
}

// mixOf is the background of an interval: the colours of the revisions, each as high as its part of what is served.
func mixOf(r *traffic.Report, i *traffic.Interval, sets []chart.Set) string {
	all, at, stops := 0.0, 0.0, []string{}
	for _, part := range i.Mix {
		all += part
	}
	for k, part := range i.Mix {
		if part == 0 {
			continue
		}
		color := "var(--faint)" // of another workload
		for s := range sets {
			if sets[s].Name == r.Sets[k] {
				color = fmt.Sprintf("var(--c-rs-%d)", s%chart.Colors)
			}
		}
		stops = append(stops, fmt.Sprintf("%s %.0f%% %.0f%%", color, 100*at/all, 100*(at+part)/all))
		at += part
	}
	if len(stops) == 0 {
		return "none"
	}
	return "linear-gradient(to top, " + strings.Join(stops, ", ") + ")"
}

// Asked says that the figure has the strip of the requests: then the plot is lower.
func (p *Panels) Asked() bool { return p.report() != nil }

// Requests is the strip right under the plot, with the story of the losses that a click chose. Without traffic it is hidden.
func (p *Panels) Requests() app.UI {
	r := p.report()
	return app.Elem("div").Class("requests-box").Hidden(r == nil).Body(
		app.If(r != nil, func() app.UI {
			return &parts.Host{Class: "strips requests", Act: "requests", Role: "group", Label: p.s.Lang().Say("requests")}
		}),
		app.If(r != nil && p.requests.story > 0, func() app.UI { return p.story(r) }),
	)
}

// storiesMax bounds the losses of a story, which lies over the plot.
const storiesMax = 3

// story tells of the losses around a moment, each with its one cause, and which setting helps.
func (p *Panels) story(r *traffic.Report) app.UI {
	l, at := p.s.Lang(), p.requests.story
	var lines []string
	more, cause := 0, traffic.Outcome(0)
	for i := range r.Losses {
		loss := &r.Losses[i]
		if loss.To < at || loss.From > at+cursor.Second {
			continue
		}
		if len(lines) == storiesMax {
			more++
			continue
		}
		lines, cause = append(lines, l.Engine(r.Story(loss))), loss.Cause()
	}
	if more > 0 {
		lines = append(lines, l.Say("requests-more", more))
	}
	if cause != traffic.Served && p.tells() {
		lines = append(lines, "→ "+l.Engine(r.Helps(cause, p.object())))
	}
	return app.Elem("section").Class("request-story").DataSet("act", "request-story").Aria("label", l.Say("requests-story")).Attr("role", "status").Body(
		parts.Close(l, "story-close", "close", parts.Post(act.Requests, "close")),
		parts.Each(lines, func(text string) app.UI { return app.Elem("p").Text(text) }),
		app.Elem("p").Class("muted").Text(p.model()),
	)
}
