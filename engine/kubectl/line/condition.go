package line

import (
	"errors"
	"fmt"
	"strings"
)

// How long kubectl wait waits, in ms.
const (
	waitTimeout = 30_000             // without --timeout
	waitWeek    = 7 * 24 * 3_600_000 // with a negative one
)

// WaitFlags are the flags of kubectl wait.
type WaitFlags struct {
	Timeout    int64 // in ms; 0 looks once
	Conditions []WaitCondition
}

// checkWait reads the flags of kubectl wait before anything else of the line.
func checkWait(c *Command) error {
	c.Wait = &WaitFlags{Timeout: c.Timeout(waitTimeout)}
	if c.Wait.Timeout < 0 {
		c.Wait.Timeout = waitWeek
	}
	given, ok := c.Flags["for"]
	if !ok {
		return errors.New("unrecognized condition: []")
	}
	for text := range strings.SplitSeq(given, Separator) {
		condition, err := parseWaitCondition(text)
		if err != nil {
			return err
		}
		c.Wait.Conditions = append(c.Wait.Conditions, condition)
	}
	return nil
}

// WaitCondition is one --for of kubectl wait.
type WaitCondition struct {
	What  waitWhat
	Name  string // of a condition
	Value string // the expected value; empty for a path that only has to exist
	Path  string // a path of jsonpath
}

// waitWhat is the kind of a condition.
type waitWhat uint8

const (
	WaitCreated waitWhat = iota
	WaitDeleted
	waitStatus // a condition of the status
	WaitPath   // a field
)

// parseWaitCondition reads create, delete, condition=NAME[=VALUE] or jsonpath=PATH[=VALUE] (wait.go:conditionFuncsFor).
func parseWaitCondition(text string) (c WaitCondition, err error) {
	what, rest, _ := strings.Cut(text, "=")
	switch lower := strings.ToLower(text); {
	case lower == "create":
		return WaitCondition{What: WaitCreated}, nil
	case lower == "delete":
		return WaitCondition{What: WaitDeleted}, nil
	case what == "condition" && text != what:
		name, value, given := strings.Cut(rest, "=")
		if !given {
			value = "true"
		}
		return WaitCondition{What: waitStatus, Name: name, Value: value}, nil
	case what == "jsonpath" && text != what:
		return parseWaitPath(rest)
	}
	return c, fmt.Errorf("unrecognized condition: %q", text)
}

// parseWaitPath reads {.status.phase}=Running (wait.go:processJSONPathInput). A double = is a part of the path.
func parseWaitPath(text string) (c WaitCondition, err error) {
	parts := strings.Split(strings.ReplaceAll(text, "==", Separator), "=")
	if len(parts) > 2 {
		return c, errors.New("jsonpath wait format must be --for=jsonpath='{.status.readyReplicas}'=3 or " +
			"--for=jsonpath='{.status.readyReplicas}'")
	}
	c.What, c.Path = WaitPath, strings.ReplaceAll(parts[0], Separator, "==")
	if len(parts) == 2 {
		if c.Value = strings.Trim(strings.ReplaceAll(parts[1], Separator, "=="), `'"`); c.Value == "" {
			return c, errors.New("jsonpath wait has to have a value after equal sign, like --for=jsonpath='{.status.readyReplicas}'=3")
		}
	}
	if c.Path == "" {
		return c, errors.New("jsonpath expression cannot be empty")
	}
	return c, nil
}
