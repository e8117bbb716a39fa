package picture

import (
	"math"

	"github.com/rollplay/rollplay/app/lang"
)

// Fill lays a colour over an upright rectangle.
type Fill func(x0, y0, x1, y1 float64, name string)

// Paint draws the picture without its texts, as rectangles from back to front: previews of links show a title beside the picture. Colours
// are names; see Theme.Of.
func (p *Picture) Paint(fill Fill) {
	s := p.sheet("", bare)
	s.card()
	s.plot()
	s.cursor()
	for _, shape := range s.shapes {
		shape.(painted).paint(fill)
	}
}

// PaintAll draws all of the picture, as SVG has it, from back to front.
func (p *Picture) PaintAll(l lang.Lang, fill Fill, write func(Label)) {
	for _, shape := range p.drawn(l).shapes {
		if text, ok := shape.(Label); ok {
			write(text)
		} else {
			shape.(painted).paint(fill)
		}
	}
}

// painted is a shape without text, of a picture that does not move.
type painted interface{ paint(fill Fill) }

func (r rect) paint(fill Fill) { fill(r.x, r.y, r.x+r.w, r.y+r.h, r.fill) }

func (a area) paint(fill Fill) {
	for i := 0; i+1 < len(a.top); i++ {
		if high, low := a.top[i].y, a.bottom[i].y; high < low {
			fill(a.top[i].x, high, a.top[i+1].x, low, a.fill)
		}
	}
}

func (s steps) paint(fill Fill) {
	d := dashes{pattern: s.dash}
	for i := 1; i < len(s.points); i++ {
		from, to := s.points[i-1], s.points[i]
		if from.isGap() || to.isGap() {
			continue
		}
		d.along(to.x-from.x, func(a, b float64) { s.stretch(fill, from.x+a, from.y, from.x+b, from.y) })
		up := 1.0
		if to.y < from.y {
			up = -1
		}
		d.along(math.Abs(to.y-from.y), func(a, b float64) { s.stretch(fill, to.x, from.y+up*a, to.x, from.y+up*b) })
	}
}

// stretch paints a straight part of a line with its width around it, so that corners are full.
func (s steps) stretch(fill Fill, x0, y0, x1, y1 float64) {
	half := s.width / 2
	fill(min(x0, x1)-half, min(y0, y1)-half, max(x0, x1)+half, max(y0, y1)+half, s.stroke)
}

// dashes cuts a line into pieces and gaps. It continues where the last straight part ended.
type dashes struct {
	pattern []float64 // piece, gap
	done    float64   // of the pattern
}

// tiny is less than any length in a drawing, and more than any rounding error.
const tiny = 1e-6

// along calls piece for each piece of the next length of the line.
func (d *dashes) along(length float64, piece func(from, to float64)) {
	if d.pattern == nil {
		if length > 0 {
			piece(0, length)
		}
		return
	}
	on, all := d.pattern[0], d.pattern[0]+d.pattern[1]
	for at := 0.0; at < length; {
		end, drawn := on, d.done < on-tiny
		if !drawn {
			end = all
		}
		next := min(end-d.done, length-at)
		if drawn {
			piece(at, at+next)
		}
		at += next
		if d.done += next; d.done >= all-tiny {
			d.done = 0
		}
	}
}

// Color is a colour as SVG writes it, and how opaque it is, in percent.
type Color struct {
	RGB     string // #rrggbb
	Percent int
}

// Theme is the side of the table of colours that a picture has.
type Theme uint8

// The themes. With Auto the file has both, and the reader's preference decides.
const (
	Light Theme = iota
	Dark
	Auto
)

// Themes are the names of the themes in the order of their numbers.
var Themes = [...]string{"light", "dark", "auto"}

// colors are those of the page by their names in colors.css; a test compares the two.
var colors = [...]struct {
	name        string
	light, dark Color
}{
	{"bad", Color{"#b3261e", 100}, Color{"#ff8a80", 100}},
	{"warn", Color{"#8a5a00", 100}, Color{"#f0b94a", 100}},
	{"border", Color{"#dfe3e8", 100}, Color{"#28303a", 100}},
	{"card", Color{"#ffffff", 100}, Color{"#151a21", 100}},
	{"text", Color{"#1b2027", 100}, Color{"#e4e9ef", 100}},
	{"muted", Color{"#576070", 100}, Color{"#9ba6b4", 100}},
	{"accent", Color{"#2459d3", 100}, Color{"#5f95f7", 100}},
	{"chart-label", Color{"#5b6573", 100}, Color{"#98a3b1", 100}},
	{"chart-grid", Color{"#edf0f3", 100}, Color{"#212831", 100}},
	{"chart-axis", Color{"#c3cad3", 100}, Color{"#3a4552", 100}},
	{"c-lower", Color{"#6fa8cc", 100}, Color{"#35607c", 100}},
	{"c-upper", Color{"#d9a05f", 100}, Color{"#8a6335", 100}},
	{"c-desired", Color{"#4a5361", 100}, Color{"#c2cbd6", 100}},
	{"c-unavailable-band", Color{"#56b4e9", 20}, Color{"#56b4e9", 15}},
	{"c-surge-band", Color{"#e69f00", 16}, Color{"#e69f00", 17}},
	{"c-terminating-area", Color{"#6b7480", 22}, Color{"#9ba6b4", 22}},
	{"c-terminating", Color{"#6b7480", 100}, Color{"#9ba6b4", 100}},
	{"c-total", Color{"#d55e00", 100}, Color{"#ff8f4d", 100}},
	{"c-available", Color{"#0072b2", 100}, Color{"#56b4e9", 100}},
	{"c-outage", Color{"#b3261e", 16}, Color{"#ff5a50", 24}},
	{"c-total-faint", Color{"#f2c9a8", 100}, Color{"#6b4630", 100}},
	{"c-available-faint", Color{"#a9cde4", 100}, Color{"#2b5471", 100}},
	{"c-rs-0", Color{"#9c4a86", 100}, Color{"#e6a0cd", 100}},
	{"c-rs-1", Color{"#00805d", 100}, Color{"#2fd0a0", 100}},
	{"c-rs-2", Color{"#8f6b00", 100}, Color{"#efe05a", 100}},
	{"c-rs-3", Color{"#4a4fb5", 100}, Color{"#a9b4ff", 100}},
	{"c-rs-4", Color{"#7a4a2b", 100}, Color{"#dca878", 100}},
	{"c-rs-5", Color{"#5b6470", 100}, Color{"#c6ced8", 100}},
}

// Of returns a colour of the theme. A name that the table does not have is a bug.
func (t Theme) Of(name string) Color {
	c := &colors[colorIndex(name)]
	if t == Dark {
		return c.dark
	}
	return c.light
}

func colorIndex(name string) int {
	for i := range colors {
		if colors[i].name == name {
			return i
		}
	}
	panic("picture: there is no colour --" + name)
}
