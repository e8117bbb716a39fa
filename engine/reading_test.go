package engine

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/past"

	"golang.org/x/tools/txtar"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/words"
	"github.com/rollplay/rollplay/scenarios"
)

// TestReadGolden runs the sessions of kubectl/testdata: prose, a scenario, and what a terminal shows. A line that begins
// with "$ [at 12.5s] " is a command at a moment; what it prints later has its moment in front, what goes to stderr a !.
func TestReadGolden(t *testing.T) {
	files, err := filepath.Glob("kubectl/testdata/read-*.txtar")
	if err != nil || len(files) < 6 {
		t.Fatalf("sessions: %v %v", files, err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Comment) == 0 || len(archive.Files) != 2 || archive.Files[0].Name != "scenario.yaml" {
				t.Fatal("the file must have prose, a scenario.yaml and a session")
			}
			run := mustRun(t, string(archive.Files[0].Data))
			archive.Files[1].Data = session(t, run, string(archive.Files[1].Data))
			compareGolden(t, file, txtar.Format(archive))
		})
	}
}

// session carries out the commands of a session again.
func session(t *testing.T, run *Run, text string) []byte {
	var b strings.Builder
	for line := range strings.Lines(text) {
		rest, isCommand := strings.CutPrefix(line, "$ [at ")
		if !isCommand {
			continue
		}
		moment, command, _ := strings.Cut(strings.TrimSuffix(rest, "\n"), "] ")
		at, err := scenario.ParseDuration(moment)
		if err != nil {
			t.Fatalf("%s: %v", line, err)
		}
		if b.Len() > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(line)
		b.WriteString(answerText(answerTo(t, run, at, command), at))
	}
	return []byte(b.String())
}

// read carries out a reading command at a moment.
func answerTo(t testing.TB, run *Run, at int64, line string) *past.Reading {
	t.Helper()
	reading, ok := run.Past().Read(past.Parse(line), run.Past().Find(at), at)
	if !ok {
		t.Fatalf("%q does not read", line)
	}
	return reading
}

func answerText(r *past.Reading, at int64) string {
	var b strings.Builder
	for _, l := range r.Lines {
		if l.T != at {
			fmt.Fprintf(&b, "[%ss] ", words.Seconds(l.T))
		}
		if l.Stderr {
			b.WriteString("! ")
		}
		b.WriteString(l.Text + "\n")
	}
	if r.Failed {
		b.WriteString("(exit 1)\n")
	}
	if r.Open {
		b.WriteString("(goes on)\n")
	}
	return b.String()
}

// lettered returns the lines of a stream as they are, but with ReplicaSets named by their letters and blanks joined.
func lettered(run *Run, r *past.Reading, from int) (lines []string) {
	names := letters(run)
	for _, l := range r.Lines[from:] {
		words := strings.Fields(l.Text)
		words[0] = names[words[0]]
		lines = append(lines, strings.Join(words, " "))
	}
	return lines
}

