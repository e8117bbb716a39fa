package session_test

import (
	"bytes"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
)

// FuzzSession does anything that a person can do, in any order: act at the cursor, also in the past, edit and apply, undo and
// redo, move the cursor, switch to another run, save and open again, open the page's own link. After each step the recording
// is what the step makes of the one before; at the end everything on the page is what a fresh replay of the recording gives.
func FuzzSession(f *testing.F) {
	for i := range uint64(40) {
		f.Add(randomBytes(i, 24))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const stepsMax = 8
		newPerson(t, data).live(stepsMax)
	})
}

// TestRandomSessions is the same for a few sequences.
func TestRandomSessions(t *testing.T) {
	for i := range uint64(30) {
		newPerson(t, randomBytes(i+1000, 60)).live(24)
	}
}

// randomBytes returns bytes that depend on a seed only.
func randomBytes(seed uint64, n int) []byte {
	data := make([]byte, n)
	for i := range data {
		seed = seed*6364136223846793005 + 1442695040888963407
		data[i] = byte(seed >> 56)
	}
	return data
}

// sequenceText has all that answers with delays: a drain that waits for a budget, a rollout, a StatefulSet.
const sequenceText = `apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 25s
  nodes: {count: 2}
  images: [{match: bad, pull: fails}, {match: "*", pull: 300ms, start: 700ms, stop: 500ms}]
  timeline:
  - {at: 6s, run: kubectl set image deployment/web web=web:2}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 2
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "web:1"}]}
---
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
`

// person is somebody at the page, with the history that the page should have.
type person struct {
	*session.Session
	t            *testing.T
	data         []byte
	edits        int
	did          []string
	past, future []engine.Recording // what undo and redo lead to
}

func newPerson(t *testing.T, data []byte) *person {
	p := &person{Session: session.New(true), t: t, data: data}
	p.SetText(sequenceText)
	p.Restart()
	p.settle()
	return p
}

// live takes steps until the choices end, and compares the page with a replay.
func (p *person) live(stepsMax int) {
	for steps := 0; len(p.data) > 0 && steps < stepsMax; steps++ {
		p.step()
	}
	p.replay()
}

// next consumes a byte per choice among n.
func (p *person) next(n int) int {
	if len(p.data) == 0 {
		return 0
	}
	b := p.data[0]
	p.data = p.data[1:]
	return int(b) % n
}

func (p *person) fail(format string, args ...any) {
	p.t.Helper()
	p.t.Fatalf("%s\nafter %s", fmt.Sprintf(format, args...), strings.Join(p.did, "; "))
}

// settle lets the frames compute everything.
func (p *person) settle() {
	for range 10_000 {
		if !p.Compute(2000) {
			return
		}
	}
	p.fail("the run does not end")
}

// kubectlLines are commands of the run, readLines are not.
var kubectlLines = [...]string{"kubectl scale deployment/web --replicas=%d", "set image deployment/web web=web:%d", "set image deployment/web web=bad", "rollout undo deployment/web", "rollout restart deployment/web",
	"kubectl delete deployment web", "drain node-1 --ignore-daemonsets --timeout=%ds", "uncordon node-1", "delete pdb web", "scale deployment/nope --replicas=%d", "rollout pause deployment/web", "rollout resume deployment/web",
	"patch deployment web -p '{\"spec\":{\"minReadySeconds\":%d}}'", "annotate deployment/web a=%d --overwrite", "kubectl nonsense %d", "drain -l a=b"}

var readLines = [...]string{"get pods", "get pods -w", "rollout status deployment/web", "describe deployment web", "help", "clear", "get rs\nget pods -o wide", "wait pod --all --for=condition=Ready --timeout=5s\nget deploy",
	"edit deployment web", "get pods -w\nscale deployment/web --replicas=%d", "kubectl apply -f editor.yaml", "events -w", "rollout status deployment/web\nset image deployment/web web=web:%d\nrollout status deployment/web",
	"logs x", "get pods -l app=%d", "explain deploy.spec"}

func (p *person) line(lines []string) string {
	return strings.ReplaceAll(lines[p.next(len(lines))], "%d", fmt.Sprint(p.next(5)))
}

