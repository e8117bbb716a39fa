package kubectl

import (
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/breath"
)

// around is how many equal lines diff -u shows before and after a change.
const around = 3

// unified compares two texts line by line, as diff -u does; it returns "" if they are equal.
func unified(a, b string) string {
	edits := editsOf(lines(a), lines(b))
	var out strings.Builder
	for i := 0; i < len(edits); {
		if edits[i][0] == ' ' {
			i++
			continue
		}
		end, equal := i, 0 // a hunk ends where more equal lines follow than two contexts have
		for k := i; k < len(edits) && equal <= 2*around; k++ {
			if equal++; edits[k][0] != ' ' {
				end, equal = k+1, 0
			}
		}
		from, to := max(0, i-around), min(len(edits), end+around)
		oldBefore, nowBefore := sizes(edits[:from])
		oldSize, nowSize := sizes(edits[from:to])
		out.WriteString("@@ -" + span(oldBefore, oldSize) + " +" + span(nowBefore, nowSize) + " @@\n" + strings.Join(edits[from:to], "\n") + "\n")
		i = end
	}
	return strings.TrimSuffix(out.String(), "\n")
}

func lines(text string) []string {
	if text = strings.TrimSuffix(text, "\n"); text == "" {
		return nil
	}
	return strings.Split(text, "\n")
}

// sizes says how many lines of the two texts edits are about.
func sizes(edits []string) (old, now int) {
	for _, e := range edits {
		if e[0] != '+' {
			old++
		}
		if e[0] != '-' {
			now++
		}
	}
	return old, now
}

// span writes where a hunk begins, and how many lines it has if it is not one.
func span(start, size int) string {
	text := strconv.Itoa(start + min(size, 1))
	if size != 1 {
		text += "," + strconv.Itoa(size)
	}
	return text
}

// cellsMax is how many pairs of lines are compared for the lines that two texts have in common.
const cellsMax = 4 << 20

// editsOf returns the lines with a sign in front: to keep (blank), to remove (-) and to add (+), with as many kept as possible. If what lies
// between the first and the last change is too long to compare, all of it is removed and added.
func editsOf(old, now []string) (edits []string) {
	head, tail := 0, len(old)
	for head < min(len(old), len(now)) && old[head] == now[head] {
		head++
	}
	first, last := old[:head], old
	old, now = old[head:], now[head:]
	for len(old)*len(now) > cellsMax && old[len(old)-1] == now[len(now)-1] {
		old, now, tail = old[:len(old)-1], now[:len(now)-1], tail-1
	}
	if len(old)*len(now) > cellsMax {
		edits = append(signed("-", old), signed("+", now)...)
	} else {
		edits = compared(old, now)
	}
	return slices.Concat(signed(" ", first), edits, signed(" ", last[tail:]))
}

func signed(sign string, lines []string) (edits []string) {
	for _, text := range lines {
		edits = append(edits, sign+text)
	}
	return edits
}

// compared returns the edits that keep the most lines.
func compared(old, now []string) (edits []string) {
	common := make([][]int32, len(old)+1) // the most lines that the rests have in common
	for i := range common {
		common[i] = make([]int32, len(now)+1)
	}
	for i := len(old) - 1; i >= 0; i-- {
		breath.Take()
		for k := len(now) - 1; k >= 0; k-- {
			if common[i][k] = max(common[i+1][k], common[i][k+1]); old[i] == now[k] {
				common[i][k] = common[i+1][k+1] + 1
			}
		}
	}
	for i, k := 0, 0; i < len(old) || k < len(now); {
		switch {
		case i < len(old) && k < len(now) && old[i] == now[k]:
			edits = append(edits, " "+old[i])
			i, k = i+1, k+1
		case k == len(now) || i < len(old) && common[i+1][k] >= common[i][k+1]:
			edits = append(edits, "-"+old[i])
			i++
		default:
			edits = append(edits, "+"+now[k])
			k++
		}
	}
	return edits
}
