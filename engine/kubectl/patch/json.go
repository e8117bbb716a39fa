package patch

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/limits"
)

// operation is a step of a JSON patch (RFC 6902).
type operation struct {
	Op    string `json:"op"`
	Path  string `json:"path"`
	From  string `json:"from"`
	Value any    `json:"value"`
}

// operationsMax is how many steps the API server takes.
const operationsMax = 10000

// ApplyOperations applies a JSON patch. If one step fails, none counts.
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
		var wrong string
		if copied += steps[i].copies(doc); copied > limits.Copies {
			return nil, Refused(fmt.Sprintf("Unable to complete the copy, the accumulated size increase of copy is %d, exceeding the limit %d",
				copied, limits.Copies))
		}
		if doc, wrong = steps[i].apply(doc); wrong != "" {
			return nil, Refused(wrong)
		}
	}
	tree, ok := doc.(map[string]any)
	if !ok {
		return nil, Refused("an object must stay an object")
	}
	return tree, nil
}

// Refused says why a step cannot be done.
type Refused string

func (r Refused) Error() string { return string(r) }

// copies returns how many bytes a step copies: a list that is copied into itself doubles.
func (o *operation) copies(doc any) int {
	if o.Op != "copy" || o.From != "" && o.From[0] != '/' {
		return 0
	}
	v, _ := api.ValueAt(doc, pointer(o.From))
	return new(sizer).of(v)
}

// apply does one step on a copy of what it changes; wrong says why it cannot.
func (o *operation) apply(doc any) (out any, wrong string) {
	for _, path := range []string{o.Path, o.From} {
		if path != "" && path[0] != '/' {
			return nil, "the path " + path + " must begin with /"
		}
	}
	path, ok := pointer(o.Path), false
	switch o.Op {
	case "add", "replace", "remove":
		out, ok = editAt(doc, path, o.Op, o.Value)
	case "test":
		if v, _ := api.ValueAt(doc, path); !reflect.DeepEqual(v, o.Value) {
			return nil, "the test of " + o.Path + " failed"
		}
		return doc, ""
	case "copy", "move":
		if o.From == "" {
			return nil, "the operation " + o.Op + " needs a from"
		}
		from := pointer(o.From)
		v, there := api.ValueAt(doc, from)
		if !there {
			return nil, "there is no " + o.From
		}
		if o.Op == "move" {
			doc, _ = editAt(doc, from, "remove", nil)
		}
		out, ok = editAt(doc, path, "add", v)
	default:
		return nil, "there is no operation " + strconv.Quote(o.Op)
	}
	if !ok {
		return nil, "there is no " + o.Path
	}
	return out, ""
}

// pointer cuts a JSON pointer into its names (RFC 6901).
func pointer(path string) []string {
	if path == "" {
		return nil
	}
	names := strings.Split(path[1:], "/")
	for i, name := range names {
		names[i] = strings.ReplaceAll(strings.ReplaceAll(name, "~1", "/"), "~0", "~")
	}
	return names
}

// editAt returns a document with a value added, replaced or removed at a path, if there is such a place. What it changes
// is copied first.
func editAt(doc any, path []string, op string, value any) (out any, ok bool) {
	if len(path) == 0 {
		return value, true
	}
	switch d := doc.(type) {
	case map[string]any:
		return editMap(maps.Clone(d), path, op, value)
	case []any:
		return editList(slices.Clone(d), path, op, value)
	}
	return nil, false
}

func editMap(d map[string]any, path []string, op string, value any) (out any, ok bool) {
	have, there := d[path[0]]
	switch {
	case !there && (op == "remove" || len(path) > 1): // upstream's library replaces in an object what is not there
		return nil, false
	case len(path) > 1:
		d[path[0]], ok = editAt(have, path[1:], op, value)
		return d, ok
	case op == "remove":
		delete(d, path[0])
	default:
		d[path[0]] = value
	}
	return d, true
}

func editList(d []any, path []string, op string, value any) (out any, ok bool) {
	i, err := strconv.Atoi(path[0])
	if path[0] == "-" && op == "add" && len(path) == 1 {
		i, err = len(d), nil
	}
	switch {
	case err != nil || i < 0 || i > len(d) || i == len(d) && (op != "add" || len(path) > 1):
		return nil, false
	case len(path) > 1:
		d[i], ok = editAt(d[i], path[1:], op, value)
		return d, ok
	case op == "add":
		d = slices.Insert(d, i, value)
	case op == "remove":
		d = slices.Delete(d, i, i+1)
	default:
		d[i] = value
	}
	return d, true
}
