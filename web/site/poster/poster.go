// Package poster plays scenarios for the site and makes their pictures: SVG for pages and PNG for previews, without a browser.
package poster

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/web/must"
)

// Ceiling is the largest size of an SVG in bytes, before compression: many hosts do not compress images.
const Ceiling = 15_000

// Width and Height are the size of an SVG.
const Width, Height = picture.Width, picture.Height

// New plays a scenario and returns the picture of its first workload, with the cursor at the most telling moment.
func New(name, text string) (*picture.Picture, error) {
	run, diagnostics := engine.Start(engine.Recording{Scenario: text})
	if run == nil {
		return nil, fmt.Errorf("scenario %s: %s", name, diagnostics[0].Message)
	}
	p := picture.New(run.Finish(), "", picture.Telling)
	if p == nil {
		return nil, fmt.Errorf("scenario %s has no workload to draw", name)
	}
	p.Title.En = cmp.Or(p.Title.En, name)
	return p, nil
}

// Size of pictures for previews of links.
const PreviewWidth, PreviewHeight = 1200, 630

// previewScale is the number of pixels for each unit of the drawing.
const previewScale = float64(PreviewWidth) / picture.Width

// canvas is a picture with few colours. Nothing is smoothed, because all edges are upright, so it takes a few milliseconds and
// some kilobytes.
type canvas struct{ *image.Paletted }

// PNG draws a picture for previews of links, which do not support SVG. They show a title beside it, so it has no words.
func PNG(p *picture.Picture, t picture.Theme) (raw []byte, err error) {
	defer must.Caught(&err)
	c := canvas{image.NewPaletted(image.Rect(0, 0, PreviewWidth, PreviewHeight), color.Palette{color.NRGBA{255, 255, 255, 255}})}
	p.Paint(func(x0, y0, x1, y1 float64, name string) { c.fill(x0, y0, x1, y1, nrgbaOf(t.Of(name))) })
	return encoded(c.Paletted), nil
}

func encoded(i image.Image) []byte {
	var buf bytes.Buffer
	must.Do(png.Encode(&buf, i))
	return buf.Bytes()
}

// pixel returns the edge between two pixels that is nearest to a place.
func pixel(f float64) int { return int(math.Round(f)) }

// pixels returns the pixels of a rectangle, at least one wide and high.
func pixels(x0, y0, x1, y1, scale float64) image.Rectangle {
	r := image.Rect(pixel(x0*scale), pixel(y0*scale), pixel(x1*scale), pixel(y1*scale))
	r.Max.X, r.Max.Y = max(r.Max.X, r.Min.X+1), max(r.Max.Y, r.Min.Y+1)
	return r
}

func (c canvas) fill(x0, y0, x1, y1 float64, over color.NRGBA) {
	r := pixels(x0, y0, x1, y1, previewScale).Intersect(c.Rect)
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
func (c canvas) blended(over color.NRGBA) func(under uint8) uint8 {
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
func (c canvas) index(want color.NRGBA) uint8 {
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

// nrgbaOf reads a colour: half of 255 is 127.
func nrgbaOf(c picture.Color) color.NRGBA {
	var r, g, b uint8
	_, err := fmt.Sscanf(c.RGB, "#%02x%02x%02x", &r, &g, &b)
	must.Wrap(err, "colour %q", c.RGB)
	return color.NRGBA{r, g, b, uint8(c.Percent * 255 / 100)}
}
