package read

import (
	"errors"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/limits"
)

// waitCondition is a condition with the path that was read from it.
type waitCondition struct {
	line.WaitCondition
	path print.Query
}

// waitConditions reads the paths of conditions.
func waitConditions(list []line.WaitCondition) (conditions []waitCondition, err error) {
	for _, c := range list {
		condition := waitCondition{WaitCondition: c}
		if c.What == line.WaitPath {
			if condition.path, err = print.ParseQuery(c.Path); err != nil {
				return nil, err
			}
		}
		conditions = append(conditions, condition)
	}
	return conditions, nil
}

// holds says whether a version of an object meets the condition. An object that is gone is nil; but for its deletion, that
// means waiting for another one of its name.
func (c *waitCondition) holds(o api.Object, work *limits.Meter) (bool, error) {
	switch {
	case c.What == line.WaitDeleted:
		return o == nil, nil
	case o == nil:
		return false, nil
	case c.What == line.WaitPath:
		return c.pathMet(print.Served(o), work)
	}
	return c.statusMet(print.ObjectTree(o)), nil
}

// statusMet says whether a condition of the status has the value, and is about the present spec: a condition of an older
// generation does not count (condition.go:checkCondition).
func (c *waitCondition) statusMet(tree api.Fields) bool {
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
func (c *waitCondition) pathMet(tree any, work *limits.Meter) (bool, error) {
	found, err := c.path.Of(work, tree)
	switch {
	case err != nil || len(found) == 0:
		return false, err
	case len(found) > 1:
		return false, errors.New("given jsonpath expression matches more than one value")
	case c.Value == "":
		return true, nil
	}
	switch found[0].(type) {
	case map[string]any, []any:
		return false, errors.New("jsonpath leads to a nested object or list which is not supported")
	}
	return strings.TrimSpace(print.Scalar(found[0])) == strings.TrimSpace(c.Value), nil
}
