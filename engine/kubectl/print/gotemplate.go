package print

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

// GoTemplate is what follows -o go-template=: Go's text/template for trees as JSON has them. kubectl describe is written in it, too.
//
// Simplified: there are no templates within templates, no break and continue, and no
// functions html, js, urlquery, slice and call.
type GoTemplate []goNode

// goNode is a text, an action, or a block: if, with, range.
type goNode struct {
	word, text  string
	vars        []string // that the pipe sets
	assigns     bool     // they are there already
	pipe        goPipe
	body, other GoTemplate
}

// goPipe are calls, each of which gets what the one before it returns as its last argument.
type goPipe [][]goOperand

// goOperand is a value, and the fields that lead on from it.
type goOperand struct {
	function, variable string // the variable . is the dot
	literal            any
	null               bool // it is nil
	inner              goPipe
	fields             []string
}

// Funcs are functions that a template has beside those of all templates.
type Funcs map[string]func(args []any) any

// ParseGo reads a template that somebody has typed.
func ParseGo(text string) (GoTemplate, error) {
	t, err := ParseGoWith(text, nil)
	if err != nil {
		return nil, fmt.Errorf("error parsing template %s, template: output:1: %w", text, err)
	}
	return t, limits.AtMost(limits.Steps, t.size(), "steps of a template")
}

// ParseGoWith reads a template that may call functions of its own.
func ParseGoWith(text string, funcs Funcs) (GoTemplate, error) {
	p := goParser{rest: text, funcs: funcs}
	t, end, err := p.list(false)
	if err == nil && end != nil {
		err = fmt.Errorf("unexpected {{%s}}", end[0])
	}
	return t, err
}

func (t GoTemplate) size() (n int) {
	for _, node := range t {
		breath.Often()
		n += max(1, len(node.pipe)) + node.body.size() + node.other.size()
	}
	return n
}

type goParser struct {
	rest  string
	trims bool // the text that follows loses its blanks in front
	funcs Funcs
}

var errUnclosed = errors.New("unclosed action")

const goBlanks = " \t\r\n"

// next reads the text up to the next action, and the words of that; there are none at the end.
func (p *goParser) next() (text string, words []string, err error) {
	text, action, found := strings.Cut(p.rest, "{{")
	if p.trims {
		text = strings.TrimLeft(text, goBlanks)
	}
	p.trims = false
	if p.rest = action; !found {
		return text, nil, nil
	}
	if behind, trims := strings.CutPrefix(action, "-"); trims && behind != "" && strings.Contains(goBlanks, behind[:1]) {
		text, p.rest = strings.TrimRight(text, goBlanks), behind[1:]
	}
	if comment, ok := strings.CutPrefix(p.rest, "/*"); ok {
		_, p.rest, _ = strings.Cut(comment, "*/")
		words = []string{"/*"}
	}
	for !strings.HasPrefix(p.rest, "}}") {
		breath.Often()
		if p.rest = strings.TrimLeft(p.rest, goBlanks); p.rest == "" {
			return "", nil, errUnclosed
		}
		size := goWord(p.rest)
		if size == 0 && !strings.HasPrefix(p.rest, "}}") {
			return "", nil, fmt.Errorf("bad character %#U", rune(p.rest[0]))
		}
		if size > 0 {
			words, p.rest = append(words, p.rest[:size]), p.rest[size:]
		}
	}
	p.rest = p.rest[2:]
	if n := len(words) - 1; n >= 0 && words[n] == "-" {
		words, p.trims = words[:n], true
	}
	if len(words) == 0 {
		return "", nil, errors.New("missing value for command")
	}
	return text, words, nil
}

// goWord returns how long the word is that an action begins with, 0 if there is none.
func goWord(text string) int {
	switch c := text[0]; c {
	case '"', '\'':
		for i := 1; i < len(text); i++ {
			if text[i] == c {
				return i + 1
			} else if text[i] == '\\' {
				i++
			}
		}
		return 0
	case '`':
		return 2 + strings.IndexByte(text[1:], '`')
	case '(', '|', ',', '=':
		return 1
	case ')': // with the fields behind it
		if len(text) > 1 && text[1] == '.' {
			return 1 + goWord(text[1:])
		}
		return 1
	case ':':
		return len(text) - len(strings.TrimPrefix(text, ":="))
	}
	if end := strings.IndexAny(text, goBlanks+"()|,=:\"'`}"); end >= 0 {
		return end
	}
	return len(text)
}

