package chart

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/cursor"
	"github.com/rollplay/rollplay/engine"
)

// growing is a Deployment of 2 that is scaled to 4 and then gets a second ReplicaSet.
var growing = []engine.Frame{
	{T: 0, Record: 0, Desired: 2, Upper: 3, Lower: 2, Total: 0},
	{T: 100, Record: 3, Desired: 2, Upper: 3, Lower: 2, Total: 2, ReplicaSets: []*engine.RSFrame{{Name: "web-a", Revision: 1, Replicas: 2}}},
	{T: 200, Record: 4, Desired: 2, Upper: 3, Lower: 2, Total: 2, Available: 2, ReplicaSets: []*engine.RSFrame{{Name: "web-a", Revision: 1, Replicas: 2}}},
	{T: 300, Record: 6, Desired: 4, Upper: 5, Lower: 3, Total: 2, Available: 2, ReplicaSets: []*engine.RSFrame{{Name: "web-a", Revision: 1, Replicas: 2}}},
	{T: 400, Record: 9, Desired: 4, Upper: 5, Lower: 3, Total: 6, Available: 2, Terminating: 1,
		ReplicaSets: []*engine.RSFrame{{Name: "web-a", Revision: 1, Replicas: 2}, {Name: "web-b", Revision: 2, Replicas: 4}}},
	{T: 500, Record: 12, Desired: 4, Upper: 5, Lower: 3, Total: 4, Available: 4, ReplicaSets: []*engine.RSFrame{{Name: "web-b", Revision: 2, Replicas: 4}}},
}

func TestChartSeries(t *testing.T) {
	want := []Series{
		{"lower", points{0, 2, 300, 3, 600, 3}},
		{"unavailable", points{0, 0, 300, 1, 600, 1}},
		{"surge", points{0, 1, 300, 1, 600, 1}},
		{"total", points{0, 0, 100, 2, 400, 6, 500, 4, 600, 4}},
		{"available", points{0, 0, 200, 2, 500, 4, 600, 4}},
		{"terminating", points{0, 0, 100, 0, 400, 1, 500, 0, 600, 0}},
		{"spike:total", nil},
		{"spike:available", nil},
		{"rs:web-a", points{100, 2, 500, 0, 600, 0}},
		{"rs:web-b", points{400, 4, 600, 4}},
	}
	got := Lines(growing, 600, 1, false)
	for i, w := range want {
		if i >= len(got) || got[i].ID != w.ID || !slices.Equal(got[i].Points, w.Points) {
			t.Errorf("series %d is %v, want %v", i, got[min(i, len(got)-1)], w)
		}
	}
	if len(got) != len(want) {
		t.Errorf("%d series, want %d", len(got), len(want))
	}
}

// The bands are stacked by index, so they need the same times, and their sums are the bounds.
func TestBandsAddUpToTheBounds(t *testing.T) {
	got := bandSeries(growing)
	for k := 0; k < len(got[0].Points); k += 2 {
		at := got[0].Points[k]
		if got[1].Points[k] != at || got[2].Points[k] != at {
			t.Fatalf("point %d: times %v, %v, %v differ", k/2, at, got[1].Points[k], got[2].Points[k])
		}
		f := growing[frameAtTime(growing, int64(at))]
		desired := got[0].Points[k+1] + got[1].Points[k+1]
		if desired != float64(f.Desired) || desired+got[2].Points[k+1] != float64(f.Upper) {
			t.Errorf("at %v the bands make %v and %v, want %d and %d", at, desired, desired+got[2].Points[k+1], f.Desired, f.Upper)
		}
	}
}

func frameAtTime(frames []engine.Frame, t int64) int {
	for i := len(frames) - 1; i >= 0; i-- {
		if frames[i].T <= t {
			return i
		}
	}
	return -1
}

func TestBaseOption(t *testing.T) {
	var o struct {
		Series []struct {
			ID, Type, Stack, Step string
			LineStyle             struct{ Color, Type string }
			AreaStyle             *struct{ Color string }
		}
		XAxis, YAxis struct{ Type string }
		Grid         struct{ Left, Right string }
	}
	text := Option([]string{"lower", "unavailable", "surge", "total", "available", "terminating", "rs:a", "rs:b", "rs:c"}, false)
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(text, "__f__") {
		t.Error("the option holds a function as text")
	}
	if o.XAxis.Type != "value" || o.YAxis.Type != "value" || o.Grid.Left != plotLeft {
		t.Errorf("axes %v %v, grid %v", o.XAxis, o.YAxis, o.Grid)
	}
	looks := map[string]string{}
	for _, s := range o.Series {
		if s.Type != "line" || s.Step != "end" {
			t.Errorf("%s is a %s with step %q", s.ID, s.Type, s.Step)
		}
		stack := map[string]string{"lower": "bands", "unavailable": "bands", "surge": "bands", "total": "pods", "terminating": "pods"}[s.ID]
		area := s.ID == "unavailable" || s.ID == "surge" || s.ID == "terminating"
		if s.Stack != stack || (s.AreaStyle != nil) != area {
			t.Errorf("%s: stack %q, area %v", s.ID, s.Stack, s.AreaStyle)
		}
		look := s.LineStyle.Color + s.LineStyle.Type
		if other, taken := looks[look]; taken {
			t.Errorf("%s looks like %s", s.ID, other)
		}
		looks[look] = s.ID
	}
}

