package line

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strings"
	"testing"
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
		kept, number := c.Filters[i].Apply(lines)
		var next []string
		if number != "" {
			next = []string{number}
		}
		for _, k := range kept {
			next = append(next, lines[k])
		}
		lines = next
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
		"sort -n", "sort -rn", "sort -k 4 -n", "sort -n -k4 -r"}
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

// TestPipesRefused: what the programs here do not read is refused in a sentence that names what they do.
func TestPipesRefused(t *testing.T) {
	for line, want := range map[string]string{
		"get pods | jq .":                             "error: rollplay is not a shell: behind | it has grep, head, sort, tail and wc -l, not jq",
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
		"get pods || get rs":                          "error: rollplay is not a shell and does not model || here: its prompt has here-documents, > FILE, pipes to grep, head, sort, tail and wc -l, ; && || and watch",
		"drain node-1 | grep x":                       "error: rollplay does not model a pipe or > behind kubectl drain, which prints more later",
		"get pods | grep " + strings.Repeat("a", 200): "error: rollplay reads at most 100 letters of a pattern, not 200",
	} {
		if c := Parse(line); c.Err == nil || ErrorText(c.Err) != want {
			t.Errorf("$ %s\ngot  %v\nwant %s", line, c.Err, want)
		}
	}
}
