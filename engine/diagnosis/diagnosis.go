// Package diagnosis explains why a rollout is not complete at a moment, what happens without intervention, and which command fixes
// it. It reads the cluster as a person with kubectl would, and never the state of a controller.
package diagnosis

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/engine/words"
)

// States of a Diagnosis.
const (
	StateComplete = "complete" // the cluster matches the spec
	StateMoving   = "moving"   // something happens, or is about to happen
	StateWaiting  = "waiting"  // it continues at a known moment
	StateStuck    = "stuck"    // it needs intervention
	StateGone     = "gone"     // the workload does not exist
)

// Diagnosis is the state of a workload, with the causes if it is not complete.
type Diagnosis struct {
	State    string
	Title    string // The rollout is stuck: the image cannot be pulled
	Since    int64  // virtual ms, -1 if unknown
	Findings []Finding
}

// Finding is one cause of a wait, or a fact that users should know. The most important findings come first.
type Finding struct {
	ID   string // bad-image, crash-loop, not-ready, quota …
	Text string // the cause, with numbers and names
	Next string // what happens without intervention
	Fix  []Fix  // commands that fix it, if there are any
	Rule string // the rule that it follows from
}

// Fix is a command that fixes a problem: a whole kubectl line.
type Fix struct{ Label, Command string }

// unknown is the value of an unknown moment.
const unknown = -1

// gravity is the effect of a symptom on the state; graver findings come first.
type gravity int

const (
	noted   gravity = iota // none
	moving                 // it moves
	waiting                // it waits
	refused                // none, but it concerns the user's last command
	stuck                  // it is stuck
)

// symptom is a Finding with the fields that sort and date it.
type symptom struct {
	Finding
	gravity gravity
	slow    bool   // it may pass by itself, so nothing is called stuck
	title   string // the end of the diagnosis' title
	since   int64
}

// Reconciling is the ID of the finding if there is no other.
const Reconciling = "reconciling"

// continues is the text for a finding with nothing wrong.
const continues = "It continues on its own."

// refusal is the place in checks of the question that concerns a workload that is gone, too.
const refusal = 0

// checks are the questions of a diagnosis, each with its symptom as it usually is; of equally grave symptoms, the first is the most
// important. A check completes the symptom, which continues on its own unless it says otherwise, and says whether it has found it.
var checks = [...]struct {
	of       api.Kind // empty: of every workload
	gravity  gravity
	id, rule string
	title    string
	check    func(*patient, *symptom) (found bool)
}{
	{"", refused, "refused", "", "the last command was rejected", (*patient).checkRefused},
	{api.KindDeployment, stuck, "paused", "D-25", "it is paused", (*patient).checkPaused},
	{api.KindDeployment, stuck, "stale-annotation", "D-27", "a stale annotation blocks the new template", (*patient).checkStaleNote},
	{api.KindStatefulSet, stuck, "forced-rollback", "S-22", "a pod of an earlier template blocks its own replacement",
		(*patient).checkForcedRollback},
	{"", stuck, "bad-image", "G-6", "the image cannot be pulled", (*patient).checkImages},
	{"", stuck, "crash-loop", "G-11", "its containers keep crashing", (*patient).checkCrashes},
	{"", stuck, "unschedulable", "G-32", "its pods fit no node", (*patient).checkNodes},
	{"", stuck, "create-failed", "R-20", "pods cannot be created", (*patient).checkCreation},
	{"", moving, "not-ready", "G-22", "its pods are not Ready yet", (*patient).checkReadiness},
	{"", moving, "gate", "G-27", "its pods wait for a readiness gate", (*patient).checkGates},
	{"", stuck, "flapping", "G-13", "its pods never stay Ready long enough", (*patient).checkFlapping},
	{api.KindDeployment, stuck, "deadline", "D-64", "its deadline has passed", (*patient).checkDeadline},
	{"", waiting, "node-lost", "G-41", "a node is lost", (*patient).checkLostNodes},
	{api.KindDeployment, waiting, "terminating", "D-59", "the old pods must be gone first", (*patient).checkTermination},
	{"", waiting, "on-delete", "", "somebody has to delete the old pods", (*patient).checkOnDelete},
	{"", waiting, "slow", "R-16", "its pods must stay Ready", (*patient).checkMinReady},
	{"", moving, "starting", "G-1", "its pods are starting", (*patient).checkStart},
	{api.KindDeployment, moving, "no-surge", "D-53", "a new pod must become available first", (*patient).checkRoom},
	{"", moving, "leaving", "S-14", "a pod must be gone first", (*patient).checkTurn},
	{api.KindStatefulSet, noted, "partition", "S-17", "the partition holds the others back", (*patient).checkPartition},
	{"", noted, "budget", "P-6", "", (*patient).checkBudgets},
}

