package poster

import (
	"image"
	"image/draw"
	"math"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gobold"
	"golang.org/x/image/font/gofont/gomono"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/web/must"
)

// sharpness is the number of pixels for each unit of the drawing in a PNG with words, as on a fine screen.
const sharpness = 2

// WithWords draws a picture as PNG, with its words, for programs that do not show SVG. A font, TrueType or OpenType, writes the words
// instead of Go's own fonts, which have no Chinese characters; nil means Go's.
func WithWords(p *picture.Picture, t picture.Theme, l lang.Lang, own []byte) (raw []byte, err error) {
	defer must.Caught(&err)
	c := newPage(picture.Width*sharpness, picture.Height*sharpness, sharpness, t)
	for i, file := range [...][]byte{goregular.TTF, gobold.TTF, gomono.TTF} {
		if own != nil {
			file = own
		}
		parsed, err := opentype.ParseCollection(file)
		if err == nil {
			c.fonts[i], err = parsed.Font(0)
		}
		must.Wrap(err, "the font cannot be read")
	}
	p.PaintAll(l, c.fill, c.write)
	return encoded(c.RGBA), nil
}

// page is a picture that is being painted.
type page struct {
	*image.RGBA
	scale float64 // the number of pixels for each unit of the drawing
	theme picture.Theme
	fonts [3]*opentype.Font // of words: regular, bold and mono
}

func newPage(width, height int, scale float64, t picture.Theme) *page {
	return &page{RGBA: image.NewRGBA(image.Rect(0, 0, width, height)), scale: scale, theme: t}
}

// fill paints the pixels of a rectangle, at least one wide and high.
func (c *page) fill(x0, y0, x1, y1 float64, name string) {
	r := image.Rect(c.pixel(x0), c.pixel(y0), c.pixel(x1), c.pixel(y1))
	r.Max.X, r.Max.Y = max(r.Max.X, r.Min.X+1), max(r.Max.Y, r.Min.Y+1)
	draw.Draw(c.RGBA, r, c.ink(name), image.Point{}, draw.Over)
}

// pixel returns the edge between two pixels that is nearest to a place.
func (c *page) pixel(f float64) int { return int(math.Round(f * c.scale)) }

func (c *page) ink(name string) *image.Uniform { return image.NewUniform(nrgbaOf(c.theme.Of(name))) }

// write writes a text. Its halo is the same text in the halo's colour, moved a little in all directions.
func (c *page) write(l picture.Label) {
	face := must.Have(opentype.NewFace(c.font(l), &opentype.FaceOptions{Size: l.Size * sharpness, DPI: 72}))
	defer face.Close()
	check(c.font(l), l.Text)
	start := fixed.P(c.pixel(l.X), c.pixel(l.Y))
	switch wide := font.MeasureString(face, l.Text); l.Anchor {
	case "middle":
		start.X -= wide / 2
	case "end":
		start.X -= wide
	}
	if l.Halo != "" {
		const reach = 2 * sharpness // half of the width that SVG has
		for x := -reach; x <= reach; x++ {
			for y := -reach; y <= reach; y++ {
				if x*x+y*y <= reach*reach {
					c.stamp(face, l.Text, start.Add(fixed.P(x, y)), c.ink(l.Halo))
				}
			}
		}
	}
	c.stamp(face, l.Text, start, c.ink(l.Fill))
}

func (c *page) stamp(face font.Face, text string, at fixed.Point26_6, ink image.Image) {
	d := font.Drawer{Dst: c.RGBA, Src: ink, Face: face, Dot: at}
	d.DrawString(text)
}

func (c *page) font(l picture.Label) *opentype.Font {
	switch {
	case l.Family == "mono":
		return c.fonts[2]
	case l.Bold:
		return c.fonts[1]
	}
	return c.fonts[0]
}

// check finds a character that a font lacks, which would be an empty box.
func check(f *opentype.Font, text string) {
	for _, r := range text {
		i, err := f.GlyphIndex(nil, r)
		must.Be(err == nil && i != 0, "the font has no %q: name one that has it with -font, or write SVG", r)
	}
}