// T-1, R-24, GC-5: `kubectl get rs -w` of ten replicas with 25 % and 25 %, begun in the moment of the update: each row of
// the published trace with its AGE (K-50, K-51).
func TestReadWatchRows(t *testing.T) {
	run := mustRun(t, scenarioOf(`seed: 37, images: [{match: "*", pull: 200ms, start: 300ms, ready: 0s..8s, stop: 3s}],
  timeline: [{at: 20s, run: kubectl set image deployment/web web=nginx:2}]`, "replicas: 10, "+probedPod))
	r := answerTo(t, run, 19_999, "kubectl get rs -w")
	if !r.Open || r.Failed || !slices.Equal(strings.Fields(r.Lines[0].Text), []string{"NAME", "DESIRED", "CURRENT", "READY", "AGE"}) {
		t.Fatalf("begins with %q, open %t", r.Lines[0].Text, r.Open)
	}
	rows := lettered(run, r, 1)
	var sets [2][]string // of the old and the new ReplicaSet, without AGE
	for i, row := range rows {
		words := strings.Fields(row)
		set := 0
		if words[0] == "b" {
			set = 1
		}
		sets[set] = append(sets[set], strings.Join(words[1:4], " "))
		created := int64(0)
		if set == 1 {
			created = 20_000
		}
		if age := print.Age(r.Lines[i+1].T - created); words[4] != age {
			t.Errorf("row %q at %d ms: AGE must be %s", row, r.Lines[i+1].T, age)
		}
	}
	wantRows(t, "old", slices.Compact(slices.Clone(sets[0])), []string{
		"10 10 10", "8 10 10", "8 8 8", "7 8 8", "7 7 7", "5 7 7", "5 5 5", "4 5 5", "4 4 4",
		"3 4 4", "3 3 3", "2 3 3", "2 2 2", "1 2 2", "1 1 1", "0 1 1", "0 0 0"})
	wantRows(t, "new", slices.Compact(slices.Clone(sets[1])), []string{
		"3 0 0", "5 0 0", "5 3 0", "5 5 0", "5 5 1", "6 5 1", "6 6 1", "6 6 3", "8 6 3", "8 8 3", "8 8 4",
		"9 8 4", "9 9 4", "9 9 5", "10 9 5", "10 10 5", "10 10 6", "10 10 7", "10 10 8", "10 10 9", "10 10 10"})
	// each size of the old one is first asked for, then observed, then reached: "2 3 3", "2 3 3", "2 2 2".
	for _, want := range []string{"7 8 8", "5 7 7", "4 5 5", "3 4 4", "2 3 3", "1 2 2", "0 1 1"} {
		n := 0
		for _, row := range sets[0] {
			if row == want {
				n++
			}
		}
		if n != 2 {
			t.Errorf("%s must stand there twice, not %d times", want, n)
		}
	}
	// K-50: one row for each change, also where nothing differs that is shown: the old pods that vanish at the end.
	changes := 0
	for _, c := range run.world.server.Store.Log {
		if c.Object().Key().Kind == api.KindReplicaSet && c.At >= 20_000 {
			changes++
		}
	}
	if len(rows) != 1+changes {
		t.Errorf("%d rows for one ReplicaSet and %d changes", len(rows), changes)
	}
	if n := len(sets[0]) - slices.Index(sets[0], "0 0 0"); n < 3 {
		t.Errorf("T-1: %d rows 0 0 0, want one and more as the pods vanish", n)
	}
}

// T-2, K-1, K-2: the lines of `kubectl rollout status` for the same update, counted.
func TestReadRolloutStatus(t *testing.T) {
	run := mustRun(t, scenarioOf(`seed: 37, images: [{match: "*", pull: 200ms, start: 300ms, ready: 0s..8s, stop: 3s}],
  timeline: [{at: 20s, run: kubectl set image deployment/web web=nginx:2}]`, "replicas: 10, "+probedPod))
	r := answerTo(t, run, 20_000, "kubectl rollout status deployment/web")
	var texts []string
	for _, l := range r.Lines {
		texts = append(texts, l.Text)
	}
	const waiting = `Waiting for deployment "web" rollout to finish: `
	var want []string
	for _, n := range []int{3, 5, 6, 8, 9} {
		want = append(want, waiting+strconv.Itoa(n)+" out of 10 new replicas have been updated...")
	}
	for _, n := range []int{3, 2, 1} {
		want = append(want, waiting+strconv.Itoa(n)+" old replicas are pending termination...")
	}
	got := slices.Compact(slices.Clone(texts))
	got = slices.DeleteFunc(got, func(s string) bool {
		return s == "Waiting for deployment spec update to be observed..." || strings.Contains(s, ": 0 out of 10") || strings.Contains(s, "are available")
	})
	wantRows(t, "lines", got, append(want, `deployment "web" successfully rolled out`))
	if texts[0] != "Waiting for deployment spec update to be observed..." || r.Open || r.Failed {
		t.Errorf("begins with %q, open %t, failed %t", texts[0], r.Open, r.Failed)
	}
}

