package app
import ("testing";"strings";"time";"fmt")
func TestZZ(t *testing.T) {
	s := newSession(true)
	s.SetText(strings.Replace(quotaText[strings.Index(quotaText,"---\n")+4:], "replicas: 5", "replicas: 3000", 1)+"---\napiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  timeline:\n  - {at: 30s, run: \"kubectl set image deployment/web c=b:2\"}\n  - {at: 200s, run: \"kubectl set image deployment/web c=b:3\"}\n")
	s.Restart()
	computeAll(t, s)
	p := &page{s: s, tab: tabNames[0], theme: themes[0]}
	fmt.Println(s.notice, s.run.Len(), s.end())
	clk := func(what string, f func()) { a := time.Now(); f(); fmt.Println(what, time.Since(a)) }
	clk("index", func() { s.index.of(s.run) })
	clk("interesting", func() { s.interesting() })
	clk("interesting again", func() { s.interesting() })
	clk("chartView", func() { p.chartView() })
	clk("chartView again", func() { p.chartView() })
	for _, tab := range tabNames {
		p.tab = tab
		p.Render()
		clk("20 seeks "+tab, func() { for i := range 20 { s.SeekTo(s.end()*int64(i)/20); p.Render() } })
	}
	clk("20 seeks only", func() { for i := range 20 { s.SeekTo(s.end()*int64(i)/20) } })
	for _, u := range stepUnits { s.step = u
		clk("100 steps "+string(u), func() { for range 50 { s.StepNext() }; for range 50 { s.StepPrev() } }) }
	clk("save", func() { s.Save() })
	fmt.Println(len(s.interesting()), len(s.index.busy), len(s.index.deciding))
	for _, m := range s.interesting() { fmt.Println(m.T, m.Record, m.Why) }
}
