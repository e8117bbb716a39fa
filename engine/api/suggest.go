package api

import (
	"slices"
	"strings"
)

// Nearest returns the candidate that was probably meant by a word, "" if none is close: one with letters in the wrong
// case, or with at most one typo in every three letters. Of equally close candidates it returns the first in the alphabet.
func Nearest(word string, candidates []string) string {
	best, bestTypos := "", 1+len(word)/3
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		typos := distance(word, c)
		if strings.EqualFold(word, c) {
			typos = 0
		}
		if typos < bestTypos {
			best, bestTypos = c, typos
		}
	}
	return best
}

// Typos counts the letters to insert, delete or change to make b of a.
func Typos(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := 0; i < len(a); i++ {
		before := row[0]
		row[0] = i + 1
		for j := 0; j < len(b); j++ {
			change := before
			if a[i] != b[j] {
				change++
			}
			before = row[j+1]
			row[j+1] = min(change, before+1, row[j]+1)
		}
	}
	return row[len(b)]
}

// distance counts the letters to insert, delete, change, or swap with their neighbour, to make b of a.
func distance(a, b string) int {
	const tooFar = 1 << 10
	if len(a)-len(b) > 8 || len(b)-len(a) > 8 || len(a) > 100 {
		return tooFar
	}
	var before []int // the row before the last
	last := make([]int, len(b)+1)
	for j := range last {
		last[j] = j
	}
	for i := range len(a) {
		row := make([]int, len(b)+1)
		row[0] = i + 1
		for j := range len(b) {
			change := last[j]
			if a[i] != b[j] {
				change++
			}
			row[j+1] = min(change, last[j+1]+1, row[j]+1)
			if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
