package picture

import (
	"math"

	"github.com/rollplay/rollplay/app/lang"
)

// Fill lays a colour over an upright rectangle.
type Fill func(x0, y0, x1, y1 float64, name string)

// Paint draws the picture without its texts, as rectangles from back to front. Colours are names; see Theme.Of.
func (p *Picture) Paint(fill Fill) {
	s := p.sheet("", bare)
	s.card()
	s.plot()
	s.cursor()
	for _, shape := range s.shapes {
		shape.paint(fill)
	}
}

// PaintAll draws all of the picture, as SVG has it, from back to front.
func (p *Picture) PaintAll(l lang.Lang, fill Fill, write func(Label)) {
	for _, shape := range p.drawn(l).shapes {
		if text, ok := shape.(Label); ok {
			write(text)
			continue
		}
		shape.paint(fill)
	}
}

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

// paint leaves texts out: previews of links show a title beside the picture.
func (Label) paint(Fill) {}
