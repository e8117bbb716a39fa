package print

import (
	"cmp"
	"encoding/base64"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// Text prints a tree.
func (t GoTemplate) Text(tree any) (string, error) {
	return t.With(tree, nil, new(limits.Meter), "<no value>")
}

// With prints a tree with functions of its own. A meter counts the work, if it is not nil; missing stands for what is not there.
func (t GoTemplate) With(tree any, funcs Funcs, m *limits.Meter, missing string) (string, error) {
	r := goRun{meter: m, funcs: funcs, missing: missing, vars: []goVar{{"$", tree}}}
	r.list(t, tree)
	return r.out.String(), r.err
}

// goRun is a template that is being printed.
type goRun struct {
	meter   *limits.Meter // of the work; nil if nothing counts it
	err     error         // the first one: what would come behind it is not printed
	out     strings.Builder
	funcs   Funcs
	missing string
	vars    []goVar // the last of a name counts
}

// count counts work.
func (r *goRun) count(n int) {
	if breath.Often(); r.err == nil && r.meter != nil {
		r.err = r.meter.Count(n)
	}
}

func (r *goRun) fail(err error) { r.err = cmp.Or(r.err, err) }

type goVar struct {
	name  string
	value any
}

// list prints nodes. What is set in a block is forgotten behind it.
func (r *goRun) list(t GoTemplate, dot any) {
	for i := range t {
		n := &t[i]
		if r.err != nil || r.out.Len() > limits.Output {
			return // the rest would be cut
		}
		if n.pipe == nil {
			r.out.WriteString(n.text)
			continue
		}
		known, v := len(r.vars), r.pipe(n.pipe, dot)
		switch {
		case r.err != nil:
			return
		case n.word != "":
			r.block(n, v, dot)
			r.vars = r.vars[:known]
		case n.vars != nil:
			r.set(n, v)
		default:
			r.write(v)
		}
	}
}

func (r *goRun) set(n *goNode, values ...any) {
	for i, name := range n.vars {
		if !n.assigns {
			r.vars = append(r.vars, goVar{name, values[i]})
		} else if v := r.variable(name); v != nil {
			v.value = values[i]
		}
	}
}

// variable returns the last one of a name, nil if there is none.
func (r *goRun) variable(name string) *goVar {
	for i := len(r.vars) - 1; i >= 0; i-- {
		if r.vars[i].name == name {
			return &r.vars[i]
		}
	}
	return nil
}

func (r *goRun) write(v any) {
	text := r.missing
	if v != nil {
		text = fmt.Sprint(v)
	}
	r.out.WriteString(text)
	r.count(1 + len(text)/16)
}

// block prints what an if, with or range chooses.
func (r *goRun) block(n *goNode, v, dot any) {
	if n.word == "range" {
		r.repeat(n, v, dot)
		return
	}
	r.set(n, v)
	switch {
	case !isTrue(v):
		r.list(n.other, dot)
	case n.word == "with":
		r.list(n.body, v)
	default:
		r.list(n.body, dot)
	}
}

// repeat prints the body of a range for each value: of a map, by its keys.
func (r *goRun) repeat(n *goNode, v, dot any) {
	if b, ok := v.(byte); ok { // of a text
		v = int64(b)
	}
	var keys, values []any
	switch v := sized(v).(type) {
	case nil:
	case []any:
		for i := range v {
			keys = append(keys, i)
		}
		values = v
	case map[string]any:
		for _, key := range SortedKeys(v) {
			keys, values = append(keys, key), append(values, v[key])
		}
	case int64:
		if len(n.vars) == 2 {
			r.fail(fmt.Errorf("can't use %d to iterate over more than one variable", v))
			return
		}
		for i := int64(0); i < v && r.err == nil; i++ {
			keys, values = append(keys, i), append(values, i)
			r.count(1)
		}
	default:
		r.fail(fmt.Errorf("range can't iterate over %v", v))
		return
	}
	if len(values) == 0 {
		r.list(n.other, dot)
	}
	for i, value := range values {
		known := len(r.vars)
		if len(n.vars) == 2 {
			r.set(n, keys[i], value)
		} else {
			r.set(n, value)
		}
		r.list(n.body, value)
		r.vars = r.vars[:known]
	}
}

// isTrue says whether a value does not count as empty.
func isTrue(v any) bool {
	if n, err := lengthOf(v); err == nil {
		return n > 0
	}
	v = sized(v)
	return v != nil && v != false && v != int64(0) && v != float64(0)
}

func (r *goRun) pipe(pipe goPipe, dot any) (v any) {
	for i, call := range pipe {
		var last []any
		if i > 0 {
			last = []any{v}
		}
		if v = r.call(call, dot, last); r.err != nil {
			return nil
		}
	}
	r.count(len(pipe))
	return v
}

// call returns what a function makes of its arguments, or the value of what is no function.
func (r *goRun) call(call []goOperand, dot any, last []any) (v any) {
	name := call[0].function
	if call[0].null {
		r.fail(errors.New("nil is not a command"))
		return nil
	} else if name == "" && len(call)+len(last) > 1 {
		r.fail(errors.New("can't give argument to non-function"))
		return nil
	} else if name == "" {
		return r.operand(&call[0], dot)
	}
	var args []any
	for i := range call[1:] {
		arg := r.operand(&call[i+1], dot)
		if args = append(args, arg); r.err != nil || (name == "and" || name == "or") && isTrue(arg) == (name == "or") {
			return arg
		}
	}
	args = append(args, last...)
	var err error
	switch f := r.funcs[name]; {
	case (name == "and" || name == "or") && len(args) == 0:
		r.fail(fmt.Errorf("wrong number of args for %s: want at least 1 got 0", name))
	case name == "and" || name == "or":
		return args[len(args)-1]
	case f != nil:
		return f(args)
	case goArguments[name] > 0 && len(args) != goArguments[name]:
		r.fail(fmt.Errorf("wrong number of args for %s: want %d got %d", name, goArguments[name], len(args)))
	case len(args) == 0 && !strings.HasPrefix(name, "print"):
		r.fail(fmt.Errorf("wrong number of args for %s: want at least 1 got 0", name))
	default:
		v, err = goFuncs[name](args)
	}
	if err != nil {
		r.fail(fmt.Errorf("error calling %s: %w", name, err))
	}
	return v
}

func (r *goRun) operand(o *goOperand, dot any) (v any) {
	switch {
	case o.inner != nil:
		v = r.pipe(o.inner, dot)
	case o.function != "":
		v = r.call([]goOperand{*o}, dot, nil)
	case o.variable == ".":
		v = dot
	case o.variable != "":
		known := r.variable(o.variable)
		if known == nil {
			r.fail(fmt.Errorf("undefined variable %q", o.variable))
			return nil
		}
		v = known.value
	default:
		return o.literal
	}
	for _, name := range o.fields {
		m, ok := v.(map[string]any)
		if !ok && v != nil {
			r.fail(fmt.Errorf("can't evaluate field %s in type interface {}", name))
		}
		v = m[name]
	}
	return v
}

// whole returns a number as kubectl has read it, without a fraction as an int64; trees hold all numbers as float64.
func whole(v any) any {
	switch n := v.(type) {
	case decimal:
		return float64(n)
	case float64:
		if float64(int64(n)) == n {
			return int64(n)
		}
	}
	return v
}

type goFunc func(args []any) (any, error)

// goArguments are how many arguments some functions have.
var goArguments = map[string]int{"not": 1, "len": 1, "base64decode": 1, "ne": 2, "lt": 2, "le": 2, "gt": 2, "ge": 2}

// goFuncs are the functions that every template has, with those that kubectl adds. All but those that print have an argument.
var goFuncs = map[string]goFunc{
	"not":     func(args []any) (any, error) { return !isTrue(args[0]), nil },
	"print":   func(args []any) (any, error) { return fmt.Sprint(args...), nil },
	"println": func(args []any) (any, error) { return fmt.Sprintln(args...), nil },
	"printf":  printed,
	"len":     func(args []any) (any, error) { return lengthOf(args[0]) },
	"index":   func(args []any) (any, error) { return indexed(args[0], args[1:]) },
	"exists": func(args []any) (any, error) {
		v, err := indexed(args[0], args[1:])
		return err == nil && v != nil, nil
	},
	"base64decode": func(args []any) (any, error) {
		text, err := base64.StdEncoding.DecodeString(fmt.Sprint(args[0]))
		return string(text), err
	},
	"eq": func(args []any) (any, error) {
		if len(args) == 1 {
			return nil, errors.New("missing argument for comparison")
		}
		equal := false
		for _, other := range args[1:] {
			if args[0] == nil || other == nil {
				equal = equal || args[0] == other
				continue
			}
			order, err := compare(args[0], other, true)
			if err != nil {
				return nil, err
			}
			equal = equal || order == 0
		}
		return equal, nil
	},
	"ne": comparing("!="), "lt": comparing("<"), "le": comparing("<="), "gt": comparing(">"), "ge": comparing(">="),
}

// comparing returns a function that compares its two arguments.
func comparing(sign string) goFunc {
	return func(args []any) (any, error) {
		if sign == "!=" && slices.Contains(args, nil) {
			return args[0] != args[1], nil
		}
		order, err := compare(args[0], args[1], sign == "!=")
		return ordered(sign, order), err
	}
}

func printed(args []any) (any, error) {
	switch {
	case len(args) == 0:
		return nil, errors.New("wrong number of args for printf: want at least 1 got 0")
	case args[0] == nil:
		return nil, errors.New("invalid value; expected string")
	}
	format, ok := args[0].(string)
	if !ok {
		return nil, fmt.Errorf("wrong type for value; expected string; got %T", args[0])
	}
	return fmt.Sprintf(format, args[1:]...), nil
}

func lengthOf(v any) (int, error) {
	switch v := v.(type) {
	case string:
		return len(v), nil
	case []any:
		return len(v), nil
	case map[string]any:
		return len(v), nil
	case nil:
		return 0, errors.New("len of nil pointer")
	}
	return 0, fmt.Errorf("len of type %T", v)
}

// indexed follows keys of maps and places in lists.
func indexed(v any, path []any) (any, error) {
	if v == nil {
		return nil, errors.New("index of untyped nil")
	}
	for _, step := range path {
		step = sized(step)
		switch of := v.(type) {
		case map[string]any:
			key, ok := step.(string)
			if !ok {
				return nil, fmt.Errorf("value has type %T; should be string", step)
			}
			v = of[key]
		case []any:
			i, ok := step.(int64)
			switch {
			case !ok:
				return nil, fmt.Errorf("cannot index slice/array with type %T", step)
			case i < 0 || i >= int64(len(of)):
				return nil, fmt.Errorf("index out of range: %d", i)
			}
			v = of[i]
		case string:
			i, ok := step.(int64)
			if !ok || i < 0 || i >= int64(len(of)) {
				return nil, fmt.Errorf("index out of range: %v", step)
			}
			v = of[i]
		case nil:
			return nil, errors.New("index of untyped nil")
		default:
			return nil, fmt.Errorf("can't index item of type %T", v)
		}
	}
	return v, nil
}