// step does one thing and checks what became of the recording.
func (p *person) step() {
	switch p.next(16) {
	case 0, 1, 2:
		p.act("run "+p.line(kubectlLines[:]), func(line string) { p.Kubectl(line) })
	case 3:
		p.act("do "+[...]string{"kill node/node-2", "restore node/node-2", "add node/node-3", "crash pod/x", "remove node/node-1"}[p.next(5)], func(line string) { p.Do(line) })
	case 4, 5, 6:
		t := int64(p.next(256))*110 - 200
		p.note("seek %d", t)
		p.SeekTo(t)
		p.at(min(max(t, 0), p.End()))
	case 7:
		p.edit()
	case 8, 9:
		p.travel("undo", p.Undo, p.CanUndo(), &p.past, &p.future)
	case 10:
		p.travel("redo", p.Redo, p.CanRedo(), &p.future, &p.past)
	case 11:
		p.switchTo()
	case 12:
		p.reopen()
	case 13:
		p.openLink()
	case 14:
		p.typeLines()
	case 15:
		p.move()
	}
	p.check()
}

func (p *person) note(format string, args ...any) {
	p.did = append(p.did, fmt.Sprintf(format, args...))
}

// at checks where the cursor is.
func (p *person) at(t int64) {
	if p.Cursor().T != t {
		p.fail("the cursor is at %d ms, not at %d", p.Cursor().T, t)
	}
}

// same says whether two recordings give the same run.
func same(a, b engine.Recording) bool {
	return a.Scenario == b.Scenario && slices.Equal(a.Commands, b.Commands)
}

// changed notes in the history that an action has replaced a recording.
func (p *person) changed(before engine.Recording) {
	p.past, p.future = append(p.past, before), nil
}

// act gives a command at the cursor: what came later is cut, and the command comes at the cursor or 1 ms later.
func (p *person) act(what string, do func(line string)) {
	before, at := p.Recording(), p.Cursor().T
	_, line, _ := strings.Cut(what, " ")
	p.note("%s at %d", what, at)
	do(line)
	p.settle()
	p.appended(before, at)
	if c := p.Recording().Commands[len(p.Recording().Commands)-1]; c.Run+c.Do != line {
		p.fail("the command is %+v", c)
	}
	p.changed(before)
}

// appended checks that the recording is the one before, up to a moment, and one more command there.
func (p *person) appended(before engine.Recording, at int64) {
	now := p.Recording()
	kept := slices.DeleteFunc(slices.Clone(before.Commands), func(c engine.Command) bool { return c.At > at })
	n := len(kept)
	if now.Scenario != before.Scenario || len(now.Commands) != n+1 || !slices.Equal(now.Commands[:n], kept) {
		p.fail("acting at %d ms makes\n%+v\nof\n%+v", at, now.Commands, before.Commands)
	}
	if c := now.Commands[n]; c.At < at || c.At > at+1 {
		p.fail("acting at %d ms gives a command at %d", at, c.At)
	}
}

// edit changes the text and applies it, or restarts with it.
func (p *person) edit() {
	p.edits++
	text := sequenceText
	for _, replace := range [][2]string{{"replicas: 2", fmt.Sprintf("replicas: %d", p.next(5))}, {"web:1", fmt.Sprintf("web:%d", p.next(4))}, {"duration: 25s", fmt.Sprintf("duration: %ds", 24+p.next(3))}} {
		text = strings.Replace(text, replace[0], replace[1], 1)
	}
	p.SetText(text + fmt.Sprintf("# edit %d\n", p.edits))
	before, at := p.Recording(), p.Cursor().T
	switch p.next(4) {
	case 0:
		p.note("restart")
		p.Restart()
		p.settle()
		if now := p.Recording(); now.Scenario != p.Text() || len(now.Commands) > 0 {
			p.fail("a restart gives %+v", now)
		}
		p.changed(before)
	case 1:
		p.note("a draft")
	default:
		p.note("apply at %d", at)
		p.Apply()
		p.settle()
		now := p.Recording()
		if same(now, before) {
			return // nothing to apply
		}
		if now.Scenario == before.Scenario {
			p.appended(before, at)
		} else if now.Scenario != p.Text() || len(now.Commands) > 0 {
			p.fail("applied, the text gives %+v", now)
		}
		p.changed(before)
	}
}

