package stage

import (
	"fmt"
	"slices"
	"strings"

	"github.com/maxence-charriere/go-app/v10/pkg/app"

	"github.com/rollplay/rollplay/app/act"
	"github.com/rollplay/rollplay/app/command"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/parts"
	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/past"
)

// breaks is what the menu "Break" needs of the cluster beside the workload itself.
type breaks struct {
	Node     string       // the first one with a pod of the workload
	Desired  int          // for a budget
	Budget   string       // of the workload, "" for none: a pod must not have two (P-10)
	Unprobed string       // the containers without a readiness probe, each between commas
	Grace    int64        // s that its pods have to stop
	NoRoll   lang.Message // why a new template would not be rolled out now, "" if it would
	Short    bool         // the scenario ends before an effect could be seen
	Allow    string       // the line after which it would be, "" if no line does that
}

func (p *Panels) breaks(w *past.WorkloadRow) (b breaks) {
	workload, of := p.s.Workload(), p.s.Run().Past()
	o, ok := of.ObjectAt(past.ParseKey(workload), p.s.Cursor.Record).(api.Workload)
	if w.Containers == "" || !ok {
		return b
	}
	b.Desired = p.frame(p.s.Run()).Desired
	b.Node = of.NodeOf(o, p.s.Cursor.Record)
	b.Unprobed = ","
	spec := api.TemplateOf(o).Spec
	b.Grace = spec.TerminationGracePeriodSeconds
	for _, c := range spec.Containers {
		if c.ReadinessProbe == nil {
			b.Unprobed += c.Name + ","
		}
	}
	b.Short = !p.s.Run().Reaches(p.s.Cursor.T + breakTime)
	b.NoRoll, b.Allow = p.noRoll(w, o, b.Desired)
	for _, budget := range of.Budgets(workload) {
		if _, ok := budget.At(p.s.Cursor.Record); ok {
			b.Budget = budget.Name
		}
	}
	return b
}

// breakTime is how many ms the effect of a break may take: a node counts as lost after 40 s.
const breakTime = 60_000

// noRoll says why a new template would not be rolled out, and which line changes that.
func (p *Panels) noRoll(w *past.WorkloadRow, o api.Object, desired int) (why lang.Message, allow string) {
	workload := p.s.Workload()
	switch d := p.diagnose(); {
	case w.Paused:
		return "break-off-paused", command.Rollout(workload, "resume")
	case desired == 0 && w.Replicas == 0:
		return "break-off-none", command.Scale(workload, 1)
	case desired == 0:
		return "break-off-no-pods", ""
	case w.Partition > 0:
		return "break-off-partition", command.SetPartition(workload, 0)
	case onDelete(o):
		return "break-off-on-delete", ""
	case d != nil && d.State == diagnosis.StateStuck:
		return "break-off-stuck", ""
	}
	return "", ""
}

func onDelete(o api.Object) bool {
	switch o := o.(type) {
	case *api.StatefulSet:
		return o.Spec.UpdateStrategy.Type == api.OnDelete
	case *api.DaemonSet:
		return o.Spec.UpdateStrategy.Type == api.OnDelete
	}
	return false
}

// damage is one way to break the workload: what goes wrong, and what it writes. Where it would have no effect, Off says why, and Allow
// makes it possible.
type damage struct {
	Name string
	act.Damage
	Off   lang.Message
	Allow act.Damage
}

// off disables a damage, unless it is already.
func (d damage) off(when bool, why lang.Message, allow string) damage {
	if when && d.Off == "" {
		d.Off, d.Allow = why, act.Damage{Run: allow}
	}
	return d
}

// outcomes are how a new image can turn out, with what the scenario says about it.
var outcomes = [...]struct {
	name, menu lang.Message
	tag, does  string
}{
	{"outcome-pull", "break-pull", "cannot-pull", "pull: fails"},
	{"outcome-crash", "break-crash", "crashes", "crash: 2s"},
	{"outcome-ready", "break-ready", "never-ready", "ready: never"},
	{"outcome-start", "break-start", "slow-start", "start: 20s"},
}

