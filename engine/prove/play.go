package prove

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/forecast"
	"github.com/rollplay/rollplay/engine/forecast/sweep"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
)

// rest is how long, in ms, nothing may be due before the next pod becomes Ready. Deadlines and the grace of a lost node are longer.
const rest = 30_000

// player plays one schedule.
type player struct {
	proof    *Proof
	run      *engine.Run
	workload api.Key
	forecast *forecast.Forecast
	held     map[string]bool // pods that do not become Ready by themselves
	released map[string]bool
	crashed  bool
	lost     int // pods that the crash or the lost node has taken
	killed   bool

	choices []int  // those to follow
	steps   []step // those that were taken, in words
	stopped bool   // the next choice is due
	late    bool   // the run has ended, and the update moves
	result  result
}

type step struct {
	at   int64
	text string
}

// choice is something that can happen next.
type choice struct {
	text string
	do   string // a line of the environment
	pod  string // the UID of the pod that it concerns, "" if it is a node
	node string // of that pod, or the lost node
	act  func()
}

// play runs the beginning of a schedule, until a further choice is due. If the run ends while the update moves, it gets a day.
func (p *Proof) play(library *scenario.Library, choices []int) result {
	got, late := p.playIn(library, p.recording, choices)
	if long := p.recording; late {
		if long.Scenario, got.err = aDay(long.Scenario); got.err == nil {
			got, _ = p.playIn(library, long, choices)
		}
	}
	return got
}

// aDay returns a text with a whole day of time.
func aDay(text string) (string, error) {
	return scenario.SetSpec(text, []string{"duration"}, sweep.Day)
}

// playIn does so in one run, and reports whether the update moves at its end.
func (p *Proof) playIn(library *scenario.Library, rec engine.Recording, choices []int) (got result, late bool) {
	r, _ := engine.StartIn(library, rec)
	if r == nil {
		return result{err: fmt.Errorf("the scenario cannot be played")}, false
	}
	x := &player{proof: p, run: r, workload: past.ParseKey(p.Plan.Workload), forecast: forecast.New(r.Past()),
		held: map[string]bool{}, released: map[string]bool{}, choices: choices}
	for !x.stopped && !x.over() {
		breath.Take()
		r.Advance(1)
		x.rest()
	}
	if broken := r.Broken(); broken != "" {
		return result{err: fmt.Errorf("rollplay has a bug: %s", broken)}, false
	}
	x.judge()
	return x.result, x.late
}

// over reports whether the update is complete, or the run is.
func (x *player) over() bool {
	if x.run.Done() {
		return true
	}
	u := x.update()
	return u != nil && u.Done() && x.forecast.Quiet(x.proof.Plan.Workload)
}

// update returns the rollout that is proved, nil before it begins.
func (x *player) update() *forecast.Rollout {
	return sweep.Update(x.forecast.Rollouts(x.proof.Plan.Workload))
}

// rest acts when nothing is due: it holds new pods, and after some time without any other event it makes a choice.
func (x *player) rest() {
	next, ok := x.run.Next()
	idle := next - x.run.ActAt(x.run.Now())
	if x.run.Done() || ok && idle <= 0 || !x.run.Reaches(x.run.ActAt(x.run.Now())) {
		return
	}
	u := x.update()
	if u == nil {
		return
	}
	pods := x.pods()
	if hold := x.hold(pods); hold || u.Done() || ok && idle < rest && !x.quiet() {
		return
	}
	if options := x.options(pods); len(options) > 0 {
		x.choose(options, pods)
	}
}

// quiet reports whether nothing has changed for so long beside a HorizontalPodAutoscaler, whose syncs are always due, every 15 s.
func (x *player) quiet() bool {
	if len(x.objects(api.KindHorizontalPodAutoscaler)) == 0 {
		return false
	}
	changes := x.run.Past().ChangesAfter(-1)
	last := changes[len(changes)-1].At
	if commands := x.run.Recording().Commands; len(commands) > 0 {
		last = max(last, commands[len(commands)-1].At)
	}
	return x.run.Now()-last >= rest
}

