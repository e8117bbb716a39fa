package poster

import (
	"fmt"
	"math"
	"strings"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/engine"
)

// Size of a poster, in the shape that previews of links have: 1.905 to 1.
const Width, Height = 720, 378

// sheet is a poster in progress.
type sheet struct {
	*Poster
	drawing
	Theme
	box
	lang string // of its words
}

// box is the area of the plot.
type box struct{ left, right, top, bottom float64 }

// SVG draws the poster in the colours of a theme, with words in a language.
func (p *Poster) SVG(t Theme, lang string) []byte {
	s := p.sheet(t, lang, box{40, 702, 82, 304})
	s.axes()
	s.plot()
	s.words()
	return s.drawing.svg()
}

// PNG draws it for previews of links, which do not support SVG. They show a title beside it, so it has no words.
func (p *Poster) PNG(t Theme) ([]byte, error) {
	s := p.sheet(t, "", box{20, 700, 40, 358})
	s.plot()
	return s.drawing.png()
}

func (p *Poster) sheet(t Theme, lang string, b box) *sheet {
	s := &sheet{p, drawing{Width: Width, Height: Height, Title: p.Title.In(lang), Desc: p.Description(lang)}, t, b, lang}
	s.add(rect{0, 0, Width, Height, t.color("border")}, rect{1, 1, Width - 2, Height - 2, t.color("card")})
	return s
}

// plot draws everything but words, from back to front.
func (s *sheet) plot() {
	for n := 0; n <= s.high; n += s.step {
		s.add(steps{[]point{{s.left, s.y(n)}, {s.right, s.y(n)}}, s.color("chart-grid"), 1, nil})
	}
	s.add(steps{[]point{{s.left, s.bottom}, {s.right, s.bottom}}, s.color("chart-axis"), 1, nil})
	s.bands()
	s.lines()
	s.flags()
	s.cursor()
}

// words draws the title, the texts at flags and cursor, and the legend.
func (s *sheet) words() {
	s.add(
		label{16, 27, "start", 17, "sans", true, s.color("text"), none, s.Poster.Title.In(s.lang)},
		label{16, 47, "start", 12.5, "sans", false, s.color("muted"), none, s.say("poster-at", s.sentence(s.lang))},
	)
	s.commandTexts()
	s.boundTexts()
	s.legend()
}

// say returns a message in the language of the poster.
func (s *sheet) say(key string, args ...any) string { return app.PageText(s.lang, key, args...) }

// x and y place virtual ms and a count in the plot, to half a unit. That is as fine as a screen shows, and it keeps the numbers
// in the file short. Times outside of the plot lie on its edge.
func (s *sheet) x(t int64) float64 {
	t = min(max(t, s.begin), s.end)
	return half(s.left + (s.right-s.left)*float64(t-s.begin)/float64(s.end-s.begin))
}

func (s *sheet) y(n int) float64 {
	return half(s.bottom - (s.bottom-s.top)*float64(n)/float64(s.high))
}

func half(f float64) float64 { return math.Round(2*f) / 2 }

// line returns the step line of a count over all frames, up to the end of the plot.
func (s *sheet) line(count func(engine.Frame) int) []point {
	var line []point
	for _, f := range s.frames {
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
		case n > 1 && out[n-1].x == p.x && between(out[n-2].y, out[n-1].y, p.y):
			out[n-1] = p
		default:
			out = append(out, p)
		}
	}
	return out
}

func between(a, b, c float64) bool { return min(a, c) <= b && b <= max(a, c) }

// axes draws the numbers beside and below the plot.
func (s *sheet) axes() {
	small := func(x, y float64, anchor, text string) label {
		return label{x, y, anchor, 11, "sans", false, s.color("chart-label"), none, text}
	}
	for n := 0; n <= s.high; n += s.step {
		s.add(small(s.left-7, s.y(n)+4, "end", fmt.Sprint(n)))
	}
	step := timeStep(s.end - s.begin)
	for at := (s.begin + step - 1) / step * step; at <= s.end; at += step {
		s.add(small(s.x(at), s.bottom+16, "middle", seconds(at)))
	}
}

// bands draws the range that the bounds allow around the desired number.
func (s *sheet) bands() {
	lower := func(f engine.Frame) int { return max(f.Lower, 0) }
	desired := func(f engine.Frame) int { return f.Desired }
	upper := func(f engine.Frame) int { return max(f.Upper, f.Desired) }
	s.fill(lower, desired, "c-unavailable-band")
	s.fill(desired, upper, "c-surge-band")
	s.add(
		steps{s.line(lower), s.color("c-lower"), 1, nil},
		steps{s.line(upper), s.color("c-upper"), 1, nil},
		steps{s.line(desired), s.color("c-desired"), 1, []float64{4, 4}},
	)
}

// fill fills the area between two counts. Both edges get a point wherever one of them changes.
func (s *sheet) fill(low, high func(engine.Frame) int, color string) {
	var top, bottom []point
	for i, f := range s.frames {
		if i > 0 && low(f) == low(s.frames[i-1]) && high(f) == high(s.frames[i-1]) {
			continue
		}
		top, bottom = append(top, point{s.x(f.T), s.y(high(f))}), append(bottom, point{s.x(f.T), s.y(low(f))})
	}
	n := len(top) - 1
	top, bottom = append(top, point{s.right, top[n].y}), append(bottom, point{s.right, bottom[n].y})
	s.add(area{top, bottom, s.color(color)})
}

