package print

import (
	"cmp"
	"errors"
	"fmt"
	"sort"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// SortObjects sorts the objects of a table, or of a list, by a field, as --sort-by=.metadata.creationTimestamp does. Objects that
// are equal there come as Go's sort leaves them: kubectl calls the same one, which is not stable. A single row is left as it is, whether it
// has the field or not.
func SortObjects(objects []api.Object, by string, table bool) error {
	if n := len(objects); by == "" || n == 0 || n == 1 && table { // kubectl does not read the path then
		return nil
	}
	p, text, err := ReadPath(by)
	if text == "" && table { // a table takes any template
		p, err = readTemplate(by)
		text = by
	}
	switch {
	case err != nil && table:
		return fmt.Errorf("sorting error: %w", err)
	case err != nil:
		return err
	}
	values, err := p.sortValues(objects)
	switch {
	case err != nil && table && !limits.IsExceeded(err):
		return fmt.Errorf("Failed to get values for [][]reflect.Value(nil) using %s (&errors.errorString{s:%q})", text, err.Error())
	case err != nil:
		return err
	case len(values) == 0:
		return noField(text)
	}
	var unsortable error
	sort.Slice(objects, func(i, j int) bool {
		breath.Often()
		less, err := valuesLess(values[objects[i].Key()], values[objects[j].Key()])
		unsortable = cmp.Or(unsortable, err)
		return less
	})
	if unsortable != nil {
		return Unsortable(fmt.Sprintf("Field %s is an unsortable type: interface, err: %v", text, unsortable))
	}
	return nil
}

// sortValues returns what a path finds in the objects that have it.
func (t JSONPath) sortValues(objects []api.Object) (values map[api.Key][]any, err error) {
	values, work := map[api.Key][]any{}, new(limits.Meter)
	for _, o := range objects {
		found, err := t.Of(work, Served(o))
		if err != nil {
			return nil, err
		}
		if len(found) > 0 {
			values[o.Key()] = found
		}
	}
	return values, nil
}

// SortTables answers for several tables, of which kubectl sorts no rows: it looks for the field in the tables themselves, which are alike.
func SortTables(by string) error {
	if by == "" {
		return nil
	}
	p, text, err := ReadPath(by)
	if err != nil {
		return err
	}
	found, err := p.Of(new(limits.Meter), map[string]any{"kind": "Table", "apiVersion": "meta.k8s.io/v1", "metadata": map[string]any{"resourceVersion": ""}})
	if err == nil && len(found) == 0 {
		err = noField(text)
	}
	return err
}

// noField is the answer to a path that no object has.
func noField(path string) error {
	return fmt.Errorf("couldn't find any field with path %q in the list of objects", path)
}

// Unsortable is the answer to a path that leads to maps, lists or truths, where kubectl exits at once.
type Unsortable string

func (u Unsortable) Error() string { return string(u) }

// valuesLess compares the first ones of what a path has found. An object without them comes first.
func valuesLess(a, b []any) (bool, error) {
	if len(a) == 0 || len(b) == 0 { // also before another one: Go's sort then leaves them as kubectl's does
		return len(a) == 0, nil
	}
	return valueLess(whole(a[0]), whole(b[0]))
}

// valueLess compares numbers, quantities and texts of one type (sorter.go:isLess). Nothing comes first.
func valueLess(a, b any) (bool, error) {
	if a == nil || b == nil {
		return a == nil && b != nil, nil
	}
	switch a.(type) {
	case int64, float64, string:
	default:
		return false, fmt.Errorf("unsortable type: %T", a)
	}
	order, err := compare(a, b, false)
	if err != nil {
		return false, errors.New("unsortable interface: interface")
	}
	if text, ok := a.(string); ok {
		x, errX := api.ParseQuantity(text)
		y, errY := api.ParseQuantity(b.(string))
		if errX == nil && errY == nil {
			order = x.Cmp(y)
		}
	}
	return order < 0, nil
}
