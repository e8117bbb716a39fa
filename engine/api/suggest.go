package api

import (
	"slices"
	"strings"
)

const (
	wordMax  = 100 // letters of a word that may be a typo
	apartMax = 8   // most letters that it has more or fewer than the intended word
)

// Nearest returns the candidate that was probably meant by a word, "" if none is close: one with letters in the wrong
// case, or with at most one typo in every three letters. Of equally close candidates it returns the first in the alphabet.
func Nearest(word string, candidates []string) string {
	best, bestTypos := "", 1+len(word)/3
	for _, c := range slices.Sorted(slices.Values(candidates)) {
		typos := 0
		switch apart := len(word) - len(c); {
		case strings.EqualFold(word, c):
		case len(word) > wordMax || max(apart, -apart) > apartMax:
			continue
		default:
			typos = Typos(word, c, true)
		}
		if typos < bestTypos {
			best, bestTypos = c, typos
		}
	}
	return best
}

// Typos counts the letters to insert, delete or change to make b of a. If swaps count, two letters in the wrong order are one typo.
func Typos(a, b string, swaps bool) int {
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
			if swaps && i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		before, last = last, row
	}
	return last[len(b)]
}
