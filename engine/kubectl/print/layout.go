// Package print prints objects as kubectl get does: in tables, as YAML, as JSON, by name.
package print

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/rollplay/rollplay/engine/breath"
)

// The space between two columns of kubectl get and of kubectl describe.
const (
	gridPadding   = 3
	gridNarrowest = 6
	tabPadding    = 2
)

// Grid prints rows in columns as kubectl get does. The last column is not padded. A cell that is longer than all before
// it widens the rows after it, not those that are printed already: that is what one sees while watching (K-50).
type Grid struct{ widths []int }

// Lines prints rows in columns that fit all of them.
func (g *Grid) Lines(rows [][]string) []string {
	for _, row := range rows {
		breath.Often()
		for i, c := range row {
			if i == len(g.widths) {
				g.widths = append(g.widths, gridNarrowest)
			}
			g.widths[i] = max(g.widths[i], utf8.RuneCountInString(c)+gridPadding)
		}
	}
	lines := make([]string, len(rows))
	for i, row := range rows {
		breath.Often()
		lines[i] = padded(row, g.widths)
	}
	return lines
}

// padded fills up all cells of a row but the last.
func padded(cells []string, widths []int) string {
	var b []byte
	last := len(cells) - 1
	for i, c := range cells[:last] {
		b = append(b, c...)
		b = append(b, strings.Repeat(" ", widths[i]-utf8.RuneCountInString(c))...)
	}
	return string(append(b, cells[last]...))
}

// Cell returns what kubectl get shows of a text: its first line.
func Cell(text string) string {
	if i := strings.IndexAny(text, "\f\n\r"); i >= 0 {
		return text[:i] + "..."
	}
	return text
}

// Tabbed lays out lines whose cells end in tabs, as kubectl describe does. A column goes through lines that follow each
// other: it ends at the first line that does not have it.
func Tabbed(text string) string {
	lines := strings.Split(text, "\n")
	rows := make([][]string, len(lines))
	for i, line := range lines {
		rows[i] = strings.Split(line, "\t")
	}
	for i, widths := range columnWidths(rows) {
		lines[i] = padded(rows[i], widths)
	}
	return strings.Join(lines, "\n")
}

// columnWidths returns the width of each cell but the last of each row.
func columnWidths(rows [][]string) [][]int {
	widths := make([][]int, len(rows))
	for i, cells := range rows {
		widths[i] = make([]int, len(cells)-1)
	}
	for column, found := 0, true; found; column++ {
		found = false
		for i := 0; i < len(rows); {
			end, width := i, 0
			for ; end < len(rows) && len(widths[end]) > column; end++ {
				width = max(width, utf8.RuneCountInString(rows[end][column])+tabPadding)
			}
			for ; i < end; i++ {
				widths[i][column], found = width, true
			}
			i++
		}
	}
	return widths
}

// Age prints a duration in ms as the AGE column does (K-51).
func Age(ms int64) string {
	s := ms / 1000
	m, h, d := s/60, s/3600, s/86400
	const year = 365
	switch {
	case s < -1: // clocks may differ by a second
		return "<invalid>"
	case s < 120:
		return num(max(0, s), "s")
	case m < 10:
		return two(m, "m", s%60, "s")
	case m < 180:
		return num(m, "m")
	case h < 8:
		return two(h, "h", m%60, "m")
	case h < 48:
		return num(h, "h")
	case d < 8:
		return two(d, "d", h%24, "h")
	case d < 2*year:
		return num(d, "d")
	case d < 8*year:
		return two(d/year, "y", d%year, "d")
	}
	return num(d/year, "y")
}

func num(n int64, unit string) string { return strconv.FormatInt(n, 10) + unit }

func two(n int64, unit string, rest int64, restUnit string) string {
	if rest == 0 {
		return num(n, unit)
	}
	return num(n, unit) + num(rest, restUnit)
}
