package picture

import (
	"bytes"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/words"
)

// families are the fonts of the page. Text stays text: screen readers can read it, and posters stay small.
var families = map[string]string{
	"sans": "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif",
	"mono": "ui-monospace, SFMono-Regular, Menlo, Consolas, 'DejaVu Sans Mono', monospace",
}

// svgWriter writes the shapes of a drawing. Without Auto it uses attributes only: the site's policy forbids styles in a file, also
// for an SVG that the browser opens by itself.
type svgWriter struct {
	buf     bytes.Buffer
	theme   Theme
	used    [len(uses)][len(colors)]bool // with Auto
	classes []string                     // of the element that is being written
}

// svg writes the drawing. Equal drawings give equal bytes.
func (d *drawing) svg(t Theme) []byte {
	w := &svgWriter{theme: t}
	d.head(w, "img", "")
	for _, s := range d.shapes {
		s.svg(w)
	}
	w.printf("</svg>\n")
	return w.buf.Bytes()
}

// themed draws the shapes with an empty writer for Auto, and leaves the colours of both themes in it.
func (d *drawing) themed(w *svgWriter) (body string) {
	for _, s := range d.shapes {
		s.svg(w)
	}
	body = w.buf.String()
	w.buf.Reset()
	w.palette(Light)
	w.printf("@media (prefers-color-scheme:dark){\n")
	w.palette(Dark)
	w.printf("}\n")
	return body
}

// head begins the file, with what screen readers say, and other attributes.
func (d *drawing) head(w *svgWriter, role, others string) {
	w.printf(`<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" role="%s" `+
		`aria-labelledby="title desc" font-family="%s"%s>`+"\n", d.Width, d.Height, d.Width, d.Height, role, families["sans"], others)
	w.printf(`<title id="title">%s</title>`+"\n"+`<desc id="desc">%s</desc>`+"\n", escape(d.Title), escape(d.Desc))
}

func (w *svgWriter) printf(format string, args ...any) { fmt.Fprintf(&w.buf, format, args...) }

// paint writes an attribute for a colour and, unless it is opaque, one for its opacity: older programs do not know colours that
// have both. With Auto it is a class, for which palette writes the colours of both themes.
func (w *svgWriter) paint(attribute, name string) {
	if w.theme == Auto {
		w.classes = append(w.classes, w.class(attribute, colorIndex(name)))
		return
	}
	c := w.theme.Of(name)
	w.printf(` %s="%s"`, attribute, c.RGB)
	if c.Percent != 100 {
		w.printf(` %s-opacity="%s"`, attribute, number(float64(c.Percent)/100))
	}
}

// class is the name of a class for a colour, f3 or s3, which is used from now on.
func (w *svgWriter) class(attribute string, color int) string {
	w.used[slices.Index(uses[:], attribute)][color] = true
	return attribute[:1] + strconv.Itoa(color)
}

// uses are what a colour is used for.
var uses = [...]string{"fill", "stroke"}

// palette writes the classes of the colours in a theme.
func (w *svgWriter) palette(t Theme) {
	for i, attribute := range uses {
		for color, used := range w.used[i] {
			if !used {
				continue
			}
			c := t.Of(colors[color].name)
			w.printf(".%s%d{%s:%s", attribute[:1], color, attribute, c.RGB)
			if c.Percent != 100 {
				w.printf(";%s-opacity:%s", attribute, number(float64(c.Percent)/100))
			}
			w.printf("}\n")
		}
	}
}

// end writes the last colour of an element, with Auto the classes of all its colours, and the end of its tag.
func (w *svgWriter) end(attribute, name, tag string) {
	w.paint(attribute, name)
	if len(w.classes) > 0 {
		w.printf(` class="%s"`, strings.Join(w.classes, " "))
		w.classes = w.classes[:0]
	}
	w.buf.WriteString(tag)
}

func (r rect) svg(w *svgWriter) {
	w.printf(`<path d="M%s %sh%sv%sh%sz"`, number(r.x), number(r.y), number(r.w), number(r.h), number(-r.w))
	w.end("fill", r.fill, "/>\n")
}

func (s steps) svg(w *svgWriter) {
	w.printf(`<path d="`)
	w.forward(s.points)
	w.printf(`" fill="none" stroke-width="%s"`, number(s.width))
	if s.dash != nil {
		w.printf(` stroke-dasharray="%s"`, words.Join(s.dash, " ", number))
	}
	w.end("stroke", s.stroke, "/>\n")
}

