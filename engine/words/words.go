// Package words writes numbers the way sentences need them: plurals, verbs, seconds.
//
// Visible writes control characters, bidirectional overrides and invisible formats as escapes. The command's console, posters and
// everything handed to JavaScript pass through it, and the build's copy of go-app calls it wherever it creates a text or a title.
// Traces and links keep the characters.
package words

import (
	"fmt"
	"strconv"
	"strings"
)

// Plural writes "1 pod" and "2 pods".
func Plural(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// Join writes the text of each item of a list, with a separator between them.
func Join[T any](list []T, separator string, text func(T) string) string {
	texts := make([]string, len(list))
	for i := range list {
		texts[i] = text(list[i])
	}
	return strings.Join(texts, separator)
}

// Some lists the first names of a list: a, b, c and 5 more.
func Some(names []string) string {
	const most = 3
	if more := len(names) - most; more > 1 {
		return fmt.Sprintf("%s and %d more", strings.Join(names[:most], ", "), more)
	}
	return strings.Join(names, ", ")
}

// Verb returns the form of a verb that agrees with n: 1 pod waits, 2 pods wait.
func Verb(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// Times writes "once", "twice" and "3 times".
func Times(n int) string {
	switch n {
	case 1:
		return "once"
	case 2:
		return "twice"
	}
	return strconv.Itoa(n) + " times"
}

// Seconds writes virtual ms as seconds, with three decimals.
func Seconds(ms int64) string { return fmt.Sprintf("%.3f", float64(ms)/1000) }

// Thousands writes 1234567 as 1,234,567.
func Thousands(n int) string {
	text := strconv.Itoa(n)
	for i := len(text) - 3; i > 0; i -= 3 {
		text = text[:i] + "," + text[i:]
	}
	return text
}

// Cores writes thousandths of a CPU as Kubernetes does: 1500m, 2.
func Cores(milli int64) string {
	if milli%1000 == 0 {
		return strconv.FormatInt(milli/1000, 10)
	}
	return strconv.FormatInt(milli, 10) + "m"
}

// Bytes writes an amount of memory as Kubernetes does, without rounding: 2304Mi.
func Bytes(n int64) string {
	units := [...]string{"", "Ki", "Mi", "Gi", "Ti"}
	i := 0
	for n > 0 && n%1024 == 0 && i < len(units)-1 {
		n, i = n/1024, i+1
	}
	return strconv.FormatInt(n, 10) + units[i]
}

// Glob says whether a text matches a pattern, in which * matches any text.
func Glob(pattern, text string) bool {
	head, rest, starred := strings.Cut(pattern, "*")
	if !starred {
		return pattern == text
	}
	text, ok := strings.CutPrefix(text, head)
	for ok {
		part, next, starred := strings.Cut(rest, "*")
		if !starred {
			return strings.HasSuffix(text, part)
		}
		rest = next
		_, text, ok = strings.Cut(text, part)
	}
	return false
}
