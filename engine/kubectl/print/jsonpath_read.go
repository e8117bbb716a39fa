package print

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// ParseTemplate reads what follows -o jsonpath=.
func ParseTemplate(text string) (JSONPath, error) {
	t, err := readTemplate(text)
	if err != nil {
		return nil, fmt.Errorf("error parsing jsonpath %s, %w", text, err)
	}
	size := len(t)
	for _, a := range t {
		size += len(a)
	}
	return t, limits.AtMost(limits.Steps, size, "steps of a template")
}

// ReadPath reads a path as --sort-by, custom-columns and kubectl wait have it: {.a.b}, .a.b or a.b. text is the path in full.
func ReadPath(given string) (t JSONPath, text string, err error) {
	if given == "" {
		return nil, "", nil
	}
	inner, braced := strings.CutPrefix(given, "{")
	if braced {
		inner, braced = strings.CutSuffix(inner, "}")
	}
	if inner == "" || braced != strings.HasPrefix(given, "{") || strings.ContainsAny(inner, "{}") {
		return nil, "", errors.New("unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'")
	}
	if inner != "." {
		inner = strings.TrimPrefix(inner, ".")
	}
	text = "{." + inner + "}"
	t, err = readTemplate(text)
	return t, text, err
}

// readTemplate reads texts and actions.
func readTemplate(text string) (t JSONPath, err error) {
	for text != "" {
		literal, behind, found := strings.Cut(text, "{")
		if literal != "" {
			t = append(t, action{quoted(literal)})
		}
		if !found {
			break
		}
		p := &pathReader{rest: behind}
		a, err := p.action()
		if err != nil {
			return nil, err
		}
		t, text = append(t, a), p.rest
	}
	return t, nil
}

// readAction reads an action without its braces. If a brace in the text closes it early, the rest is ignored.
func readAction(text string) (action, error) {
	t, err := readTemplate("{" + text + "}")
	if err != nil {
		return nil, err
	}
	return t[0], nil
}

// pathReader reads an action.
type pathReader struct {
	rest string
	deep bool // the last step was ..
}

// action reads up to the brace that closes an action.
func (p *pathReader) action() (a action, err error) {
	for {
		breath.Often()
		if behind, closed := strings.CutPrefix(p.rest, "}"); closed {
			p.rest = behind
			return a, nil
		}
		steps, err := p.step()
		if err != nil {
			return nil, err
		}
		a = append(a, steps...)
	}
}

// step reads what leads on: nothing for a blank.
func (p *pathReader) step() (action, error) {
	behindDeep := p.deep
	letter, size := utf8.DecodeRuneInString(p.rest)
	switch {
	case p.rest == "" || letter == '\r' || letter == '\n':
		return nil, errUnclosed
	case letter == ' ' || letter == '@' || letter == '$':
		p.rest = p.rest[size:]
		return nil, nil
	}
	p.deep = false
	switch {
	case strings.HasPrefix(p.rest, "[?("):
		return p.filter()
	case strings.HasPrefix(p.rest, "..") && behindDeep:
		return nil, errors.New("invalid multiple recursive descent")
	case strings.HasPrefix(p.rest, ".."):
		return p.everything()
	case letter == '[':
		return p.brackets()
	case letter == '"' || letter == '\'':
		return p.quote(byte(letter))
	case letter == '.':
		p.rest = p.rest[size:]
		return p.field(), nil
	case letter == '+' || letter == '-' || unicode.IsDigit(letter):
		return p.number()
	case isNamed(letter):
		return p.word(), nil
	}
	return nil, fmt.Errorf("unrecognized character in action: %#U", letter)
}

// isNamed says whether a name may begin with a letter.
func isNamed(letter rune) bool {
	return letter == '_' || unicode.IsLetter(letter) || unicode.IsDigit(letter)
}

// endsName says whether a letter ends a name.
func endsName(letter rune) bool { return strings.ContainsRune(" \t\r\n.,[]$@{}", letter) }

// cut takes a number of bytes off the text that is left.
func (p *pathReader) cut(n int) string {
	text := p.rest[:n]
	p.rest = p.rest[n:]
	return text
}

// everything reads .., with a name behind it.
func (p *pathReader) everything() (action, error) {
	p.cut(len(".."))
	if letter, _ := utf8.DecodeRuneInString(p.rest); isNamed(letter) {
		return append(action{each(all)}, p.field()...), nil
	}
	p.deep = true
	return action{each(all)}, nil
}

