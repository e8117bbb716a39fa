package session_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/session"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
)

// The steps of a random session. Each knows what it must make of the recording before it.

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

// act gives a command at the cursor: what came later is cut, and the command comes at the cursor or 1 ms later.
func (p *person) act(what string, do func(line string)) {
	before, at := p.Recording(), p.Cursor.T
	_, line, _ := strings.Cut(what, " ")
	p.note("%s at %d", what, at)
	reaches := p.Run().Reaches(p.Run().ActAt(at))
	do(line)
	p.settle()
	if !reaches {
		p.refusedAtTheEnd(before)
		return
	}
	p.appended(before, at)
	if c := p.Recording().Commands[len(p.Recording().Commands)-1]; c.Run+c.Do != line {
		p.fail("the command is %+v", c)
	}
	p.changed(before)
}

// refusedAtTheEnd checks that a command after the end of the scenario changes nothing, and that the page says so.
func (p *person) refusedAtTheEnd(before engine.Recording) {
	if !same(p.Recording(), before) || !strings.Contains(p.Visit.Notice.Text, "The scenario ends at ") || !p.Visit.Notice.Bad {
		p.fail("after the end the recording is\n%+v\nnot\n%+v, and the page says %+v", p.Recording(), before, p.Visit.Notice)
	}
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
	text := p.first
	for _, replace := range [][2]string{{"\n  replicas: ", fmt.Sprintf("\n  minReadySeconds: %d\n  replicas: ", p.next(5))}, {"web:1", fmt.Sprintf("web:%d", p.next(4))}, {"duration: 25s", fmt.Sprintf("duration: %ds", 24+p.next(3))}} {
		text = strings.Replace(text, replace[0], replace[1], 1)
	}
	p.Document.Set(text + fmt.Sprintf("# edit %d\n", p.edits))
	before, at := p.Recording(), p.Cursor.T
	switch p.next(4) {
	case 0:
		p.note("restart")
		p.Restart()
		p.settle()
		if now := p.Recording(); now.Scenario != p.Document.Text || len(now.Commands) > 0 {
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
		} else if now.Scenario != p.Document.Text || len(now.Commands) > 0 {
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
	forks, before := p.Branches.List(), p.Recording()
	if len(forks) == 0 {
		return
	}
	i := p.next(len(forks))
	p.note("switch to %d", i)
	p.SwitchTo(p.Branches.List()[i].ID)
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
	p.note("reopen at %d", p.Cursor.T)
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
	if !same(was.Recording(), again.Recording()) || was.Document.Text != again.Document.Text || was.Document.Dirty() != again.Document.Dirty() || was.Document.Preset != again.Document.Preset {
		p.fail("opened again there is\n%+v\nnot\n%+v", again.Recording(), was.Recording())
	}
	if was.Run().Past().Find(was.Cursor.T) == was.Cursor.Record {
		p.sameScreen("opened again", was)
	}
	if len(was.Branches.List()) != len(again.Branches.List()) || len(was.Branches.List()) > 0 && !reflect.DeepEqual(was.Branches.List(), again.Branches.List()) {
		p.fail("opened again, the forks are\n%+v\nnot\n%+v", again.Branches.List(), was.Branches.List())
	}
}

// sameScreen compares cursor and terminal with those of another session.
func (p *person) sameScreen(what string, was *session.Session) {
	if p.Cursor.Place != was.Cursor.Place {
		p.fail("%s, the cursor is at %v, not at %v", what, p.Cursor.Place, was.Cursor.Place)
	}
	if got, want := p.Prompt.Screen().Transcript(), was.Prompt.Screen().Transcript(); got != want {
		p.fail("%s, the terminal shows\n%s\nnot\n%s", what, got, want)
	}
}

// openLink opens the link of the page, on the page or in another one.
func (p *person) openLink() {
	l := p.Link()
	p.Cursor.AddMoment(&l.View)
	fragment, err := link.Encode(l)
	if err != nil {
		p.fail("no link: %v", err)
	}
	before, cursor, text, was := p.Recording(), p.Cursor.Place, p.Document.Text, p.Session
	if p.next(2) == 0 {
		p.note("open link")
		if _, ok := p.OpenLink("#" + fragment); !ok {
			p.fail("the link does not open: %s", p.Visit.Notice.Text)
		}
		p.changed(before)
	} else {
		p.note("open link elsewhere")
		p.Session, p.past, p.future = session.New(true), nil, nil
		p.Open(session.Kept{}, fragment)
	}
	p.settle()
	if !same(p.Recording(), before) || p.Document.Text != text || p.Cursor.Place != cursor {
		p.fail("the link opens\n%+v at %v\nnot\n%+v at %v", p.Recording(), p.Cursor.Place, before, cursor)
	}
	if !p.typed {
		p.sameScreen("by its link", was)
	}
}

// typeLines types at the prompt. Each line that writes adds a command at the cursor; undo takes them back one by one.
func (p *person) typeLines() {
	lines := p.line(readLines[:])
	if p.next(3) == 0 {
		lines = p.line(kubectlLines[:])
	}
	p.note("type %q at %d", lines, p.Cursor.T)
	before := p.Recording()
	p.typed = true
	p.Type(lines)
	for i := 0; i < 50 && p.Prompt.Screen().Waiting() > 0; i++ {
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
	for p.History.CanUndo() && !same(p.Recording(), before) && steps < 10 {
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
		p.Cursor.ToStart()
		p.at(0)
	case 1:
		p.note("to end")
		p.Cursor.ToEnd()
		p.at(p.End())
	case 2:
		p.note("step back")
		p.Cursor.StepPrev()
	case 3:
		p.note("interrupt")
		p.Prompt.Interrupt()
	case 4:
		units := session.StepUnits
		p.note("step unit")
		p.Cursor.SetStep(units[p.next(len(units))])
	case 5:
		p.note("look at record")
		p.Cursor.LookAt(p.next(256) * p.Run().Len() / 256)
	default:
		p.note("step")
		p.StepNext()
	}
	p.settle()
}