// TestReadKeepsToItsMoment: whatever the moment and however far the run is computed, what is printed does not change.
func TestReadKeepsToItsMoment(t *testing.T) {
	text := scenarios.Text("first-rollout")
	whole := mustRun(t, text)
	part, _ := Start(Recording{Scenario: text})
	for part.Now() < 12_000 {
		part.Advance(1)
	}
	for _, line := range []string{"get rs -w", "get pods -w", "get deploy -w", "rollout status deploy/nginx-deployment", "get events -w", "events -w",
		"get pods -o wide", "describe deploy", "get deploy,rs,pods -o yaml"} {
		at := part.Past().At(part.Len()-1) - 500
		half, full := answerTo(t, part, at, line), answerTo(t, whole, at, line)
		if len(half.Lines) == 0 || len(half.Lines) > len(full.Lines) || !slices.Equal(half.Lines, full.Lines[:len(half.Lines)]) {
			t.Errorf("%s: %d lines of a run that is computed in part, %d of the whole; they differ", line, len(half.Lines), len(full.Lines))
		}
		if !slices.IsSortedFunc(full.Lines, func(a, b past.ReadLine) int { return int(a.T - b.T) }) {
			t.Errorf("%s: not in the order of time", line)
		}
	}
}

// TestReadWatchEndsInTheList: the last row that a watch shows of each object is the row that get shows at the end.
func TestReadWatchEndsInTheList(t *testing.T) {
	for _, name := range scenarios.Names() {
		run := mustRun(t, scenarios.Text(name))
		for _, kind := range []string{"deploy", "rs", "pods"} {
			last := map[string]string{}
			gone := map[string]bool{}
			for _, c := range run.world.server.Store.Log {
				gone[c.Object().Key().Name] = c.New == nil
			}
			for _, l := range answerTo(t, run, 0, "get "+kind+" -w --no-headers").Lines {
				words := strings.Fields(l.Text)
				last[words[0]] = strings.Join(words[:4], " ")
			}
			for _, l := range answerTo(t, run, run.Now(), "get "+kind+" --no-headers").Lines {
				words := strings.Fields(l.Text)
				if got := strings.Join(words[:4], " "); !l.Stderr && last[words[0]] != got {
					t.Errorf("%s: get shows %q, the watch ends with %q", name, got, last[words[0]])
				}
				delete(last, words[0])
			}
			for object := range last {
				if !gone[object] {
					t.Errorf("%s: the watch has %s, get has not", name, object)
				}
			}
		}
	}
}

// TestReadOrWrite: Read takes the lines that read, and leaves the others to a run with one more command.
func TestReadOrWrite(t *testing.T) {
	run := mustRun(t, scenarios.Text("three-replicas"))
	for line, want := range map[string]bool{
		"kubectl get pods": true, "get nonsense": true, "get pods --nonsense": true, "describe pod x": true, "version": true,
		"rollout status deploy/x": true, "rollout history deploy/x": true, "explain deploy": true, "events": true, "scale --help": true,
		"kubectl scale deploy/web --replicas=3": false, "delete pods --all": false, "rollout undo deploy/web": false, "nonsense": false,
		"": false, "get 'pods": false,
	} {
		if _, ok := run.Past().Read(past.Parse(line), run.Len()-1, run.Now()); ok != want {
			t.Errorf("%q: reads %t, want %t", line, ok, want)
		}
	}
}

