package poster

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
)

// Size of pictures for previews of links.
const PreviewWidth, PreviewHeight = 1200, 630

// canvas is a picture with few colours. Nothing is smoothed, because all edges are upright, so it takes a few milliseconds and
// some kilobytes.
type canvas struct {
	*image.Paletted
	scale float64 // pixels for each unit of the drawing
}

// png paints the drawing, without its texts.
func (d *drawing) png() ([]byte, error) {
	scale := float64(PreviewWidth) / float64(d.Width)
	c := &canvas{image.NewPaletted(image.Rect(0, 0, PreviewWidth, PreviewHeight), color.Palette{color.NRGBA{255, 255, 255, 255}}), scale}
	for _, s := range d.shapes {
		s.paint(c)
	}
	var buf bytes.Buffer
	err := png.Encode(&buf, c.Paletted)
	return buf.Bytes(), err
}

// pixel returns the edge between two pixels that is nearest to a place.
func pixel(f float64) int { return int(math.Round(f)) }

// fill lays a colour over a rectangle, at least one pixel wide and high.
func (c *canvas) fill(x0, y0, x1, y1 float64, over color.NRGBA) {
	r := image.Rect(pixel(x0*c.scale), pixel(y0*c.scale), pixel(x1*c.scale), pixel(y1*c.scale))
	r.Max.X, r.Max.Y = max(r.Max.X, r.Min.X+1), max(r.Max.Y, r.Min.Y+1)
	r = r.Intersect(c.Rect)
	if r.Empty() {
		return
	}
	blended := c.blended(over)
	for y := r.Min.Y; y < r.Max.Y; y++ {
		row := c.Pix[c.PixOffset(r.Min.X, y) : c.PixOffset(r.Max.X-1, y)+1]
		for i, under := range row {
			row[i] = blended(under)
		}
	}
}

// blended returns a function from the index of a colour to the index of the same colour under another. Only pairs that occur
// become colours of the picture.
func (c *canvas) blended(over color.NRGBA) func(under uint8) uint8 {
	var known [256]bool
	var to [256]uint8
	return func(under uint8) uint8 {
		if !known[under] {
			known[under], to[under] = true, c.index(blend(c.Palette[under].(color.NRGBA), over))
		}
		return to[under]
	}
}

// index returns the index of a colour in the palette of 256, or of the nearest colour if the palette is full.
func (c *canvas) index(want color.NRGBA) uint8 {
	for i, have := range c.Palette {
		if have == want {
			return uint8(i)
		}
	}
	if len(c.Palette) == 256 {
		return uint8(c.Palette.Index(want))
	}
	c.Palette = append(c.Palette, want)
	return uint8(len(c.Palette) - 1)
}

func blend(under, over color.NRGBA) color.NRGBA {
	mix := func(u, o uint8) uint8 { return uint8((int(u)*(255-int(over.A)) + int(o)*int(over.A) + 127) / 255) }
	return color.NRGBA{mix(under.R, over.R), mix(under.G, over.G), mix(under.B, over.B), 255}
}

func (r rect) paint(c *canvas) { c.fill(r.x, r.y, r.x+r.w, r.y+r.h, r.fill) }

func (a area) paint(c *canvas) {
	for i := 0; i+1 < len(a.top); i++ {
		if high, low := a.top[i].y, a.bottom[i].y; high < low {
			c.fill(a.top[i].x, high, a.top[i+1].x, low, a.fill)
		}
	}
}

func (s steps) paint(c *canvas) {
	d := dashes{pattern: s.dash}
	for i := 1; i < len(s.points); i++ {
		from, to := s.points[i-1], s.points[i]
		d.along(to.x-from.x, func(a, b float64) { s.stretch(c, from.x+a, from.y, from.x+b, from.y) })
		up := 1.0
		if to.y < from.y {
			up = -1
		}
		d.along(math.Abs(to.y-from.y), func(a, b float64) { s.stretch(c, to.x, from.y+up*a, to.x, from.y+up*b) })
	}
}

// stretch paints a straight part of a line with its width around it, so that corners are full.
func (s steps) stretch(c *canvas, x0, y0, x1, y1 float64) {
	half := s.width / 2
	c.fill(min(x0, x1)-half, min(y0, y1)-half, max(x0, x1)+half, max(y0, y1)+half, s.stroke)
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

// paint leaves texts out; see label.
func (label) paint(*canvas) {}