// imageDamage rolls out an image that behaves in a way.
func (c *controls) imageDamage(tag, does string) act.Damage {
	container, image := c.chosen()
	broken := command.JoinImage(image, tag)
	if broken == image {
		broken = command.SuggestImage(broken)
	}
	return act.Damage{Image: fmt.Sprintf("{match: %q, %s}", broken, does), Run: command.SetImage(c.Workload, container, broken)}
}

// probe is the line that gives a container a readiness probe.
func (c *controls) probe(container string) string {
	return command.Patch(c.Workload, fmt.Sprintf(
		`{"spec":{"template":{"spec":{"containers":[{"name":"%s","readinessProbe":{"httpGet":{"path":"/","port":80}}}]}}}}`, container))
}

// slowStop is how many seconds a stop takes at least that is called slow.
const slowStop = 10

// slowStops is a restart of pods that take their time to stop: their image must be such, and their grace period must be long enough.
func (c *controls) slowStops(image string) damage {
	_, tag := command.SplitImage(image)
	can, grace := c.Breaks.NoRoll == "", fmt.Sprintf(`{"spec":{"template":{"spec":{"terminationGracePeriodSeconds":%d}}}}`, 3*slowStop)
	d := damage{Name: c.Lang.Say("break-stop"), Damage: act.Damage{Run: command.Rollout(c.Workload, "restart")}}.
		off(can && c.Breaks.Grace < slowStop, "break-off-grace", command.Patch(c.Workload, grace))
	if can && d.Off == "" && !strings.HasPrefix(tag, "slow-stop") {
		d.Off, d.Allow = "break-off-stop", c.imageDamage("slow-stop", "stop: 25s")
	}
	return d
}

// damages are the ways to break the workload. An image that misbehaves is an entry in the scenario's images, and a rollout to
// it; the rest are commands.
func (c *controls) damages() (list []damage) {
	container, image := c.chosen()
	say, b, kind, in := c.Lang.Say, &c.Breaks, command.Kind(c.Workload), command.InNamespace(c.Workload)
	rolled := func(d damage) { list = append(list, d.off(b.NoRoll != "", b.NoRoll, b.Allow)) }
	for _, o := range outcomes {
		unseen := o.tag == "never-ready" && strings.Contains(b.Unprobed, ","+container+",")
		rolled(damage{Name: say(o.menu), Damage: c.imageDamage(o.tag, o.does)}.off(unseen, "break-off-probe", c.probe(container)))
	}
	rolled(c.slowStops(image))
	list = append(list, damage{Name: say("break-node"), Damage: act.Damage{Do: "kill node/" + b.Node}}.off(b.Node == "", "break-off-node", ""))
	rolled(damage{Name: say("break-room"), Damage: act.Damage{
		Run: command.Patch(c.Workload, `{"spec":{"template":{"spec":{"nodeSelector":{"size":"huge"}}}}}`)}}.off(kind == "DaemonSet", "break-off-daemon", ""))
	rolled(damage{Name: say("break-quota"), Damage: act.Damage{
		Run: "kubectl create quota tight --hard=pods=0" + in, Then: command.Rollout(c.Workload, "restart")}}.off(kind != "Deployment", "break-off-quota", ""))
	budget, of := "create pdb tight --selector=%s --min-available=%d", c.Row.Selector
	if b.Budget != "" {
		budget, of = `patch pdb %s -p '{"spec":{"maxUnavailable":null,"minAvailable":%d}}'`, b.Budget
	}
	budget = fmt.Sprintf("kubectl "+budget, of, b.Desired) + in
	list = append(list, damage{Name: say("break-budget"), Damage: act.Damage{Run: budget, Then: command.Drain(b.Node)}}.
		off(kind == "DaemonSet", "break-off-drain", "").off(b.Node == "" || b.Desired == 0, "break-off-node", "").off(c.Row.Selector == "", "break-off-selector", ""))
	for i := range list {
		if b.Short {
			list[i].Off, list[i].Allow = "break-off-end", act.Damage{}
		}
	}
	return list
}

