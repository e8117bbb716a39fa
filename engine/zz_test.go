package engine
import ("testing";"fmt";"path/filepath";"strings";"math/rand";"github.com/rollplay/rollplay/scenarios";"os")
func TestZZ(t *testing.T) {
	show := func(name string, run *Run) {
		for _, w := range run.Workloads() {
			for _, v := range run.Verdicts(w) { fmt.Printf("%s %s %d-%d #%d %s %s by %s [%s] worst %d limit %d: %s\n", name, w, v.From, v.To, v.Record, v.Kind, v.Bound, v.By, v.Rule, v.Worst, v.Limit, v.Text) }
		}
	}
	for _, n := range scenarios.Names() { show(n, mustRun(t, scenarios.Text(n))) }
	files, _ := filepath.Glob("testdata/*.txtar")
	for _, f := range files { n := strings.TrimSuffix(filepath.Base(f), ".txtar"); show(n, golden(t, n)) }
}
func TestZZFuzz(t *testing.T) {
	r := rand.New(rand.NewSource(5))
	rules := map[string]int{}
	example := map[string]string{}
	for k := range 1500 {
		data := make([]byte, 8+r.Intn(60))
		r.Read(data)
		text, commands := fuzzScenario(uint64(k), data)
		run, _ := Start(Recording{Scenario: text, Commands: commands})
		if run == nil { continue }
		run.Finish()
		if os.Getenv("ENVLOSS") != "" {
			for c := range 6 {
				at := int64(r.Intn(int(run.Now())))
				pods := run.Pods(run.Find(at), at)
				if len(pods) == 0 { continue }
				p := strings.TrimPrefix(pods[r.Intn(len(pods))].Key, "default/")
				if c%2 == 0 { commands = append(commands, Command{At: at, Do: "crash pod/"+p}) } else { commands = append(commands, Command{At: at, Run: "delete pod "+p}) }
			}
			run, _ = Start(Recording{Scenario: text, Commands: commands})
			run.Finish()
		}
		for _, v := range run.Verdicts("Deployment/default/web") {
			key := v.Kind.String()+" "+v.Bound+" "+v.By+" "+v.Rule
			rules[key]++
			if l := len(example[key]); l == 0 || len(text)+len(commands) < 0 { example[key] = fmt.Sprintf("%d-%d #%d %s\n%s %v", v.From, v.To, v.Record, v.Text, text, commands) }
		}
	}
	for k, n := range rules { fmt.Println(n, k); if strings.Contains(k, os.Getenv("SHOW")) && os.Getenv("SHOW") != "" { fmt.Println(example[k]) } }
}
