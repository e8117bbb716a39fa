package picture

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
)

// AnimatedMax is the most bytes of an animated picture. A run with more to show is drawn on a coarser grid.
const AnimatedMax = 60_000

// linkMax is the longest link that an animated picture carries: a third of its bytes.
const linkMax = 20_000

// repeats is how often an animation plays before it rests on the finished chart: nobody can stop it.
const repeats = 3

// Animated draws the run in motion, as one SVG for both themes: a cursor uncovers the chart, the numbers below it change, and the
// captions come at their moments. It has no script. Its CSS moves nothing for people who ask for less motion, and programs that
// know no CSS show the same finished chart. link is the address of the run, "" for none.
func (p *Picture) Animated(l lang.Lang, link string) []byte {
	return p.moving(l, func(m *motion) []byte { return m.svg(link) })
}

// Played draws the same for a player, which pauses and moves it: web/shell/player.js. Its CSS is an attribute, because a page would
// apply, and so refuse, a style inside of it.
func (p *Picture) Played(l lang.Lang) []byte { return p.moving(l, (*motion).played) }

// moving writes the run in motion on the finest grid that fits.
func (p *Picture) moving(l lang.Lang, write func(*motion) []byte) []byte {
	for grain := .5; ; grain *= 2 {
		if b := write(p.motion(l, grain)); len(b) <= AnimatedMax || grain >= 32 {
			return b
		}
	}
}

func (p *Picture) motion(l lang.Lang, grain float64) *motion {
	s := &motion{sheet: p.sheet(l, written), clock: newClock(p.begin, p.end, p.captions, l)}
	s.grain = grain
	captions := s.captions()
	s.card()
	s.axes()
	s.headline(l.Say("poster-pods", p.workload, chart.Seconds(p.begin), chart.Seconds(p.end)))
	s.add(s.window())
	for i, row := range s.entries() {
		s.row(342+20*float64(i), row, s.highest, s.counter)
	}
	if captions != nil {
		s.add(captions)
	}
	return s
}

// motion is a sheet whose cursor moves.
type motion struct {
	*sheet
	*clock
	reels []*reel
}

// reel puts a reel on the sheet.
func (m *motion) reel(r *reel) *reel {
	r.class = fmt.Sprint("r", len(m.reels))
	m.reels = append(m.reels, r)
	return r
}

// counter writes the number of a line of the legend whenever it changes, but not more often than the grain shows.
func (m *motion) counter(e *entry, x, y float64) {
	r := m.reel(&reel{x: x, y: y - 12, w: Width - x - 8, h: 16, size: 11})
	for i := range m.frames {
		f := &m.frames[i]
		t := m.begin + int64((m.x(f.T)-m.left)/(m.right-m.left)*float64(m.end-m.begin))
		r.show(m.clock.at(t), e.text(e.count(f)))
	}
	m.add(r)
}

// captions makes room for the captions below the legend, nil if there are none. At first there is an empty one.
func (m *motion) captions() *reel {
	if len(m.Picture.captions) == 0 {
		return nil
	}
	const size, leading = 13, 18
	r := m.reel(&reel{x: 16, y: Height, w: Width - 24, size: size, leading: leading})
	lines := 1
	if m.arrives(0) > 0 {
		r.show(0, "")
	}
	for i, c := range m.Picture.captions {
		text := wrap(m.l.In(c.Text), columnsOf(size))
		lines = max(lines, len(text))
		r.show(m.arrives(i), text...)
	}
	r.h = leading*float64(lines) + 4
	m.Height = Height + leading*lines + 12
	return r
}

// window is the plot behind a cover that moves to the right. The cover has the same grid, so only what it hides seems to come.
func (m *motion) window() *cover {
	begin := len(m.shapes)
	m.plot()
	m.notes()
	plot := m.shapes[begin:]
	m.shapes = m.shapes[:begin:begin]
	edge, top := m.right+4, m.top-26
	lid := append([]shape{rect{m.left - 1, top, edge - m.left + 1, m.bottom + 2 - top, "card"}}, m.grid(m.left, m.right)...)
	lid = append(lid, rect{m.left - 1.5, m.top - 6, 1.5, m.bottom - m.top + 6, "text"})
	return &cover{m.left - 2, top, edge - m.left + 2, m.bottom + 2 - top, plot, lid}
}

// cover is a window with a plot and a lid on it. Without motion the lid is beyond the right edge.
type cover struct {
	x, y, w, h float64
	plot, lid  []shape
}