// field reads a name, in which a backslash makes a dot a letter.
func (p *pathReader) field() action {
	escaped, end := false, len(p.rest)
	for i, letter := range p.rest {
		if !escaped && endsName(letter) {
			end = i
			break
		}
		escaped = !escaped && letter == '\\'
	}
	name := p.cut(end)
	if name == "*" {
		return action{each(parts)}
	}
	return action{fieldOf(strings.ReplaceAll(name, `\`, ""))}
}

// word reads true, false, or a word that is about a range.
func (p *pathReader) word() action {
	end := strings.IndexFunc(p.rest, endsName)
	if end < 0 {
		end = len(p.rest)
	}
	switch name := p.cut(end); name {
	case "true", "false":
		return action{constant(name == "true")}
	default:
		return action{word(name)}
	}
}

// decimal is a number of a template that is no int: 1.0 is another value than 1.
type decimal float64

func (p *pathReader) number() (action, error) {
	digits := strings.TrimLeftFunc(p.rest[1:], func(letter rune) bool { return letter == '.' || unicode.IsDigit(letter) })
	text := p.cut(len(p.rest) - len(digits))
	if n, err := strconv.Atoi(text); err == nil {
		return action{constant(n)}, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("cannot parse number %s", text)
	}
	return action{constant(decimal(f))}, nil
}

// quote reads a text in quotes, in which Go's escapes stand for letters.
func (p *pathReader) quote(sign byte) (action, error) {
	for end := 1; ; end++ {
		switch {
		case end >= len(p.rest) || p.rest[end] == '\n':
			return nil, errors.New("unterminated quoted string")
		case p.rest[end] == sign && p.rest[end-1] != '\\':
			given := p.cut(end + 1)
			text, err := unquoted(given[1:end], sign)
			if err != nil {
				return nil, fmt.Errorf("unquote string %s error %w", given, err)
			}
			return action{quoted(text)}, nil
		}
	}
}

func unquoted(text string, quote byte) (string, error) {
	if !strings.Contains(text, `\`) {
		return text, nil
	}
	var out strings.Builder
	for text != "" {
		letter, wide, rest, err := strconv.UnquoteChar(text, quote)
		if err != nil {
			return "", err
		}
		if text = rest; wide {
			out.WriteRune(letter)
		} else {
			out.WriteByte(byte(letter))
		}
	}
	return out.String(), nil
}

// brackets reads [*], ['a'], [1], [1:2:3], and several of them with commas.
func (p *pathReader) brackets() (action, error) {
	inner, behind, closed := strings.Cut(p.rest[1:], "]")
	if !closed || strings.Contains(inner, "\n") {
		return nil, errors.New("unterminated array")
	}
	p.rest = behind
	if strings.Contains(inner, ",") {
		var paths []action
		for part := range strings.SplitSeq(inner, ",") {
			path, err := readAction("[" + strings.Trim(part, " ") + "]")
			if err != nil {
				return nil, err
			}
			paths = append(paths, path)
		}
		return action{united(paths)}, nil
	}
	if n := len(inner); n > 1 && inner[0] == '\'' && strings.IndexByte(inner[1:], '\'') == n-2 {
		return readAction("." + inner[1:n-1])
	}
	s, err := readSpan(inner)
	return action{s.within}, err
}

// readSpan reads the numbers of an index or a slice.
func readSpan(text string) (s span, err error) {
	if text == "*" {
		text = ":"
	}
	numbers := strings.Split(text, ":")
	invalid := func(n string) bool { return strings.Trim(strings.TrimPrefix(n, "-"), "0123456789") != "" }
	if len(numbers) > 3 {
		return s, fmt.Errorf("invalid array index %s", text)
	}
	for _, n := range numbers {
		if invalid(n) {
			return s, fmt.Errorf("invalid array index %s", text)
		}
	}
	read := func(i int) (n int, without bool) {
		if i >= len(numbers) || numbers[i] == "" {
			return 0, true
		}
		n, wrong := strconv.Atoi(numbers[i])
		if wrong != nil && err == nil {
			err = fmt.Errorf("array index %s is not a number", numbers[i])
		}
		return n, false
	}
	s.from, _ = read(0)
	s.to, s.endless = read(1)
	s.step, s.plain = read(2)
	if len(numbers) == 1 {
		s.to, s.one, s.endless = s.from+1, true, false
	}
	return s, err
}
