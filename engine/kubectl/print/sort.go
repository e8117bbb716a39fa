package print

import (
	"cmp"
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/breath"
	"github.com/rollplay/rollplay/engine/limits"
)

// SortGroups sorts the objects of each table, or of a list, by a field, as --sort-by=.metadata.creationTimestamp does. Objects that
// are equal there come as Go's sort leaves them: kubectl calls the same one, which is not stable. A single row is left as it is, whether it has the field or not.
func SortGroups(groups []Group, by string, table bool) error {
	if by == "" {
		return nil
	}
	p, text, err := sortPath(by)
	unread := errors.Is(err, errUnrecognized)
	if err != nil && !(unread && table) {
		return err
	}
	for _, g := range groups {
		if n := len(g.Objects); n == 0 || n == 1 && table {
			continue
		}
		if unread { // the server has made a table without it
			return NoField(text)
		}
		values, work := map[api.Key]any{}, new(limits.Meter)
		for _, o := range g.Objects {
			all, err := p.Of(work, Served(o))
			if err != nil {
				return err
			}
			if len(all) > 0 {
				values[o.Key()] = all[0]
			}
		}
		if len(values) == 0 {
			return NoField(text)
		}
		sort.Slice(g.Objects, func(i, j int) bool {
			breath.Often()
			return valueLess(values[g.Objects[i].Key()], values[g.Objects[j].Key()])
		})
	}
	return nil
}

// MissingField is the answer if kubectl has none of the fields to sort by.
func MissingField(by string) error {
	if by == "" {
		return nil
	}
	_, text, err := sortPath(by)
	return cmp.Or(err, error(NoField(text)))
}

var errUnrecognized = errors.New("unrecognized identifier") // a second word of a path

// sortPath reads a path to sort by, and returns its text in full.
func sortPath(by string) (p path, text string, err error) {
	p, text, err = ReadPath(by)
	if _, rest, blank := strings.Cut(strings.Trim(by, "{}"), " "); blank && err == nil {
		err = fmt.Errorf("%w %s", errUnrecognized, rest)
	}
	return p, text, err
}

// NoField is the answer to a path that no object has.
type NoField string

func (n NoField) Error() string {
	return fmt.Sprintf("couldn't find any field with path %q in the list of objects", string(n))
}

// valueLess compares numbers, quantities and texts. What is not there comes first.
func valueLess(a, b any) bool {
	switch a := a.(type) {
	case nil: // also before another one: Go's sort then leaves them as kubectl's does
		return true
	case float64:
		b, ok := b.(float64)
		return ok && a < b
	case bool:
		b, ok := b.(bool)
		return ok && !a && b
	case string:
		b, ok := b.(string)
		x, errX := api.ParseQuantity(a)
		y, errY := api.ParseQuantity(b)
		if errX == nil && errY == nil {
			return x.Cmp(y) < 0
		}
		return ok && a < b
	}
	return false
}
