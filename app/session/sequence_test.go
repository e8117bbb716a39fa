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
)

// FuzzSession does anything that a person can do, in any order: act at the cursor, also in the past, edit and apply, undo and
// redo, move the cursor, switch to another run, save and open again, open the page's own link. After each step the recording
// is what the step makes of the one before; at the end everything on the page is what a fresh replay of the recording gives. One of three is in a
// hurry and does not wait until a run is computed.
func FuzzSession(f *testing.F) {
	for i := range uint64(40) {
		f.Add(randomBytes(i, 24))
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		const stepsMax = 6
		if p := personAt(t, smallText, data); p.next(3) == 0 {
			p.liveInAHurry(2 * stepsMax)
		} else {
			p.live(stepsMax)
		}
	})
}

// TestRandomSessions is the same for a few sequences.
func TestRandomSessions(t *testing.T) {
	for i := range uint64(30) {
		newPerson(t, randomBytes(i+1000, 60)).live(24)
		newPerson(t, randomBytes(i+2000, 60)).liveInAHurry(24)
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

// smallText is the smallest world in which something can be undone: each step of a session computes a run of it.
const smallText = `apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  duration: 25s
  images: [{match: bad, pull: fails}, {match: "*", pull: 1s, start: 3s, stop: 2s}]
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "web:1"}]}}
`

// person is somebody at the page, with the history that the page should have.
type person struct {
	*session.Session
	t            *testing.T
	data         []byte
	first        string // the text that the session began with
	edits        int
	typed        bool // a line that no link has
	did          []string
	past, future []engine.Recording // what undo and redo lead to
}

func newPerson(t *testing.T, data []byte) *person { return personAt(t, sequenceText, data) }

func personAt(t *testing.T, text string, data []byte) *person {
	p := &person{Session: session.New(true), t: t, data: data, first: text}
	p.Document.Set(text)
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
		p.Cursor.SeekTo(t)
		p.settle()
		p.at(min(max(t, 0), p.End()))
	case 7:
		p.edit()
	case 8, 9:
		p.travel("undo", p.Undo, p.History.CanUndo(), &p.past, &p.future)
	case 10:
		p.travel("redo", p.Redo, p.History.CanRedo(), &p.future, &p.past)
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
	if p.Cursor.T != t {
		p.fail("the cursor is at %d ms, not at %d", p.Cursor.T, t)
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

// check compares what must hold after each step.
func (p *person) check() {
	rec := p.Recording()
	if !slices.IsSortedFunc(rec.Commands, func(a, b engine.Command) int { return int(a.At - b.At) }) {
		p.fail("the commands are not in order: %+v", rec.Commands)
	}
	if c := p.Cursor.Place; c.T < 0 || c.T > p.End() || c.Record >= p.Run().Len() || c.Record >= 0 && p.Run().Past().At(c.Record) > c.T {
		p.fail("the cursor is at %v of a run of %d records up to %d ms", c, p.Run().Len(), p.End())
	}
	if p.History.CanUndo() != (len(p.past) > 0) || p.History.CanRedo() != (len(p.future) > 0) {
		p.fail("undo %v, redo %v; want %d and %d recordings", p.History.CanUndo(), p.History.CanRedo(), len(p.past), len(p.future))
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
	i, t := p.Cursor.Record, p.Cursor.T
	if got, want := fmt.Sprintf("%+v", p.Run().Past().Tables(i, t, 100)), fmt.Sprintf("%+v", fresh.Past().Tables(i, t, 100)); got != want {
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
