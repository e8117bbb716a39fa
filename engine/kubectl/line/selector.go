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

// Selector is what follows -l: conditions that must all hold, by their keys. A nil selector matches everything.
type Selector []condition

type condition struct {
	api.SelectorRequirement
	sign string // its operator as it was written
}

// Matches says whether labels satisfy every condition.
func (s Selector) Matches(labels map[string]string) bool {
	breath.Often() // it is asked about every object
	return !slices.ContainsFunc(s, func(c condition) bool { return !c.Holds(labels) })
}

// ParseSelector reads a=b,c!=d,e in (x,y),f notin (z),g,!h (apimachinery pkg/labels/selector.go:Parse). Nothing selects everything.
func ParseSelector(text string) (s Selector, err error) {
	tokens := selectorTokens(text)
	words := len(slices.DeleteFunc(slices.Clone(tokens), func(t string) bool { return !isIdentifier(t) }))
	if err := limits.AtMost(limits.Parts, words, "keys and values of a selector"); err != nil {
		return nil, err
	}
	p := selectorParser{tokens}
	if p.peek() == "" {
		return nil, nil
	}
	for {
		c, err := p.condition()
		if err != nil {
			return nil, err
		}
		s = append(s, c)
		switch t := p.next(); {
		case t == "":
			slices.SortStableFunc(s, func(a, b condition) int { return cmp.Compare(a.Key, b.Key) })
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
		case end == 0 && strings.IndexByte("=!", text[0]) >= 0 && strings.HasPrefix(text[1:], "="):
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

type selectorParser struct{ tokens []string }

func (p *selectorParser) peek() string { return p.tokens[0] }

func (p *selectorParser) next() string {
	t := p.tokens[0]
	if t != "" {
		p.tokens = p.tokens[1:]
	}
	return t
}

// condition reads one condition.
func (p *selectorParser) condition() (c condition, err error) {
	if !isIdentifier(p.peek()) && p.peek() != "!" {
		return c, fmt.Errorf("found '%s', expected: !, identifier, or 'end of string'", p.peek())
	}
	if err = cmp.Or(p.read(&c), c.checkValues()); err != nil {
		err = fmt.Errorf("unable to parse requirement: %w", err)
	}
	return c, err
}

func (p *selectorParser) read(c *condition) (err error) {
	if p.peek() == "!" {
		p.next()
		c.Operator = "DoesNotExist"
	}
	if c.Key = p.next(); !isIdentifier(c.Key) {
		return fmt.Errorf("found '%s', expected: identifier", c.Key)
	}
	if wrong := validate.LabelKey(c.Key); wrong != "" {
		return fmt.Errorf("<nil>: Invalid value: %q: %s", c.Key, wrong)
	}
	if t := p.peek(); c.Operator != "" || t == "" || t == "," {
		c.Operator = cmp.Or(c.Operator, "Exists")
		return nil
	}
	c.sign = p.next()
	c.Operator = map[string]string{"=": "In", "==": "In", "in": "In", "!=": "NotIn", "notin": "NotIn", "<": "Lt", ">": "Gt"}[c.sign]
	switch c.sign {
	case "in", "notin":
		c.Values, err = p.values()
	case "=", "==", "!=", "<", ">":
		c.Values, err = p.exactValue()
	default:
		err = fmt.Errorf("found '%s', expected: in, notin, =, ==, !=, gt, lt", c.sign)
	}
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

// values reads (x,y), in order. A value may be empty.
func (p *selectorParser) values() (values []string, err error) {
	if t := p.next(); t != "(" {
		return nil, fmt.Errorf("found '%s' expected: '('", t)
	}
	expected := "',', ')' or identifier"
	for {
		value := ""
		if isIdentifier(p.peek()) {
			value, expected = p.next(), "',' or ')'"
		}
		values = append(values, value)
		switch t := p.next(); t {
		case ")":
			slices.Sort(values)
			return slices.Compact(values), nil
		case ",":
			expected = "',', or identifier"
		default:
			return nil, fmt.Errorf("found '%s', expected: %s", t, expected)
		}
	}
}

// checkValues refuses values that no label can have, and those that cannot be compared.
func (c *condition) checkValues() error {
	var wrong []error
	for i, v := range c.Values {
		if _, err := strconv.ParseInt(v, 10, 64); err != nil && (c.Operator == "Gt" || c.Operator == "Lt") {
			wrong = append(wrong, fmt.Errorf("values[%d]: Invalid value: %q: for 'Gt', 'Lt' operators, the value must be an integer", i, v))
		}
		if bad := validate.LabelValue(v); bad != "" {
			wrong = append(wrong, fmt.Errorf("values[%d][%s]: Invalid value: %q: %s", i, c.Key, v, bad))
		}
	}
	return api.Aggregate(wrong)
}

// InObject returns a selector as an object has it: equalities are labels to match, the rest expressions
// (apimachinery pkg/apis/meta/v1/helpers.go:ParseToLabelSelector). Not every condition can be in an object.
func (s Selector) InObject() (*api.LabelSelector, error) {
	out := &api.LabelSelector{MatchLabels: map[string]string{}}
	for _, c := range s {
		switch c.sign {
		case "=", "==":
			out.MatchLabels[c.Key] = c.Values[0]
		case "!=":
			return nil, fmt.Errorf("%q is not a valid label selector operator", c.sign)
		case "<", ">":
			return nil, fmt.Errorf("%q isn't supported in label selectors", strings.ToLower(c.Operator))
		default:
			out.MatchExpressions = append(out.MatchExpressions, c.SelectorRequirement)
		}
	}
	return out, nil
}
