package poster

import (
	"fmt"
	"math"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
)

// Size of a poster, in the shape that previews of links have: 1.905 to 1.
const Width, Height = 720, 378

// sheet is a poster in progress.
type sheet struct {
	*Poster
	drawing
	Theme
	box
	lang string // of its words
}

// box is the area of the plot.
type box struct{ left, right, top, bottom float64 }

// SVG draws the poster in the colours of a theme, with words in a language.
func (p *Poster) SVG(t Theme, lang string) []byte {
	s := p.sheet(t, lang, box{40, 702, 82, 304})
	s.axes()
	s.plot()
	s.words()
	return s.drawing.svg()
}

// PNG draws it for previews of links, which do not support SVG. They show a title beside it, so it has no words.
func (p *Poster) PNG(t Theme) ([]byte, error) {
	s := p.sheet(t, "", box{20, 700, 40, 358})
	s.plot()
	return s.drawing.png()
}

func (p *Poster) sheet(t Theme, lang string, b box) *sheet {
	s := &sheet{p, drawing{Width: Width, Height: Height, Title: p.Title.In(lang), Desc: p.Description(lang)}, t, b, lang}
	s.add(rect{0, 0, Width, Height, t.color("border")}, rect{1, 1, Width - 2, Height - 2, t.color("card")})
	return s
}

// plot draws everything but words, from back to front.
func (s *sheet) plot() {
	for n := 0; n <= s.high; n += s.step {
		s.add(steps{[]point{{s.left, s.y(n)}, {s.right, s.y(n)}}, s.color("chart-grid"), 1, nil})
	}
	s.add(steps{[]point{{s.left, s.bottom}, {s.right, s.bottom}}, s.color("chart-axis"), 1, nil})
	s.bands()
	s.outages()
	s.lines()
	s.flags()
	s.cursor()
}

// words draws the title, the texts at flags and cursor, and the legend.
func (s *sheet) words() {
	s.add(
		label{16, 27, "start", 17, "sans", true, s.color("text"), none, s.Poster.Title.In(s.lang)},
		label{16, 47, "start", 12.5, "sans", false, s.color("muted"), none, s.say("poster-at", s.sentence(s.lang))},
	)
	s.notes()
	s.legend()
}

// say returns a message in the language of the poster.
func (s *sheet) say(key string, args ...any) string { return app.PageText(s.lang, key, args...) }

// x and y place virtual ms and a count in the plot, to half a unit. That is as fine as a screen shows, and it keeps the numbers
// in the file short. Times outside of the plot lie on its edge.
func (s *sheet) x(t int64) float64 {
	t = min(max(t, s.begin), s.end)
	return half(s.left + (s.right-s.left)*float64(t-s.begin)/float64(s.end-s.begin))
}

func (s *sheet) y(n int) float64 {
	return half(s.bottom - (s.bottom-s.top)*float64(n)/float64(s.high))
}

func half(f float64) float64 { return math.Round(2*f) / 2 }

// line returns the step line of a count over all frames, up to the end of the plot.
func (s *sheet) line(count func(engine.Frame) int) []point {
	var line []point
	for _, f := range s.frames {
		line = append(line, point{s.x(f.T), s.y(count(f))})
	}
	return thin(append(line, point{s.right, line[len(line)-1].y}))
}

// thin leaves out points that draw nothing: those as high as the point before, and those that the next point passes at the
// same time. A short peak stays visible.
func thin(line []point) []point {
	out := []point{line[0]}
	for i, p := range line[1:] {
		n := len(out)
		last := i+2 == len(line)
		switch {
		case !last && out[n-1].y == p.y:
		case n > 1 && out[n-1].x == p.x && between(out[n-2].y, out[n-1].y, p.y):
			out[n-1] = p
		default:
			out = append(out, p)
		}
	}
	return out
}

func between(a, b, c float64) bool { return min(a, c) <= b && b <= max(a, c) }

