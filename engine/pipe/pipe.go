// Package pipe has the programs that may be behind a pipe: what they print of the lines of a command.
package pipe

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// Filter is a program behind a pipe.
//
// Simplified: grep knows ^, $, . and, with -E, |; sort compares bytes, as with LC_ALL=C; jq prints all of what it reads or its paths, and xargs
// quotes as they are.
type Filter struct {
	program, options string
	lines            int      // of head and tail
	from             int      // the field of sort -k and cut -f, or the line of tail -n +2, counted from 1; 0 if it is not given
	patterns         []string // of grep
	between          string   // the fields of cut: what -d says
}

// filterOptions are the letters that each program reads, with a : behind those that have a value.
var filterOptions = map[string]string{"cut": "d:f:", "grep": "civE", "head": "n:", "jq": "c", "sort": "k:nr", "tail": "n:", "wc": "l", "xargs": ""}

// Names are what may be behind a pipe.
const Names = "cut, grep, head, jq, sort, tail, wc -l and xargs"

var errJQ = errors.New("rollplay's jq prints all of what it reads; -o jsonpath={.items[*].metadata.name} prints a part")

// Read reads the words behind a pipe.
func Read(words []string) (f Filter, err error) {
	if len(words) == 0 {
		return f, errors.New("a command is missing behind |")
	}
	f = Filter{program: words[0], lines: 10, between: "\t"}
	letters, ok := filterOptions[f.program]
	if !ok {
		return f, fmt.Errorf("rollplay is not a shell: behind | it has %s, not %s", Names, f.program)
	}
	for words = words[1:]; len(words) > 0 && err == nil; words = words[1:] {
		option, isOption := strings.CutPrefix(words[0], "-")
		letter := option[:min(1, len(option))]
		switch value := option[len(letter):]; {
		case isOption && letter != "" && strings.Contains(letters, letter+":"):
			if value == "" && len(words) > 1 {
				value, words = words[1], words[1:]
			}
			if letter == "d" {
				f.between = value
			} else {
				err = f.count(value)
			}
		case isOption && (f.program == "head" || f.program == "tail"):
			err = f.count(option)
		case isOption && letter != "" && strings.Trim(option, letters) == "":
			f.options += option
		case !isOption && (f.program == "grep" || f.program == "jq" && option == jqPaths) && f.patterns == nil:
			f.patterns = words[:1]
		case f.program == "jq" && option != ".":
			err = errJQ
		case f.program != "jq":
			err = fmt.Errorf("rollplay does not model %q of %s", words[0], f.program)
		}
	}
	switch {
	case err != nil:
		return f, err
	case f.program == "jq" && f.has("c") && f.patterns == nil:
		return f, errJQ
	case f.program == "wc" && f.options == "":
		return f, errors.New("rollplay is not a shell: it has wc -l, which counts lines")
	case f.program == "cut" && f.from == 0:
		return f, errors.New("rollplay is not a shell: its cut prints one field: cut -d/ -f3")
	case f.program == "grep" && f.patterns == nil:
		return f, errors.New("grep needs a text to look for")
	case f.program == "grep":
		return f, f.readPattern()
	}
	return f, nil
}

// count reads how many lines head and tail print, or a field.
func (f *Filter) count(text string) error {
	n, err := strconv.Atoi(text)
	from := f.program != "head" && (f.program != "tail" || strings.HasPrefix(text, "+"))
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

// Is says whether it is the program of a name.
func (f *Filter) Is(name string) bool { return f.program == name }

// AtEnd says whether the program prints only when kubectl has ended.
func (f *Filter) AtEnd() bool {
	return f.program != "head" && f.program != "cut" && (f.program != "jq" || f.patterns != nil) && (f.program != "grep" || f.has("c"))
}

// Full says whether the program has ended after it printed a number of lines.
func (f *Filter) Full(lines int) bool { return f.program == "head" && lines >= f.lines }

// Apply returns what the program prints of some lines, and which of them each line comes from, if it comes from one.
func (f *Filter) Apply(lines []string) (printed []string, kept []int) {
	for i, text := range lines {
		breath.Take()
		if f.program != "grep" || f.matches(text) != f.has("v") {
			kept = append(kept, i)
		}
	}
	n := min(f.lines, len(kept))
	switch {
	case f.program == "jq" && f.patterns != nil:
		var tree any
		_ = json.Unmarshal([]byte(strings.Join(lines, "\n")), &tree) // an answer that is cut has no paths
		return pathsOf(tree), nil
	case f.program == "wc", f.has("c"):
		return []string{strconv.Itoa(len(kept))}, nil
	case f.program == "xargs":
		return []string{strings.Join(strings.Fields(strings.Join(lines, " ")), " ")}, nil
	case f.program == "head":
		kept = kept[:n]
	case f.program == "tail" && f.from > 0:
		kept = kept[min(f.from-1, len(kept)):]
	case f.program == "tail":
		kept = kept[len(kept)-n:]
	case f.program == "sort":
		slices.SortStableFunc(kept, func(a, b int) int {
			breath.Often()
			order := strings.Compare(f.key(lines[a]), f.key(lines[b]))
			if f.has("n") {
				order = cmp.Compare(leadingNumber(f.key(lines[a])), leadingNumber(f.key(lines[b])))
			}
			if order = cmp.Or(order, strings.Compare(lines[a], lines[b])); f.has("r") {
				return -order
			}
			return order
		})
	}
	for _, i := range kept {
		printed = append(printed, f.changed(lines[i]))
	}
	return printed, kept
}

// unescaped are the signs that kubectl escapes in JSON.
var unescaped = strings.NewReplacer(`\u003c`, "<", `\u003e`, ">", `\u0026`, "&")

// changed returns a line as the program prints it: cut takes a field of it, all if there is one, and jq indents by two instead of four.
func (f *Filter) changed(text string) string {
	switch fields := strings.Split(text, f.between); {
	case f.program == "jq":
		body := strings.TrimLeft(text, " ")
		return text[:(len(text)-len(body))/2] + unescaped.Replace(body)
	case f.program != "cut" || len(fields) == 1:
		return text
	default:
		return strings.Join(fields[min(f.from-1, len(fields)):min(f.from, len(fields))], "")
	}
}

// jqPaths is the other program that jq knows.
const jqPaths = `paths|join(".")`

// pathsOf lists the paths to all values of a tree, with dots between the keys: those of a map by the alphabet, as kubectl prints them. It
// ends where there is more than a terminal takes.
func pathsOf(tree any) (paths []string) {
	size := 0
	var walk func(above string, tree any)
	add := func(above, key string, inner any) {
		if size > limits.Output {
			return
		}
		text := unescaped.Replace(string(api.JSON(above + key)))
		paths, size = append(paths, text), size+len(text)
		walk(above+key+".", inner)
	}
	walk = func(above string, tree any) {
		breath.Often()
		switch tree := tree.(type) {
		case map[string]any:
			for _, key := range slices.Sorted(maps.Keys(tree)) {
				add(above, key, tree[key])
			}
		case []any:
			for i := range tree {
				add(above, strconv.Itoa(i), tree[i])
			}
		}
	}
	walk("", tree)
	return paths
}

// key returns the part of a line from the field that sort looks at.
func (f *Filter) key(text string) string {
	for i := 1; i < f.from && text != ""; i++ {
		text = strings.TrimLeft(text, " ")
		_, text, _ = strings.Cut(text, " ")
	}
	return text
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
