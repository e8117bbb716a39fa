package line

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// Filter is a program behind a pipe.
//
// Simplified: grep knows ^, $, . and, with -E, |; sort compares bytes, as with LC_ALL=C.
type Filter struct {
	program, options string
	lines            int      // of head and tail
	from             int      // the field of sort -k, or the line of tail -n +2, counted from 1; 0 if it is not given
	patterns         []string // of grep
}

// filterOptions are the letters that each program reads.
var filterOptions = map[string]string{"grep": "civE", "head": "n", "sort": "knr", "tail": "n", "wc": "l"}

// readFilter reads the words behind a pipe.
func readFilter(words []string) (f Filter, err error) {
	if len(words) == 0 {
		return f, errors.New("a command is missing behind |")
	}
	f = Filter{program: words[0], lines: 10}
	letters, ok := filterOptions[f.program]
	if !ok {
		return f, fmt.Errorf("rollplay is not a shell: behind | it has grep, head, sort, tail and wc -l, not %s", f.program)
	}
	for words = words[1:]; len(words) > 0; words = words[1:] {
		w := words[0]
		option, isOption := strings.CutPrefix(w, "-")
		number, isNumber := strings.CutPrefix(option, letters[:1])
		switch {
		case isOption && f.program != "grep" && f.program != "wc" && isNumber:
			if number == "" && len(words) > 1 {
				number, words = words[1], words[1:]
			}
			err = f.count(number)
		case isOption && (f.program == "head" || f.program == "tail"):
			err = f.count(option)
		case isOption && option != "" && strings.Trim(option, letters) == "":
			f.options += option
		case !isOption && f.program == "grep" && f.patterns == nil:
			f.patterns = []string{w}
		default:
			return f, fmt.Errorf("rollplay does not model %q of %s", w, f.program)
		}
	}
	switch {
	case err != nil:
		return f, err
	case f.program == "wc" && f.options == "":
		return f, errors.New("rollplay is not a shell: it has wc -l, which counts lines")
	case f.program == "grep" && f.patterns == nil:
		return f, errors.New("grep needs a text to look for")
	case f.program == "grep":
		return f, f.readPattern()
	}
	return f, nil
}

// count reads how many lines head and tail print, or the field of sort.
func (f *Filter) count(text string) error {
	n, err := strconv.Atoi(text)
	from := f.program == "sort" || f.program == "tail" && strings.HasPrefix(text, "+")
	switch {
	case err != nil, n < 0, n == 0 && from, text[0] == '+' && !from:
		return fmt.Errorf("rollplay does not model %q of %s", text, f.program)
	case from:
		f.from = n
	default:
		f.lines = n
	}
	return nil
}

// readPattern separates the alternatives of grep, and refuses the rest of regular expressions.
func (f *Filter) readPattern() error {
	text, separator := f.patterns[0], `\|`
	if f.has("E") {
		separator = "|"
	}
	if f.has("i") {
		text = strings.ToLower(text)
	}
	f.patterns = strings.Split(text, separator)
	if strings.ContainsAny(strings.Join(f.patterns, ""), `*[]\`) || f.has("E") && strings.ContainsAny(text, "+?(){}") {
		return fmt.Errorf("rollplay does not model the pattern %q: its grep knows plain text, ^, $, . and, with -E, |", text)
	}
	return limits.AtMost(limits.Columns, len(text), "letters of a pattern")
}

func (f *Filter) has(option string) bool { return strings.Contains(f.options, option) }

// AtEnd says whether the program prints only when kubectl has ended.
func (f *Filter) AtEnd() bool { return f.program != "head" && (f.program != "grep" || f.has("c")) }

// Full says whether the program has ended after it printed a number of lines.
func (f *Filter) Full(lines int) bool { return f.program == "head" && lines >= f.lines }

// Apply returns which lines the program prints, in its order, or a number in their place.
func (f *Filter) Apply(lines []string) (kept []int, number string) {
	for i, text := range lines {
		breath.Take()
		if f.program != "grep" || f.matches(text) != f.has("v") {
			kept = append(kept, i)
		}
	}
	n := min(f.lines, len(kept))
	switch {
	case f.program == "wc", f.has("c"):
		return nil, strconv.Itoa(len(kept))
	case f.program == "head":
		kept = kept[:n]
	case f.program == "tail" && f.from > 0:
		kept = kept[min(f.from-1, len(kept)):]
	case f.program == "tail":
		kept = kept[len(kept)-n:]
	case f.program == "sort":
		slices.SortStableFunc(kept, func(a, b int) int {
			breath.Often()
			order := cmp.Or(f.compare(f.key(lines[a]), f.key(lines[b])), strings.Compare(lines[a], lines[b]))
			if f.has("r") {
				return -order
			}
			return order
		})
	}
	return kept, ""
}

// key returns the part of a line from the field that sort looks at.
func (f *Filter) key(text string) string {
	for i := 1; i < f.from && text != ""; i++ {
		text = strings.TrimLeft(text, " ")
		_, text, _ = strings.Cut(text, " ")
	}
	return text
}

func (f *Filter) compare(a, b string) int {
	if !f.has("n") {
		return strings.Compare(a, b)
	}
	return cmp.Compare(leadingNumber(a), leadingNumber(b))
}

// leadingNumber reads the number that a text begins with, 0 if there is none.
func leadingNumber(text string) float64 {
	text = strings.TrimLeft(text, " ")
	end := 0
	for end < len(text) && (strings.IndexByte("0123456789.", text[end]) >= 0 || end == 0 && text[end] == '-') {
		end++
	}
	n, _ := strconv.ParseFloat(text[:end], 64)
	return n
}

// matches says whether a line has one of grep's alternatives.
func (f *Filter) matches(text string) bool {
	if f.has("i") {
		text = strings.ToLower(text)
	}
	return slices.ContainsFunc(f.patterns, func(pattern string) bool {
		pattern, begins := strings.CutPrefix(pattern, "^")
		pattern, ends := strings.CutSuffix(pattern, "$")
		for at := 0; at+len(pattern) <= len(text) && (at == 0 || !begins); at++ {
			breath.Often()
			if (!ends || at+len(pattern) == len(text)) && fits(text[at:], pattern) {
				return true
			}
		}
		return false
	})
}

// fits says whether a text begins with a pattern, in which a dot stands for any letter.
func fits(text, pattern string) bool {
	for i := range len(pattern) {
		if pattern[i] != '.' && pattern[i] != text[i] {
			return false
		}
	}
	return true
}