// Reason returns the most important cause why a workload is not complete at the end of a run. Without one its text is the state.
func Reason(of *past.Past, workload string) Finding {
	d := Of(of, workload, of.Len()-1, of.Now())
	return append(d.Findings, Finding{Text: d.Title})[0]
}

// Of diagnoses a workload after a record, at a moment from then on.
func Of(of *past.Past, workload string, record int, t int64) *Diagnosis {
	p := examine(of, workload, record, t)
	if p.o == nil || p.o.Meta().Terminating() {
		return p.gone()
	}
	for i := range checks {
		p.ask(i)
	}
	if !p.complete && !slices.ContainsFunc(p.symptoms, (*symptom).decides) {
		p.reconciling()
	}
	d := &Diagnosis{State: p.state(), Since: p.specSince()}
	slices.SortStableFunc(p.symptoms, func(a, b *symptom) int { return int(b.gravity - a.gravity) })
	d.Title = p.title(d)
	for _, s := range p.symptoms {
		d.Findings = append(d.Findings, s.Finding)
	}
	return d
}

// decides says whether a symptom affects the state.
func (s *symptom) decides() bool { return s.gravity != noted && s.gravity != refused }

// ask asks one of the checks.
func (p *patient) ask(i int) {
	c := &checks[i]
	s := symptom{gravity: c.gravity, title: c.title, since: unknown, Finding: Finding{ID: c.id, Rule: c.rule, Next: continues}}
	if (c.of == "" || c.of == p.key.Kind) && c.check(p, &s) {
		p.find(&s)
	}
}

// find adds a symptom. In a complete workload, symptoms are only notes.
func (p *patient) find(s *symptom) {
	if p.complete && s.gravity != refused {
		s.gravity = noted
	}
	p.symptoms = append(p.symptoms, s)
}

func (p *patient) state() string {
	if p.complete {
		return StateComplete
	}
	worst := moving
	for _, s := range p.symptoms {
		if s.decides() {
			worst = max(worst, s.gravity)
		}
	}
	return map[gravity]string{moving: StateMoving, waiting: StateWaiting, stuck: StateStuck}[worst]
}

// title returns the state and its main reason, and dates the diagnosis by that reason.
func (p *patient) title(d *Diagnosis) string {
	if d.State == StateComplete {
		d.Since = p.completeSince()
		return p.completeTitle()
	}
	begin := p.titleBegin(d)
	for _, s := range p.symptoms {
		if s.decides() {
			if s.since >= 0 {
				d.Since = s.since
			}
			if s.slow && d.State == StateStuck {
				begin = strings.Replace(begin, "is stuck", "makes no progress", 1)
			}
			return begin + ": " + s.title
		}
	}
	return begin
}

// titleBegin names the subject: a rollout, or the recovery from a loss after the rollout had completed.
func (p *patient) titleBegin(d *Diagnosis) string {
	subject, moves := "The rollout", "The rollout moves"
	if p.wasComplete(d.Since) && (p.available < p.desired || p.updated < p.desired) { // or else only the status lags
		subject, moves = "The recovery", "Recovering"
	}
	switch d.State {
	case StateWaiting:
		return subject + " waits"
	case StateStuck:
		return subject + " is stuck"
	}
	return moves
}

// wasComplete says whether every pod was of the present spec and available at some moment since that spec was written. A change of
// the spec that moves no counts has no frame: those before it hold then.
func (p *patient) wasComplete(since int64) bool {
	all := p.past.Frames(p.key.String())
	for i := past.FrameAfter(all, p.record); i >= 0; i-- {
		f := &all[i] // later than t where pods become available without a record
		if f.T <= p.t && f.Complete() && f.Desired > 0 {
			return true
		}
		if f.T <= since {
			break
		}
	}
	return false
}

