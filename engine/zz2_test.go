package engine
import ("testing";"fmt";"math/rand";"path/filepath";"strings";"github.com/rollplay/rollplay/scenarios")
func TestZZD(t *testing.T) {
	seen := map[string]bool{}
	show := func(name string, run *Run) {
		for _, w := range run.Workloads() {
			last := ""
			for i := range run.Len() {
				if i+1 < run.Len() && run.At(i+1) == run.At(i) { continue }
				d := run.Diagnose(w, i, run.At(i))
				key := d.State+": "+d.Title
				if key != last { fmt.Println(name, run.At(i), key); last = key }
				for _, f := range d.Findings { if !seen[f.ID] { seen[f.ID]=true; fmt.Println(diagnosisText(d, "")) } }
			}
		}
	}
	for _, n := range scenarios.Names() { show(n, mustRun(t, scenarios.Text(n))) }
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, f := range files { n := strings.TrimSuffix(filepath.Base(f), ".txtar"); show(n, golden(t, n)) }
}
func TestZZDF(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	stuck := map[string]int{}
	for k := range 400 {
		data := make([]byte, 8+r.Intn(60))
		r.Read(data)
		text, commands := fuzzScenario(uint64(k), data)
		run, _ := Start(Recording{Scenario: text, Commands: commands})
		if run == nil { continue }
		run.Finish()
		for range 30 {
			i := r.Intn(run.Len())
			at := run.At(i)
			d := run.Diagnose(web, i, at)
			if d.State == "stuck" { stuck[d.Title]++
				if !strings.Contains(d.Title, "paused") && stuck[d.Title] < 3 { fmt.Println(k, at, diagnosisText(d, "")) } }
			if d.State != "gone" && d.State != "complete" && len(d.Findings) == 0 { t.Error("none") }
			stuck[d.State]++
			for _, f := range d.Findings { stuck["finding "+f.ID]++ }
		}
	}
	fmt.Println(stuck)
}
