package chart

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// TestBoundsAreSums: a percentage says which way it was rounded, and a number needs no more words.
func TestBoundsAreSums(t *testing.T) {
	for _, c := range []struct {
		frame        engine.Frame
		written      past.WorkloadRow
		upper, lower string
	}{
		{engine.Frame{Desired: 10, Upper: 13, Lower: 8}, past.WorkloadRow{MaxSurge: "25%", MaxUnavailable: "25%"},
			"at most 13 = 10 + 3 (25% of 10 = 2.5 ↑)", "at least 8 = 10 − 2 (25% of 10 = 2.5 ↓)"},
		{engine.Frame{Desired: 10, Upper: 14, Lower: 7}, past.WorkloadRow{MaxSurge: "33%", MaxUnavailable: "3"},
			"at most 14 = 10 + 4 (33% of 10 = 3.3 ↑)", "at least 7 = 10 − 3"},
		{engine.Frame{Desired: 4, Upper: 5, Lower: 3}, past.WorkloadRow{MaxSurge: "25%", MaxUnavailable: "25%"},
			"at most 5 = 4 + 1 (25% of 4 = 1)", "at least 3 = 4 − 1 (25% of 4 = 1)"},
		{engine.Frame{Desired: 4, Upper: 4, Lower: 3}, past.WorkloadRow{MaxSurge: "0%", MaxUnavailable: "10%"},
			"at most 4 = 4 + 0 (0% of 4 = 0)", "at least 3 = 4 − 1 (10% of 4 = 0.4 ↓, at least 1)"},
		{engine.Frame{Desired: 4, Upper: 4, Lower: 3}, past.WorkloadRow{Kind: "DaemonSet", MaxUnavailable: "10%"}, // of a DaemonSet
			"at most 4 = 4 + 0", "at least 3 = 4 − 1 (10% of 4 = 0.4 ↑)"},
		{engine.Frame{Desired: 3, Upper: 3}, past.WorkloadRow{}, "at most 3 = 3 + 0", ""}, // Recreate
	} {
		if got := AtMost(lang.English, &c.frame, c.written); got != c.upper {
			t.Errorf("upper: %q, want %q", got, c.upper)
		}
		if got := AtLeast(lang.English, &c.frame, c.written); got != c.lower {
			t.Errorf("lower: %q, want %q", got, c.lower)
		}
	}
	if got := AtMost(lang.English, &engine.Frame{}, past.WorkloadRow{}); got != "" {
		t.Errorf("a workload that does not exist has the bound %q", got)
	}
}

// overlap finds two notes that lie on one another.
func overlap(notes []Note) (a, b *Note) {
	for i := range notes {
		for k := range notes[:i] {
			a, b := &notes[i], &notes[k]
			if a.X < b.X+b.W && b.X < a.X+a.W && a.Y-b.Y < lineHeight-.01 && b.Y-a.Y < lineHeight-.01 {
				return a, b
			}
		}
	}
	return nil, nil
}

// TestEndsKeepApart: names of lines of the same height stand one below the other around it, inside the plot at any height of it.
func TestEndsKeepApart(t *testing.T) {
	ends := []End{{ID: "total", Text: "total 10", Count: 10}, {ID: "available", Text: "available 10", Count: 10}, {ID: "old", Text: "1.18 0", Count: 0}, {ID: "new", Text: "1.19 10", Count: 10}}
	for _, height := range []float64{70, 120, 400, 700} {
		p := Plot{W: 600, H: height, From: 0, To: 1000, Max: 14}
		got := p.Ends(ends)
		if len(got) != len(ends) {
			t.Fatalf("%d names, want %d", len(got), len(ends))
		}
		if a, b := overlap(got); a != nil {
			t.Errorf("at height %v, %s at %v and %s at %v overlap", height, a.Text, a.Y, b.Text, b.Y)
		}
		for _, n := range got {
			if n.Y < lineHeight/2-.01 || n.Y > height-lineHeight/2+.01 || n.X < p.W {
				t.Errorf("at height %v, %s is at %v, %v", height, n.Text, n.X, n.Y)
			}
		}
	}
	p := Plot{W: 600, H: 400, From: 0, To: 1000, Max: 14}
	got := p.Ends(ends)
	if middle := (got[0].Y + got[2].Y) / 2; middle-p.Y(10) > .01 || p.Y(10)-middle > .01 {
		t.Errorf("the three names at 10 are around %v, want %v", middle, p.Y(10))
	}
}

