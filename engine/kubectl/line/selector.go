package line

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// Selector is what follows -l. A nil selector matches everything.
type Selector struct {
	requirements api.LabelSelector // all are expressions
	equal        []bool            // which of them were written with an =
}

// Matches says whether labels satisfy every requirement.
func (s *Selector) Matches(labels map[string]string) bool {
	return s == nil || s.requirements.Matches(labels)
}

// ParseSelector reads a=b,c!=d,e in (x,y),f notin (z),g,!h (apimachinery pkg/labels/selector.go:Parse). Nothing selects everything.
func ParseSelector(text string) (*Selector, error) {
	tokens := selectorTokens(text)
	words := len(slices.DeleteFunc(slices.Clone(tokens), func(t string) bool { return !isIdentifier(t) }))
	if err := limits.AtMost(limits.Parts, words, "keys and values of a selector"); err != nil {
		return nil, err
	}
	p := selectorParser{tokens: tokens}
	if p.peek() == "" {
		return nil, nil
	}
	s := &Selector{}
	for {
		r, err := p.requirement()
		if err != nil {
			return nil, err
		}
		s.requirements.MatchExpressions = append(s.requirements.MatchExpressions, r)
		s.equal = append(s.equal, p.equal)
		switch t := p.next(); {
		case t == "":
			return s, nil
		case t != ",":
			return nil, fmt.Errorf("found '%s', expected: ',' or 'end of string'", t)
		case !isIdentifier(p.peek()) && p.peek() != "!":
			return nil, fmt.Errorf("found '%s', expected: identifier after ','", p.peek())
		}
	}
}

// selectorTokens gives the words and signs of a selector, and "" at the end.
func selectorTokens(text string) (tokens []string) {
	for text = strings.TrimLeft(text, blanks); text != ""; text = strings.TrimLeft(text, blanks) {
		breath.Often()
		end := strings.IndexAny(text, blanks+selectorSigns)
		switch {
		case end < 0:
			end = len(text)
		case end == 0 && strings.IndexByte("=!<>", text[0]) >= 0 && strings.HasPrefix(text[1:], "="):
			end = 2
		case end == 0:
			end = 1
		}
		tokens, text = append(tokens, text[:end]), text[end:]
	}
	return append(tokens, "")
}

const selectorSigns = "=!<>(),"

// isIdentifier says whether a token is a key or a value.
func isIdentifier(token string) bool {
	return token != "" && strings.IndexByte(selectorSigns, token[0]) < 0
}

type selectorParser struct {
	tokens []string
	equal  bool // the last condition was written with an =
}

func (p *selectorParser) peek() string { return p.tokens[0] }

func (p *selectorParser) next() string {
	t := p.tokens[0]
	if t != "" {
		p.tokens = p.tokens[1:]
	}
	return t
}

// requirement reads one condition.
func (p *selectorParser) requirement() (r api.SelectorRequirement, err error) {
	if !isIdentifier(p.peek()) && p.peek() != "!" {
		return r, fmt.Errorf("found '%s', expected: !, identifier, or 'end of string'", p.peek())
	}
	if err = cmp.Or(p.condition(&r), checkRequirement(&r)); err != nil {
		err = fmt.Errorf("unable to parse requirement: %w", err)
	}
	return r, err
}

func (p *selectorParser) condition(r *api.SelectorRequirement) error {
	if p.equal = false; p.peek() == "!" {
		p.next()
		r.Operator = "DoesNotExist"
	}
	if r.Key = p.next(); !isIdentifier(r.Key) {
		return fmt.Errorf("found '%s', expected: identifier", r.Key)
	}
	if t := p.peek(); t == "" || t == "," {
		if r.Operator == "" {
			r.Operator = "Exists"
		}
		return nil
	}
	sign := p.next()
	p.equal = sign == "=" || sign == "=="
	r.Operator = map[string]string{"=": "In", "==": "In", "in": "In", "!=": "NotIn", "notin": "NotIn", "<": "Lt", ">": "Gt"}[sign]
	if r.Operator == "" {
		return fmt.Errorf("found '%s', expected: in, notin, =, ==, !=, gt, lt", sign)
	}
	read := p.exactValue
	if sign == "in" || sign == "notin" {
		read = p.values
	}
	var err error
	r.Values, err = read()
	return err
}

// exactValue reads what follows =, which may be nothing.
func (p *selectorParser) exactValue() ([]string, error) {
	if t := p.peek(); t == "" || t == "," {
		return []string{""}, nil
	}
	t := p.next()
	if !isIdentifier(t) {
		return nil, fmt.Errorf("found '%s', expected: identifier", t)
	}
	return []string{t}, nil
}

// values reads (x,y). A value may be empty.
func (p *selectorParser) values() (values []string, err error) {
	if t := p.next(); t != "(" {
		return nil, fmt.Errorf("found '%s' expected: '('", t)
	}
	value := ""
	for {
		switch t := p.next(); {
		case t == "," || t == ")":
			if !slices.Contains(values, value) {
				values = append(values, value)
			}
			if t == ")" {
				return values, nil
			}
			value = ""
		case isIdentifier(t) && value == "":
			value = t
		default:
			return nil, fmt.Errorf("found '%s', expected: ',' or ')'", t)
		}
	}
}

// checkRequirement refuses keys and values that no label can have.
func checkRequirement(r *api.SelectorRequirement) error {
	if wrong := validate.LabelKey(r.Key); wrong != "" {
		return fmt.Errorf("<nil>: Invalid value: %q: %s", r.Key, wrong)
	}
	for i, v := range r.Values {
		if _, err := strconv.ParseInt(v, 10, 64); err != nil && (r.Operator == "Gt" || r.Operator == "Lt") {
			return fmt.Errorf("values[%d][%s]: Invalid value: %q: for 'Gt', 'Lt' operators, the value must be an integer", i, r.Key, v)
		}
		if wrong := validate.LabelValue(v); wrong != "" {
			return fmt.Errorf("values[%d][%s]: Invalid value: %q: %s", i, r.Key, v, wrong)
		}
	}
	return nil
}

// InObject returns a selector as an object has it: equalities are labels to match, the rest expressions.
func (s *Selector) InObject() *api.LabelSelector {
	out := &api.LabelSelector{}
	if s == nil {
		return out
	}
	for i, r := range s.requirements.MatchExpressions {
		if !s.equal[i] {
			slices.Sort(r.Values)
			out.MatchExpressions = append(out.MatchExpressions, r)
			continue
		}
		if out.MatchLabels == nil {
			out.MatchLabels = map[string]string{}
		}
		out.MatchLabels[r.Key] = r.Values[0]
	}
	return out
}