// TestReadInTheTimeline: a scenario's own command reads, too. Its answer is what is printed in that moment.
func TestReadInTheTimeline(t *testing.T) {
	run := mustRun(t, scenarioOf(`images: [{match: "*", pull: 1s, start: 300ms, stop: 3s}], timeline: [
    {at: 10s, run: kubectl set image deployment/web web=nginx:2}, {at: 10500ms, run: kubectl get rs -w},
    {at: 10600ms, run: kubectl rollout status deployment/web}, {at: 10700ms, run: kubectl get pods nope}]`, "replicas: 3, "+plainPod))
	var answers []Record
	for i := range run.Len() {
		if r := run.Record(i); r.Kind == Input && r.T > 10_000 {
			answers = append(answers, r)
		}
	}
	if len(answers) != 3 {
		t.Fatalf("%d answers", len(answers))
	}
	names := letters(run)
	rows := strings.Split(answers[0].What, "\n")
	if len(rows) != 3 || names[strings.Fields(rows[1])[0]] == "" || !strings.Contains(rows[0], "DESIRED") {
		t.Errorf("the list must be there and nothing else: %q", answers[0].What)
	}
	if want := `Waiting for deployment "web" rollout to finish: 1 out of 3 new replicas have been updated...`; answers[1].What != want || answers[1].Failed {
		t.Errorf("rollout status: %q", answers[1].What)
	}
	if want := `Error from server (NotFound): pods "nope" not found`; answers[2].What != want || !answers[2].Failed {
		t.Errorf("get pods nope: %+v", answers[2])
	}
	if got := answerTo(t, run, 10_500, "kubectl get rs"); got.Text() != answers[0].What {
		t.Errorf("at the same moment Read prints\n%s\nand the timeline\n%s", got.Text(), answers[0].What)
	}
}

// TestReadEverywhere: no command fails in a way of its own at any moment of any scenario, and each prints something.
func TestReadEverywhere(t *testing.T) {
	lines := []string{"get all", "get all -A -o wide", "get nodes,quota,events -o wide --show-labels -L app", "get deploy,rs,pods,nodes,events -o yaml",
		"get pods -o json", "get rs -o name", "get pods --sort-by=.status.containerStatuses[0].restartCount", "get pods --field-selector status.phase=Running",
		"describe deploy", "describe rs", "describe pods", "describe nodes", "describe quota", "events", "events -A --types=Warning -w",
		"rollout history deploy", "rollout status deploy", "get pods -w -o name", "get events -w", "explain pod.spec.containers --recursive"}
	for _, name := range scenarios.Names() {
		run := mustRun(t, scenarios.Text(name))
		for _, at := range []int64{0, 1, 3_000, 10_001, 11_300, run.Now()} {
			for _, line := range lines {
				r := answerTo(t, run, at, line)
				for _, l := range r.Lines {
					if strings.Contains(l.Text, "%!") || strings.HasPrefix(l.Text, "error: ") && !strings.Contains(l.Text, "deadline") && !strings.Contains(l.Text, "deleted") && !strings.Contains(l.Text, "find any field") {
						t.Errorf("%s at %d ms: %s prints %q", name, at, line, l.Text)
					}
				}
				if len(r.Lines) == 0 && !r.Open && !strings.Contains(line, "-o name") && line != "rollout history deploy" {
					t.Errorf("%s at %d ms: %s prints nothing", name, at, line)
				}
			}
		}
	}
}

// BenchmarkReadPods is what the page calls when somebody types `get pods` in a cluster of 1,000 pods.
func BenchmarkReadPods(b *testing.B) {
	run := mustRun(b, scenarioOf(`images: [{match: "*", pull: 200ms, start: 300ms, stop: 3s}]`, "replicas: 1000, "+plainPod))
	record := run.Len() - 1
	if n := len(run.Past().Objects(api.KindPod, record)); n != 1000 {
		b.Fatalf("%d pods", n)
	}
	for _, line := range []string{"get pods", "get pods -o wide", "get events", "describe deploy"} {
		b.Run(strings.ReplaceAll(line, " ", "_"), func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				if r, _ := run.Past().Read(past.Parse(line), record, run.Now()); len(r.Lines) < 10 {
					b.Fatal(len(r.Lines))
				}
			}
		})
	}
}
