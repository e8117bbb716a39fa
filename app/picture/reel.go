package picture

import (
	"math"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine/scenario"
)

// reel shows one of several texts at a time: they stand one below the other behind a window of the size of one, and keyframes move
// them. So a number that changes a hundred times takes thirty bytes for each change, and a script is not needed.
type reel struct {
	x, y, w, h float64 // of the window
	size       float64 // of the characters
	leading    float64 // from line to line of one text
	texts      [][]string
	turns      []turn
	class      string // of its keyframes
}

// turn brings a text into the window.
type turn struct {
	at   int64 // ms of the animation
	text int
}

// show adds a text, unless it is there already, and turns to it.
func (r *reel) show(at int64, lines ...string) {
	n := slices.IndexFunc(r.texts, func(text []string) bool { return slices.Equal(text, lines) })
	if n < 0 {
		n = len(r.texts)
		r.texts = append(r.texts, lines)
	}
	if last := len(r.turns) - 1; last >= 0 && r.turns[last].at == at {
		r.turns = r.turns[:last]
	}
	if last := len(r.turns) - 1; last < 0 || r.turns[last].text != n {
		r.turns = append(r.turns, turn{at, n})
	}
}

// svg writes the reel with its last text in the window, as it is without motion.
func (r *reel) svg(w *svgWriter) {
	w.printf(`<svg x="%s" y="%s" width="%s" height="%s"><g`, number(r.x), number(r.y), number(r.w), number(r.h))
	if last := r.turns[len(r.turns)-1].text; last > 0 {
		w.printf(` transform="translate(0 %s)"`, number(-r.h*float64(last)))
	}
	w.printf(` font-size="%s"`, number(r.size))
	w.classes = append(w.classes, r.class)
	w.end("fill", "text", ">\n")
	for i, lines := range r.texts {
		for k, line := range lines {
			w.printf("<text y=\"%s\">%s</text>\n", number(r.h*float64(i)+r.size+1+r.leading*float64(k)), escape(line))
		}
	}
	w.printf("</g></svg>\n")
}

// keyframes writes the turns. Without an own one for 100 % it is the state without motion, which is the last one.
func (r *reel) keyframes(w *svgWriter, c *clock) {
	w.printf("@keyframes %s{", r.class)
	for _, t := range r.turns {
		w.printf("%s{transform:translateY(%spx)}", c.percent(t.at), number(0-r.h*float64(t.text)))
	}
	w.printf("}\n.%s{animation:%s %ss step-end %d}\n", r.class, r.class, number(float64(c.all())/1000), repeats)
}

// closing are the characters that do not begin a line.
const closing = "，。：；？！、）”》"

// wrap breaks a text into lines of a number of columns, between words or after a Chinese character. A longer word is cut.
func wrap(text string, columns int) (lines []string) {
	letters := []rune(strings.Join(strings.Fields(text), " "))
	for begin := 0; begin < len(letters); {
		end, cut, width := begin, 0, 0
		for ; end < len(letters); end++ {
			if width += chart.Columns(string(letters[end])); width > columns {
				break
			}
			if letters[end] == ' ' || chart.Wide(letters[end]) && !(end+1 < len(letters) && strings.ContainsRune(closing, letters[end+1])) {
				cut = end + 1
			}
		}
		if end < len(letters) && letters[end] != ' ' && cut > begin {
			end = cut
		}
		end = max(end, begin+1)
		lines = append(lines, strings.TrimSpace(string(letters[begin:end])))
		for begin = end; begin < len(letters) && letters[begin] == ' '; begin++ {
		}
	}
	return lines
}

// How long an animation moves and rests, in ms.
const (
	motionMin, motionMax = 6000, 10_000
	restAtEnd            = 3000
	readColumn           = 40 // for each column of a caption: a line of 90 columns takes 3.6 s
	readMin, readMax     = 1500, 5000
)

// clock maps the virtual time of a run to the time of its animation. The cursor moves evenly and rests at each caption, so
// that it can be read: captions often follow each other within a tenth of a second.
type clock struct {
	begin, end int64 // virtual
	motion     int64 // how long the cursor moves
	rests      []rest
}

// rest is where the cursor stops for a caption.
type rest struct{ t, length int64 }

func newClock(begin, end int64, captions []scenario.Caption, l lang.Lang) *clock {
	c := &clock{begin: begin, end: end, motion: min(max(end-begin, motionMin), motionMax)}
	for _, x := range captions {
		length := min(max(readColumn*int64(chart.Columns(l.In(x.Text))), readMin), readMax)
		c.rests = append(c.rests, rest{min(max(x.At, begin), end), length})
	}
	return c
}

// moved is how long the cursor has moved when it arrives at a virtual time.
func (c *clock) moved(t int64) int64 {
	return c.motion * (min(max(t, c.begin), c.end) - c.begin) / (c.end - c.begin)
}

// at is when the cursor arrives at a virtual time: with a rest of 4 s at 10 s of a run from 8 s to 16 s that moves 8 s, it is 2 s
// for 10 s, and 7 s for 11 s.
func (c *clock) at(t int64) int64 {
	at := c.moved(t)
	for _, r := range c.rests {
		if r.t < t {
			at += r.length
		}
	}
	return at
}

// arrives is when the i-th rest begins, which may be after others at the same virtual time.
func (c *clock) arrives(i int) int64 {
	at := c.moved(c.rests[i].t)
	for _, r := range c.rests[:i] {
		at += r.length
	}
	return at
}

// all is how long the animation takes.
func (c *clock) all() int64 {
	all := c.motion + restAtEnd
	for _, r := range c.rests {
		all += r.length
	}
	return all
}

// percent writes a moment of the animation as keyframes do, to a hundredth.
func (c *clock) percent(ms int64) string {
	return number(math.Round(float64(ms)*10_000/float64(c.all()))/100) + "%"
}
