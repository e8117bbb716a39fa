package picture

import (
	"fmt"
	"math"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
)

// Width and Height are the size of a picture, in the shape that previews of links have: 1.905 to 1.
const Width, Height = 720, 378

// sheet is a picture in progress.
type sheet struct {
	*Picture
	drawing
	box
	l     lang.Lang // of its words
	grain float64   // the distance of places on the time axis, in px
}

// box is the area of the plot.
type box struct{ left, right, top, bottom float64 }

var (
	written = box{40, 702, 82, 304} // with words around it
	bare    = box{20, 700, 40, 358}
)

// SVG draws the picture in the colours of a theme, with words in a language.
func (p *Picture) SVG(t Theme, l lang.Lang) []byte { return p.drawn(l).svg(t) }

// drawn is the whole drawing, with words in a language.
func (p *Picture) drawn(l lang.Lang) *drawing {
	s := p.sheet(l, written)
	s.card()
	s.axes()
	s.plot()
	s.cursor()
	s.words()
	return &s.drawing
}

func (p *Picture) sheet(l lang.Lang, b box) *sheet {
	return &sheet{p, drawing{Width: Width, Height: Height, Title: p.Title.In(string(l)), Desc: p.Description(l)}, b, l, .5}
}

// card is what everything is drawn on.
func (s *sheet) card() {
	w, h := float64(s.Width), float64(s.Height)
	s.add(rect{0, 0, w, h, "border"}, rect{1, 1, w - 2, h - 2, "card"})
}

// plot draws everything but the cursor and words, from back to front.
func (s *sheet) plot() {
	s.add(s.grid(s.left, s.right)...)
	s.outages()
	s.curves()
	s.flags()
}

// grid is the lines at the ticks of the count axis, and the time axis.
func (s *sheet) grid(left, right float64) (all []shape) {
	for n := 0; n <= s.high; n += s.step {
		all = append(all, steps{[]point{{left, s.y(n)}, {right, s.y(n)}}, "chart-grid", 1, nil})
	}
	return append(all, steps{[]point{{left, s.bottom}, {right, s.bottom}}, "chart-axis", 1, nil})
}

// words draws the title, the texts at flags and cursor, and the legend.
func (s *sheet) words() {
	s.headline(s.l.Say("poster-at", s.sentence(s.l)))
	s.notes()
	s.legend()
}

// headline writes the title and a line below it.
func (s *sheet) headline(below string) {
	s.add(
		Label{16, 27, "start", 17, "sans", true, "text", "", fit(s.drawing.Title, 17)},
		Label{16, 47, "start", 12.5, "sans", false, "muted", "", fit(below, 12.5)},
	)
}

// fit cuts a text that is wider than the picture.
func fit(text string, size float64) string {
	n := columnsOf(size)
	for letters := []rune(text); chart.Columns(text) > n; text = string(letters) + "…" {
		letters = letters[:len(letters)-1]
	}
	return text
}

// columnsOf is how many columns of a size fit into the picture, between margins of 16.
func columnsOf(size float64) int { return int((Width - 2*16) / (charWidth / 11 * size)) }

// x and y place virtual ms and a count in the plot, to half a unit or to the grain. That is as fine as a screen shows, and it keeps
// the numbers in the file short. Times outside of the plot lie on its edge.
func (s *sheet) x(t int64) float64 {
	t = min(max(t, s.begin), s.end)
	return s.left + math.Round((s.right-s.left)*float64(t-s.begin)/float64(s.end-s.begin)/s.grain)*s.grain
}

func (s *sheet) y(n int) float64 {
	return half(s.bottom - (s.bottom-s.top)*float64(n)/float64(s.high))
}

func half(f float64) float64 { return math.Round(2*f) / 2 }

// line returns the step line of a count over all frames, up to the end of the plot.
func (s *sheet) line(count func(*engine.Frame) int) []point {
	var line []point
	for i := range s.frames {
		f := &s.frames[i]
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
		case n > 1 && out[n-1].x == p.x && min(out[n-2].y, p.y) <= out[n-1].y && out[n-1].y <= max(out[n-2].y, p.y):
			out[n-1] = p
		default:
			out = append(out, p)
		}
	}
	return out
}

// axes draws the numbers beside and below the plot.
func (s *sheet) axes() {
	small := func(x, y float64, anchor, text string) Label {
		return Label{x, y, anchor, 11, "sans", false, "chart-label", "", text}
	}
	for n := 0; n <= s.high; n += s.step {
		s.add(small(s.left-7, s.y(n)+4, "end", fmt.Sprint(n)))
	}
	step := timeStep(s.end - s.begin)
	for at := (s.begin + step - 1) / step * step; at <= s.end; at += step {
		s.add(small(s.x(at), s.bottom+16, "middle", chart.Seconds(at)))
	}
}

// The counts that a picture draws.
func total(f *engine.Frame) int       { return f.Total }
func available(f *engine.Frame) int   { return f.Available }
func desired(f *engine.Frame) int     { return f.Desired }
func terminating(f *engine.Frame) int { return f.Terminating }
func all(f *engine.Frame) int         { return f.Total + f.Terminating }
func lower(f *engine.Frame) int       { return max(f.Lower, 0) }

