package picture

// drawing is a picture before it becomes a file. It consists only of upright rectangles, step lines and text, which a chart of
// counts needs. Nothing is slanted, so a few lines of code can paint all but the text as a PNG. Colours are names.
type drawing struct {
	Width, Height int
	Title, Desc   string // for screen readers
	shapes        []shape
}

func (d *drawing) add(shapes ...shape) { d.shapes = append(d.shapes, shapes...) }

// shape is a part of a drawing.
type shape interface {
	svg(w *svgWriter)
	paint(fill Fill)
}

// rect is a filled rectangle.
type rect struct {
	x, y, w, h float64
	fill       string
}

// point is where a step line reaches a height, which it keeps until the next point.
type point struct{ x, y float64 }

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