func (a area) svg(w *svgWriter) {
	w.printf(`<path d="`)
	w.forward(a.top)
	w.backward(a.bottom)
	w.printf(`z"`)
	w.end("fill", a.fill, "/>\n")
}

// forward follows a step line from left to right, first across and then up or down.
func (w *svgWriter) forward(line []point) {
	x, y := 0.0, 0.0
	for i, p := range line {
		switch {
		case p.isGap():
		case i == 0 || line[i-1].isGap():
			x, y = p.x, p.y
			w.printf("M%s %s", number(x), number(y))
		default:
			w.to('H', &x, p.x)
			w.to('V', &y, p.y)
		}
	}
}

// backward follows a step line from right to left, first up or down and then across.
func (w *svgWriter) backward(line []point) {
	last := line[len(line)-1]
	x, y := last.x, last.y
	w.printf("V%s", number(y))
	for i := len(line) - 2; i >= 0; i-- {
		w.to('V', &y, line[i].y)
		w.to('H', &x, line[i].x)
	}
}

// to moves one coordinate, if it moves at all.
func (w *svgWriter) to(command byte, now *float64, next float64) {
	if *now != next {
		w.printf("%c%s", command, number(next))
		*now = next
	}
}

func (l Label) svg(w *svgWriter) {
	w.printf(`<text x="%s" y="%s" font-size="%s"`, number(l.X), number(l.Y), number(l.Size))
	if l.Anchor != "start" {
		w.printf(` text-anchor="%s"`, l.Anchor)
	}
	if l.Family != "sans" {
		w.printf(` font-family="%s"`, families[l.Family])
	}
	if l.Bold {
		w.printf(` font-weight="600"`)
	}
	if l.Halo != "" {
		w.printf(` stroke-width="4" stroke-linejoin="round" paint-order="stroke"`)
		w.paint("stroke", l.Halo)
	}
	w.end("fill", l.Fill, ">")
	w.printf("%s</text>\n", escape(l.Text))
}

// number writes a coordinate with at most two decimals, .5 for 0.5.
func number(f float64) string {
	s := strconv.FormatFloat(math.Round(f*100)/100, 'f', -1, 64)
	if rest, ok := strings.CutPrefix(s, "0."); ok {
		return "." + rest
	}
	if rest, ok := strings.CutPrefix(s, "-0."); ok {
		return "-." + rest
	}
	return s
}

// xmlText writes the characters that mean something in XML as encoding/xml does, which would be a large part of the download.
var xmlText = strings.NewReplacer(`"`, "&#34;", "'", "&#39;", "&", "&amp;", "<", "&lt;", ">", "&gt;", "\t", "&#x9;", "\n", "&#xA;", "\ufffe", "\ufffd", "\uffff", "\ufffd")

// escape writes a text as XML. A title with a bidirectional override must not be read backwards. No other character that XML lacks
// is left then.
func escape(s string) string { return xmlText.Replace(words.Visible(s)) }

// ThumbWidth and ThumbHeight are the size of a Thumb.
const ThumbWidth, ThumbHeight = 184, 104

// Thumb is the run as a figure so small that only its shape can be seen: the pods of each revision on top of each other, above them those
// that stop, the available ones as a line, and red where none is available. It has no visible words, and the colours of both themes.
func (p *Picture) Thumb() []byte {
	s := p.sheet("", box{0, ThumbWidth, 4, ThumbHeight})
	s.Width, s.Height = ThumbWidth, ThumbHeight
	s.stack()
	s.fill(total, all, "c-terminating-area")
	s.add(steps{s.line(lower), "muted", 2, []float64{4, 4}}, steps{s.line(available), "c-available", 4, nil})
	s.outages()
	css := &svgWriter{theme: Auto}
	body, w := s.drawing.themed(css), &svgWriter{}
	s.drawing.head(w, "img", "")
	w.printf("<style>\n%s</style>\n%s</svg>\n", css.buf.String(), body)
	return w.buf.Bytes()
}

// stack fills the pods of each ReplicaSet, the older below the newer.
func (s *sheet) stack() {
	below := func(*engine.Frame) int { return 0 }
	for i, set := range s.sets {
		under, count := below, replicas(set.Name)
		below = func(f *engine.Frame) int { return under(f) + count(f) }
		s.fill(under, below, rsColor(i))
	}
}
