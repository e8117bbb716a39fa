package poster

import "image/color"

// none is the halo of a text that needs none.
var none color.NRGBA

// drawing is a poster before it is written as a file. It knows nothing but what a chart of counts is made of: upright
// rectangles, lines that run in steps, and text. So it can be written as SVG, and painted as a PNG by a few lines of
// ours, because nothing in it is slanted.
type drawing struct {
	Width, Height int
	Title, Desc   string // what a screen reader says
	shapes        []shape
}

func (d *drawing) add(shapes ...shape) { d.shapes = append(d.shapes, shapes...) }

// shape is a part of a drawing.
type shape interface {
	svg(w *svgWriter)
	paint(c *canvas)
}

// rect is a filled rectangle.
type rect struct {
	x, y, w, h float64
	fill       color.NRGBA
}

// point is where a step line comes to a height, which it keeps until the next point.
type point struct{ x, y float64 }

// steps is a line that runs in steps. The dash is the lengths of line and gap; nil for a line without gaps.
type steps struct {
	points []point
	stroke color.NRGBA
	width  float64
	dash   []float64
}

// area lies between two step lines, which have the same x.
type area struct {
	top, bottom []point
	fill        color.NRGBA
}

// label is a text. A PNG goes without: it needs a font, and wherever it is shown the title stands beside it.
type label struct {
	x, y   float64 // of the base line
	anchor string  // start, middle or end
	size   float64
	family string // sans or mono
	bold   bool
	fill   color.NRGBA
	halo   color.NRGBA // drawn around the letters where they stand on lines; the zero value for none
	text   string
}
