package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/scenarios"
)

func TestMain(m *testing.M) {
	quiet()
	os.Exit(m.Run())
}

// TestRandomScenarios compares a small sample of each kind; `go run . -n 5000` compares a large one.
func TestRandomScenarios(t *testing.T) {
	const seed = 1
	for kind, n := range map[string]int{"deployment": 200, "statefulset": 40, "daemonset": 40, "pdb": 25} {
		t.Run(kind, func(t *testing.T) {
			syncs, evictions := 0, 0
			for k := range n {
				s := generate(kind, seed, k)
				v := compare(t, s.text())
				syncs, evictions = syncs+v.syncs, evictions+v.evictions
				if v.difference != nil && v.known == "" {
					t.Errorf("scenario %d of seed %d: %s\nsimplify it with: go run . -kind %s -seed %d -only %d",
						k, seed, v.difference, kind, seed, k)
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

// TestShippedScenarios compares what the playground shows first.
func TestShippedScenarios(t *testing.T) {
	for _, name := range scenarios.Names() {
		if v := compare(t, scenarios.Text(name)); v.difference != nil {
			t.Errorf("%s: %s", name, v.difference)
		}
	}
}

// TestMendedDifferences compares scenarios in which the engine differed once.
func TestMendedDifferences(t *testing.T) {
	files, err := filepath.Glob("testdata/mended/*.yaml")
	if err != nil || len(files) == 0 {
		t.Fatalf("%d files, %v", len(files), err)
	}
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		if v := compare(t, string(b)); v.difference != nil {
			t.Errorf("%s: %s", f, v.difference)
		}
	}
}

// TestKnownDifferences fails when a known difference has gone: then its entry is to be removed.
func TestKnownDifferences(t *testing.T) {
	for _, k := range knownDifferences {
		b, err := os.ReadFile(filepath.Join("testdata", "known", k.name+".yaml"))
		if err != nil {
			t.Error(err)
			continue
		}
		if v := compare(t, string(b)); v.known != k.name {
			t.Errorf("%s.yaml does not show its difference any more, but %v; remove the entry if it is mended", k.name, v.difference)
		}
	}
}

// TestRepeatable compares a scenario twice: nothing may depend on the order in which goroutines run.
func TestRepeatable(t *testing.T) {
	for _, kind := range kinds {
		text := generate(kind, 3, 11).text()
		first, second := compare(t, text), compare(t, text)
		if first.syncs != second.syncs || first.wakes != second.wakes {
			t.Errorf("%s: %d reconciles and %d wakes, then %d and %d", kind, first.syncs, first.wakes, second.syncs, second.wakes)
		}
	}
}

// TestCompareActions hands the judge two lists of what was done, of which the second is upstream's.
func TestCompareActions(t *testing.T) {
	web := api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}
	scaled := func(text string) action { return action{what: "event", about: web, text: text} }
	stored := func(replicas string) action {
		d := (&manifest{replicas: replicas, image: 1}).text()
		return action{what: "update", about: web, object: readDeployment(t, d)}
	}
	for _, c := range []struct {
		name         string
		ours, theirs []action
		want         string // what differs, "" if nothing does
	}{
		{"nothing", nil, nil, ""},
		{"equal", []action{stored("3"), scaled("up")}, []action{stored("3"), scaled("up")}, ""},
		{"missing", []action{stored("3")}, []action{stored("3"), scaled("up")}, "actions"},
		{"other text", []action{scaled("up")}, []action{scaled("down")}, "actions"},
		{"other order", []action{stored("3"), scaled("up")}, []action{scaled("up"), stored("3")}, "actions"},
		{"other size", []action{stored("3")}, []action{stored("4")}, "Spec.Replicas of the stored Deployment/default/web"},
	} {
		j := newTestJudge()
		j.compareActions("test", web, c.ours, c.theirs)
		got := ""
		if j.first != nil {
			got = j.first.What
		}
		if got != c.want {
			t.Errorf("%s: differs in %q, want %q", c.name, got, c.want)
		}
	}
}

// TestShrink simplifies a scenario of which only one command matters.
func TestShrink(t *testing.T) {
	differs := func(s *scenario) (v verdict) {
		for _, c := range s.commands {
			if strings.Contains(c.run, "undo") {
				v.difference = &difference{Where: "deployment-controller syncs Deployment/default/web", What: "actions"}
			}
		}
		return v
	}
	for k := range 50 {
		s := generate("deployment", 5, k)
		v := differs(s)
		if v.difference == nil {
			continue
		}
		small := shrink(s, v.sort(), differs)
		m := *small.objects[0].(*manifest)
		if len(small.commands) != 1 || len(small.images) != 0 || m != (manifest{image: m.image}) {
			t.Errorf("scenario %d shrinks to\n%s", k, small.withTimeline(nil))
		}
	}
}
