package read

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// holds says whether a version of an object meets the condition. An object that is gone is nil; but for its deletion, that
// means waiting for another one of its name.
func holds(c *line.WaitCondition, o api.Object) (bool, error) {
	switch {
	case c.What == line.WaitDeleted:
		return o == nil, nil
	case o == nil:
		return false, nil
	case c.What == line.WaitPath:
		return pathMet(c, print.Served(o))
	}
	return statusMet(c, print.ObjectTree(o)), nil
}

// statusMet says whether a condition of the status has the value, and is about the present spec: a condition of an older
// generation does not count (condition.go:checkCondition).
func statusMet(c *line.WaitCondition, tree api.Fields) bool {
	status := tree.Object("status")
	for _, condition := range status.Items("conditions") {
		value, ok := condition["status"].(string)
		if !ok || !strings.EqualFold(condition.Text("type"), c.Name) {
			continue
		}
		generation, counted := tree.Object("metadata")["generation"].(float64)
		observed, known := condition["observedGeneration"].(float64)
		if !known {
			observed, known = status["observedGeneration"].(float64)
		}
		return (!counted || !known || observed >= generation) && strings.EqualFold(value, c.Value)
	}
	return false
}

// pathMet says whether there is something at the path, and whether it is the value that is waited for (json.go).
func pathMet(c *line.WaitCondition, tree any) (bool, error) {
	for _, step := range c.Path {
		switch v := tree.(type) {
		case map[string]any:
			field, ok := v[step]
			if !ok {
				return false, nil
			}
			tree = field
		case []any:
			i, err := strconv.Atoi(step)
			switch {
			case err != nil:
				return false, nil
			case i >= len(v):
				return false, fmt.Errorf("array index out of bounds: index %d, length %d", i, len(v))
			}
			tree = v[i]
		default:
			return false, nil
		}
	}
	if c.Value == "" {
		return true, nil
	}
	switch tree.(type) {
	case nil:
		tree = ""
	case map[string]any, []any:
		return false, errors.New("jsonpath leads to a nested object or list which is not supported")
	}
	return strings.TrimSpace(print.Scalar(tree)) == strings.TrimSpace(c.Value), nil
}
