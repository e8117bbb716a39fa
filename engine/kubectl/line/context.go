package line

import (
	"errors"
	"fmt"
	"slices"
)

// Context is the name of kubectl's only context here, and of its cluster and user.
const Context = "rollplay"

// In returns the command as kubectl carries it out in a current namespace. A line with -n keeps its own.
func (c *Command) In(namespace string) *Command {
	if c.Flags["namespace"] != "" || namespace == c.Namespace {
		return c
	}
	own := *c
	own.Namespace, own.Targets = namespace, slices.Clone(c.Targets)
	for i := range own.Targets {
		if own.Targets[i].Namespace != "" { // a node has none
			own.Targets[i].Namespace = namespace
		}
	}
	return &own
}

// SetsNamespace returns the namespace that kubectl config set-context makes the current one, "" for any other line.
func (c *Command) SetsNamespace() string {
	if c.Err != nil || c.WantsHelp || c.Verb != "config set-context" {
		return ""
	}
	return c.Flags["namespace"]
}

// checkContext refuses a context that is not there.
func checkContext(c *Command) error {
	names, current := c.plain[2:], c.On("current")
	switch {
	case len(names) == 0 && !current:
		return errors.New("you must specify a non-empty context name or --current")
	case len(names) > 0 && current:
		return errors.New("you cannot specify both a context name and --current")
	case len(names) > 1 || len(names) == 1 && names[0] != Context:
		return fmt.Errorf("rollplay has one context, %s: use --current", Context)
	}
	return nil
}
