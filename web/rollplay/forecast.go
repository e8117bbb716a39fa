package main

import (
	"fmt"
	"io"
	"slices"

	"github.com/spf13/cobra"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/web/must"
)

type forecastOptions struct {
	console
	output   *choice
	seeds    int
	of, base string
}

func forecastCommand(c console) *cobra.Command {
	o := forecastOptions{console: c}
	cmd := fileCommand("forecast", deciding, "print how each rollout went, in numbers", o.forecast)
	o.output = output(cmd, "table", "json")
	f := cmd.Flags()
	f.Var(between{&o.seeds, 0, seedsMax}, "seeds", "measure the first update with this many seeds")
	workloadFlag(f, &o.of)
	baseFlag(f, &o.base)
	shardFlag(cmd, c)
	return watched(cmd, c)
}

func (o *forecastOptions) forecast(name string) {
	if o.seeds > 0 {
		o.vary(name)
		return
	}
	wrongIf(o.watch.shard.part(), "--shard needs --seeds: one run has no parts")
	r, _ := begin(name, o.console)
	cards := export.Scorecards(r.Finish())
	if o.output.value == "json" {
		must.Do(export.Lines(o.out, cards))
	} else {
		writeCards(o.out, cards)
		updates := func(x export.Scorecard) bool { return x.Cause != forecast.Created }
		if len(cards) > 0 && !slices.ContainsFunc(cards, updates) {
			fmt.Fprintf(o.out, "\n"+showUpdate, name, name)
		} else {
			writeTraffic(o.console, r)
		}
	}
	warn(o.console, name, r.Failures()) // the numbers are about what the other commands did
	whole(r, o.console)
}

// warn prints warnings about a text.
func warn(c console, name string, warnings []string) {
	for _, text := range warnings {
		fmt.Fprintf(c.err, "%s: warning: %s\n", name, text)
	}
}

// showUpdate says how to see an update of manifests that are only created.
const showUpdate = `This is the creation of the workloads: the text rolls out nothing afterwards. To see an update:
  rollplay check %s                    of every container's image, judged
  rollplay forecast %s --seeds 20      of the first workload's images, in numbers
  timeline: [{at: 1m, run: kubectl set image …}] in a document of kind: Scenario, for any other change
`

// begin starts a file, a shipped scenario or a link, and returns its link, too.
func begin(name string, c console) (*engine.Run, link.Link) {
	l := readLink(name, c)
	r, diagnostics := engine.StartIn(c.watch.library(), l.Recording)
	report(c.err, name, diagnostics)
	must.Be(r != nil, "%s cannot be played", name)
	return r, l
}

// modelOf says in a line what is assumed of the requests during some rollouts, "" if none are known.
func modelOf[T any](list []T, of func(*T) *forecast.Rollout) string {
	for i := range list {
		if model := of(&list[i]).Requests.Model; model != "" {
			return model + "\n"
		}
	}
	return ""
}

// requestsFail ends a list of figures with the failed requests of a rollout, if they are known.
func requestsFail(r *forecast.Rollout) string {
	if r.Requests.All == 0 {
		return ""
	}
	return ", " + r.Requests.Text() + " requests fail"
}

// cardColumns are the columns of scorecards, with or without requests.
func cardColumns(requests bool) []column[export.Scorecard] {
	columns := []column[export.Scorecard]{
		{"WORKLOAD", func(x *export.Scorecard) string { return shortName(x.Workload) }},
		{"BEGAN", func(x *export.Scorecard) string { return forecast.Millis.Text(x.Start) }},
		{"BY", func(x *export.Scorecard) string { return string(x.Cause) }},
		{"RESULT", resultOf},
	}
	names := []string{"duration", "lowestPercent", "atZero", "belowDesired", "peakPods", "peakCPU", "peakMemory",
		"extraPodMs", "nodeMs", "created", "refused"}
	if requests {
		names = append(names, "failedRequests")
	}
	for _, name := range names {
		m := forecast.MeasureOf(name)
		text := func(x *export.Scorecard) string { return m.Text(&x.Rollout) }
		switch name {
		case "lowestPercent":
			text = func(x *export.Scorecard) string { return x.LowestText() }
		case "atZero", "belowDesired":
			text = func(x *export.Scorecard) string { return orNone(m.Of(&x.Rollout)) }
		case "failedRequests":
			text = func(x *export.Scorecard) string { return x.Requests.Text() }
		}
		columns = append(columns, column[export.Scorecard]{m.Heading, text})
	}
	return columns
}

// resultOf says how a rollout ended, and whether that was in time.
func resultOf(x *export.Scorecard) string {
	if x.Result == forecast.Complete && x.Deadline >= 0 {
		return "complete, after its deadline"
	}
	return string(x.Result)
}

// writeCards writes scorecards for people, and below them the reasons why rollouts are unfinished.
func writeCards(out io.Writer, cards []export.Scorecard) {
	model := modelOf(cards, func(x *export.Scorecard) *forecast.Rollout { return &x.Rollout })
	tableOf(cardColumns(model != ""), cards).writeText(out)
	for i := range cards {
		if x := &cards[i]; x.WaitsFor != "" {
			fmt.Fprintf(out, "\n%s, from %s: %s.\n  %s\n", shortName(x.Workload), forecast.Millis.Text(x.Start), x.Result, x.WaitsFor)
		}
	}
}

// shortName turns Deployment/shop/web into deployment/web -n shop.
func shortName(workload string) string { return past.ParseKey(workload).Title() }

// orNone writes a duration, and - for 0.
func orNone(ms int64) string {
	if ms == 0 {
		return "-"
	}
	return forecast.Millis.Text(ms)
}

