package engine

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/diagnosis"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/judge"
	"github.com/rollplay/rollplay/engine/past"
)

// FuzzMutation replaces fields of valid manifests and gives commands with any verb and flag: the text is refused at a line, or
// it runs and keeps the laws.
func FuzzMutation(f *testing.F) {
	for i := range uint64(60) {
		f.Add(randomData(i, 50))
	}
	f.Fuzz(func(t *testing.T, data []byte) { runMutant(t, mutantRecording(data)) })
}

// mutantRecording makes a recording of bytes: a mutant as scenario or applied to one, and commands.
func mutantRecording(data []byte) Recording {
	m := &mutator{texts.Choices(&data)}
	kind := mutantKinds[m.next(len(mutantKinds))]
	victim := mutantBases()[kind]
	for range 1 + m.next(3) {
		list := placesOf(kind)
		at := list[len(list)*m.next(256)*m.next(256)>>16] // a product: fields near the root more often
		victim = m.replace(victim, at, mutation(m.next(int(mutations))))
	}
	others := companions(kind, m.next(3))
	if m.next(16) == 0 {
		others = append(others, victim) // twice
	}
	late, timed := m.next(3) == 0, m.next(4) == 0
	var commands []Command
	for at := int64(0); len(data) > 0 && len(commands) < 6; {
		at += int64(m.next(40)) * 173
		commands = append(commands, m.command(at))
	}
	return assemble(kind, victim, others, late, timed, commands)
}

// command is one at a moment: a line of kubectl, sometimes what the environment does, or a manifest.
func (m *mutator) command(at int64) Command {
	switch m.next(8) {
	case 0:
		return Command{At: at, Do: deedLines[m.next(len(deedLines))]}
	case 1:
		return Command{At: at, Apply: mutantTexts[mutantKinds[m.next(8)]]}
	}
	return Command{At: at, Run: fuzzLine(m.next)}
}

// companions are objects that the mutant is about.
func companions(kind string, which int) (list []object) {
	for _, other := range [][]string{{"Deployment"}, {"StatefulSet", "PodDisruptionBudget"}, {"DaemonSet", "Deployment", "HorizontalPodAutoscaler"}}[which] {
		if other != kind {
			list = append(list, mutantBases()[other])
		}
	}
	return list
}

// assemble puts a mutant into a recording: into the scenario, or applied later to the rest of it.
func assemble(kind string, victim object, others []object, late, timed bool, commands []Command) Recording {
	setting := mutantBases()["Scenario"]
	if timed {
		setting, commands = withTimeline(setting, commands), nil
	}
	documents := append([]object{setting}, others...)
	switch {
	case kind == "Scenario":
		documents[0] = victim
	case late && len(others) > 0:
		commands = slices.Insert(commands, 0, Command{At: 1500, Apply: victim.String()})
	default:
		documents = append(documents, victim)
	}
	return Recording{Scenario: stream(documents...), Commands: commands}
}

// withTimeline moves commands into a Scenario document.
func withTimeline(setting object, commands []Command) object {
	var list []any
	for _, c := range commands {
		entry := object{{"at", quoted(fmt.Sprintf("%dms", c.At))}}
		for _, p := range []pair{{"run", c.Run}, {"do", c.Do}, {"apply", c.Apply}} {
			if p.value != "" {
				entry = append(entry, pair{p.key, quoted(p.value.(string))})
			}
		}
		list = append(list, entry)
	}
	return mapField(setting, "spec", func(spec any) any { return append(slices.Clone(spec.(object)), pair{"timeline", list}) })
}

// mapField returns an object with another value of a field.
func mapField(o object, name string, to func(any) any) object {
	o = slices.Clone(o)
	i := slices.IndexFunc(o, func(p pair) bool { return p.key == name })
	o[i].value = to(o[i].value)
	return o
}