// lines draws the counts: terminating pods on top of the total, then the ReplicaSets, then the two numbers that the bounds
// limit.
func (s *sheet) lines() {
	total := func(f engine.Frame) int { return f.Total }
	all := func(f engine.Frame) int { return f.Total + f.Terminating }
	s.fill(total, all, "c-terminating-area")
	s.add(steps{s.line(all), s.color("c-terminating"), 1, []float64{1.5, 2.5}})
	for i, name := range s.replicaSets() {
		s.add(steps{s.line(func(f engine.Frame) int { return replicaSet(f, name).Replicas }), s.color(rsColor(i)), 1.5, rsDash(i)})
	}
	s.add(
		steps{s.line(total), s.color("c-total"), 3, nil},
		steps{s.line(func(f engine.Frame) int { return f.Available }), s.color("c-available"), 2, nil},
	)
}

// rsColor and rsDash match the page's chart: lines differ from their neighbours even without colour.
func rsColor(i int) string { return fmt.Sprintf("c-rs-%d", i%6) }

func rsDash(i int) []float64 { return [][]float64{{6, 4}, nil, {2, 3}}[i%3] }

// flags mark when a command was given.
func (s *sheet) flags() {
	for _, c := range s.commands {
		color := s.color("accent")
		if c.Failed {
			color = s.color("bad")
		}
		x, top := s.x(c.T), s.top-22
		s.add(steps{[]point{{x, top}, {x, s.bottom}}, color, 1, []float64{2, 2}}, rect{x, top, 9, 8, color})
	}
}

// commandTexts writes commands beside their flags, as much as fits before the next flag.
func (s *sheet) commandTexts() {
	const charWidth = 6.1 // of a monospaced character of size 10
	for i, c := range s.commands {
		x, room := s.x(c.T), s.right-s.x(c.T)
		if i+1 < len(s.commands) {
			room = s.x(s.commands[i+1].T) - x
		}
		if text := shorten(strings.TrimPrefix(c.Command, "kubectl "), int((room-18)/charWidth)); text != "" {
			s.add(label{x + 13, s.top - 14, "start", 10, "mono", false, s.color("muted"), none, text})
		}
	}
}

// shorten cuts a text to n characters. Fewer than eight would say nothing, so it returns none then.
func shorten(text string, n int) string {
	letters := []rune(text)
	switch {
	case len(letters) <= n:
		return text
	case n < 8:
		return ""
	}
	return strings.TrimRight(string(letters[:n-1]), " ") + "…"
}

// cursor marks the telling moment, and the two numbers that the bounds limit.
func (s *sheet) cursor() {
	f := s.moment()
	x := s.x(f.T)
	s.add(rect{x - .75, s.top - 6, 1.5, s.bottom - s.top + 6, s.color("text")})
	dot := func(n int, color string) rect { return rect{x - 4, s.y(n) - 4, 8, 8, s.color(color)} }
	s.add(dot(f.Total, "c-total"), dot(f.Available, "c-available"))
}

// boundTexts writes the bounds at the cursor, on the side with more room.
func (s *sheet) boundTexts() {
	f := s.moment()
	anchor, at := "start", s.x(f.T)+9
	if at > s.left+(s.right-s.left)*.75 {
		anchor, at = "end", at-18
	}
	bound := func(y float64, text string) label {
		return label{at, y, anchor, 11.5, "sans", true, s.color("text"), s.color("card"), text}
	}
	if f.Upper > 0 {
		s.add(bound(s.y(f.Upper)-6, s.say("poster-upper", f.Upper, f.Desired, f.Upper-f.Desired)))
	}
	if f.Lower > 0 {
		s.add(bound(min(s.y(f.Lower)+15, s.bottom-4), s.say("poster-lower", f.Lower, f.Desired, f.Desired-f.Lower)))
	}
}

// legend names the lines with their numbers at the cursor: the counts in one row, the ReplicaSets in the next.
func (s *sheet) legend() {
	f := s.moment()
	s.row(342, []entry{
		{s.say("poster-total", f.Total), steps{nil, s.color("c-total"), 3, nil}},
		{s.say("poster-available", f.Available), steps{nil, s.color("c-available"), 2, nil}},
		{s.say("poster-desired", f.Desired), steps{nil, s.color("c-desired"), 1, []float64{4, 4}}},
		{s.say("poster-leaving", f.Terminating), steps{nil, s.color("c-terminating"), 1.5, []float64{1.5, 2.5}}},
	})
	var all []entry
	for i, name := range s.replicaSets() {
		text := fmt.Sprintf("%s: %d", s.images[name], replicaSet(f, name).Replicas)
		if r := s.revision(name); r > 0 {
			text = fmt.Sprintf("rev %d %s", r, text)
		}
		all = append(all, entry{text, steps{nil, s.color(rsColor(i)), 1.5, rsDash(i)}})
	}
	s.row(362, all)
}

// entry is a line of the chart in the legend.
type entry struct {
	text   string
	sample steps
}

// row draws entries side by side. The width of a text depends on the reader's fonts, so row estimates it. It leaves out entries
// that do not fit, because the picture's description contains all of them.
func (s *sheet) row(y float64, entries []entry) {
	const charWidth = 6.2
	x := 16.0
	for _, e := range entries {
		width := 24 + charWidth*float64(columns(e.text))
		if x+width > Width-8 {
			return
		}
		e.sample.points = []point{{x, y - 4}, {x + 16, y - 4}}
		s.add(e.sample, label{x + 21, y, "start", 11, "sans", false, s.color("text"), none, e.text})
		x += width + 10
	}
}

// columns returns the width of a text in characters; a Chinese character is as wide as two.
func columns(text string) int {
	n := 0
	for _, r := range text {
		if n++; Wide(r) {
			n++
		}
	}
	return n
}

// Wide says whether a character is Chinese or Chinese punctuation.
func Wide(r rune) bool { return r >= 0x3000 && r <= 0x9fff || r >= 0xff00 && r <= 0xffef }
