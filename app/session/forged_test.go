package session

import (
	"encoding/json"
	"runtime"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/scenarios"
)

// forgedContents are drafts that another page of the origin may have written, each larger or wrong in another part. A browser gives an
// origin about five million characters.
func forgedContents() map[string]string {
	scenario := string(must(json.Marshal(scenarios.Text("recreate"))))
	whole := func(more string) string {
		return `{"version":1,"recording":{"scenario":` + scenario + `},"text":` + scenario + `,"applied":` + scenario + `,"factor":1,"loop":{}` + more + `}`
	}
	list := func(n int, part string) string {
		return strings.TrimSuffix(strings.Repeat(part+",", n), ",")
	}
	fork := `{"scenario":0,"applied":0,"records":3,"end":5,"branch":{"id":1,"parent":1,"tree":1}}`
	return map[string]string{
		"brackets":            strings.Repeat("[", 4_000_000),
		"a deep draft":        whole(`,"terminal":` + strings.Repeat(`{"typed":[`, 300_000)),
		"a million commands":  `{"version":1,"recording":{"scenario":` + scenario + `,"commands":[` + list(150_000, `{"at":1,"run":"get pods"}`) + `]},"text":"","applied":"","factor":1,"loop":{}}`,
		"commands of nothing": `{"version":1,"recording":{"scenario":` + scenario + `,"commands":[` + list(1_000_000, `{}`) + `]},"text":"","applied":"","factor":1,"loop":{}}`,
		"branches in circles": whole(`,"texts":[` + scenario + `],"forks":[` + list(40_000, fork) + `],"branches":-5,"branch":{"id":1,"parent":1,"tree":1,"from":{"n":-1}}`),
		"texts of nothing":    whole(`,"texts":[` + list(900_000, `""`) + `],"forks":[` + list(20, `{"scenario":800000,"applied":899999},{"scenario":900000,"applied":-1},{"scenario":0,"applied":900000}`) + `]`),
		"entries of null":     whole(`,"terminal":{"typed":[` + list(200_000, `null`) + `],"history":[` + list(200_000, `""`) + `]}`),
		"a long history":      whole(`,"terminal":{"history":["` + strings.Repeat("x", 4_000_000) + `"]}`),
		"entries of nothing":  whole(`,"terminal":{"typed":[` + list(200_000, `{}`) + `]}`),
		"types that are wrong": strings.ReplaceAll(whole(`,"forks":{"a":1},"texts":"x","terminal":[1],"branch":[],"address":{},"workload":7`), `"factor":1`,
			`"factor":"fast"`),
	}
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// TestForgedContents: whatever a draft holds, the visit shows a run or the first scenario, takes a command, saves, and allocates less than
// a tab may take.
func TestForgedContents(t *testing.T) {
	all := forgedContents()
	if len(all) != 10 {
		t.Errorf("%d drafts", len(all))
	}
	for name, data := range all {
		t.Run(name, func(t *testing.T) {
			if len(data) > 5_000_000 {
				t.Fatalf("%d bytes fit into no storage", len(data))
			}
			var before, after runtime.MemStats
			runtime.ReadMemStats(&before)
			s := New(false)
			s.Open(Kept{Draft: "d", Data: data}, "")
			for range 20 {
				s.Compute(100)
			}
			runtime.ReadMemStats(&after)
			if took := after.TotalAlloc - before.TotalAlloc; took > 350<<20 {
				t.Errorf("opening it allocates %d MB", took>>20)
			}
			if s.Computed.Latest() == nil && s.Visit.Notice.Text == "" {
				t.Error("there is no run, and not a word")
			}
			if s.Computed.Latest() == nil { // it says why
				s.LoadScenario(FirstScenario)
			} else {
				useDamaged(t, data)
			}
			if kept := s.Save(); len(kept) > len(data)+100_000 {
				t.Errorf("it is saved again with %d bytes", len(kept))
			}
		})
	}
}
