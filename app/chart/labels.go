package chart

import (
	"slices"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine"
)

// Plot is the area in which a chart draws: where virtual times and counts lie, in pixels from its upper left corner.
type Plot struct {
	W, H     float64
	From, To int64   // the time at its left and right edge
	Max      float64 // the count at its upper edge; 0 is at the lower one
}

// X and Y are where a time and a count lie.
func (p Plot) X(t int64) float64   { return p.W * float64(t-p.From) / float64(max(p.To-p.From, 1)) }
func (p Plot) Y(n float64) float64 { return p.H * (1 - n/p.Max) }

// Note is a text that the chart writes next to what it is about. X is its left edge, Y its middle.
type Note struct {
	Kind  string  `json:"kind"` // upper, lower, end, command or outage; edge: the edge of a band, for at most W pods
	Text  string  `json:"text"`
	ID    string  `json:"id,omitempty"`    // of the line that it names
	Color string  `json:"color,omitempty"` // of that line: a name in colors.css without --c-
	X     float64 `json:"x"`
	Y     float64 `json:"y"`
	W     float64 `json:"w"`
}

// overlaps says whether two texts lie on one another. Those of commands stand above the plot.
func (n Note) overlaps(o Note) bool {
	return o.Kind != "command" && n.X < o.X+o.W && o.X < n.X+n.W && n.Y-o.Y < lineHeight && o.Y-n.Y < lineHeight
}

// The size of the characters of a label. The width of a text depends on the reader's fonts, so it is estimated.
const (
	lineHeight = 14.0
	sansWidth  = 6.8 // of a character of 11.5 px
	MonoWidth  = 6.1 // of a monospaced one of 10 px
	markRoom   = 13  // from a command's line to its text: the flag
	gripRoom   = 60  // what the grip of an edge takes at the right, outside of its band
)

