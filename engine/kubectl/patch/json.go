package patch

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/limits"
)

// operation is a step of a JSON patch (RFC 6902).
type operation struct {
	Op    *string `json:"op"`
	Path  *string `json:"path"`
	From  *string `json:"from"`
	Value any     `json:"value"`
}

// operationsMax is how many steps the API server takes.
const operationsMax = 10000

// ApplyOperations applies a JSON patch. If one step fails, none counts. It goes beyond the RFC where kubectl and the API server
// do, and fails in their words (json-patch/patch.go): a list is counted from its end by negative numbers, and in an object
// a missing value can be replaced or copied.
func ApplyOperations(live map[string]any, text []byte) (map[string]any, error) {
	var steps []operation
	if err := json.Unmarshal(text, &steps); err != nil {
		return nil, BadRequest("error decoding patch: " + strings.ReplaceAll(err.Error(), "[]patch.operation", "jsonpatch.Patch"))
	}
	if len(steps) > operationsMax {
		return nil, BadRequest(fmt.Sprintf("The allowed maximum operations in a JSON patch is %d, got %d", operationsMax, len(steps)))
	}
	var doc any = live
	copied := 0
	for i := range steps {
		var err error
		if doc, err = steps[i].apply(doc, &copied); err != nil {
			return nil, err
		}
	}
	tree, ok := doc.(map[string]any)
	if !ok {
		return nil, &Refused{Words: "an object must stay an object"}
	}
	return tree, nil
}

// Refused says why a step cannot be done.
type Refused struct {
	Words   string // in which kubectl says it
	Missing string // the path that is not there, if that is why
}

func (r *Refused) Error() string { return r.Words }

// Hint says the same in fewer words.
func (r *Refused) Hint() string {
	if r.Missing != "" {
		return "there is no " + r.Missing
	}
	return r.Words
}

func refuse(format string, args ...any) error { return &Refused{Words: fmt.Sprintf(format, args...)} }

func missing(path, format string, args ...any) error {
	return refuseAt(path, format+": missing value", args...)
}

func refuseAt(path, format string, args ...any) error {
	return &Refused{Words: fmt.Sprintf(format, args...), Missing: path}
}

// errNowhere is the error of an edit without a map or list to do it in.
var errNowhere = errors.New("missing value")

// apply does one step on a copy of what it changes.
func (o *operation) apply(doc any, copied *int) (any, error) {
	kind := "unknown"
	if o.Op != nil {
		kind = *o.Op
	}
	switch kind {
	case "add", "remove":
		return o.edit(doc, kind)
	case "replace":
		return o.replace(doc)
	case "test":
		return doc, o.test(doc)
	case "copy", "move":
		return o.transfer(doc, kind, copied)
	}
	return nil, refuse("Unexpected kind: %s", kind)
}

func (o *operation) edit(doc any, kind string) (any, error) {
	if o.Path == nil {
		return nil, refuse("%s operation failed to decode path: missing value", kind)
	}
	path, do := *o.Path, remove
	if kind == "add" {
		do = adding(o.Value)
	}
	out, err := editAt(doc, names(path), do)
	if err == errNowhere {
		return nil, missing(path, "%s operation does not apply: doc is missing path: %q", kind, path)
	} else if err != nil {
		return nil, refuseAt(path, "error in %s for path: '%s': %v", kind, path, err)
	}
	return out, nil
}

func (o *operation) replace(doc any) (any, error) {
	if o.Path == nil {
		return nil, refuse("replace operation failed to decode path: operation missing path field: missing value")
	}
	path := *o.Path
	if path == "" {
		switch o.Value.(type) {
		case map[string]any, []any:
			return o.Value, nil
		}
		return nil, refuse("replace operation value must be object or array")
	}
	out, err := editAt(doc, names(path), func(in any, key string) (any, error) { return set(in, key, o.Value) })
	if err == errNowhere {
		return nil, missing(path, "replace operation does not apply: doc is missing path: %s", path)
	} else if err != nil { // "doc is missing key" becomes this (kubectl/pkg/cmd/patch/patch.go:getPatchedJSON)
		return nil, refuseAt(path, "Object to be patched is missing field (%s: missing value)", path)
	}
	return out, nil
}

func (o *operation) test(doc any) error {
	if o.Path == nil {
		return refuse("test operation failed to decode path: operation missing path field: missing value")
	}
	path := *o.Path
	if path == "" {
		if reflect.DeepEqual(doc, o.Value) {
			return nil
		}
		return refuse("testing value %s failed: test failed", path)
	}
	v, _, err := valueAt(doc, path)
	switch {
	case err == errNowhere:
		return missing(path, "test operation does not apply: is missing path: %s", path)
	case err != nil:
		return refuseAt(path, "error in test for path: '%s': %v", path, err)
	case !reflect.DeepEqual(v, o.Value):
		return refuse("testing value %s failed: test failed", path)
	}
	return nil
}

