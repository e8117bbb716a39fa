package numbers

import (
	"slices"
	"strconv"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/words"
)

// figure is a measure of a rollout that a person compares here.
type figure struct {
	name lang.Message
	*forecast.Measure
}

// The first six are always shown, failed requests if they are known; the others only if they are not 0.
var figures = []figure{
	{"numbers-requests", forecast.MeasureOf("failedRequests")},
	{"numbers-duration", forecast.MeasureOf("duration")},
	{"numbers-lowest", forecast.MeasureOf("lowestPercent")},
	{"numbers-outage", forecast.MeasureOf("atZero")},
	{"numbers-peak", forecast.MeasureOf("peakPods")},
	{"numbers-extra", forecast.MeasureOf("extraPodMs")},
	{"numbers-below", forecast.MeasureOf("belowDesired")},
	{"numbers-broken", forecast.MeasureOf("belowBound")},
	{"numbers-cpu", forecast.MeasureOf("peakCPU")},
	{"numbers-memory", forecast.MeasureOf("peakMemory")},
	{"numbers-node-hours", forecast.MeasureOf("nodeMs")},
	{"numbers-created", forecast.MeasureOf("created")},
	{"numbers-refused", forecast.MeasureOf("refused")},
}

const figuresAlways = 6

// Four of the figures, by their index.
const (
	failed = iota
	duration
	lowest
	outage
)

// told is a figure in words.
type told struct {
	Name lang.Message
	Text string
}

// shows says that a figure is known.
func (p *Panel) shows(i int) bool { return i != failed || p.asks }

// tell writes the figures that matter.
func (p *Panel) tell(is func(f *figure) (text string, zero bool)) (list []told) {
	for i := range figures {
		if text, zero := is(&figures[i]); p.shows(i) && (i < figuresAlways || !zero) {
			list = append(list, told{figures[i].name, text})
		}
	}
	return list
}

func (f *figure) text(value int64) string {
	switch f.Unit {
	case forecast.Count, forecast.Pods:
		return words.Thousands(int(value))
	case forecast.Percent:
		return strconv.FormatInt(value, 10) + "%"
	case forecast.MilliCPU:
		return strconv.FormatFloat(float64(value)/1000, 'f', -1, 64)
	case forecast.Bytes:
		return strconv.FormatInt(value>>20, 10) + " MiB"
	case forecast.NodeMillis:
		return strconv.FormatFloat(float64(value)/3_600_000, 'f', 4, 64)
	}
	return chart.Seconds(value)
}

// shades is how many shades the cells have, from the best to the worst.
const shades = 5

// shade is where a cell lies among the different values of all that are measured: 0 is the best. One very slow cell among fifty
// would otherwise make all others look the same.
func (p *Panel) shade(i int) int {
	var all []int64
	for k := range p.grid.Cells {
		if c := &p.grid.Cells[k]; p.cells.have[k] && c.Problem == sweep.Fine {
			all = append(all, p.rank(k))
		}
	}
	slices.Sort(all)
	all = slices.Compact(all)
	if len(all) == 1 {
		return 0
	}
	at, _ := slices.BinarySearch(all, p.rank(i))
	s := at * (shades - 1) / (len(all) - 1)
	if figures[p.color].More {
		return shades - 1 - s
	}
	return s
}

// rank orders the cells by the figure that is shown. Of equally safe ones the shorter is better.
func (p *Panel) rank(i int) int64 {
	const longest = 1 << 31 // ms
	r := &p.grid.Cells[i].Rollout
	switch p.color {
	case lowest:
		return figures[lowest].Of(r)*longest - r.Duration()
	case failed:
		return min(r.Requests.Failed, longest)*longest + r.Duration()
	}
	return figures[p.color].Of(r)
}

// axisTexts are the names of the settings that are no fields of a manifest.
var axisTexts = map[string]lang.Message{
	"grace": "numbers-grace", "readinessPeriod": "numbers-readiness", "start": "numbers-start", "nodes": "numbers-nodes",
}

func axisText(l lang.Lang, name string) string {
	if m, ok := axisTexts[name]; ok {
		return l.Say(m)
	}
	return name
}

// foreign are the settings that a kind does not have.
var foreign = map[string][]string{
	"Deployment": {"partition"}, "StatefulSet": {"maxSurge"}, "DaemonSet": {"partition", "replicas"},
}

// axisNames lists the settings of the workload. Nothing rolls under Recreate.
func (p *Panel) axisNames() []string {
	without := foreign[command.Kind(p.s.Workload())]
	if p.recreates() {
		without = []string{"maxSurge", "maxUnavailable", "partition"}
	}
	return slices.DeleteFunc(sweep.AxisNames(), func(name string) bool { return slices.Contains(without, name) })
}

func (p *Panel) recreates() bool {
	run := p.s.Run()
	if run == nil {
		return false
	}
	d, ok := run.Past().ObjectAt(past.ParseKey(p.s.Workload()), p.s.Cursor.Record).(*api.Deployment)
	return ok && d.Spec.Strategy.Type == api.Recreate
}

// fitAxes chooses the usual settings, unless those that were chosen before are the workload's.
func (p *Panel) fitAxes() {
	names := p.axisNames()
	switch has := func(name string) bool { return slices.Contains(names, name) }; {
	case has(p.axes[0]) && has(p.axes[1]):
	case has("maxSurge"):
		p.axes = [2]string{"maxSurge", "maxUnavailable"}
	case p.recreates():
		p.axes = [2]string{"preStop", "start"}
	default:
		p.axes = [2]string{"maxUnavailable", "minReadySeconds"}
	}
}