func replicas(set string) func(*engine.Frame) int {
	id := chart.SeriesRSPrefix + set
	return func(f *engine.Frame) int { return chart.Number(f, id) }
}

// fill fills the area between two counts. Both edges get a point wherever one of them changes.
func (s *sheet) fill(low, high func(*engine.Frame) int, color string) {
	a := area{fill: color}
	for i := range s.frames {
		f := &s.frames[i]
		if i > 0 && low(f) == low(&s.frames[i-1]) && high(f) == high(&s.frames[i-1]) {
			continue
		}
		a.to(s.x(f.T), s.y(high(f)), s.y(low(f)))
	}
	last := len(a.top) - 1
	a.to(s.right, a.top[last].y, a.bottom[last].y)
	s.add(a)
}

func rsColor(i int) string { return fmt.Sprintf("c-rs-%d", i%chart.Colors) }

// flags mark when a command was given.
func (s *sheet) flags() {
	last := map[float64]string{} // by place: of a hundred flags there only those that look different are drawn
	for _, c := range s.commands {
		color := "accent"
		if c.Failed {
			color = "bad"
		}
		if last[s.x(c.T)] == color {
			continue
		}
		last[s.x(c.T)] = color
		x, top := s.x(c.T), s.top-22
		s.add(steps{[]point{{x, top}, {x, s.bottom}}, color, 1, []float64{2, 2}}, rect{x, top, 9, 8, color})
	}
}

// cursor marks the telling moment, and the two numbers that the bounds limit.
func (s *sheet) cursor() {
	f, x := s.moment(), s.x(s.when)
	s.add(rect{x - .75, s.top - 6, 1.5, s.bottom - s.top + 6, "text"})
	dot := func(n int, color string) rect { return rect{x - 4, s.y(n) - 4, 8, 8, color} }
	s.add(dot(f.Total, "c-total"), dot(f.Available, "c-available"))
}

// outages tints the times without an available pod.
func (s *sheet) outages() {
	for _, o := range s.Picture.outages {
		if left, right := s.x(o.From), s.x(o.To); right-left >= 1 {
			s.add(rect{left, s.top, right - left, s.bottom - s.top, "c-outage"}, rect{left, s.bottom - 3, right - left, 3, "bad"})
		}
	}
}

// notes writes the texts on the chart at the same places as the page: the bounds at the cursor, the commands, and how long no pod
// was available.
func (s *sheet) notes() {
	plot, f, l := chart.Plot{W: s.right - s.left, H: s.bottom - s.top, From: s.begin, To: s.end, Max: float64(s.high)}, s.moment(), s.l
	for _, n := range plot.Commands(s.commands) {
		s.add(Label{half(s.left + n.X), s.top - 14, "start", 10, "mono", false, "muted", "", n.Text})
	}
	notes := plot.Bounds(f, chart.AtMost(l, f, s.written), chart.AtLeast(l, f, s.written), plot.X(s.when)+9)
	for _, n := range notes {
		s.add(Label{half(s.left + n.X), half(s.top + n.Y + 4), "start", 11.5, "sans", true, "text", "card", n.Text})
	}
	text := func(ms int64) string { return l.Say("outage", chart.Seconds(ms)) }
	for _, n := range plot.Outage(s.Picture.outages, text, notes) {
		s.add(Label{half(s.left + n.X + 4), half(s.top + n.Y + 4), "start", 11.5, "sans", true, "bad", "card", n.Text})
	}
}

// drawing is a picture before it becomes a file. It consists only of upright rectangles, step lines and text, which a chart of
// counts needs. Nothing is slanted, so a few lines of code can paint all but the text as a PNG. Colours are names.
type drawing struct {
	Width, Height int
	Title, Desc   string // for screen readers
	shapes        []shape
}

func (d *drawing) add(shapes ...shape) { d.shapes = append(d.shapes, shapes...) }

// shape is a part of a drawing.
type shape interface{ svg(w *svgWriter) }

// rect is a filled rectangle.
type rect struct {
	x, y, w, h float64
	fill       string
}

// point is where a step line reaches a height, which it keeps until the next point.
type point struct{ x, y float64 }

// gap ends a part of a line.
var gap = point{math.NaN(), math.NaN()}

func (p point) isGap() bool { return math.IsNaN(p.x) }

// steps is a line of steps. dash holds the lengths of line and gap; it is nil for a line without gaps.
type steps struct {
	points []point
	stroke string
	width  float64
	dash   []float64
}

// area lies between two step lines, which have the same x.
type area struct {
	top, bottom []point
	fill        string
}

// to continues the area at x. Of what lies at one place only the first and the last are drawn.
func (a *area) to(x, top, bottom float64) {
	if n := len(a.top); n > 1 && a.top[n-2].x == x {
		a.top, a.bottom = a.top[:n-1], a.bottom[:n-1]
	}
	a.top, a.bottom = append(a.top, point{x, top}), append(a.bottom, point{x, bottom})
}

// Label is a text. Colours are names; see Theme.Of.
type Label struct {
	X, Y   float64 // of the base line
	Anchor string  // start, middle or end
	Size   float64
	Family string // sans or mono
	Bold   bool
	Fill   string
	Halo   string // around the characters, to separate them from lines; empty for none
	Text   string
}