// travel undoes or redoes.
func (p *person) travel(what string, do func(), can bool, from, to *[]engine.Recording) {
	p.note("%s", what)
	if can != (len(*from) > 0) {
		p.fail("can %s: %v, with %d recordings to go to", what, can, len(*from))
	}
	before := p.Recording()
	do()
	p.settle()
	if !can {
		if !same(p.Recording(), before) {
			p.fail("%s changes the recording, but there is nothing", what)
		}
		return
	}
	want := (*from)[len(*from)-1]
	if !same(p.Recording(), want) {
		p.fail("%s gives\n%+v\nnot\n%+v", what, p.Recording(), want)
	}
	*from, *to = (*from)[:len(*from)-1], append(*to, before)
}

// switchTo goes to another run.
func (p *person) switchTo() {
	forks, before := p.Forks(), p.Recording()
	if len(forks) == 0 {
		return
	}
	i := p.next(len(forks))
	p.note("switch to %d", i)
	p.SwitchTo(i)
	p.settle()
	if !same(p.Recording(), forks[i].Rec) {
		p.fail("fork %d is\n%+v\nnot\n%+v", i, p.Recording(), forks[i].Rec)
	}
	if forks[i].Done && (p.Run().Len() != forks[i].Records || p.Run().Now() != forks[i].End) {
		p.fail("fork %d has %d records up to %d ms, it had %d up to %d", i, p.Run().Len(), p.Run().Now(), forks[i].Records, forks[i].End)
	}
	p.changed(before)
}

// reopen leaves the page and comes back later: what is kept is the same, and history begins again.
func (p *person) reopen() {
	p.note("reopen at %d", p.Cursor().T)
	data := p.Save()
	if data == "" {
		return // an untouched visit
	}
	again := session.New(true)
	if err := again.Restore(data); err != nil {
		p.fail("%v", err)
	}
	was := p.Session
	p.Session, p.past, p.future = again, nil, nil
	p.settle()
	if !same(was.Recording(), again.Recording()) || was.Text() != again.Text() || was.Dirty() != again.Dirty() || was.Preset() != again.Preset() {
		p.fail("opened again there is\n%+v\nnot\n%+v", again.Recording(), was.Recording())
	}
	if was.Run().Past().Find(was.Cursor().T) == was.Cursor().Record {
		p.sameScreen("opened again", was)
	}
	if len(was.Forks()) != len(again.Forks()) || len(was.Forks()) > 0 && !reflect.DeepEqual(was.Forks(), again.Forks()) {
		p.fail("opened again, the forks are\n%+v\nnot\n%+v", again.Forks(), was.Forks())
	}
}

// sameScreen compares cursor and terminal with those of another session.
func (p *person) sameScreen(what string, was *session.Session) {
	if p.Cursor() != was.Cursor() {
		p.fail("%s, the cursor is at %v, not at %v", what, p.Cursor(), was.Cursor())
	}
	if got, want := p.Screen().Transcript(), was.Screen().Transcript(); got != want {
		p.fail("%s, the terminal shows\n%s\nnot\n%s", what, got, want)
	}
}

// openLink opens the link of the page, on the page or in another one.
func (p *person) openLink() {
	l := p.Link()
	p.AddMoment(&l.View)
	fragment, err := link.Encode(l)
	if err != nil {
		p.fail("no link: %v", err)
	}
	before, cursor, text := p.Recording(), p.Cursor(), p.Text()
	if p.next(2) == 0 {
		p.note("open link")
		if _, ok := p.OpenLink("#" + fragment); !ok {
			p.fail("the link does not open: %s", p.Notice().Text)
		}
		p.changed(before)
	} else {
		p.note("open link elsewhere")
		p.Session, p.past, p.future = session.New(true), nil, nil
		p.Begin("", fragment)
	}
	p.settle()
	if !same(p.Recording(), before) || p.Text() != text || p.Cursor() != cursor {
		p.fail("the link opens\n%+v at %v\nnot\n%+v at %v", p.Recording(), p.Cursor(), before, cursor)
	}
}

// typeLines types at the prompt. Each line that writes adds a command at the cursor; undo takes them back one by one.
func (p *person) typeLines() {
	lines := p.line(readLines[:])
	if p.next(3) == 0 {
		lines = p.line(kubectlLines[:])
	}
	p.note("type %q at %d", lines, p.Cursor().T)
	before := p.Recording()
	p.Type(lines)
	for i := 0; i < 50 && p.Screen().Waiting() > 0; i++ {
		p.StepNext()
	}
	p.settle()
	if !same(p.Recording(), before) {
		p.history(before)
	}
}

