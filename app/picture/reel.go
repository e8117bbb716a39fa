package picture

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/app/chart"
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

// paint leaves texts out, as a label does.
func (*reel) paint(Fill) {}

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