func TestAxes(t *testing.T) {
	for _, c := range []struct {
		top int
		Axis
	}{{1, Axis{2, 1}}, {5, Axis{6, 1}}, {13, Axis{14, 2}}, {14, Axis{15, 5}}, {100, Axis{120, 20}}, {10000, Axis{12000, 2000}}} {
		got := CountAxis(c.top, 7)
		if got != c.Axis {
			t.Errorf("CountAxis(%d, 7) = %v, want %v", c.top, got, c.Axis)
		}
	}
}

func TestBusyEnd(t *testing.T) {
	for _, c := range []struct{ last, end, want int64 }{{0, 1000, 1000}, {15000, 18000, 18000}, {12000, 1800000, 19000}, {600000, 1800000, 1800000}} {
		if got := BusyEnd(c.last, c.end); got != c.want {
			t.Errorf("busyEnd(%d, %d) = %d, want %d", c.last, c.end, got, c.want)
		}
	}
}

func TestReadout(t *testing.T) {
	if f := At(growing, cursor.Place{T: growing[4].T, Record: -1}); f.Workload != "" || f.Upper != 0 {
		t.Errorf("before there is a Deployment there is %+v", f)
	}
	if f := At(growing, cursor.Place{T: growing[4].T, Record: growing[4].Record}); f != &growing[4] {
		t.Errorf("at frame 4 there is %+v", f)
	}
}

func TestFrameAt(t *testing.T) {
	for _, c := range []struct{ record, want int }{{-1, -1}, {0, 0}, {2, 0}, {3, 1}, {11, 4}, {99, 5}} {
		if got := FrameAt(growing, cursor.Place{T: 1 << 40, Record: c.record}); got != c.want {
			t.Errorf("frameAt(%d) = %d, want %d", c.record, got, c.want)
		}
	}
}

func TestThinKeepsEndsAndExtremes(t *testing.T) {
	var p points
	for i := range 20000 {
		p = append(p, float64(i), float64(i%50))
	}
	p[2*7777+1] = 99
	thin := p.thin(20000)
	if n := thin.Len(); n > pointsMax || n < 500 {
		t.Errorf("%d points, want between 500 and %d", n, pointsMax)
	}
	high, before := 0.0, -1.0
	for i := range thin.Len() {
		if thin[2*i] <= before {
			t.Fatalf("point %d is at %v, after %v", i, thin[2*i], before)
		}
		before, high = thin[2*i], max(high, thin[2*i+1])
	}
	if high != 99 || thin[0] != 0 || before != 19999 {
		t.Errorf("highest %v, from %v to %v; want 99, 0 and 19999", high, thin[0], before)
	}
}

// Total and terminating are stacked by index: thinned too they have the same times, and the tallest sum stays.
func TestThinTogether(t *testing.T) {
	var total, terminating points
	for i := range 20000 {
		total = append(total, float64(i), float64(i%40))
		terminating = append(terminating, float64(i), float64(i%7))
	}
	terminating[2*7777+1] = 99
	a, b := thinTogether(total, terminating, 20000)
	if a.Len() != b.Len() || a.Len() > pointsMax {
		t.Fatalf("%d and %d points, want the same number, at most %d", a.Len(), b.Len(), pointsMax)
	}
	high := 0.0
	for i := range a.Len() {
		at := int(a[2*i])
		if a[2*i] != b[2*i] || a[2*i+1] != total[2*at+1] || b[2*i+1] != terminating[2*at+1] {
			t.Fatalf("at %v: %v and %v are not points of the lines", a[2*i], a[2*i+1], b[2*i+1])
		}
		high = max(high, a[2*i+1]+b[2*i+1])
	}
	if want := 99 + float64(7777%40); high != want {
		t.Errorf("the tallest sum is %v, want %v", high, want)
	}
}

// manyFrames is a run whose chart has 5 lines of about 500 points.
func manyFrames() []engine.Frame {
	var frames []engine.Frame
	for i := range 500 {
		frames = append(frames, engine.Frame{
			T: int64(i * 20), Record: i, Desired: 500, Upper: 625, Lower: 375, Total: 500 + i%125, Available: 375 + i%125, Terminating: i % 7,
			ReplicaSets: []*engine.RSFrame{{Name: "web-a", Replicas: 500 - i}, {Name: "web-b", Replicas: i}},
		})
	}
	return frames
}

// BenchmarkTick builds what one animation frame hands to the chart while a run is computed.
func BenchmarkTick(b *testing.B) {
	frames := manyFrames()
	b.ReportAllocs()
	for b.Loop() {
		all := Lines(frames, 10000, 20, false)
		if len(all) != 10 {
			b.Fatal(len(all))
		}
	}
}

func TestRSLabel(t *testing.T) {
	for images, want := range map[string]string{
		"nginx:1.19": "rev 2 · nginx:1.19",
		"registry.example/team/app:v1@sha256:0123,busybox": "rev 2 · app:v1, busybox",
	} {
		if got := Label(2, images); got != want {
			t.Errorf("%s: %s, want %s", images, got, want)
		}
	}
}
