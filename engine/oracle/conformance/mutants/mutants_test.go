// Package mutants judges the judges: it changes the rules of the engine, one at a time, and expects conformance to notice.
//
// A judge that says "0 different" is worth something only if it says something else when a rule is wrong. mutants.txt is a table of
// small changes to controllers, scheduler, evictions and queues. All of them are compiled into one program, each behind a number
// that the environment chooses, so a mutant costs a run and no build. results.txt is what the last complete run has found
// (`make mutants-judge` writes it); the other tests run a few mutants again, on the scenario that showed each of them.
package mutants

import (
	"bytes"
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

var (
	all    = flag.Bool("all", false, "run every mutant and write results.txt")
	only   = flag.String("only", "", "with -all: run only the mutants whose names match this expression, and write nothing")
	number = flag.Int("n", 60, "with -all: how many random scenarios of a kind to compare")
)

const (
	seed     = "41"
	patience = 5 * time.Minute // for one judge and one mutant
)

// judge is a program that compares the engine with Kubernetes.
type judge struct {
	pkg  string // of the test that judges; "": the command conformance, which compares random scenarios
	args []string
}

// judges are the names that mutants.txt uses, besides the kinds of random scenarios.
var judges = map[string]judge{
	"fullseconds": {"compare", []string{"-test.run=^TestFullSeconds$"}},
	"evictions":   {"compare", []string{"-test.run=^TestEvictions$"}},
	"placements":  {"compare", []string{"-test.run=^TestPlacements$"}},
	"smallworlds": {"compare", []string{"-test.run=^TestSmallWorlds$"}},
	"written":     {"compare", []string{"-test.run=^TestWritten$"}},
	"autoscaler":  {"upstream", []string{"-test.run=^TestAutoscaler$"}},
	"jsonpath":    {"kubectl", []string{"-test.run=^TestJSONPath$"}},
	"kubelet":     {"podlife", []string{"-test.run=^TestJudged$"}},
	"merges":      {"kubectl", []string{"-test.run=^(TestApplies|TestStrategicPatches)$"}},
	"ports":       {"kubectl", []string{"-test.run=^TestRepeatedPorts$"}},
	"limits":      {"realcluster", []string{"-test.run=^TestLimits$"}},
	"quantities":  {"values", []string{"-test.run=^TestQuantities$"}},
	"selectors":   {"values", []string{"-test.run=^(TestLabelSelectors|TestFieldSelectors)$"}},
	"services":    {"kubectl", []string{"-test.run=^TestServices$"}},
	"objects":     {"values", []string{"-test.run=^Test(Changed)?Objects$"}},
	"cluster":     {"realcluster", []string{"-test.run=^TestTable$"}},
}

// programs are the judges, compiled with all mutants.
type programs struct {
	dir, overlay string
	built        map[string]string
}

func newPrograms(t *testing.T, list []*mutant) *programs {
	return &programs{dir: t.TempDir(), overlay: overlay(t, list), built: map[string]string{}}
}

// program compiles the judges of a package, once.
func (p *programs) program(t *testing.T, pkg string) string {
	if file := p.built[pkg]; file != "" {
		return file
	}
	file := filepath.Join(p.dir, "judge-"+pkg)
	args := []string{"build", "-ldflags=-s -w", "-overlay", p.overlay, "-o", file, ".."}
	if pkg != "" {
		args = []string{"test", "-c", "-ldflags=-s -w", "-overlay", p.overlay, "-o", file, "../" + pkg}
	}
	if out, err := exec.Command("go", args...).CombinedOutput(); err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	p.built[pkg] = file
	return file
}

// verdict is what a judge says about a mutant.
type verdict struct {
	text  string // for results.txt
	found bool
	first int // the first scenario that differs, -1 if the judge has none
}

// run asks a judge about a mutant; number 0 is the engine as it is.
func (p *programs) run(t *testing.T, mutant int, name string, args ...string) verdict {
	j, isTest := judges[name]
	if !isTest {
		j.args = append([]string{"-kind", name, "-seed", seed, "-noshrink"}, args...)
	}
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	cmd := exec.CommandContext(ctx, p.program(t, j.pkg), j.args...)
	cmd.Dir = filepath.Join("..", j.pkg)
	cmd.Env = append(os.Environ(), "MUTANT="+strconv.Itoa(mutant))
	out, err := cmd.CombinedOutput()
	var exit *exec.ExitError
	switch {
	case ctx.Err() != nil:
		return verdict{"does not end", true, -1}
	case err != nil && !errors.As(err, &exit):
		t.Fatalf("%s: %v", name, err)
	case isTest:
		return verdictOfTest(out, err != nil)
	}
	return verdictOfKind(t, out)
}

var (
	summary  = regexp.MustCompile(`(?m)^(\d+) scenarios, .* (\d+) different$`)
	scenario = regexp.MustCompile(`(?m)^scenario (\d+) of seed`)
	world    = regexp.MustCompile(`(?:world|seed) (\d+): `)

	// In results.txt: a judge has noticed the mutant; the first scenario that shows it to its first judge.
	noticed    = regexp.MustCompile(`[1-9]\d* of \d+|differs|panics|does not end`)
	firstShown = regexp.MustCompile(`^[^;]*, first (\d+)`)
)

func verdictOfKind(t *testing.T, out []byte) verdict {
	sum := summary.FindSubmatch(out)
	if sum == nil {
		if bytes.Contains(out, []byte("panic: ")) {
			return verdict{"panics", true, -1}
		}
		t.Fatalf("not the output of a judge:\n%s", out)
	}
	v := verdict{text: fmt.Sprintf("%s of %s", sum[2], sum[1]), found: string(sum[2]) != "0", first: -1}
	if at := scenario.FindSubmatch(out); at != nil {
		v.first, _ = strconv.Atoi(string(at[1]))
		v.text += fmt.Sprintf(", first %d", v.first)
	}
	return v
}

// verdictOfTest reads the output of a test, which ends with its first difference.
func verdictOfTest(out []byte, failed bool) verdict {
	v := verdict{"no difference", failed, -1}
	if failed {
		v.text = "differs"
		if at := world.FindSubmatch(out); at != nil {
			v.text += " in world " + string(at[1])
		}
	}
	return v
}

// TestMutants runs every mutant past all its judges with -all, and otherwise a few on the scenario that shows them.
func TestMutants(t *testing.T) {
	list := readMutants(t)
	p := newPrograms(t, list)
	if !*all {
		sample(t, list, p)
		return
	}
	var table strings.Builder
	wanted := regexp.MustCompile(*only)
	for _, m := range list {
		if !wanted.MatchString(m.name) {
			continue
		}
		found, line := false, ""
		for n := *number; !found && n <= 4**number; n *= 4 { // what is rare needs more scenarios
			line = m.name + ":"
			for _, name := range m.judges {
				v := p.run(t, m.number, name, "-n", strconv.Itoa(n))
				found = found || v.found
				line += fmt.Sprintf(" %s %s;", name, v.text)
			}
		}
		if !found {
			t.Errorf("no judge notices: %s", m.name)
		}
		line = strings.TrimSuffix(line, ";") + "\n"
		fmt.Print(line)
		table.WriteString(line)
	}
	if *only == "" {
		head := fmt.Sprintf("# What the judges said about each mutant: of %d random scenarios of seed %s so many differ, and the first is this one.\n", *number, seed)
		if err := os.WriteFile("results.txt", []byte(head+table.String()), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// everyth is how many mutants the sample skips.
const everyth = 12

// sample runs some mutants on the first scenario in which each differed. That scenario does not differ without a mutant.
func sample(t *testing.T, list []*mutant, p *programs) {
	shown := readResults(t, list)
	for i := 0; i < len(list); i++ {
		m := list[i]
		kind, first := m.judges[0], shown[m.name]
		if i%everyth != 0 || first < 0 {
			continue
		}
		if v := p.run(t, m.number, kind, "-only", strconv.Itoa(first)); !v.found {
			t.Errorf("%s: scenario %d of kind %s shows it no longer", m.name, first, kind)
		}
		if v := p.run(t, 0, kind, "-only", strconv.Itoa(first)); v.found {
			t.Errorf("scenario %d of kind %s differs without a mutant", first, kind)
		}
	}
}

// readResults returns the first scenario that shows each mutant to its first judge, -1 if there is none. Every mutant has a line,
// in which a judge has noticed it.
func readResults(t *testing.T, list []*mutant) map[string]int {
	text, err := os.ReadFile("results.txt")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(text)), "\n")[1:]
	if len(lines) != len(list) {
		t.Fatalf("results.txt has %d mutants, mutants.txt %d: run make mutants-judge", len(lines), len(list))
	}
	shown := map[string]int{}
	for i, m := range list {
		said, ok := strings.CutPrefix(lines[i], m.name+": ")
		if !ok || !noticed.MatchString(said) {
			t.Fatalf("results.txt: %q does not say that %q was noticed: run make mutants-judge", lines[i], m.name)
		}
		shown[m.name] = -1
		if at := firstShown.FindStringSubmatch(said); at != nil {
			shown[m.name], _ = strconv.Atoi(at[1])
		}
	}
	return shown
}