// objects lists the present objects of a kind.
func (x *player) objects(kind api.Kind) []api.Object {
	return x.run.Past().Objects(kind, x.run.Len()-1)
}

// pods returns the pods of the workload.
func (x *player) pods() []*api.Pod {
	return api.Pick(slices.Values(x.objects(api.KindPod)), func(pod *api.Pod) bool {
		return forecast.OwnerOf(x.run.Past(), pod.Key(), x.run.Len()-1) == x.proof.Plan.Workload
	})
}

// hold keeps the pods of the update from becoming Ready by themselves, and reports whether there are new ones.
func (x *player) hold(pods []*api.Pod) bool {
	var commands []engine.Command
	var names []string
	for _, p := range pods {
		if x.held[p.UID] || p.NodeName == "" || p.IsReady() || p.Terminating() || x.lostNode(p.NodeName) {
			continue
		}
		commands, names = append(commands, engine.Command{Do: line("fail-readiness", p)}), append(names, p.UID)
	}
	if len(commands) == 0 || !x.run.Give(commands...) {
		return false
	}
	for _, n := range names {
		x.held[n] = true
	}
	return true
}

func (x *player) lostNode(name string) bool { return x.run.Past().IsDown(name, x.run.Len()-1) }

// line is a line of the environment about a pod.
func line(verb string, p *api.Pod) string {
	return verb + " " + p.Key().Title()
}

// options lists the possible next events: a held pod becomes Ready, a Ready one crashes, a node with pods is lost. After the last held pod
// nothing is left to choose.
func (x *player) options(pods []*api.Pod) (options []choice) {
	for _, p := range pods {
		if x.held[p.UID] && !x.released[p.UID] && !p.Terminating() && !x.lostNode(p.NodeName) && started(p) {
			ready := func() { x.released[p.UID] = true }
			options = append(options, choice{p.Name + " becomes Ready", line("restore-readiness", p), p.UID, p.NodeName, ready})
		}
	}
	if len(options) == 0 {
		return nil
	}
	if x.proof.Options.Crash && !x.crashed {
		for _, p := range pods {
			if p.IsReady() && !p.Terminating() && !x.lostNode(p.NodeName) {
				options = append(options, choice{p.Name + " crashes", line("crash", p), p.UID, p.NodeName, func() { x.crash(p.UID) }})
			}
		}
	}
	if x.proof.Options.Node && !x.killed {
		options = append(options, x.nodes(pods)...)
	}
	return options
}

// crash notes that a pod has crashed. When it is Ready again is a choice, as with a new pod.
func (x *player) crash(uid string) {
	x.crashed = true
	x.lost++
	delete(x.held, uid)
	delete(x.released, uid)
}

// started reports whether all containers of a pod run.
func started(p *api.Pod) bool {
	waits := slices.ContainsFunc(p.Status.ContainerStatuses, func(s api.ContainerStatus) bool { return s.State.Kind != api.Running })
	return !waits && len(p.Status.ContainerStatuses) > 0
}

// nodes lists the nodes that can be lost: those on which pods of the workload are.
func (x *player) nodes(pods []*api.Pod) (options []choice) {
	on := map[string]int{}
	for _, p := range pods {
		node := p.NodeName
		if on[node]++; node == "" || on[node] > 1 {
			continue
		}
		lose := func() { x.killed, x.lost = true, x.lost+on[node] }
		options = append(options, choice{node + " is lost", "kill node/" + node, "", node, lose})
	}
	return options
}

// choose takes the next choice of the schedule. Beyond those that are given it stops, and notes which there are.
func (x *player) choose(options []choice, pods []*api.Pod) {
	at := len(x.steps)
	if at == len(x.choices) {
		s := x.stateOf(pods)
		x.stopped, x.result.state, x.result.options = true, s.text, s.distinct(options)
		return
	}
	o := options[x.choices[at]]
	if !x.run.Give(engine.Command{Do: o.do}) {
		panic("prove: a choice cannot be given at " + fmt.Sprint(x.run.Now()))
	}
	o.act()
	commands := x.run.Recording().Commands
	x.steps = append(x.steps, step{commands[len(commands)-1].At, o.text})
}