// list reads up to the {{end}} or {{else}} of a block, and returns its words; or to the end of the text.
func (p *goParser) list(inside bool) (t GoTemplate, end []string, err error) {
	for {
		text, words, err := p.next()
		if text != "" {
			t = append(t, goNode{text: text})
		}
		switch {
		case err != nil:
			return nil, nil, err
		case words == nil && inside:
			return nil, nil, errors.New("unexpected EOF")
		case words == nil || words[0] == "end" || words[0] == "else":
			return t, words, nil
		case words[0] == "/*":
			continue
		}
		node, err := p.node(words)
		if err != nil {
			return nil, nil, err
		}
		t = append(t, node)
	}
}

// node reads an action and, if it begins a block, that.
func (p *goParser) node(words []string) (n goNode, err error) {
	block := words[0] == "if" || words[0] == "with" || words[0] == "range"
	if block {
		n.word, words = words[0], words[1:]
	}
	for i, w := range words {
		if w == ":=" || w == "=" {
			n.vars, n.assigns, words = strings.Split(strings.Join(words[:i], ""), ","), w == "=", words[i+1:]
			break
		}
	}
	noVariable := func(name string) bool { return len(name) < 2 || name[0] != '$' || strings.Contains(name, ".") }
	if len(n.vars) > 2 || len(n.vars) == 2 && n.word != "range" || slices.ContainsFunc(n.vars, noVariable) {
		return n, errors.New("too many declarations in command")
	}
	if n.pipe, words, err = p.pipe(words); err == nil && len(words) > 0 {
		err = fmt.Errorf("unexpected %q", words[0])
	}
	if err != nil || !block {
		return n, err
	}
	var end []string
	if n.body, end, err = p.list(true); err == nil && end[0] == "else" && len(end) > 1 {
		inner, err := p.node(end[1:])
		n.other = GoTemplate{inner}
		return n, err
	}
	if err == nil && end[0] == "else" {
		n.other, end, err = p.list(true)
	}
	if err == nil && end[0] != "end" {
		err = errors.New("expected end; found {{else}}")
	}
	return n, err
}

// pipe reads calls up to a closing bracket or the end of the words.
func (p *goParser) pipe(words []string) (pipe goPipe, rest []string, err error) {
	call := []goOperand{}
	for ; len(words) > 0 && words[0][0] != ')'; words = words[1:] {
		switch w := words[0]; w {
		case "|":
			pipe, call = append(pipe, call), []goOperand{}
		case "(":
			o := goOperand{}
			if o.inner, words, err = p.pipe(words[1:]); err != nil || len(words) == 0 {
				return nil, nil, cmp.Or(err, errors.New("unclosed left paren"))
			}
			o.fields = strings.Split(words[0], ".")[1:]
			call = append(call, o)
		default:
			o, err := p.operand(w)
			if err != nil {
				return nil, nil, err
			}
			call = append(call, o)
		}
	}
	pipe = append(pipe, call)
	for _, call := range pipe {
		if len(call) == 0 {
			return nil, nil, errors.New("missing value for command")
		}
	}
	return pipe, words, nil
}

// operand reads a text, a number, a variable, fields, or the name of a function.
func (p *goParser) operand(word string) (o goOperand, err error) {
	switch c := word[0]; {
	case c == '"' || c == '`':
		o.literal, err = strconv.Unquote(word)
	case c == '$' || c == '.' && (len(word) == 1 || word[1] < '0' || word[1] > '9'):
		head, fields, more := strings.Cut(word, ".")
		if o.variable = head; c == '.' {
			o.variable = "."
		}
		if more && fields != "" {
			o.fields = strings.Split(fields, ".")
		}
	case c >= '0' && c <= '9' || c == '-' || c == '+' || c == '.':
		if o.literal, err = number(word, 0); err != nil {
			err = fmt.Errorf("bad number syntax: %q", word)
		} else if n, ok := o.literal.(int64); ok {
			o.literal = int(n)
		}
	case word == "true" || word == "false":
		o.literal = word == "true"
	case word == "nil":
		o.null = true
	case c == '\'':
		o.literal, err = letter(word)
	default:
		o.function = word
		if goFuncs[word] == nil && p.funcs[word] == nil && word != "and" && word != "or" {
			err = fmt.Errorf("function %q not defined", word)
		}
	}
	return o, err
}

// letter reads a constant like 'a'.
func letter(word string) (any, error) {
	r, _, rest, err := strconv.UnquoteChar(word[1:len(word)-1], '\'')
	if err != nil || rest != "" {
		return nil, fmt.Errorf("malformed character constant: %s", word)
	}
	return int(r), nil
}
