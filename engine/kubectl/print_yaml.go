package kubectl

import (
	"sort"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// yamlWidth is the column after which kubectl goes on in the next line where a text has a blank.
const yamlWidth = 80

// yamlText prints a tree of maps, lists, strings, float64, bool and nil as kubectl get -o yaml does. The library that
// reads manifests could do it, but its writing half would be a fiftieth of the download; a test compares the two.
func yamlText(tree any) string {
	var y yamlWriter
	y.value(tree, 0, false)
	return string(y.out)
}

// yamlWriter writes block by block.
type yamlWriter struct {
	out    []byte
	column int
}

func (y *yamlWriter) put(s string) {
	y.out = append(y.out, s...)
	y.column += utf8.RuneCountInString(s)
}

func (y *yamlWriter) newline() {
	y.out = append(y.out, '\n')
	y.column = 0
}

// wrap goes on in the next line.
func (y *yamlWriter) wrap(indent int) {
	y.newline()
	y.put(strings.Repeat(" ", indent))
}

// value writes what stands behind a key, behind a dash, or alone, and ends its line.
func (y *yamlWriter) value(v any, indent int, behindDash bool) {
	switch v := v.(type) {
	case map[string]any:
		if len(v) > 0 {
			y.mapping(v, indent, behindDash)
			return
		}
		y.put("{}")
	case []any:
		if len(v) > 0 {
			y.sequence(v, indent, behindDash)
			return
		}
		y.put("[]")
	case string:
		y.text(v, indent+2, true)
	case float64:
		y.put(strconv.FormatFloat(v, 'f', -1, 64))
	case bool:
		y.put(strconv.FormatBool(v))
	default:
		y.put("null")
	}
	y.newline()
}

func (y *yamlWriter) mapping(m map[string]any, indent int, behindDash bool) {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	sort.Slice(keys, func(i, j int) bool { return yamlKeyLess(keys[i], keys[j]) })
	for i, k := range keys {
		if i > 0 || !behindDash {
			y.put(strings.Repeat(" ", indent))
		}
		y.text(k, 0, false)
		y.put(":")
		switch v := m[k].(type) {
		case map[string]any:
			if len(v) > 0 {
				y.newline()
				y.mapping(v, indent+2, false)
				continue
			}
		case []any:
			if len(v) > 0 {
				y.newline()
				y.sequence(v, indent, false)
				continue
			}
		}
		y.put(" ")
		y.value(m[k], indent, false)
	}
}

func (y *yamlWriter) sequence(list []any, indent int, behindDash bool) {
	for i, v := range list {
		if i > 0 || !behindDash {
			y.put(strings.Repeat(" ", indent))
		}
		y.put("- ")
		if _, scalar := v.(string); scalar {
			y.value(v, indent, true)
		} else {
			y.value(v, indent+2, true)
		}
	}
}

// text writes a string in the plainest style that reads back as the same string. A key is never broken into lines.
func (y *yamlWriter) text(s string, indent int, breaks bool) {
	t := analyze(s)
	switch {
	case strings.Contains(s, "\n"):
		if breaks && t.block {
			y.literal(s, indent)
		} else {
			y.doubleQuoted(s, indent, breaks)
		}
	case yamlTyped(s):
		y.doubleQuoted(s, indent, breaks)
	case t.plain:
		y.folded(s, indent, breaks)
	case t.single:
		y.put("'")
		y.folded(strings.ReplaceAll(s, "'", "''"), indent, breaks)
		y.put("'")
	default:
		y.doubleQuoted(s, indent, breaks)
	}
}

// folded writes a text that may be continued in the next line at a blank between two words.
func (y *yamlWriter) folded(s string, indent int, breaks bool) {
	for i, r := range s {
		if r == ' ' && breaks && y.column > yamlWidth && i > 0 && i < len(s)-1 && s[i-1] != ' ' && s[i+1] != ' ' {
			y.wrap(indent)
		} else {
			y.put(string(r))
		}
	}
}

// literal writes the lines of a text one under the other.
func (y *yamlWriter) literal(s string, indent int) {
	y.put("|")
	if s[0] == ' ' || s[0] == '\n' {
		y.put("2")
	}
	if !strings.HasSuffix(s, "\n") {
		y.put("-")
	} else if s == "\n" || strings.HasSuffix(s, "\n\n") {
		y.put("+")
	}
	for _, line := range strings.Split(strings.TrimSuffix(s, "\n"), "\n") {
		if line == "" {
			y.newline()
		} else {
			y.wrap(indent)
			y.put(line)
		}
	}
}

// yamlEscaped are the characters that have an escape of their own, yamlEscapes the letters that stand for them.
const (
	yamlEscaped = "\x00\a\b\t\n\v\f\r\x1b\"\\\u0085\u00a0\u2028\u2029"
	yamlEscapes = `0abtnvfre"\N_LP`
)

func (y *yamlWriter) doubleQuoted(s string, indent int, breaks bool) {
	y.put(`"`)
	blank := false // the character before was one
	for i, r := range s {
		switch {
		case r != ' ' && (!yamlPrintable(r) || r == '\n' || r == '"' || r == '\\' || yamlBreak(r)):
			y.put(yamlEscape(r))
		case r == ' ' && breaks && !blank && y.column > yamlWidth && i > 0 && i < len(s)-1:
			y.wrap(indent)
			if s[i+1] == ' ' {
				y.put(`\`)
			}
		default:
			y.put(string(r))
		}
		blank = r == ' '
	}
	y.put(`"`)
}

func yamlEscape(r rune) string {
	if i := strings.IndexRune(yamlEscaped, r); i >= 0 {
		i = utf8.RuneCountInString(yamlEscaped[:i])
		return `\` + yamlEscapes[i:i+1]
	}
	digits := strings.ToUpper(strconv.FormatInt(int64(r), 16))
	switch {
	case r <= 0xFF:
		return `\x` + strings.Repeat("0", 2-len(digits)) + digits
	case r <= 0xFFFF:
		return `\u` + strings.Repeat("0", 4-len(digits)) + digits
	}
	return `\U` + strings.Repeat("0", 8-len(digits)) + digits
}

func yamlPrintable(r rune) bool {
	return r == '\n' || r >= ' ' && r <= '~' || r >= 0xA0 && r <= 0xFFFD && r != 0xFEFF
}

func yamlBreak(r rune) bool { return r == '\r' || r == 0x85 || r == 0x2028 || r == 0x2029 }

// yamlStyles says in which styles a text can be written.
type yamlStyles struct{ plain, single, block bool }

func analyze(s string) (t yamlStyles) {
	if s == "" {
		return yamlStyles{single: true}
	}
	spaceBreak, breakSpace, special := strings.Contains(s, " \n"), strings.Contains(s, "\n "), false
	for _, r := range s {
		special = special || !yamlPrintable(r) || yamlBreak(r)
	}
	trailing := s[len(s)-1] == ' '
	t.block = !trailing && !spaceBreak && !special
	t.single = !breakSpace && !spaceBreak && !special
	t.plain = t.single && !trailing && s[0] != ' ' && !strings.Contains(s, "\n") && !yamlIndicator(s)
	return t
}

// yamlIndicator says whether something in a text has a meaning of its own in YAML.
func yamlIndicator(s string) bool {
	if strings.HasPrefix(s, "---") || strings.HasPrefix(s, "...") || strings.IndexByte("#,[]{}&*!|>'\"%@`", s[0]) >= 0 {
		return true
	}
	if strings.IndexByte("?:-", s[0]) >= 0 && (len(s) == 1 || s[1] == ' ') {
		return true
	}
	return strings.Contains(s, ": ") || strings.HasSuffix(s, ":") || strings.Contains(s, " #")
}

// yamlWords are texts that YAML reads as something else than a string.
var yamlWords = strings.Fields("y Y yes Yes YES true True TRUE on On ON n N no No NO false False FALSE off Off OFF " +
	"~ null Null NULL .nan .NaN .NAN .inf .Inf .INF +.inf +.Inf +.INF -.inf -.Inf -.INF")

// yamlTyped says whether a text would be read as a number, a truth value, a time or nothing if it stood there plainly.
func yamlTyped(s string) bool {
	if s == "" {
		return true
	}
	for _, w := range yamlWords {
		if s == w {
			return true
		}
	}
	switch c := s[0]; {
	case c == '.':
		_, err := strconv.ParseFloat(s, 64)
		return err == nil
	case c == '+' || c == '-' || c >= '0' && c <= '9':
		return yamlTime(s) || yamlNumber(strings.ReplaceAll(s, "_", "")) || yamlBase60(s)
	}
	return false
}

func yamlNumber(s string) bool {
	if _, err := strconv.ParseInt(s, 0, 64); err == nil {
		return true
	}
	if _, err := strconv.ParseUint(s, 0, 64); err == nil {
		return true
	}
	if strings.Trim(s, "0123456789+-.eE") != "" {
		return false
	}
	_, err := strconv.ParseFloat(s, 64)
	return err == nil
}

// yamlTime says whether a text begins as a date and is one.
func yamlTime(s string) bool {
	if len(s) < 5 || strings.Trim(s[:4], "0123456789") != "" || s[4] != '-' {
		return false
	}
	for _, layout := range [...]string{"2006-1-2T15:4:5.999999999Z07:00", "2006-1-2t15:4:5.999999999Z07:00",
		"2006-1-2 15:4:5.999999999", "2006-1-2"} {
		if _, err := time.Parse(layout, s); err == nil {
			return true
		}
	}
	return false
}

// yamlBase60 says whether a text is a number such as 1:30:00, which old YAML reads in base 60.
func yamlBase60(s string) bool {
	parts := strings.Split(strings.TrimLeft(s[:1], "+-")+s[1:], ":")
	last := len(parts) - 1
	parts[last], _, _ = strings.Cut(parts[last], ".")
	if last == 0 || parts[0] == "" || parts[0][0] == '_' || strings.Trim(parts[0], "0123456789_") != "" {
		return false
	}
	for _, p := range parts[1:] {
		if n, err := strconv.Atoi(p); err != nil || len(p) > 2 || n > 59 || strings.Trim(p, "0123456789") != "" {
			return false
		}
	}
	_, fraction, _ := strings.Cut(s[strings.LastIndexByte(s, ':'):], ".")
	return strings.Trim(fraction, "0123456789_") == ""
}

// yamlKeyLess sorts keys as kubectl does: signs before digits and digits before letters, numbers by their value.
func yamlKeyLess(a, b string) bool {
	x, y := []rune(a), []rune(b)
	for i := 0; i < len(x) && i < len(y); i++ {
		if x[i] == y[i] {
			continue
		}
		xl, yl := unicode.IsLetter(x[i]), unicode.IsLetter(y[i])
		switch {
		case xl && yl:
			return x[i] < y[i]
		case xl || yl:
			return yl
		}
		lead := int64(0) // a 0 counts as a digit if it stands behind one that does
		if (x[i] == '0' || y[i] == '0') && insideNumber(x[:i]) {
			lead = 1
		}
		m, mEnd := digitsFrom(x, i, lead)
		n, nEnd := digitsFrom(y, i, lead)
		switch {
		case m != n:
			return m < n
		case mEnd != nEnd:
			return mEnd < nEnd
		}
		return x[i] < y[i]
	}
	return len(x) < len(y)
}

// insideNumber says whether a text ends in digits that are not all zeros.
func insideNumber(text []rune) bool {
	for i := len(text) - 1; i >= 0 && unicode.IsDigit(text[i]); i-- {
		if text[i] != '0' {
			return true
		}
	}
	return false
}

// digitsFrom reads on a number whose digits so far are given.
func digitsFrom(text []rune, i int, so int64) (n int64, end int) {
	for n = so; i < len(text) && unicode.IsDigit(text[i]); i++ {
		n = n*10 + int64(text[i]-'0')
	}
	return n, i
}