// Columns is the width of a text in characters; a Chinese character is as wide as two.
func Columns(text string) int {
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

// Width estimates the width of a label.
func Width(text string) float64 { return sansWidth * float64(Columns(text)) }

// Bounds places the texts of both bounds in the stretch of time in which they hold: each inside its band if the band is high
// enough for a line, otherwise just outside of it, where what is in parentheses makes room for the grip of the edge. at is where they begin
// if there is room to the right of it, else they end there.
func (p Plot) Bounds(f *engine.Frame, upper, lower string, at float64) (all []Note) {
	place := func(kind, text string, inside, outside, band float64) {
		if text == "" {
			return
		}
		y := outside
		if band >= lineHeight+2 {
			y = inside
		}
		if k := strings.IndexAny(text, "(（"); k > 0 && y == outside && Width(text) > p.W-gripRoom {
			text = strings.TrimSpace(text[:k])
		}
		l := Note{Kind: kind, Text: text, W: Width(text), X: at, Y: min(max(y, lineHeight/2), p.H-lineHeight/2)}
		if l.X+l.W > p.W {
			l.X = max(at-l.W-18, 0)
		}
		all = append(all, l)
	}
	high, middle, low := p.Y(float64(f.Upper)), p.Y(float64(f.Desired)), p.Y(float64(f.Lower))
	const half = lineHeight/2 + 2
	place("upper", upper, high+half, high-half, middle-high)
	place("lower", lower, low-half, low+half, low-middle)
	return all
}

// Commands places the texts of commands to the right of their lines, as much of each as fits before the next one. Fewer than eight characters would say nothing.
func (p Plot) Commands(marks []Mark) (all []Note) {
	visible := slices.DeleteFunc(slices.Clone(marks), func(m Mark) bool { return m.Kind != "command" || m.T < p.From || m.T > p.To })
	for i, m := range visible {
		x, room := p.X(m.T), p.W-p.X(m.T)
		if i+1 < len(visible) {
			room = p.X(visible[i+1].T) - x
		}
		if text := Shorten(Said(m.Line), int((room-markRoom-5)/MonoWidth)); text != "" {
			all = append(all, Note{Kind: "command", Text: text, X: x + markRoom, W: MonoWidth * float64(Columns(text))})
		}
	}
	return all
}

// Said is what a command line says, without what every line has, and without the name of what it changes:
// "kubectl set image deployment/web nginx=nginx:1.19.1" is "set image nginx:1.19.1".
func Said(line string) string {
	words := strings.Fields(strings.TrimPrefix(line, "kubectl "))
	if len(words) > 3 && words[0] == "set" && words[1] == "image" {
		var images []string
		for _, w := range words[3:] {
			if _, image, ok := strings.Cut(w, "="); ok && !strings.HasPrefix(w, "-") {
				images = append(images, ShortImages(image))
			}
		}
		return "set image " + strings.Join(images, " ")
	}
	words = slices.DeleteFunc(words, func(w string) bool {
		kind, _, ok := strings.Cut(w, "/")
		return ok && (kind == "deployment" || kind == "deploy")
	})
	return strings.Join(words, " ")
}

// Shorten cuts a text to n characters. Fewer than eight would say nothing, so it returns none then.
func Shorten(text string, n int) string {
	letters := []rune(text)
	switch {
	case len(letters) <= n:
		return text
	case n < 8:
		return ""
	}
	return strings.TrimRight(string(letters[:n-1]), " ") + "…"
}

// End is a line of the chart at the right edge of the plot.
type End struct {
	ID, Text, Color string
	Count           int
}

// Ends places the names of lines right of the plot, each at the height of its line, or as near as its neighbours allow: three lines
// at 10 are written one below the other around 10.
func (p Plot) Ends(ends []End) (all []Note) {
	sorted := slices.Clone(ends)
	sort.SliceStable(sorted, func(i, k int) bool { return sorted[i].Count > sorted[k].Count })
	type group struct {
		n      int
		middle float64
	}
	var groups []group
	for _, e := range sorted {
		groups = append(groups, group{1, p.Y(float64(e.Count))})
		for {
			k := len(groups) - 1
			last := &groups[k]
			half := lineHeight / 2 * float64(last.n)
			last.middle = max(min(last.middle, p.H-half), half)
			if k == 0 || groups[k-1].middle+lineHeight/2*float64(groups[k-1].n) <= last.middle-half {
				break
			}
			above := groups[k-1]
			n := above.n + last.n
			groups[k-1] = group{n, (above.middle*float64(above.n) + last.middle*float64(last.n)) / float64(n)}
			groups = groups[:k]
		}
	}
	for _, g := range groups {
		for i := range g.n {
			e := sorted[len(all)]
			y := g.middle + lineHeight*(float64(i)-float64(g.n-1)/2)
			all = append(all, Note{Kind: "end", ID: e.ID, Text: e.Text, Color: e.Color, X: p.W + 6, Y: y, W: Width(e.Text)})
		}
	}
	return all
}

// Outage places the names of times without an available pod above the lower edge, where the line of available pods is, or at the
// upper edge where something else is written below. A name that has no room inside its time is written beside it, unless it
// would lie on another one.
func (p Plot) Outage(outages []Span, text func(ms int64) string, taken []Note) (all []Note) {
	free := 0.0
	for i, o := range outages {
		left, right := max(p.X(o.From), 0), min(p.X(o.To), p.W)
		if o.To <= p.From || o.From >= p.To || right-left < 2 {
			continue
		}
		l := Note{Kind: "outage", Text: text(o.To - o.From), Y: p.H - lineHeight/2 - 4}
		l.W = Width(l.Text) + 8
		l.X = (left + right - l.W) / 2
		next := p.W
		if i+1 < len(outages) {
			next = min(p.X(outages[i+1].From), p.W)
		}
		if l.W > right-left {
			l.X = right + 3
			if l.X+l.W > next {
				l.X = left - l.W - 3
			}
		}
		if slices.ContainsFunc(taken, l.overlaps) {
			l.Y = lineHeight/2 + 2
		}
		if l.X >= free && l.X+l.W <= p.W && !slices.ContainsFunc(taken, l.overlaps) {
			all = append(all, l)
			free = l.X + l.W
		}
		free = max(free, right)
	}
	return all
}