// TestBoundTextsAreInTheirBands if these are high enough, and just outside otherwise.
func TestBoundTextsAreInTheirBands(t *testing.T) {
	f := engine.Frame{Desired: 10, Upper: 11, Lower: 9}
	for _, height := range []float64{120, 400} {
		p := Plot{W: 600, H: height, From: 0, To: 1000, Max: 14}
		got := p.Bounds(&f, "at most 13", "at least 8", 8)
		inUpper := got[0].Y > p.Y(11) && got[0].Y < p.Y(10)
		inLower := got[1].Y > p.Y(10) && got[1].Y < p.Y(9)
		if inUpper != (height == 400) || inLower != (height == 400) {
			t.Errorf("at height %v the texts are at %v and %v", height, got[0].Y, got[1].Y)
		}
		if a, _ := overlap(got); a != nil {
			t.Errorf("at height %v the texts overlap", height)
		}
	}
	narrow := Plot{W: 300, H: 120, From: 0, To: 1000, Max: 14}
	for _, text := range []string{"at most 11 = 10 + 1 (10% of 10 = 1.0, and more)", "最多 11 = 10 + 1（10% × 10 个 = 1.0，以及更多的字）"} {
		if got := narrow.Bounds(&f, text, "", 8); !strings.HasSuffix(got[0].Text, " 11 = 10 + 1") {
			t.Errorf("beside a grip %q is %q", text, got[0].Text)
		}
	}
	p := Plot{W: 600, H: 400, From: 0, To: 1000, Max: 14}
	if got := p.Bounds(&f, "at most 13", "at least 8", 590); got[0].X+got[0].W > 600 {
		t.Errorf("a text ends at %v of 600", got[0].X+got[0].W)
	}
}

// TestCommandTextsFit: each before the next one; what has no room for eight characters is left out.
func TestCommandTextsFit(t *testing.T) {
	mark := func(at int64, line string) Mark { return Mark{Kind: "command", T: at, Line: line} }
	p := Plot{W: 600, H: 400, From: 0, To: 6000, Max: 14}
	got := p.Commands([]Mark{
		mark(1000, "kubectl set image deployment/web nginx=registry.example/team/nginx:1.19.1"), mark(3000, "kubectl scale deployment/web --replicas=4"),
		mark(3200, "kubectl rollout undo deployment/web"), mark(7000, "kubectl rollout undo deployment/web"), {Kind: "violation", T: 500},
	})
	if len(got) != 2 || got[0].Text != "set image nginx:1.19.1" || got[1].Text != "rollout undo" {
		t.Fatalf("the texts are %v", got)
	}
	if got[0].X+got[0].W > p.X(3000) {
		t.Errorf("the first text ends at %v, the next command is at %v", got[0].X+got[0].W, p.X(3000))
	}
}

func serving(at int64, desired, available int) engine.Frame {
	return engine.Frame{T: at, Desired: desired, Total: desired, Updated: desired, Available: available}
}

// TestOutages: from the first available pod on, while some are desired; states without duration do not count, and touching ones
// are one outage.
func TestOutages(t *testing.T) {
	frames := []engine.Frame{serving(0, 3, 0), serving(1000, 3, 3), serving(2000, 3, 0), serving(2000, 3, 1), serving(4000, 3, 0),
		{T: 5000, Desired: 3, Terminating: 2}, serving(17100, 3, 1), serving(20000, 0, 0)}
	got := Outages(frames, 30000)
	if len(got) != 1 || got[0] != (Span{4000, 17100}) {
		t.Errorf("outages %v, want one from 4000 to 17100", got)
	}
	if s := Seconds(got[0].To - got[0].From); s != "13.1 s" {
		t.Errorf("it lasts %s", s)
	}
	notes := Plot{W: 600, H: 300, From: 0, To: 20000, Max: 4}.Outage([]Span{{1000, 1100}, {2000, 2050}, {4000, 17100}}, func(ms int64) string { return "outage " + Seconds(ms) }, nil)
	if a, b := overlap(notes); a != nil {
		t.Errorf("%s and %s overlap", a.Text, b.Text)
	}
	taken := Note{Kind: "lower", X: 100, Y: 290, W: 200}
	if apart := (Plot{W: 600, H: 300, From: 0, To: 20000, Max: 4}).Outage([]Span{{4000, 17100}}, func(ms int64) string { return "outage " + Seconds(ms) }, []Note{taken}); len(apart) != 1 || apart[0].overlaps(taken) {
		t.Errorf("beside another text: %v", apart)
	}
	if n := len(notes); n == 0 || notes[n-1].Text != "outage 13.1 s" {
		t.Errorf("the names are %v", notes)
	}
}