// transfer copies or moves a value.
func (o *operation) transfer(doc any, kind string, copied *int) (any, error) {
	if o.From == nil {
		return nil, refuse("%s operation failed to decode from: operation, missing from field: missing value", kind)
	}
	from := *o.From
	v, key, err := valueAt(doc, from)
	if err == nil && kind == "move" {
		doc, err = editAt(doc, names(from), remove)
	}
	switch {
	case err == errNowhere:
		return nil, missing(from, "%s operation does not apply: doc is missing from path: %s", kind, from)
	case err != nil && kind == "move":
		return nil, refuseAt(from, "error in move for path: '%s': %v", key, err)
	case err != nil:
		return nil, refuseAt(from, "error in copy for from: '%s': %v", from, err)
	}
	if o.Path == nil {
		detail := map[string]string{"move": "operation missing path field: "}[kind]
		return nil, refuse("%s operation failed to decode path: %smissing value", kind, detail)
	}
	path := *o.Path
	if kind == "copy" {
		if *copied += new(sizer).of(v); *copied > limits.Copies { // a list that is copied into itself doubles
			return nil, refuse("Unable to complete the copy, the accumulated size increase of copy is %d, exceeding the limit %d", *copied, limits.Copies)
		}
	}
	out, err := editAt(doc, names(path), adding(v))
	switch {
	case err == errNowhere:
		return nil, missing(path, "%s operation does not apply: doc is missing destination path: %s", kind, path)
	case err != nil && kind == "move":
		return nil, refuseAt(path, "error in move for path: '%s': %v", path, err)
	case err != nil:
		return nil, refuseAt(path, "error while adding value during copy: %v", err)
	}
	return out, nil
}

var unescape = strings.NewReplacer("~1", "/", "~0", "~")

// names cuts a JSON pointer into its names (RFC 6901). Anything before the first slash is ignored.
func names(path string) []string {
	names := strings.Split(path, "/")[1:]
	for i, name := range names {
		names[i] = unescape.Replace(name)
	}
	return names
}

// valueAt returns the value at a path, nil if its object does not have it, and the last name of the path.
func valueAt(doc any, path string) (v any, last string, err error) {
	names := names(path)
	if len(names) == 0 {
		return nil, "", errNowhere
	}
	for _, name := range names[:len(names)-1] {
		if doc, err = get(doc, name); err != nil {
			return nil, "", errNowhere
		}
	}
	last = names[len(names)-1]
	v, err = get(doc, last)
	return v, last, err
}

// editAt returns a document in which something is done to the map or list that has the last of some names. What it changes is
// copied first.
func editAt(doc any, names []string, do func(in any, name string) (any, error)) (any, error) {
	switch len(names) {
	case 0:
		return nil, errNowhere
	case 1:
		return do(doc, names[0])
	}
	next, err := get(doc, names[0])
	if err != nil {
		return nil, errNowhere
	}
	if next, err = editAt(next, names[1:], do); err != nil {
		return nil, err
	}
	return set(doc, names[0], next)
}

func get(in any, name string) (any, error) {
	switch in := in.(type) {
	case map[string]any:
		return in[name], nil
	case []any:
		i, err := index(name, len(in))
		if err != nil {
			return nil, err
		}
		return in[i], nil
	}
	return nil, errNowhere
}

func set(in any, name string, value any) (any, error) {
	switch in := in.(type) {
	case map[string]any:
		in = maps.Clone(in)
		in[name] = value
		return in, nil
	case []any:
		i, err := index(name, len(in))
		if err != nil {
			return nil, err
		}
		in = slices.Clone(in)
		in[i] = value
		return in, nil
	}
	return nil, errNowhere
}

// adding returns what adds a value: in a list before the place.
func adding(value any) func(in any, name string) (any, error) {
	return func(in any, name string) (any, error) {
		list, ok := in.([]any)
		switch {
		case !ok:
			return set(in, name, value)
		case name == "-":
			return append(slices.Clip(list), value), nil
		}
		i, err := index(name, len(list)+1)
		var number *strconv.NumError
		if errors.As(err, &number) {
			return nil, fmt.Errorf("value was not a proper array index: '%s': %w", name, err)
		} else if err != nil {
			return nil, err
		}
		return slices.Insert(slices.Clip(list), i, value), nil
	}
}

func remove(in any, name string) (any, error) {
	switch in := in.(type) {
	case map[string]any:
		if _, ok := in[name]; !ok {
			return nil, fmt.Errorf("Unable to remove nonexistent key: %s: missing value", name)
		}
		in = maps.Clone(in)
		delete(in, name)
		return in, nil
	case []any:
		i, err := index(name, len(in))
		if err != nil {
			return nil, err
		}
		return slices.Delete(slices.Clone(in), i, i+1), nil
	}
	return nil, errNowhere
}

// index reads a place in a list of n. A negative one counts from the end.
func index(name string, n int) (int, error) {
	i, err := strconv.Atoi(name)
	if err != nil {
		return 0, err
	}
	if i >= n || i < -n {
		return 0, fmt.Errorf("Unable to access invalid index: %d: invalid index referenced", i)
	}
	return (i + n) % n, nil
}
