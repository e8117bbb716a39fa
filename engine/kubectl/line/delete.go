package line

import (
	"errors"
	"fmt"
	"strconv"
)

// warningForce is what kubectl says before it does not wait for a pod.
const warningForce = "Warning: Immediate deletion does not wait for confirmation that the running resource has been " +
	"terminated. The resource may continue to run on the cluster indefinitely."

// checkDelete reads the flags that say how to delete. Grace is the period, -1 for the pod's own; Flags["cascade"] is one of three words.
func checkDelete(c *Command) error {
	cascade := c.Flags["cascade"]
	if on, err := strconv.ParseBool(cascade); err == nil {
		c.Flags["cascade"] = "orphan"
		if on {
			c.Flags["cascade"] = "background"
		}
		c.Warnings = append(c.Warnings, fmt.Sprintf("warning: --cascade=%s is deprecated (boolean value) and can be replaced with "+
			"--cascade=%s.", cascade, c.Flags["cascade"]))
	}
	switch c.Flags["cascade"] {
	case "", "background", "foreground", "orphan":
	default:
		return fmt.Errorf(`invalid cascade value (%s). Must be "background", "foreground", or "orphan"`, cascade)
	}
	force := c.On("force")
	c.Grace = c.Int("grace-period", -1)
	if c.On("now") {
		if c.Grace != -1 {
			return errors.New("--now and --grace-period cannot be specified together")
		}
		c.Grace = 1
	}
	switch {
	case c.Grace > 0 && force:
		return errors.New("--force and --grace-period greater than 0 cannot be specified together")
	case force:
		c.Grace = 0
		c.Warnings = append(c.Warnings, warningForce)
	case c.Grace == 0:
		c.Grace = 1 // kubectl waits a second unless --force says not to
	}
	return nil
}
