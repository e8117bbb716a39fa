package kubectl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// waitCondition is one --for of kubectl wait.
type waitCondition struct {
	what  waitWhat
	name  string   // of a condition
	value string   // what it shall be; of a path nothing if it only has to be there
	path  []string // of fields
}

// waitWhat is what kind of thing is waited for.
type waitWhat uint8

const (
	waitCreated waitWhat = iota
	waitDeleted
	waitStatus // a condition of the status
	waitPath   // a field
)

// parseWaitCondition reads create, delete, condition=NAME[=VALUE] or jsonpath=PATH[=VALUE] (wait.go:conditionFuncsFor).
func parseWaitCondition(text string) (c waitCondition, err error) {
	what, rest, _ := strings.Cut(text, "=")
	switch lower := strings.ToLower(text); {
	case lower == "create":
		return waitCondition{what: waitCreated}, nil
	case lower == "delete":
		return waitCondition{what: waitDeleted}, nil
	case what == "condition" && text != what:
		name, value, given := strings.Cut(rest, "=")
		if !given {
			value = "true"
		}
		return waitCondition{what: waitStatus, name: name, value: value}, nil
	case what == "jsonpath" && text != what:
		return parseWaitPath(rest)
	}
	return c, fmt.Errorf("unrecognized condition: %q", text)
}

// parseWaitPath reads {.status.phase}=Running (wait.go:processJSONPathInput). A double = is a part of the path.
func parseWaitPath(text string) (c waitCondition, err error) {
	parts := strings.Split(strings.ReplaceAll(text, "==", separator), "=")
	if len(parts) > 2 {
		return c, errors.New("jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or " +
			"--for=jsonpath='{.status.readyReplicas}'")
	}
	path := strings.ReplaceAll(parts[0], separator, "==")
	inner := path
	if strings.HasPrefix(path, "{") && strings.HasSuffix(path, "}") {
		inner = path[1:max(1, len(path)-1)]
	}
	if path != "" && (inner == "" || strings.ContainsAny(inner, "{}")) {
		return c, errors.New("unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or " +
			"'{.name1.name2}'")
	}
	c.what = waitPath
	if len(parts) == 2 {
		if c.value = strings.Trim(strings.ReplaceAll(parts[1], separator, "=="), `'"`); c.value == "" {
			return c, errors.New("jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3")
		}
	}
	if path == "" {
		return c, errors.New("jsonpath expression cannot be empty")
	}
	if c.path = plainPath(inner); c.path == nil {
		return c, errors.New("rollplay models --for=jsonpath for paths of fields such as {.status.readyReplicas}, not for " + path)
	}
	return c, nil
}

// metBy says whether a version of an object meets the condition. An object that is gone is nil; but for its deletion, that
// means waiting for another one of its name.
func (c *waitCondition) metBy(o api.Object) (bool, error) {
	switch {
	case c.what == waitDeleted:
		return o == nil, nil
	case o == nil:
		return false, nil
	case c.what == waitPath:
		return c.pathMet(objectTree(o))
	}
	return c.statusMet(objectTree(o)), nil
}

// statusMet says whether a condition of the status has the value, and is about the present spec: one that was written for an
// older generation counts for nothing (condition.go:checkCondition).
func (c *waitCondition) statusMet(tree map[string]any) bool {
	conditions, _ := valueAt(tree, []string{"status", "conditions"}).([]any)
	for _, item := range conditions {
		condition, _ := item.(map[string]any)
		name, _ := condition["type"].(string)
		status, ok := condition["status"].(string)
		if !ok || !strings.EqualFold(name, c.name) {
			continue
		}
		generation, counted := valueAt(tree, []string{"metadata", "generation"}).(float64)
		observed, known := condition["observedGeneration"].(float64)
		if !known {
			observed, known = valueAt(tree, []string{"status", "observedGeneration"}).(float64)
		}
		return (!counted || !known || observed >= generation) && strings.EqualFold(status, c.value)
	}
	return false
}

// pathMet says whether there is something at the path, and whether it is the value that is waited for (json.go).
func (c *waitCondition) pathMet(tree any) (bool, error) {
	for _, step := range c.path {
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
	if c.value == "" {
		return true, nil
	}
	var text string
	switch v := tree.(type) {
	case map[string]any, []any:
		return false, errors.New("jsonpath leads to a nested object or list which is not supported")
	case string:
		text = v
	case float64:
		text = strconv.FormatFloat(v, 'f', -1, 64)
	case bool:
		text = strconv.FormatBool(v)
	}
	return strings.TrimSpace(text) == strings.TrimSpace(c.value), nil
}
