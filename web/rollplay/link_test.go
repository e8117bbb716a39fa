package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/link"
	"github.com/rollplay/rollplay/scenarios"
)

// TestLinks: the link of a scenario plays what the scenario itself plays, from wherever it was read.
func TestLinks(t *testing.T) {
	own := scenarios.Text("recreate") + "# mine\n"
	file := filepath.Join(t.TempDir(), "mine.yaml")
	if err := os.WriteFile(file, []byte(own), 0o644); err != nil {
		t.Fatal(err)
	}
	for _, name := range append(scenarios.Names(), file) {
		_, want, _ := command("", "run", name)
		code, printed, stderr := command("", "link", name, "-base", "https://rollplay.example/x/")
		url := strings.TrimSpace(printed)
		if code != 0 || stderr != "" || !strings.HasPrefix(url, "https://rollplay.example/x/#") {
			t.Errorf("%s: exit %d, %q, %s", name, code, printed, stderr)
		}
		_, fragment, _ := strings.Cut(url, "#")
		for _, arg := range []string{url, "#" + fragment, fragment} {
			if code, got, stderr := command("", "run", arg); code != 0 || got != want {
				t.Errorf("run %s: exit %d, %d bytes, want %d (%s)", arg, code, len(got), len(want), stderr)
			}
		}
	}
	if _, got, _ := command("", "link", "recreate"); got != "#s=recreate\n" {
		t.Errorf("the link of a shipped scenario is %q", got)
	}
	if _, got, _ := command(own, "link", "-"); !strings.HasPrefix(got, "#1.") {
		t.Errorf("the link of standard input is %q", got)
	}
}

// TestRunPlaysTheCommandsOfALink: a link holds more than a text.
func TestRunPlaysTheCommandsOfALink(t *testing.T) {
	fragment, err := link.Encode(link.Link{Preset: "recreate", Recording: engine.Recording{Scenario: scenarios.Text("recreate"),
		Commands: []engine.Command{{At: 31000, Run: "kubectl annotate deployment --all by=link"}}}})
	if err != nil {
		t.Fatal(err)
	}
	if code, out, stderr := command("", "run", "#"+fragment); code != 0 || !strings.Contains(out, "by=link") {
		t.Errorf("exit %d, %s", code, stderr)
	}
}

func TestWrongLinks(t *testing.T) {
	for _, tt := range []struct {
		args           []string
		code           int
		stdout, stderr string // parts
	}{
		{[]string{"run", "#1.dAAAAAAAA"}, 2, "", "This link is"},
		{[]string{"run", "#9.x"}, 2, "", "newer rollplay"},
		{[]string{"run", "https://rollplay.example/"}, 2, "", "This is not a rollplay link"},
		{[]string{"run", "#s=nowhere"}, 2, "", `"nowhere"`},
		{[]string{"link", "#s=recreate"}, 0, "#s=recreate", ""},
		{[]string{"link"}, 2, "", "expects 1 argument"},
		{[]string{"link", "nowhere.yaml"}, 2, "", `no scenario "nowhere.yaml"`},
		{[]string{"link", "01.yaml"}, 2, "", `no file and no scenario "01.yaml"`},
		{[]string{"link", "-"}, 2, "", "cannot be played"},
	} {
		code, stdout, stderr := command("kind: [", tt.args...)
		if code != tt.code || !strings.Contains(stdout, tt.stdout) || !strings.Contains(stderr, tt.stderr) || tt.code != 0 && stdout != "" {
			t.Errorf("%v: exit %d, %q, %q", tt.args, code, stdout, stderr)
		}
	}
}