// seedsMax limits the seeds of one command: a million runs of ten pods take half an hour.
const seedsMax = 1_000_000

// vary prints how the figures of a rollout vary with the seed.
func (o *forecastOptions) vary(name string) {
	s := must.Have(planOf(name, o.of, o.console).NewSeeds(o.seeds))
	o.watch.results(o.seeds, s.Run, func(i int) any { return &s.Outcomes[i] })
	if o.watch.shard.part() {
		o.watch.shard.write(o.out)
		return
	}
	if first := slices.IndexFunc(s.Outcomes, func(x sweep.Outcome) bool { return x.Problem == sweep.Unknown }); first >= 0 {
		must.Be(first > 0, "the first run did not end: %s", s.Outcomes[0].Reason)
		s.Outcomes = s.Outcomes[:first]
	}
	if o.output.value == "json" {
		must.Do(export.Lines(o.out, []seedsLine{lineOf(s, o.base)}))
		return
	}
	writeSeeds(o.console, s, o.base)
}

// seedsLine is the result as a line of JSON. Scripts rely on the field names: add fields, never remove one.
type seedsLine struct {
	Kind     string                   `json:"kind"` // seeds
	Workload string                   `json:"workload"`
	First    uint64                   `json:"first"`
	Seeds    int                      `json:"seeds"`
	Failed   int                      `json:"failed"`
	Figures  map[string]*sweep.Spread `json:"figures"` // null where no seed has a value
	Worst    worstSeed                `json:"worst"`
}

type worstSeed struct {
	Seed    uint64           `json:"seed"`
	Problem sweep.Problem    `json:"problem,omitempty"`
	Reason  string           `json:"reason,omitempty"`
	Rollout forecast.Rollout `json:"rollout"`
	Link    string           `json:"link,omitempty"`
}

func lineOf(s *sweep.Seeds, base string) seedsLine {
	line := seedsLine{Kind: "seeds", Workload: s.Plan.Workload, First: s.First, Seeds: len(s.Outcomes), Failed: s.Failed(),
		Figures: map[string]*sweep.Spread{}}
	for _, m := range forecast.Known(seedsModel(s) != "") {
		line.Figures[m.Name] = s.SpreadOf(&m)
	}
	worst := s.Worst()
	o := &s.Outcomes[worst]
	line.Worst = worstSeed{s.Seed(worst), o.Problem, o.Reason, o.Rollout, linkOf(base, o.Recording)}
	return line
}

// varied is a measure with how it varies.
type varied struct {
	*forecast.Measure
	*sweep.Spread // nil without a value
}

// text writes a value of the spread, - without one.
func (v *varied) text(of func(*sweep.Spread) int64) string {
	if v.Spread == nil {
		return "-"
	}
	return v.Unit.Text(of(v.Spread))
}

var variedColumns = []column[varied]{
	{"FIGURE", func(v *varied) string { return v.Heading }},
	{"MIN", func(v *varied) string { return v.text(func(x *sweep.Spread) int64 { return x.Min }) }},
	{"P5", func(v *varied) string { return v.text(func(x *sweep.Spread) int64 { return x.P5 }) }},
	{"P50", func(v *varied) string { return v.text(func(x *sweep.Spread) int64 { return x.P50 }) }},
	{"P95", func(v *varied) string { return v.text(func(x *sweep.Spread) int64 { return x.P95 }) }},
	{"MAX", func(v *varied) string { return v.text(func(x *sweep.Spread) int64 { return x.Max }) }},
}

// seedsModel says what is assumed of the requests in seeds.
func seedsModel(s *sweep.Seeds) string {
	return modelOf(s.Outcomes, func(o *sweep.Outcome) *forecast.Rollout { return &o.Rollout })
}

func writeSeeds(c console, s *sweep.Seeds, base string) {
	n, seconds := len(s.Outcomes), forecast.Millis.Text
	model := seedsModel(s)
	late := ""
	if over := len(slices.DeleteFunc(slices.Clone(s.Outcomes), func(o sweep.Outcome) bool { return !overdue(&o) })); over > 0 {
		late = fmt.Sprintf(", %d of these after the progress deadline, so that kubectl rollout status fails", over)
	}
	fmt.Fprintf(c.out, "%s: %d seeds from %d, %d of them complete%s\n%s\n", shortName(s.Plan.Workload), n, s.First, n-s.Failed(), late, model)
	var figures []varied
	for _, m := range forecast.Known(model != "") {
		figures = append(figures, varied{&m, s.SpreadOf(&m)})
	}
	t := tableOf(variedColumns, figures)
	t.right = true
	t.writeText(c.out)
	worst := s.Worst()
	o := &s.Outcomes[worst]
	took := seconds(o.Rollout.Duration())
	if o.Problem != sweep.Fine {
		took = "unfinished"
	}
	fmt.Fprintf(c.out, "\nThe worst is seed %d: %s, lowest %s, outage %s%s.\n", s.Seed(worst),
		took, o.Rollout.LowestText(), seconds(o.Rollout.AtZero), requestsFail(&o.Rollout))
	switch o.Problem {
	case sweep.Fine:
	case sweep.Late:
		fmt.Fprintf(c.out, "It does not finish within 24 h: %s\n", o.Reason)
	default:
		fmt.Fprintf(c.out, "It does not finish: %s\n%s", o.Reason, dependsOn(c, s.Plan, o.Reason))
	}
	if l := linkOf(base, o.Recording); l != "" {
		fmt.Fprintln(c.out, l)
	}
}