// runMutant runs a recording a little way. It must be refused at a line, or keep the laws.
func runMutant(t *testing.T, rec Recording) {
	t.Helper()
	run, diagnostics := Start(rec)
	if run == nil {
		refusedAtLine(t, rec.Scenario, diagnostics)
		return
	}
	const eventsMax = 4000 // two small workloads for 40 s
	done := run.Advance(eventsMax)
	if broken := brokenLaws(run); len(broken) > 0 {
		t.Error(report(broken, rec))
	}
	last := run.Len() - 1
	for _, name := range run.Workloads() {
		recount(t, run, name)
		j := judge.New(run.Past())
		for i := last; i >= 0; i -= 1 + last/3 {
			j.Line(name, i, run.Past().At(i))
			if d := diagnosis.Of(run.Past(), name, i, run.Past().At(i)); d.Title == "" {
				t.Errorf("no diagnosis of %s after record %d\n%s\n%+v", name, i, rec.Scenario, rec.Commands)
			}
		}
		run.Past().Lanes(name, 20)
		run.Past().Conditions(name)
		run.Past().Budgets(name)
	}
	if done && len(rec.Scenario)%8 == 0 {
		sameAgain(t, run)
	}
	run.Past().Nodes(last, 50)
	run.Past().Pods(last, run.Now())
	run.Past().Tables(last, run.Now(), 1000)
	line := reads[len(rec.Scenario)%len(reads)]
	if answer, ok := run.Past().Read(past.Parse(line), last, run.Now()); !ok || strings.Contains(answer.Text(), "rollplay has a bug") {
		t.Errorf("%q is answered with %+v\n%s\n%+v", line, answer, rec.Scenario, rec.Commands)
	}
}

// refusedAtLine checks that a text without a run says why, at a line of it.
func refusedAtLine(t *testing.T, text string, diagnostics []Diagnostic) {
	t.Helper()
	lines, errors := strings.Count(text, "\n")+1, 0
	for _, d := range diagnostics {
		if !d.Warning {
			errors++
		}
		if d.Line < 1 || d.Line > lines || d.Column < 1 || d.EndColumn <= d.Column || d.Message == "" {
			t.Errorf("no position: %+v\n%s", d, text)
		}
		if strings.Contains(d.Message, "rollplay has a bug") {
			t.Errorf("a panic: %s\n%s", d.Message, text)
		}
	}
	if errors == 0 {
		t.Errorf("refused without a reason: %+v\n%s", diagnostics, text)
	}
}

// TestEveryField applies each mutation to each field of each kind, and tests one case in everyField. With a stride of 1 it tests
// all 72,000, which takes minutes: go test -run TestEveryField -args -everyField 1
func TestEveryField(t *testing.T) {
	n, ran := 0, 0
	for _, kind := range mutantKinds {
		for _, at := range placesOf(kind) {
			for how := range mutations {
				if n++; n%*everyField != 0 {
					continue
				}
				data := randomData(uint64(n), 40)
				m := &mutator{texts.Choices(&data)}
				victim := m.replace(mutantBases()[kind], at, how)
				runMutant(t, assemble(kind, victim, companions(kind, n%3), n%5 == 0, false, nil))
				if ran++; t.Failed() {
					t.Fatalf("%s %s, mutation %d", kind, at, how)
				}
			}
		}
	}
	t.Logf("%d of %d", ran, n)
}

// TestEveryVerbAndFlag gives each flag of each verb in a timeline, with values that fit and values that do not.
func TestEveryVerbAndFlag(t *testing.T) {
	var lines []string
	for _, v := range past.Modelled() {
		for k, f := range v.Flags {
			for way := range 3 {
				object, value := lineObjects[(7*k+way)%len(lineObjects)], lineValues[(11*k+5*way+len(v.Name))%len(lineValues)]
				lines = append(lines, strings.Join([]string{v.Name, object, "web=web:2", flagLine(f.Name, way, value)}, " "))
			}
		}
	}
	for _, nodes := range lineValues {
		lines = append(lines, "drain -l "+quote(nodes)+" --ignore-daemonsets --force")
	}
	for n := range lines {
		if n%6 != 0 {
			continue
		}
		var commands []Command
		for k, line := range lines[n:min(n+6, len(lines))] {
			commands = append(commands, Command{At: int64(2000 + 500*k), Run: line})
		}
		runMutant(t, assemble("Pod", mutantBases()["Pod"], companions("Pod", n%3), false, n%12 == 0, commands))
	}
	t.Logf("%d lines", len(lines))
}