// TestOutageBesideOthers: no name of an outage covers another outage.
func TestOutageBesideOthers(t *testing.T) {
	p := Plot{W: 320, H: 240, From: 0, To: 60000, Max: 4}
	random := rand.New(rand.NewPCG(1, 2))
	named := 0
	for range 2000 {
		var spans []Span
		for at := random.Int64N(9000); at < 60000; at += 1 + random.Int64N(9000) {
			to := at + 1 + random.Int64N(20000)
			spans = append(spans, Span{at, to})
			at = to
		}
		which := func(ms int64) string { return "outage " + Seconds(ms) }
		for _, n := range p.Outage(spans, which, nil) {
			named++
			for _, o := range spans {
				if left, right := p.X(o.From), p.X(o.To); which(o.To-o.From) != n.Text && right-left >= 2 && n.X < right && left < n.X+n.W {
					t.Fatalf("%q at %.0f to %.0f covers %v, from %.0f to %.0f", n.Text, n.X, n.X+n.W, o, left, right)
				}
			}
		}
	}
	if named < 500 {
		t.Errorf("only %d names were placed", named)
	}
}

// TestSettle: of frames within the window the last one stays, and what went further is a hairline.
func TestSettle(t *testing.T) {
	total := func(at int64, n int) engine.Frame { return engine.Frame{T: at, Total: n} }
	frames := []engine.Frame{total(0, 10), total(100, 8), total(101, 8), total(104, 11), total(130, 13), total(145, 12), total(400, 9)}
	var times []int64
	for _, f := range Settle(frames, 20) {
		times = append(times, f.T)
	}
	if want := []int64{0, 104, 145, 400}; len(times) != 4 || times[1] != want[1] || times[2] != want[2] {
		t.Errorf("kept %v, want %v", times, want)
	}
	lines := spikes(frames, 20, func(f *engine.Frame) int { return f.Total })
	if lines.Len() != 9 || lines[1] != 10 || lines[3] != 8 || lines[4] == lines[4] {
		t.Errorf("the hairlines are %v", lines)
	}
	if n := spikes(frames, 1, func(f *engine.Frame) int { return f.Total }).Len(); n != 0 {
		t.Errorf("%d points of hairlines at a zoom that shows every ms", n)
	}
	if w := Window(.1); w != 20 {
		t.Errorf("the window at 100 px per second is %d", w)
	}
	if w := Window(1); w != 2 {
		t.Errorf("the window at 1,000 px per second is %d", w)
	}
}

// TestOpening: the first change after everything was available, with a margin; without one, from zero.
func TestOpening(t *testing.T) {
	start := []engine.Frame{{T: 0, Desired: 3}, serving(3000, 3, 3)}
	if got := Opening(start, 4000, 18000); got != (Span{0, 4000}) {
		t.Errorf("without a change it opens at %v", got)
	}
	rollout := append(start, engine.Frame{T: 10000, Desired: 3, Total: 3, Available: 3}, engine.Frame{T: 14000, Desired: 3, Total: 3, Updated: 3, Available: 3, Terminating: 1}, serving(18000, 3, 3))
	if got := Opening(rollout, 20000, 30000); got != (Span{9000, 19000}) {
		t.Errorf("a rollout from 10 to 18 s opens at %v", got)
	}
	if got := Opening(rollout[:3], 20000, 30000); got.From != 8750 || got.To != 21250 {
		t.Errorf("a rollout without an end opens at %v", got)
	}
}
