package engine

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/rollplay/rollplay/scenarios"
)

var update = flag.Bool("update", false, "rewrite the golden traces in testdata")

// mustRun computes a scenario to its end.
func mustRun(t testing.TB, text string, commands ...Command) *Run {
	t.Helper()
	run, diagnostics := Start(Recording{Scenario: text, Commands: commands})
	for _, d := range diagnostics {
		if !d.Warning {
			t.Fatalf("the scenario has an error: %s", d)
		}
	}
	return run.Finish()
}

// traceOf returns the text of a run's trace.
func traceOf(t testing.TB, run *Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteText(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// TestGoldenScenarios compares the trace of each shipped scenario with the one in testdata/scenarios. The diff of these
// files is what a change of behaviour looks like.
func TestGoldenScenarios(t *testing.T) {
	for _, name := range scenarios.Names() {
		t.Run(name, func(t *testing.T) {
			compareGolden(t, filepath.Join("testdata", "scenarios", name+".txt"), traceOf(t, mustRun(t, scenarios.Text(name))))
		})
	}
}

// TestGoldenTraces runs the txtar files of testdata: a sentence or two of prose, a scenario, and the trace that it gives.
func TestGoldenTraces(t *testing.T) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no golden traces: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) {
			archive, err := txtar.ParseFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if len(archive.Comment) == 0 || len(archive.Files) == 0 || archive.Files[0].Name != "scenario.yaml" {
				t.Fatal("the file must begin with prose and a scenario.yaml")
			}
			trace := traceOf(t, mustRun(t, string(archive.Files[0].Data)))
			archive.Files = append(archive.Files[:1:1], txtar.File{Name: "trace.txt", Data: trace})
			compareGolden(t, file, txtar.Format(archive))
		})
	}
}

func compareGolden(t *testing.T, file string, got []byte) {
	t.Helper()
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, got, 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatalf("%v (make golden writes it)", err)
	}
	gotLines, wantLines := strings.Split(string(got), "\n"), strings.Split(string(want), "\n")
	for i := range max(len(gotLines), len(wantLines)) {
		g, w := lineAt(gotLines, i), lineAt(wantLines, i)
		if g != w {
			t.Fatalf("%s:%d differs (make golden rewrites it)\n got %s\nwant %s", file, i+1, g, w)
		}
	}
}

func lineAt(lines []string, i int) string {
	if i < len(lines) {
		return lines[i]
	}
	return "(end)"
}

// TestDeterministic: equal recordings give equal bytes. Go shuffles the order of every map again, so an order that leaks
// shows here.
func TestDeterministic(t *testing.T) {
	for _, name := range scenarios.Names() {
		var want []byte
		for i := range 3 {
			var b bytes.Buffer
			if err := WriteJSON(&b, mustRun(t, scenarios.Text(name))); err != nil {
				t.Fatal(err)
			}
			if i == 0 {
				want = b.Bytes()
			} else if !bytes.Equal(b.Bytes(), want) {
				t.Errorf("%s: run %d differs from the first one", name, i+1)
			}
		}
	}
}

// TestSlicesDoNotMatter: a run that is computed event by event is the run that is computed at once.
func TestSlicesDoNotMatter(t *testing.T) {
	text := scenarios.Text("first-rollout")
	want := traceOf(t, mustRun(t, text))
	run, _ := Start(Recording{Scenario: text})
	for !run.Advance(1) {
		run.Past().Tables(run.Len()-1, run.Now(), 1000) // reading in between must change nothing
	}
	if got := traceOf(t, run); !bytes.Equal(got, want) {
		t.Error("the trace differs")
	}
}

// TestActingKeepsThePast: a command given at a cursor leaves everything before it as it was.
func TestActingKeepsThePast(t *testing.T) {
	text := scenarios.Text("first-rollout")
	base := mustRun(t, text)
	for _, at := range []int64{0, 1, 5000, 10_001, 10_002, 11_300, 60_000} {
		act := base.ActAt(at)
		fork := mustRun(t, text, Command{At: act, Run: "kubectl scale deployment/nginx-deployment --replicas=4"})
		past := base.Past().Find(act - 1)
		for i := range past + 1 {
			if base.records()[i].What != fork.records()[i].What || base.Past().At(i) != fork.Past().At(i) {
				t.Fatalf("at %d ms: record %d was %q and became %q", at, i, base.Record(i).What, fork.Record(i).What)
			}
		}
		if got := fork.Record(past + 1); got.Kind != Input || got.T != act {
			t.Errorf("at %d ms: the next record is %+v, want the command", at, got)
		}
	}
}
