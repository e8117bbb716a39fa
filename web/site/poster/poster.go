// Package poster plays scenarios for the site and makes their pictures: SVG for pages and PNG for previews, without a browser.
package poster

import (
	"bytes"
	"cmp"
	"fmt"
	"image"
	"image/color"
	"image/png"

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

// PNG draws a picture for previews of links, which do not support SVG. They show a title beside it, so it has no words.
func PNG(p *picture.Picture, t picture.Theme) (raw []byte, err error) {
	defer must.Caught(&err)
	c := newPage(PreviewWidth, PreviewHeight, previewScale, t)
	p.Paint(c.fill)
	return encoded(fewColours(c.RGBA)), nil
}

// fewColours returns a picture as one with a palette, which takes some kilobytes, if a palette has room for its colours. Nothing in it is
// smoothed, because all edges are upright.
func fewColours(from *image.RGBA) image.Image {
	small, known := image.NewPaletted(from.Rect, nil), map[color.RGBA]uint8{}
	last, index := color.RGBA{}, uint8(0) // of the pixel before: most are like it
	for i := range small.Pix {
		if want := from.RGBAAt(i%small.Stride, i/small.Stride); i == 0 || want != last {
			n, ok := known[want]
			if len(known) == 256 && !ok {
				return from
			} else if !ok {
				n, small.Palette = uint8(len(known)), append(small.Palette, want)
				known[want] = n
			}
			last, index = want, n
		}
		small.Pix[i] = index
	}
	return small
}

func encoded(i image.Image) []byte {
	var buf bytes.Buffer
	must.Do(png.Encode(&buf, i))
	return buf.Bytes()
}

// nrgbaOf reads a colour: half of 255 is 127.
func nrgbaOf(c picture.Color) color.NRGBA {
	var r, g, b uint8
	_, err := fmt.Sscanf(c.RGB, "#%02x%02x%02x", &r, &g, &b)
	must.Wrap(err, "colour %q", c.RGB)
	return color.NRGBA{r, g, b, uint8(c.Percent * 255 / 100)}
}
