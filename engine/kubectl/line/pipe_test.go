package line

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/limits"
)

// through sends a text through the pipes of a line.
func through(t *testing.T, text, pipes string) string {
	c := Parse("get pods " + pipes)
	if c.Err != nil {
		t.Fatalf("%s: %v", pipes, c.Err)
	}
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	if text == "" {
		lines = nil
	}
	for i := range c.Filters {
		lines, _ = c.Filters[i].Apply(lines)
	}
	if len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// TestPipesAsShell: the programs behind pipes print what those of the system print.
func TestPipesAsShell(t *testing.T) {
	if _, err := exec.LookPath("grep"); err != nil {
		t.Skip("no grep")
	}
	programs := []string{"grep web", "grep -v Running", "grep -i RUNNING", "grep -c web", "grep ^web", "grep '0s$'", "grep -E 'web|db'", `grep 'web\|db'`,
		"grep w.b", "grep -vi 'READY'", "grep -E '^w|s$'", "grep -cv Running", "grep ''",
		"head -n 2", "head -3", "head", "head -n0", "tail -n 2", "tail -1", "tail -n +2", "tail -n +9", "tail", "wc -l", "sort", "sort -r", "sort -k2", "sort -k 3 -r",
		"cut -d- -f2", "cut -d ' ' -f 4", "cut -f1", "cut -f 2", "xargs", "sort -n", "sort -rn", "sort -k 4 -n", "sort -n -k4 -r"}
	r := rand.New(rand.NewPCG(1, 2))
	for range 400 {
		text := "NAME READY STATUS RESTARTS AGE\n"
		for range r.IntN(12) {
			text += fmt.Sprintf("%s-%d   %d/3  %s %s  %ds\n", []string{"web", "db", "Wab"}[r.IntN(3)], r.IntN(20), r.IntN(4),
				[]string{"Running", "Pending", "running"}[r.IntN(3)], []string{"0", "3", "12", "-1", "2.5 (4s ago)"}[r.IntN(5)], r.IntN(70))
		}
		pipes := ""
		for range 1 + r.IntN(3) {
			pipes += "| " + programs[r.IntN(len(programs))] + " "
		}
		sh := exec.Command("sh", "-c", "cat "+pipes)
		sh.Env, sh.Stdin = append(os.Environ(), "LC_ALL=C"), strings.NewReader(text)
		want, _ := sh.Output() // grep fails if it finds nothing
		if got := through(t, text, pipes); got != string(want) {
			t.Fatalf("%s\n%s\ngot\n%s\nwant\n%s", pipes, text, got, want)
		}
	}
}

// TestJQAsShell: what -o json has printed is printed as jq does.
func TestJQAsShell(t *testing.T) {
	text := `{"a": [], "b": {}, "c": ["x\u003cy\u003e\u0026", 1, true, null, {"d": "é"}], "e.f/g": {"\u0026": [[2], []], "h\"<": {"i": false}}}`
	for _, words := range [][]string{{"."}, {"-c", `paths|join(".")`}, {`paths|join(".")`}} {
		jq := exec.Command("jq", words...)
		jq.Stdin = strings.NewReader(text)
		want, err := jq.Output()
		if err != nil {
			t.Skip("no jq")
		}
		var printed bytes.Buffer
		if err := json.Indent(&printed, []byte(text), "", "    "); err != nil { // as kubectl does
			t.Fatal(err)
		}
		c := Parse("get pods -o json | jq '" + strings.Join(words, "' '") + "'")
		if got, _ := c.Filters[0].Apply(strings.Split(printed.String(), "\n")); strings.Join(got, "\n")+"\n" != string(want) {
			t.Errorf("jq %s\ngot\n%s\nwant\n%s", words, strings.Join(got, "\n"), want)
		}
	}
}

// TestJQPathsEnd: a tree whose paths would be many times as long as itself is not written out.
func TestJQPathsEnd(t *testing.T) {
	text := `{"` + strings.Repeat("k", limits.Output/3) + `": [` + strings.Repeat("0,", limits.Output/3) + `0]}`
	f := &Parse(`get pods -o json | jq -c 'paths|join(".")'`).Filters[0]
	if got, _ := f.Apply([]string{text}); len(got) > 10 {
		t.Errorf("got %d lines", len(got))
	}
}

// TestPipesRefused: what the programs here do not read is refused in a sentence that names what they do.
func TestPipesRefused(t *testing.T) {
	for line, want := range map[string]string{
		"get pods | jq .":                             "error: jq reads JSON: put it right behind -o json",
		"get pods -o json | grep x | jq":              "error: jq reads JSON: put it right behind -o json",
		"get pods -o json | jq -c":                    "error: rollplay's jq prints all of what it reads; -o jsonpath={.items[*].metadata.name} prints a part",
		"get pods -o json | jq -c .":                  "error: rollplay's jq prints all of what it reads; -o jsonpath={.items[*].metadata.name} prints a part",
		"get pods -o json | jq .items":                "error: rollplay's jq prints all of what it reads; -o jsonpath={.items[*].metadata.name} prints a part",
		"get pods | cut -d:":                          "error: rollplay is not a shell: its cut prints one field: cut -d/ -f3",
		"get pods | cut -f1,2":                        `error: rollplay does not model "1,2" of cut`,
		"get pods | xargs kubectl get":                `error: rollplay does not model "kubectl" of xargs`,
		"get pods | awk x":                            "error: rollplay is not a shell: behind | it has cut, grep, head, jq, sort, tail, wc -l and xargs, not awk",
		"get pods | wc":                               "error: rollplay is not a shell: it has wc -l, which counts lines",
		"get pods |":                                  "error: a command is missing behind |",
		"get pods | grep":                             "error: grep needs a text to look for",
		"get pods | grep 'a.*b'":                      `error: rollplay does not model the pattern "a.*b": its grep knows plain text, ^, $, . and, with -E, |`,
		"get pods | grep -A3 web":                     `error: rollplay does not model "-A3" of grep`,
		"get pods | grep a b":                         `error: rollplay does not model "b" of grep`,
		"get pods | head -n +2":                       `error: rollplay does not model "+2" of head`,
		"get pods | head -n":                          `error: rollplay does not model "" of head`,
		"get pods | sort -k1,2":                       `error: rollplay does not model "1,2" of sort`,
		"get pods | sort -k4n":                        `error: rollplay does not model "4n" of sort`,
		"get pods || get rs":                          "error: rollplay is not a shell and does not model || here: its prompt has here-documents, > FILE, pipes to cut, grep, head, jq, sort, tail, wc -l and xargs, echo $(kubectl …), ; && || and watch",
		"drain node-1 | grep x":                       "error: rollplay does not model a pipe or > behind kubectl drain, which prints more later",
		"get pods | grep " + strings.Repeat("a", 200): "error: rollplay reads at most 100 letters of a pattern, not 200",
	} {
		if c := Parse(line); c.Err == nil || ErrorText(c.Err) != want {
			t.Errorf("$ %s\ngot  %v\nwant %s", line, c.Err, want)
		}
	}
}