// axes draws the numbers beside and below the plot.
func (s *sheet) axes() {
	small := func(x, y float64, anchor, text string) label {
		return label{x, y, anchor, 11, "sans", false, s.color("chart-label"), none, text}
	}
	for n := 0; n <= s.high; n += s.step {
		s.add(small(s.left-7, s.y(n)+4, "end", fmt.Sprint(n)))
	}
	step := timeStep(s.end - s.begin)
	for at := (s.begin + step - 1) / step * step; at <= s.end; at += step {
		s.add(small(s.x(at), s.bottom+16, "middle", chart.Seconds(at)))
	}
}

// bands draws the range that the bounds allow around the desired number.
func (s *sheet) bands() {
	lower := func(f engine.Frame) int { return max(f.Lower, 0) }
	desired := func(f engine.Frame) int { return f.Desired }
	upper := func(f engine.Frame) int { return max(f.Upper, f.Desired) }
	s.fill(lower, desired, "c-unavailable-band")
	s.fill(desired, upper, "c-surge-band")
	s.add(
		steps{s.line(lower), s.color("c-lower"), 1, nil},
		steps{s.line(upper), s.color("c-upper"), 1, nil},
		steps{s.line(desired), s.color("c-desired"), 1, []float64{4, 4}},
	)
}

// fill fills the area between two counts. Both edges get a point wherever one of them changes.
func (s *sheet) fill(low, high func(engine.Frame) int, color string) {
	var top, bottom []point
	for i, f := range s.frames {
		if i > 0 && low(f) == low(s.frames[i-1]) && high(f) == high(s.frames[i-1]) {
			continue
		}
		top, bottom = append(top, point{s.x(f.T), s.y(high(f))}), append(bottom, point{s.x(f.T), s.y(low(f))})
	}
	n := len(top) - 1
	top, bottom = append(top, point{s.right, top[n].y}), append(bottom, point{s.right, bottom[n].y})
	s.add(area{top, bottom, s.color(color)})
}

// lines draws the counts: terminating pods on top of the total, then the ReplicaSets, then the two numbers that the bounds
// limit.
func (s *sheet) lines() {
	total := func(f engine.Frame) int { return f.Total }
	all := func(f engine.Frame) int { return f.Total + f.Terminating }
	s.fill(total, all, "c-terminating-area")
	s.add(steps{s.line(all), s.color("c-terminating"), 1, []float64{1.5, 2.5}})
	for i, name := range s.replicaSets() {
		s.add(steps{s.line(func(f engine.Frame) int { return replicaSet(f, name).Replicas }), s.color(rsColor(i)), 1.5, rsDash(i)})
	}
	s.add(
		steps{s.line(total), s.color("c-total"), 3, nil},
		steps{s.line(func(f engine.Frame) int { return f.Available }), s.color("c-available"), 2, nil},
	)
}

// rsColor and rsDash match the page's chart: lines differ from their neighbours even without colour.
func rsColor(i int) string { return fmt.Sprintf("c-rs-%d", i%6) }

func rsDash(i int) []float64 { return [][]float64{{6, 4}, nil, {2, 3}}[i%3] }

// flags mark when a command was given.
func (s *sheet) flags() {
	for _, c := range s.commands {
		color := s.color("accent")
		if c.Failed {
			color = s.color("bad")
		}
		x, top := s.x(c.T), s.top-22
		s.add(steps{[]point{{x, top}, {x, s.bottom}}, color, 1, []float64{2, 2}}, rect{x, top, 9, 8, color})
	}
}

// cursor marks the telling moment, and the two numbers that the bounds limit.
func (s *sheet) cursor() {
	f := s.moment()
	x := s.x(f.T)
	s.add(rect{x - .75, s.top - 6, 1.5, s.bottom - s.top + 6, s.color("text")})
	dot := func(n int, color string) rect { return rect{x - 4, s.y(n) - 4, 8, 8, s.color(color)} }
	s.add(dot(f.Total, "c-total"), dot(f.Available, "c-available"))
}

