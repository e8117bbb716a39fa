package kubectl_test

import (
	_ "embed"
	"math"
	"os"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// sheet has the commands of the quick reference in Kubernetes' documentation (docs/reference/kubectl/quick-reference), with the names of
// a small cluster: + works, - is refused by the server or in one sentence, which follows behind =>. A ⏎ stands for the end of a line.
//
//go:embed testdata/cheatsheet.txt
var sheet string

// exercises has the first 200 lines that begin with kubectl in github.com/dgkanatsios/CKAD-exercises at commit 54e5f2d, in the order of its
// files, in the same form. Comments behind them are cut off, lines that end in a backslash are joined, and the names <your-node-name> and
// <busybox-***> are filled in. Here - is what rollplay itself refuses.
//
//go:embed testdata/exercises.txt
var exercises string

// sheetRefused and exercisesRefused are how many of the lines may be refused. They only go down.
const (
	sheetRefused     = 23
	exercisesRefused = 20
)

// sheetAt is the virtual ms at which each line is given, in a run of its own.
const sheetAt = 30_000

// TestCheatSheet: what people find in the quick reference works, or is refused honestly.
func TestCheatSheet(t *testing.T) {
	checkSheet(t, "testdata/cheatsheet.txt", sheet, 150, sheetRefused, func(answer *past.Reading) bool {
		return answer.Failed && !strings.HasPrefix(answer.Text(), "diff -u") // which fails because there is a difference
	})
}

// TestExercises: rollplay refuses few of the lines that people practise with, and says what to do in their place.
func TestExercises(t *testing.T) {
	checkSheet(t, "testdata/exercises.txt", exercises, 200, exercisesRefused, func(answer *past.Reading) bool {
		_, instead, refused := strings.Cut(answer.Text(), "error: rollplay")
		if refused && !strings.ContainsAny(instead, ":;") {
			t.Errorf("this names no alternative: %s", instead)
		}
		return refused
	})
}

// sheetScenario is the cluster of the cheat sheet.
func sheetScenario() string {
	scenario, _, _ := strings.Cut(sheet, "\n-- lines --\n")
	return scenario
}

// checkSheet compares the answers to the lines of a file, or writes them into it.
func checkSheet(t *testing.T, file, sheet string, least, most int, refuses func(*past.Reading) bool) {
	scenario, text, ok := strings.Cut(sheet, "\n-- lines --\n")
	if !ok {
		t.Fatal(file + " has no lines")
	}
	lines, refusals := 0, 0
	var written strings.Builder
	for entry := range strings.Lines(text) {
		entry = strings.TrimSpace(entry)
		if entry == "" || entry[0] == '#' {
			written.WriteString(entry + "\n")
			continue
		}
		lines++
		line, want, _ := strings.Cut(strings.ReplaceAll(entry[2:], "⏎", "\n"), " => ")
		answer := answerAt(t, scenario, line)
		refused := entry[0] == '-'
		text, _, _ := strings.Cut(entry[2:], " => ")
		failed := refuses(answer)
		if failed {
			refusals++
			written.WriteString("- " + text + " => " + strings.TrimPrefix(strings.ReplaceAll(answer.Text(), "\n", "⏎"), "error: ") + "\n")
		} else {
			written.WriteString("+ " + text + "\n")
		}
		switch {
		case *update:
		case failed != refused:
			t.Errorf("$ %s\nrefused: %v, want %v\n%s", line, failed, refused, answer.Text())
		case refused && answer.Text() != "error: "+want && (answer.Text() != want || !strings.HasPrefix(want, "Error from server")):
			t.Errorf("$ %s\ngot  %s\nwant error: %s", line, answer.Text(), want)
		}
	}
	if lines < least || refusals > most {
		t.Errorf("%d of %d lines are refused, at most %d may be", refusals, lines, most)
	}
	t.Logf("%d of %d lines are refused", refusals, lines)
	if *update {
		if err := os.WriteFile(file, []byte(scenario+"\n-- lines --\n"+written.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// answerAt lets a line be answered as at the prompt: where it reads, from a run that is there, and else in a run that has it.
func answerAt(t *testing.T, scenario, line string) *past.Reading {
	commands := []engine.Command{{At: sheetAt, Run: line}}
	if both := past.SplitLines(line); len(both) == 2 { // commands at the prompt
		line = strings.TrimPrefix(both[1], "&& ")
		commands = []engine.Command{{At: sheetAt - 1, Run: both[0]}, {At: sheetAt, Run: line}}
	}
	run, diagnostics := engine.Start(engine.Recording{Scenario: scenario, Commands: commands})
	if run == nil {
		t.Fatal(diagnostics)
	}
	run.AdvancePast(sheetAt, math.MaxInt)
	p := run.Past()
	record := p.LastInput(p.Find(sheetAt))
	if len(commands) == 2 && p.Transcript(p.LastInput(record-1)).Failed {
		return p.Transcript(p.LastInput(record - 1))
	}
	if answer, ok := p.Read(past.Parse(line), record, sheetAt); ok && len(commands) == 1 {
		return answer
	}
	return p.Transcript(record)
}

// FuzzLine: whatever is typed into a running cluster, nothing panics, an error has words, and what is refused, reads or is a dry run
// changes nothing.
func FuzzLine(f *testing.F) {
	scenario, text, _ := strings.Cut(sheet, "\n-- lines --\n")
	for entry := range strings.Lines(text) {
		if entry = strings.TrimSpace(entry); entry != "" && entry[0] != '#' {
			line, _, _ := strings.Cut(strings.ReplaceAll(entry[2:], "⏎", "\n"), " => ")
			f.Add(line)
		}
	}
	f.Fuzz(func(t *testing.T, line string) {
		run, _ := engine.Start(engine.Recording{Scenario: scenario, Commands: []engine.Command{{At: sheetAt, Run: line}}})
		if run == nil {
			return // the command is not one line of kubectl
		}
		run.AdvancePast(sheetAt+1000, math.MaxInt)
		p := run.Past()
		record := p.LastInput(p.Find(sheetAt))
		answer := p.Transcript(record)
		if answer == nil || answer.Failed && strings.TrimSpace(answer.Text()) == "" && !strings.Contains(line, "diff") {
			t.Fatalf("%q: %+v", line, answer)
		}
		c := past.Parse(line)
		if reading, ok := p.Read(c, record, sheetAt); ok && reading.Failed && strings.TrimSpace(reading.Text()) == "" {
			t.Errorf("%q was refused without a word", line)
		}
		if c.Err != nil || c.Reads() || c.Dry != 0 {
			for _, change := range p.ChangesAfter(record) {
				if change.At == sheetAt && p.Records()[change.Record].Actor == "kubectl" {
					t.Errorf("%q has changed %s", line, change.Object().Key())
				}
			}
		}
	})
}

// TestSelectableFields: each type has fields of its own that --field-selector knows.
func TestSelectableFields(t *testing.T) {
	scenario := sheetScenario()
	for line, want := range map[string]string{
		"get pods -o name --field-selector spec.serviceAccountName=default,spec.hostNetwork=false,metadata.name=db-0": "pod/db-0",
		"get pods -o name --field-selector spec.schedulerName!=default-scheduler":                                     "",
		"get pods -o name --field-selector spec.host=,status.nominatedNodeName=":                                      "",
		"get jobs --field-selector foo=bar":                                                                           `field label "foo" not supported for Job`,
		"get secrets --field-selector foo=bar":                                                                        "field label not supported: foo",
		"get pvc --field-selector foo=bar":                                                                            `"foo" is not a known field selector: only "metadata.name", "metadata.namespace"`,
	} {
		got := answerAt(t, scenario, line).Text()
		if want == "" && got != "" || !strings.Contains(got, want) {
			t.Errorf("$ %s\ngot  %q\nwant %q", line, got, want)
		}
	}
}

// TestDescribeCronJob: what nobody gave is what the server fills in, or is not set.
func TestDescribeCronJob(t *testing.T) {
	const text = `apiVersion: batch/v1
kind: CronJob
metadata: {name: nightly}
spec:
  schedule: "0 3 * * *"
  startingDeadlineSeconds: 30
  failedJobsHistoryLimit: 0
  jobTemplate: {spec: {completions: 2, template: {spec: {containers: [{name: main, image: busybox}]}}}}
---
apiVersion: v1
kind: Pod
metadata: {name: web}
spec: {containers: [{name: web, image: web}]}
`
	got := strings.Join(strings.Fields(answerAt(t, text, "describe cronjob nightly").Text()), " ")
	for _, want := range []string{"Concurrency Policy: Allow Suspend: False Time Zone: <unset> Successful Job History Limit: 3 Failed Job History Limit: 0 " +
		"Starting Deadline Seconds: 30s Selector: <unset> Parallelism: <unset> Completions: 2 Pod Template:", "Active Jobs: <none> Events: <none>"} {
		if !strings.Contains(got, want) {
			t.Errorf("got %s\nwant %s", got, want)
		}
	}
}
