package main

import (
	"bytes"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/words"
)

// escaped is a Deployment whose image tells a terminal to change its title and its colour, and hides the end of a name.
const escaped = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web, annotations: {kubernetes.io/change-cause: "\u202eevil\r\x1b[2J"}}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: "nginx:1\e]0;PWN\a\e[31m"}]}
`

// TestPrintsNothingThatATerminalObeys: whatever a scenario, a link or an argument contains, only visible characters are printed.
func TestPrintsNothingThatATerminalObeys(t *testing.T) {
	_, link, _ := command(escaped, "link", "-")
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "-"}, `\x1b]0;PWN\a\x1b[31m`},
		{[]string{"run", strings.TrimSpace(link)}, `\x1b]0;PWN\a\x1b[31m`},
		{[]string{"run", "-kubectl", "get deploy -o wide", "-"}, `nginx:1`},
		{[]string{"run", "-kubectl", "describe deploy", "-"}, `nginx:1`},
		{[]string{"run", "-kubectl", "rollout history deploy/web", "-"}, `\u202eevil`},
		{[]string{"run", "-kubectl", "get deploy -o yaml", "-"}, `nginx:1`},
		{[]string{"run", "-kubectl", "get \x1b[31mpods", "-"}, `x1b[31mpods`},
		{[]string{"run", "\x1b]0;PWN\a.yaml"}, `x1b]0;PWN`},
		{[]string{"\x1b[31m"}, `x1b[31m`},
		{[]string{"link", "-base", "https://x/\x1b\u202e", "-"}, `https://x/\x1b\u202e#1.`},
	} {
		_, stdout, stderr := command(escaped, tt.args...)
		out := stdout + stderr
		if words.Visible(out) != out || !strings.Contains(out, tt.want) {
			t.Errorf("%q prints %q, want %q", tt.args, out, tt.want)
		}
	}
}

// TestPrintsTheSameJSON: escapes don't change what a program reads.
func TestPrintsTheSameJSON(t *testing.T) {
	code, stdout, stderr := command(escaped, "run", "-o", "json", "-")
	if code != 0 || stderr != "" || words.Visible(stdout) != stdout {
		t.Fatalf("got %d, %q", code, stderr)
	}
	found := false
	for d := json.NewDecoder(strings.NewReader(stdout)); d.More(); {
		var v any
		if err := d.Decode(&v); err != nil {
			t.Fatal(err)
		}
		found = found || contains(v, "\x1b]0;PWN\a")
	}
	if !found {
		t.Error("the image is missing")
	}
}

// contains looks for a part in all strings of a JSON value.
func contains(v any, part string) bool {
	switch v := v.(type) {
	case string:
		return strings.Contains(v, part)
	case []any:
		for _, e := range v {
			if contains(e, part) {
				return true
			}
		}
	case map[string]any:
		for _, e := range v {
			if contains(e, part) {
				return true
			}
		}
	}
	return false
}

// endless yields zeros and counts them.
type endless struct{ read int }

func (e *endless) Read(p []byte) (int, error) {
	clear(p)
	e.read += len(p)
	return len(p), nil
}

// TestReadsAtMostTheLimit: input that never ends, or a file larger than the memory, is refused after a mebibyte.
func TestReadsAtMostTheLimit(t *testing.T) {
	const want = "larger than 1 MiB"
	for _, args := range [][]string{{"run", "-"}, {"link", "-"}, {"run", "-check", "-"}} {
		var in endless
		var out, err bytes.Buffer
		if code := execute("rollplay", args, console{&in, &out, &err, newWatch()}); code != 2 || !strings.Contains(err.String(), want) {
			t.Errorf("%q: got %d, %.200q", args, code, err.String())
		}
		if in.read > 2*limits.Text {
			t.Errorf("%q read %d bytes", args, in.read)
		}
	}
	sparse := filepath.Join(t.TempDir(), "sparse.yaml")
	if err := os.WriteFile(sparse, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Truncate(sparse, 10<<30); err != nil {
		t.Skip("no sparse files here:", err)
	}
	files := []string{sparse}
	if _, err := os.Stat("/dev/zero"); err == nil {
		files = append(files, "/dev/zero")
	}
	for _, name := range files {
		if code, _, stderr := command("", "run", name); code != 2 || !strings.Contains(stderr, want) {
			t.Errorf("%s: got %d, %.200q", name, code, stderr)
		}
	}
}

// TestLimitIsTheEngines: a text of the limit reaches the engine, which has the same one.
func TestLimitIsTheEngines(t *testing.T) {
	text := escaped + "#" + strings.Repeat(" ", limits.Text-len(escaped)-1)
	if code, _, stderr := command(text, "run", "-"); code != 0 {
		t.Errorf("a text of %d bytes: %d, %.200q", len(text), code, stderr)
	}
}