func (c *cover) svg(w *svgWriter) {
	x, y, wide, high := number(c.x), number(c.y), number(c.w), number(c.h)
	w.printf(`<svg x="%s" y="%s" width="%s" height="%s" viewBox="%s %s %s %s">`+"\n", x, y, wide, high, x, y, wide, high)
	for _, s := range c.plot {
		s.svg(w)
	}
	w.printf(`<g class="lid" transform="translate(%s)">`+"\n", wide)
	for _, s := range c.lid {
		s.svg(w)
	}
	w.printf("</g></svg>\n")
}

// lid writes how the cover moves: evenly, with a rest at each caption.
func (m *motion) lid(w *svgWriter) {
	to := func(at int64, t int64) {
		w.printf("%s{transform:translateX(%spx)}", m.percent(at), number(m.x(t)-m.left))
	}
	w.printf("@keyframes lid{")
	to(0, m.begin)
	for i, r := range m.rests {
		if at := m.arrives(i); at > 0 {
			to(at, r.t)
		}
		to(m.arrives(i)+r.length, r.t)
	}
	to(m.all()-restAtEnd, m.end)
	w.printf("100%%{transform:translateX(%spx)}}\n.lid{animation:lid %ss linear %d}\n", number(m.right-m.left), number(float64(m.all())/1000), repeats)
}

// parts are the shapes and the CSS, which has the colours that they use.
func (m *motion) parts() (body, css string) {
	w := &svgWriter{theme: Auto}
	body = m.drawing.themed(w)
	w.printf("@media (prefers-reduced-motion:no-preference){\n")
	m.lid(w)
	for _, r := range m.reels {
		r.keyframes(w, m.clock)
	}
	w.printf("}\n")
	return body, w.buf.String()
}

func (m *motion) svg(link string) []byte {
	w := &svgWriter{}
	body, css := m.parts()
	if len(link) > linkMax {
		link = ""
	}
	followed := strings.HasPrefix(link, "https://") || strings.HasPrefix(link, "http://")
	role := "img"
	if followed {
		role = "group" // what is inside of an image is not announced, and a link must be
	}
	m.drawing.head(w, role, "")
	if link != "" {
		w.printf("<metadata>%s</metadata>\n", escape(link))
	}
	w.printf("<style>\n%s</style>\n", css)
	if followed {
		w.printf(`<a href="%s" target="_top" aria-label="%s">`+"\n", escape(link), escape(m.l.Say("picture-open")))
		body += "</a>\n"
	}
	w.printf("%s</svg>\n", body)
	return w.buf.Bytes()
}

func (m *motion) played() []byte {
	w := &svgWriter{}
	body, css := m.parts()
	m.drawing.head(w, "img", fmt.Sprintf(` data-run="%s" data-css="%s"`, escape(m.script()), escape(css)))
	w.printf("%s</svg>\n", body)
	return w.buf.Bytes()
}

// A player is told the clock, so that it can move the picture to a virtual time. Times are ms.
type (
	script struct {
		Begin    int64      `json:"begin"` // virtual
		First    int64      `json:"first"` // command, virtual
		End      int64      `json:"end"`   // virtual
		Motion   int64      `json:"motion"`
		Captions []stop     `json:"captions"`
		Counts   [][3]int64 `json:"counts"` // at each change: virtual ms, total, available
	}
	stop struct {
		T    int64  `json:"t"` // virtual
		Rest int64  `json:"rest"`
		Text string `json:"text"`
		Asks bool   `json:"asks,omitempty"`
	}
)

func (m *motion) script() string {
	s := script{Begin: m.begin, First: m.begin, End: m.end, Motion: m.clock.motion}
	if len(m.commands) > 0 {
		s.First = m.commands[0].T
	}
	for i, c := range m.Picture.captions {
		s.Captions = append(s.Captions, stop{m.rests[i].t, m.rests[i].length, m.l.In(c.Text), c.Ask != nil})
	}
	for i := range m.frames {
		f, n := &m.frames[i], len(s.Counts)
		if n == 0 || s.Counts[n-1][1] != int64(f.Total) || s.Counts[n-1][2] != int64(f.Available) {
			s.Counts = append(s.Counts, [3]int64{f.T, int64(f.Total), int64(f.Available)})
		}
	}
	b, _ := json.Marshal(s) // numbers and texts cannot fail
	return string(b)
}
