// Package runs computes scenarios for the tests of packages that read a run.
package runs

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/rollplay/rollplay/engine"
)

// Of computes a scenario to its end.
func Of(t testing.TB, text string, commands ...engine.Command) *engine.Run {
	t.Helper()
	run, diagnostics := engine.Start(engine.Recording{Scenario: text, Commands: commands})
	for _, d := range diagnostics {
		if !d.Warning {
			t.Fatalf("the scenario has an error: %s", d)
		}
	}
	return run.Finish()
}

// Lines computes a scenario with a command or an action each 30 seconds.
func Lines(t testing.TB, text string, lines ...string) *engine.Run {
	t.Helper()
	var commands []engine.Command
	for i, line := range lines {
		c := engine.Command{At: int64(30_000 * (i + 1)), Run: line}
		if strings.HasPrefix(line, "kill ") {
			c.Run, c.Do = "", line
		}
		commands = append(commands, c)
	}
	return Of(t, text, commands...)
}

// Golden computes the scenario of a txtar file of engine/testdata, for the tests of a folder of engine.
func Golden(t testing.TB, name string) *engine.Run {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("..", "testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return Of(t, string(archive.Files[0].Data))
}

// Recorded calls a function for each file of a txtar file. What it returns, unless that is empty, must be what the file has; an update
// writes it there.
func Recorded(t testing.TB, path string, update bool, resultOf func(name, text string) string) {
	t.Helper()
	archive, err := txtar.ParseFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, f := range archive.Files {
		got := resultOf(f.Name, string(f.Data))
		if got == "" {
			continue
		}
		if archive.Files[i].Data = []byte(got); got != string(f.Data) && !update {
			t.Errorf("%s: got\n%s\nwant\n%s", f.Name, got, f.Data)
		}
	}
	if update {
		if err := os.WriteFile(path, txtar.Format(archive), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// Trace returns the text of a run's trace.
func Trace(t testing.TB, run *engine.Run) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := engine.WriteText(&b, run); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// FirstPod returns the name of the first pod at a moment.
func FirstPod(t testing.TB, run *engine.Run, at int64) string {
	t.Helper()
	pods := run.Past().Pods(run.Past().Find(at), at)
	if len(pods) == 0 {
		t.Fatalf("no pod at %d ms", at)
	}
	return strings.TrimPrefix(pods[0].Key, "default/")
}
