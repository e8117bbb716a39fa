package print

import (
	"cmp"
	"errors"
	"fmt"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// JSONPath is a template of jsonpath (client-go/util/jsonpath): texts, and actions in braces.
//
// Simplified: a map under * comes by its keys; upstream takes them as Go's maps do.
type JSONPath []action

// action leads from a value to others, step by step.
type action []step

// step leads from values to others. Those that it returns with an error count for a filter that asks whether there is something.
type step func(r *pathRun, values []any) ([]any, error)

// pathRun is a template that is being evaluated. A range begins and ends at a word of an action, and repeats the actions between them.
type pathRun struct {
	template JSONPath
	meter    *limits.Meter // of the work

	begun, inside, ended int // ranges that a word has begun, that are being repeated, and that a word has ended
	end                  int // the action that has ended the last one
	first                int // the action that begins what was evaluated last: the whole template, or the body of a range
}

// absent is the value of a template where there is none, as for what a range repeats that is empty.
type absent struct{}

func (absent) String() string { return "<invalid reflect.Value>" }

func (t JSONPath) begin() *pathRun { return &pathRun{template: t, end: -1} }

// Text prints what a template finds in a tree.
func (t JSONPath) Text(tree any) (string, error) { return t.begin().text(tree) }

// text prints one tree after the other. Upstream's template is shorter after a range: the next tree meets the body of the range alone.
func (r *pathRun) text(tree any) (string, error) {
	work := new(limits.Meter)
	r.meter = work
	found, err := r.from(r.first, tree)
	var out strings.Builder
	for _, values := range found {
		for i, v := range values {
			if i > 0 {
				out.WriteByte(' ')
			}
			text := Scalar(v)
			if err == nil {
				err = work.Count(len(text) / 16)
			}
			if err != nil || out.Len() > limits.Output { // the rest would be cut
				return out.String(), err
			}
			out.WriteString(text)
		}
	}
	return out.String(), err
}

// Of returns what the first action of a template finds in a tree.
func (t JSONPath) Of(m *limits.Meter, tree any) ([]any, error) {
	r := t.begin()
	r.meter = m
	found, err := r.from(0, tree)
	if len(found) == 0 {
		return nil, err
	}
	return found[0], err
}

// from evaluates the actions from one on, to the end of the range in which that is.
func (r *pathRun) from(first int, v any) (found [][]any, err error) {
	if v == nil {
		v = absent{}
	}
	r.first = first
	for i := first; i < len(r.template); i++ {
		values, err := r.template[i].of(r, v)
		switch {
		case err != nil:
			return nil, err
		case r.ended > 0 && r.ended <= r.inside:
			r.ended--
			r.end = i
			return found, nil
		case r.begun == 0:
			found = append(found, values)
			continue
		}
		repeated, err := r.repeat(i+1, values)
		if err != nil {
			return nil, err
		}
		found = append(found, repeated...)
		if r.end > i { // a range without an end goes on with the actions that it has repeated
			i = r.end
		}
	}
	return found, nil
}

// repeat evaluates a range for each value. Without one, it only looks for the end.
func (r *pathRun) repeat(first int, values []any) (found [][]any, err error) {
	r.begun--
	r.inside++
	for _, v := range values {
		more, err := r.from(first, v)
		if err != nil {
			return nil, err
		}
		found = append(found, more...)
	}
	if len(values) == 0 {
		_, err = r.from(first, nil)
	}
	r.inside--
	return found, err
}

// of returns the values to which an action leads.
func (a action) of(r *pathRun, v any) ([]any, error) {
	values, err := a.along(r, []any{v})
	return values, cmp.Or(err, r.meter.Count(1))
}

// along goes the steps of an action.
func (a action) along(r *pathRun, values []any) (_ []any, err error) {
	for _, s := range a {
		breath.Often()
		if err := r.meter.Count(len(values)); err != nil {
			return nil, err
		}
		if values, err = s(r, values); err != nil {
			return values, err
		}
	}
	return values, nil
}

// each returns a step that leads from each value to others.
func each(lead func(r *pathRun, v any) ([]any, error)) step {
	return func(r *pathRun, values []any) (found []any, err error) {
		for _, v := range values {
			more, err := lead(r, v)
			if err != nil {
				return nil, err
			}
			found = append(found, more...)
		}
		return found, nil
	}
}

// fieldOf leads to a field of a map.
func fieldOf(name string) step {
	return each(func(_ *pathRun, v any) ([]any, error) {
		m, _ := v.(map[string]any)
		if value, ok := m[name]; ok {
			return []any{value}, nil
		}
		return nil, nil
	})
}

// parts returns what is in a list or a map, and the bytes of a text.
func parts(r *pathRun, v any) (values []any, err error) {
	switch v := v.(type) {
	case []any:
		values = v
	case map[string]any:
		for _, k := range SortedKeys(v) {
			values = append(values, v[k])
		}
	case string:
		for i := range len(v) {
			values = append(values, v[i])
		}
	}
	return values, r.meter.Count(len(values))
}

// all returns each value that has parts, before those of its parts.
func all(r *pathRun, v any) ([]any, error) {
	if text, ok := v.(string); ok && text != "" {
		return []any{v}, r.meter.Count(1)
	}
	inner, err := parts(r, v)
	if err != nil || len(inner) == 0 {
		return nil, err
	}
	more, err := each(all)(r, inner)
	return append([]any{v}, more...), err
}

// united leads where each of some paths leads.
func united(paths []action) step {
	return func(r *pathRun, values []any) (found []any, err error) {
		for _, p := range paths {
			more, err := p.along(r, values)
			if err != nil {
				return values, err
			}
			found = append(found, more...)
		}
		return found, nil
	}
}

// constant is a number or a truth, for each value.
func constant(c any) step {
	return each(func(*pathRun, any) ([]any, error) { return []any{c}, nil })
}

// quoted is a text, once.
func quoted(text string) step {
	return func(*pathRun, []any) ([]any, error) { return []any{text}, nil }
}

// word begins or ends a range.
func word(name string) step {
	return func(r *pathRun, values []any) ([]any, error) {
		switch {
		case name == "range":
			r.begun++
			return values, nil
		case name == "end" && r.inside == 0:
			return nil, errors.New("not in range, nothing to end")
		case name == "end":
			r.ended++
			return nil, nil
		}
		return values, fmt.Errorf("unrecognized identifier %s", name)
	}
}

// span is what [from:to:step] asks for. [2] asks for one value.
type span struct {
	from, to, step int
	one            bool
	endless, plain bool // without to; without step
}

// within leads to values of lists.
func (s span) within(_ *pathRun, values []any) (found []any, err error) {
	for _, v := range values {
		list, ok := v.([]any)
		if !ok && (v == nil || v == absent{}) {
			continue
		} else if !ok {
			return values, fmt.Errorf("%T is not array or slice", whole(v))
		}
		from, to, n := s.from, s.to, len(list)
		if from < 0 {
			from += n
		}
		if s.endless {
			to = n
		} else if to < 0 || to == 0 && s.one {
			to += n
		}
		switch {
		case from == to:
			return found, nil
		case from < 0 || from >= n:
			return values, fmt.Errorf("array index out of bounds: index %d, length %d", from, n)
		case to < 0 || to > n:
			return values, fmt.Errorf("array index out of bounds: index %d, length %d", to-1, n)
		case from > to:
			return values, fmt.Errorf("starting index %d is greater than ending index %d", from, to)
		case !s.plain && s.step <= 0:
			return values, errors.New("step must be > 0")
		}
		for i := from; i < to; i += min(max(s.step, 1), n) {
			found = append(found, list[i])
		}
	}
	return found, nil
}

// Scalar prints a value: a text as it is, what has parts as JSON.
func Scalar(v any) string {
	switch v.(type) {
	case map[string]any, []any:
		return string(api.JSON(v))
	case nil:
		return "null"
	case absent:
		return "<no value>"
	}
	return fmt.Sprint(whole(v))
}