func (p *patient) completeTitle() string {
	title := "The rollout is complete: " + podsOfRevision(p.desired, p.current) + " " + words.Verb(p.desired, "is", "are") + " available"
	if p.updated < p.desired {
		title = fmt.Sprintf("The rollout is complete up to the partition: %d of %s are of %s", p.updated, words.Plural(p.total, "pod"),
			p.current.revisionName())
	}
	if p.desired == 0 {
		title = "The rollout is complete: no pods are requested"
	}
	for _, s := range p.symptoms {
		if s.title != "" {
			return title + "; " + s.title
		}
	}
	return title
}

// gone is the diagnosis of a workload that does not exist, or that stays only until its pods are gone.
func (p *patient) gone() *Diagnosis {
	d := &Diagnosis{State: StateGone, Title: "The " + string(p.key.Kind) + " does not exist yet", Since: -1}
	if i := p.past.LastWrite(p.key.String(), p.record); i >= 0 {
		d.Title, d.Since = "The "+string(p.key.Kind)+" was deleted", p.past.At(i)
		if p.o != nil {
			d.Title, d.Since = "The "+string(p.key.Kind)+" is being deleted", p.specSince()
		}
		frames := p.past.Frames(p.key.String())
		if i := past.FrameAfter(frames, p.record); i >= 0 && frames[i].Total+frames[i].Terminating > 0 {
			left := frames[i].Total + frames[i].Terminating
			d.Title += fmt.Sprintf("; %d of its pods %s left", left, words.Verb(left, "is", "are"))
		}
	}
	p.ask(refusal)
	for _, s := range p.symptoms {
		d.Findings = append(d.Findings, s.Finding)
	}
	return d
}

// quietFor is how long, in ms, nothing may change on top of minReadySeconds while the controllers are at work.
const quietFor = 60_000

// reconciling is the finding if there is no other: the controllers are working, or something happens that nobody sees.
func (p *patient) reconciling() {
	s := symptom{gravity: moving, since: unknown, title: "the controllers are at work", Finding: Finding{ID: Reconciling,
		Text: fmt.Sprintf("%s of %d are available, %d of them new; the controllers have not finished.",
			words.Plural(p.available, "pod"), p.desired, p.updated),
		Next: continues}}
	frames := p.past.Frames(p.key.String())
	if i := past.FrameAfter(frames, p.record); i >= 0 && p.t > frames[i].T+quietFor+1000*int64(p.minReady()) {
		s.gravity, s.since, s.title = waiting, frames[i].T, "nothing changes, and the cause is not known"
		s.Next = fmt.Sprintf("Nothing has changed for %s. Perhaps it does not continue on its own.", p.ago(s.since))
	}
	p.find(&s)
}

// specSince returns when the spec of the workload last changed: the time of the write that set its present generation.
func (p *patient) specSince() int64 {
	writes := p.past.Writes(p.key)
	i := sort.Search(len(writes), func(i int) bool {
		o := p.past.ObjectAt(p.key, int(writes[i]))
		return int(writes[i]) > p.record || o != nil && o.Meta().UID == p.o.Meta().UID && o.Meta().Generation >= p.o.Meta().Generation
	})
	if i == len(writes) || int(writes[i]) > p.record {
		return unknown
	}
	return p.past.At(int(writes[i]))
}

// completeSince returns since when the workload has been complete without interruption.
func (p *patient) completeSince() int64 {
	frames := p.past.Frames(p.key.String())
	since := int64(unknown)
	for i := past.FrameAfter(frames, p.record); i >= 0; i-- {
		f := &frames[i]
		if p.key.Kind != api.KindDaemonSet && f.Total != f.Desired || f.Updated < p.updated || f.Available != f.Desired {
			break
		}
		since = f.T
	}
	told := int64(unknown) // when the status of a DaemonSet says so, which may be much later
	for _, record := range slices.Backward(p.past.Writes(p.key)) {
		if ds, ok := p.past.Change(int(record)).New.(*api.DaemonSet); !ok || int(record) <= p.record && !statesComplete(ds) {
			break
		}
		if int(record) <= p.record {
			told = p.past.At(int(record))
		}
	}
	return max(since, told)
}
