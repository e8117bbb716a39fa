package main

import (
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/oracle/conformance/compare"
	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
	"github.com/rollplay/rollplay/engine/oracle/conformance/upstream"
	"github.com/rollplay/rollplay/scenarios"
)

func TestMain(m *testing.M) {
	upstream.Quiet()
	os.Exit(m.Run())
}

// TestRandomScenarios compares a small sample of each kind; `go run . -n 5000` compares a large one.
func TestRandomScenarios(t *testing.T) {
	const seed = 1
	for kind, n := range map[string]int{"deployment": 200, "statefulset": 40, "daemonset": 40, "pdb": 25, "story": 30} {
		t.Run(kind, func(t *testing.T) {
			syncs, evictions := 0, 0
			for k := range n {
				s := generate.New(kind, seed, k)
				v := compare.Scenario(t, s.Text())
				syncs, evictions = syncs+v.Syncs, evictions+v.Evictions
				if v.Difference != nil && v.Known == "" {
					t.Errorf("scenario %d of seed %d: %s\nsimplify it with: go run . -kind %s -seed %d -only %d",
						k, seed, v.Difference, kind, seed, k)
				}
			}
			if syncs < 25*n {
				t.Errorf("only %d reconciles were compared in %d scenarios", syncs, n)
			}
			if kind == "pdb" && evictions < 5*n {
				t.Errorf("only %d evictions were compared in %d scenarios", evictions, n)
			}
		})
	}
}

// thousands finds numbers that are written with a comma.
var thousands = regexp.MustCompile(`(\d),(\d{3})`)

// TestShippedScenarios compares the scenarios of the playground. The page /fidelity/ says how many they are, and how many reconciles.
func TestShippedScenarios(t *testing.T) {
	syncs := 0
	for _, name := range scenarios.Names() {
		v := compare.Scenario(t, scenarios.Text(name))
		if syncs += v.Syncs; v.Difference != nil {
			t.Errorf("%s: %s", name, v.Difference)
		}
	}
	said, err := os.ReadFile("../../fidelity/results.txt")
	if err != nil {
		t.Fatal(err)
	}
	now := fmt.Sprintf("the %d shipped scenarios, %d compared", len(scenarios.Names()), syncs)
	if !strings.Contains(thousands.ReplaceAllString(string(said), "$1$2"), now) {
		t.Errorf("results.txt does not say: %s", now)
	}
}

// TestFixedDifferences compares scenarios in which the engine once differed.
func TestFixedDifferences(t *testing.T) {
	files, err := filepath.Glob("testdata/fixed/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if v := compare.Scenario(t, string(b)); v.Difference != nil {
			t.Errorf("%s: %s", f, v.Difference)
		}
	}
}

// TestKnownDifferences fails when a known difference no longer occurs: then remove its entry.
func TestKnownDifferences(t *testing.T) {
	for _, k := range compare.KnownDifferences {
		b, err := os.ReadFile(filepath.Join("testdata", "known", k.Name+".yaml"))
		if err != nil {
			t.Error(err)
			continue
		}
		if v := compare.Scenario(t, string(b)); v.Known != k.Name {
			t.Errorf("%s.yaml no longer shows its difference, but %v; remove the entry if it is fixed", k.Name, v.Difference)
		}
	}
}

// TestRepeatable compares a scenario twice: nothing may depend on the order in which goroutines run.
func TestRepeatable(t *testing.T) {
	for _, kind := range generate.Kinds {
		text := generate.New(kind, 3, 11).Text()
		first, second := compare.Scenario(t, text), compare.Scenario(t, text)
		if first.Syncs != second.Syncs || first.Wakes != second.Wakes {
			t.Errorf("%s: %d reconciles and %d wakes, then %d and %d", kind, first.Syncs, first.Wakes, second.Syncs, second.Wakes)
		}
	}
}