// outages tints the times without an available pod.
func (s *sheet) outages() {
	for _, o := range s.Poster.outages {
		if left, right := s.x(o.From), s.x(o.To); right-left >= 1 {
			s.add(rect{left, s.top, right - left, s.bottom - s.top, s.color("c-outage")}, rect{left, s.bottom - 3, right - left, 3, s.color("bad")})
		}
	}
}

// notes writes the texts on the chart at the same places as the page: the bounds at the cursor, the commands, and how long no pod
// was available.
func (s *sheet) notes() {
	plot, f, l := chart.Plot{W: s.right - s.left, H: s.bottom - s.top, From: s.begin, To: s.end, Max: float64(s.high)}, s.moment(), lang.Of(s.lang)
	for _, n := range plot.Commands(s.marks()) {
		s.add(label{half(s.left + n.X), s.top - 14, "start", 10, "mono", false, s.color("muted"), none, n.Text})
	}
	r := chart.Readout{Known: true, Desired: f.Desired, Upper: f.Upper, Lower: f.Lower}
	notes := plot.Bounds(r, chart.AtMost(l, r, s.written), chart.AtLeast(l, r, s.written), plot.X(f.T)+9)
	for _, n := range notes {
		s.add(label{half(s.left + n.X), half(s.top + n.Y + 4), "start", 11.5, "sans", true, s.color("text"), s.color("card"), n.Text})
	}
	text := func(ms int64) string { return l.Say("outage", chart.Seconds(ms)) }
	for _, n := range plot.Outage(s.Poster.outages, text, notes) {
		s.add(label{half(s.left + n.X + 4), half(s.top + n.Y + 4), "start", 11.5, "sans", true, s.color("bad"), s.color("card"), n.Text})
	}
}

// marks are the commands as the chart knows them.
func (s *sheet) marks() (all []chart.Mark) {
	for _, c := range s.commands {
		all = append(all, chart.Mark{Kind: "command", T: c.T, Line: c.Command})
	}
	return all
}

// legend names the lines with their numbers at the cursor: the counts in one row, the ReplicaSets in the next.
func (s *sheet) legend() {
	f := s.moment()
	s.row(342, []entry{
		{s.say("poster-total", f.Total), steps{nil, s.color("c-total"), 3, nil}},
		{s.say("poster-available", f.Available), steps{nil, s.color("c-available"), 2, nil}},
		{s.say("poster-desired", f.Desired), steps{nil, s.color("c-desired"), 1, []float64{4, 4}}},
		{s.say("poster-leaving", f.Terminating), steps{nil, s.color("c-terminating"), 1.5, []float64{1.5, 2.5}}},
	})
	var all []entry
	for i, name := range s.replicaSets() {
		text := fmt.Sprintf("%s: %d", s.images[name], replicaSet(f, name).Replicas)
		if r := s.revision(name); r > 0 {
			text = fmt.Sprintf("rev %d %s", r, text)
		}
		all = append(all, entry{text, steps{nil, s.color(rsColor(i)), 1.5, rsDash(i)}})
	}
	s.row(362, all)
}

// entry is a line of the chart in the legend.
type entry struct {
	text   string
	sample steps
}

// row draws entries side by side. The width of a text depends on the reader's fonts, so row estimates it. It leaves out entries
// that do not fit, because the picture's description contains all of them.
func (s *sheet) row(y float64, entries []entry) {
	const charWidth = 6.2
	x := 16.0
	for _, e := range entries {
		width := 24 + charWidth*float64(chart.Columns(e.text))
		if x+width > Width-8 {
			return
		}
		e.sample.points = []point{{x, y - 4}, {x + 16, y - 4}}
		s.add(e.sample, label{x + 21, y, "start", 11, "sans", false, s.color("text"), none, e.text})
		x += width + 10
	}
}