// history reads how many actions were remembered, by undoing and redoing them: a paste may hold several.
func (p *person) history(before engine.Recording) {
	now, steps := p.Recording(), 0
	var between []engine.Recording
	for p.CanUndo() && !same(p.Recording(), before) && steps < 10 {
		p.Undo()
		p.settle()
		between = append(between, p.Recording())
		steps++
	}
	if !same(p.Recording(), before) {
		p.fail("undo does not lead from\n%+v\nback to\n%+v", now, before)
	}
	for range steps {
		p.Redo()
		p.settle()
	}
	if !same(p.Recording(), now) {
		p.fail("redo leads to\n%+v\nnot\n%+v", p.Recording(), now)
	}
	slices.Reverse(between)
	p.past, p.future = append(p.past, between...), nil
}

// move steps, plays a little, or interrupts.
func (p *person) move() {
	switch p.next(8) {
	case 0:
		p.note("to start")
		p.ToStart()
		p.at(0)
	case 1:
		p.note("to end")
		p.ToEnd()
		p.at(p.End())
	case 2:
		p.note("step back")
		p.StepPrev()
	case 3:
		p.note("interrupt")
		p.Interrupt()
	case 4:
		units := session.StepUnits
		p.note("step unit")
		p.SetStep(units[p.next(len(units))])
	case 5:
		p.note("look at record")
		p.LookAt(p.next(256) * p.Run().Len() / 256)
	default:
		p.note("step")
		p.StepNext()
	}
	p.settle()
}

// check compares what must hold after each step.
func (p *person) check() {
	rec := p.Recording()
	if !slices.IsSortedFunc(rec.Commands, func(a, b engine.Command) int { return int(a.At - b.At) }) {
		p.fail("the commands are not in order: %+v", rec.Commands)
	}
	if c := p.Cursor(); c.T < 0 || c.T > p.End() || c.Record >= p.Run().Len() || c.Record >= 0 && p.Run().Past().At(c.Record) > c.T {
		p.fail("the cursor is at %v of a run of %d records up to %d ms", c, p.Run().Len(), p.End())
	}
	if p.CanUndo() != (len(p.past) > 0) || p.CanRedo() != (len(p.future) > 0) {
		p.fail("undo %v, redo %v; want %d and %d recordings", p.CanUndo(), p.CanRedo(), len(p.past), len(p.future))
	}
}

// replay compares the page with a fresh run of its recording.
func (p *person) replay() {
	p.settle()
	if !same(p.Run().Recording(), p.Recording()) {
		p.fail("the run on the page is another one than that of the recording")
	}
	fresh, diagnostics := engine.Start(p.Recording())
	if fresh == nil {
		p.fail("the recording does not start: %v", diagnostics)
	}
	fresh.Finish()
	if got, want := trace(p.t, p.Run()), trace(p.t, fresh); !bytes.Equal(got, want) {
		p.fail("the run on the page differs from a fresh one:\n%s", difference(got, want))
	}
	i, t := p.Cursor().Record, p.Cursor().T
	if got, want := fmt.Sprintf("%+v", *p.Run().Past().SnapshotAt(i, t, 100)), fmt.Sprintf("%+v", *fresh.Past().SnapshotAt(i, t, 100)); got != want {
		p.fail("the tables are\n%s\nnot\n%s", got, want)
	}
	for k := range fresh.Len() {
		if fresh.Record(k).Kind == engine.Input && !reflect.DeepEqual(fresh.Past().Transcript(k), p.Run().Past().Transcript(k)) {
			p.fail("the terminal says\n%+v\nto command %d, not\n%+v", p.Run().Past().Transcript(k), k, fresh.Past().Transcript(k))
		}
	}
}

// trace is a whole run as text, and its frames.
func trace(t *testing.T, run *engine.Run) []byte {
	var b bytes.Buffer
	if err := engine.WriteJSON(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// difference returns the first line that differs.
func difference(got, want []byte) string {
	a, b := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range min(len(a), len(b)) {
		if a[i] != b[i] {
			return fmt.Sprintf("line %d is\n%s\nnot\n%s", i+1, a[i], b[i])
		}
	}
	return fmt.Sprintf("%d lines, not %d", len(a), len(b))
}