// distinct returns the first of the options that are alike, with their number.
func (s *state) distinct(options []choice) (list []option) {
	at := map[[3]string]int{}
	for i, o := range options {
		verb, _, _ := strings.Cut(o.do, " ")
		key := [...]string{verb, s.pods[o.pod], s.nodes[o.node]}
		if k, known := at[key]; known {
			list[k].alike++
			continue
		}
		at[key] = len(list)
		list = append(list, option{i, 1})
	}
	return list
}

// judge reports whether everything held in the run, from the update on.
func (x *player) judge() {
	frames := x.run.Frames(x.proof.Plan.Workload)
	u := x.update()
	if u == nil {
		x.failNow("the update does not begin")
		return
	}
	first := max(1, past.FrameAfter(frames, u.Record))
	for i := first; i < len(frames); i++ {
		if i == first {
			x.result.begins = frames[i]
		}
		if says := x.wrong(&frames[i-1], &frames[i]); says != "" {
			x.fail(frames[i].T, says)
			return
		}
	}
	if !x.stopped && u.Result != forecast.Complete {
		says := "the update is " + string(u.Result)
		if x.late = sweep.Moves(x.run, x.proof.Plan.Workload); x.late {
			says = "the update is not finished within 24 h"
		}
		x.failNow(says)
	}
}

// failNow keeps the whole run as a counterexample, with what the workload waits for.
func (x *player) failNow(says string) {
	if d := diagnosis.Of(x.run.Past(), x.proof.Plan.Workload, x.run.Len()-1, x.run.Now()); len(d.Findings) > 0 {
		says += ": " + d.Findings[0].Text
	}
	x.fail(x.run.Now(), says)
}

// wrong describes the bound that a frame breaks, "" if it breaks none. Pods that are lost to a crash or with a node are no controller's
// fault; a bound that was not reached yet is not broken either (SIM-9).
func (x *player) wrong(was, is *engine.Frame) string {
	o, upper := &x.proof.Options, is.Upper
	if x.workload.Kind == api.KindDaemonSet {
		upper += x.lost // a new pod beside an unavailable one is no surge (DS-12), and the pods of a lost node stay (DS-6)
	}
	switch {
	case o.MinAvailable >= 0 && is.Available < o.MinAvailable:
		return fmt.Sprintf("%s available; at least %d must be", words.Plural(is.Available, "pod"), o.MinAvailable)
	case o.MaxPods >= 0 && is.Total+is.Terminating > o.MaxPods:
		return fmt.Sprintf("%s, %d of them terminating; at most %d may be",
			words.Plural(is.Total+is.Terminating, "pod"), is.Terminating, o.MaxPods)
	case o.MinAvailable < 0 && is.Available < was.Available && is.Available < is.Lower-x.lost:
		return fmt.Sprintf("%s available, fewer than desired - maxUnavailable = %d", words.Plural(is.Available, "pod"), is.Lower)
	case o.MaxPods < 0 && is.Total > was.Total && is.Total > upper:
		return fmt.Sprintf("%s, more than desired + maxSurge = %d", words.Plural(is.Total, "pod"), is.Upper)
	}
	return ""
}

// fail keeps the run as a counterexample, up to the moment at which something did not hold.
func (x *player) fail(at int64, says string) {
	c := &Counterexample{Recording: x.run.Recording(), Says: says, At: at}
	c.Recording.Commands = slices.DeleteFunc(slices.Clone(c.Recording.Commands), func(command engine.Command) bool { return command.At > at })
	for _, s := range x.steps {
		if s.at <= at {
			c.Steps = append(c.Steps, s.text)
		}
	}
	x.result.counter = c
}