// breakMenu offers what can go wrong, each with what it writes, or with why it cannot and what makes it possible.
func (c *controls) breakMenu() app.UI {
	list := c.damages()
	return parts.Menu("menu break-menu", "break", app.Elem("summary").Class("button").Title(c.Lang.Say("break-is")).Text(c.Lang.Say("break")),
		parts.EachOf(list, func(d *damage) app.UI {
			if d.Off == "" {
				return &parts.Button{Act: "break-it", Class: "menu-item", Do: act.Break, Value: d.Damage,
					Spans: []parts.Span{{Text: d.Name}, {Tag: "code", Text: lines(d.Damage)}}}
			}
			return app.Elem("div").Class("menu-item off").DataSet("act", "break-off").Body(
				app.Elem("span").Text(d.Name), app.Elem("span").Class("break-why").Text(c.Lang.Say(d.Off)),
				parts.When(d.Allow.Run != "", &parts.Button{Act: "break-allow", Class: "button", Text: c.Lang.Say("break-allow"), Title: lines(d.Allow),
					Do: act.Break, Value: d.Allow}))
		}))
}

// lines are what a damage writes.
func lines(d act.Damage) string {
	all := []string{"images: " + d.Image, d.Run, d.Then, d.Do}
	if d.Image == "" {
		all[0] = ""
	}
	return strings.Join(slices.DeleteFunc(all, func(line string) bool { return line == "" }), "\n")
}

// BreakIt carries out a damage.
func BreakIt(s *session.Session, d act.Damage) {
	switch {
	case d.Image != "":
		s.Break(d.Image, d.Run)
	case d.Do != "":
		s.Do(d.Do)
	default:
		s.Kubectl(d.Run)
		if d.Then != "" {
			s.Kubectl(d.Then)
		}
	}
}

// Way is something that can be done with the chosen workload, for lists beside the controls.
type Way struct {
	Kind string // rollout, restart, pause, undo, break or drain
	Name string
	Line string // what it writes
	Do   string // the action, with its value
	With any
}

// Ways are what the controls can do with the workload at the cursor by a press of one button.
func (p *Panels) Ways() (ways []Way) {
	c := p.controls()
	if c.Row.Containers == "" {
		return nil
	}
	say := c.Lang.Say
	run := func(kind, name, line string) {
		ways = append(ways, Way{Kind: kind, Name: name, Line: line, Do: act.Kubectl, With: line})
	}
	if tag := c.valueOf("image"); tag != "" {
		run("rollout", say("way-roll-out", tag), c.lineOf("image"))
	}
	run("restart", say("rollout-restart"), command.Rollout(c.Workload, "restart"))
	if command.Kind(c.Workload) == "Deployment" {
		if c.Row.Paused {
			run("pause", say("rollout-resume"), command.Rollout(c.Workload, "resume"))
		} else {
			run("pause", say("rollout-pause"), command.Rollout(c.Workload, "pause"))
		}
	}
	run("undo", say("rollout-undo"), command.Rollout(c.Workload, "undo"))
	for _, d := range c.damages() {
		if d.Off == "" {
			all := lines(d.Damage)
			ways = append(ways, Way{Kind: "break", Name: d.Name, Line: all[strings.LastIndexByte(all, '\n')+1:], Do: act.Break, With: d.Damage})
		}
	}
	if c.Breaks.Node != "" {
		run("drain", say("way-drain", c.Breaks.Node), command.Drain(c.Breaks.Node))
	}
	return ways
}

// Up is how many pods of the workload are available at the cursor, and whether those are all that it wants.
func (p *Panels) Up() (pods int, all bool) {
	f := p.frame(p.s.Run())
	return f.Available, f.Desired > 0 && f.Available >= f.Desired
}
