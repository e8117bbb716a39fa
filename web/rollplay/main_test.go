package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/version"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/scenarios/tries"
)

// command runs one command line and returns what it prints.
func command(in string, args ...string) (code int, stdout, stderr string) {
	var out, err bytes.Buffer
	code = execute("rollplay", args, console{strings.NewReader(in), &out, &err, countedWatch()})
	return code, out.String(), err.String()
}

func TestExitCodes(t *testing.T) {
	tests := []struct {
		args           string
		code           int
		stdout, stderr string // parts
	}{
		{"", 2, "", "Usage:"},
		{"help", 0, "Usage:", ""},
		{"serve -h", 0, "Usage:", ""},
		{"conquer", 2, "", `no command "conquer"`},
		{"serve -port 1", 2, "", "-port"},
		{"serve -addr nowhere", 2, "", "-addr"},
		{"serve here", 2, "", "expects 0 arguments"},
		{"build -x", 2, "", "-x"},
		{"run", 2, "", "expects 1 argument, got 0"},
		{"run a b", 2, "", "expects 1 argument, got 2"},
		{"run -o xml first-rollout", 2, "", `not "xml"`},
		{"run nowhere.yaml", 2, "", `no scenario "nowhere.yaml"; the scenarios are: deployment-to-pods`},
		{"version", 0, "rollplay " + version.Number, ""},
		{"run first-rollout", 0, "nginx-deployment", ""},
		{"run first-rollout -o text", 0, "nginx-deployment", ""},
	}
	for _, tt := range tests {
		t.Run(tt.args, func(t *testing.T) {
			code, stdout, stderr := command("", strings.Fields(tt.args)...)
			if code != tt.code || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) {
				t.Errorf("got %d\nstdout: %.300s\nstderr: %s\nwant %d, %q, %q", code, stdout, stderr, tt.code, tt.stdout, tt.stderr)
			}
			if code == 0 && stderr != "" {
				t.Errorf("it worked, and yet wrote to stderr: %s", stderr)
			}
		})
	}
}

func TestRunReadsAScenarioFromAnywhere(t *testing.T) {
	text := scenarios.Text("first-rollout")
	file := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	_, want, _ := command("", "run", "first-rollout")
	for _, name := range []string{file, "-"} {
		code, got, stderr := command(text, "run", name)
		if code != 0 || got != want {
			t.Errorf("run %s: exit %d, %d bytes, want %d (%s)", name, code, len(got), len(want), stderr)
		}
	}
}

func TestRunWritesJSON(t *testing.T) {
	for _, name := range scenarios.Names() {
		code, out, stderr := command("", "run", "-o", "json", name)
		if code != 0 || len(out) == 0 {
			t.Errorf("%s: exit %d, %d bytes: %s", name, code, len(out), stderr)
		}
		for d := json.NewDecoder(strings.NewReader(out)); d.More(); {
			var v any
			if err := d.Decode(&v); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
	}
}

// TestRunChecks: -check says which expectation does not hold, and exits with 1.
func TestRunChecks(t *testing.T) {
	code, stdout, stderr := command("", "run", "-check", "first-rollout")
	if code != 0 || !strings.Contains(stdout, "expectations hold") || stderr != "" {
		t.Errorf("first-rollout: got %d, %q, %q", code, stdout, stderr)
	}
	text := strings.Replace(scenarios.Text("first-rollout"), "  expect:\n", "  expect:\n  - {at: 9s, total: 7}\n", 1)
	line := 2 + strings.Count(text[:strings.Index(text, "  expect:\n")], "\n")
	want := fmt.Sprintf("-: error: document 1, line %d: spec.expect[0]: at 9s total is 10, not 7\n", line)
	if code, stdout, stderr := command(text, "run", "-check", "-"); code != 1 || stdout != "" || stderr != want {
		t.Errorf("got %d, %q, %q, want %q", code, stdout, stderr, want)
	}
}

// TestRunSaysWhereItIsWrong: an error names the document, the line and the field.
func TestRunSaysWhereItIsWrong(t *testing.T) {
	good := scenarios.Text("first-rollout")
	at := func(part string) string {
		return fmt.Sprintf("-: error: document 2, line %d: ", 1+strings.Count(good[:strings.Index(good, part)], "\n"))
	}
	tests := []struct{ name, text, want string }{
		{"value", strings.Replace(good, "maxSurge: 25%", "maxSurge: many", 1), at("maxSurge: 25%") + "spec.strategy.rollingUpdate.maxSurge: "},
		{"field", strings.Replace(good, "  replicas: 10", "  replics: 10", 1), at("  replicas: 10")},
		{"syntax", strings.Replace(good, "  replicas: 10", " replicas: 10", 1), "-: error: document 2, line "},
		{"empty", "", "cannot be played"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			code, stdout, stderr := command(tt.text, "run", "-")
			if code != 2 || stdout != "" || !strings.Contains(stderr, tt.want) {
				t.Errorf("got %d, stdout %.100q, stderr %q, want 2 and %q", code, stdout, stderr, tt.want)
			}
		})
	}
}

// TestRunChecksGoals: -check of a link to a tried exercise says which goals are met, and exits with 1 if one is not.
func TestRunChecksGoals(t *testing.T) {
	for _, try := range tries.All() {
		fragment, err := link.Encode(link.Link{Recording: engine.Recording{Scenario: scenarios.Text(try.Exercise), Commands: try.Commands}, Preset: try.Exercise})
		if err != nil {
			t.Fatal(err)
		}
		code, stdout, _ := command("", "run", "-check", "#"+fragment)
		if want := map[bool]int{true: 0, false: 1}[try.Solves]; code != want || !strings.Contains(stdout, "goals are met") || strings.Contains(stdout, "missed") == try.Solves {
			t.Errorf("%s, solution %v: exit %d, %s", try.Exercise, try.Solves, code, stdout)
		}
	}
}
