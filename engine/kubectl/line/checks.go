package line

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// checkPatch reads the flags of kubectl patch before its objects (patch.go:Validate).
func checkPatch(c *Command) error {
	if !slices.Contains([]string{"", "strategic", "merge", "json"}, strings.ToLower(c.Flags["type"])) {
		return fmt.Errorf("--type must be one of [json merge strategic], not %q", c.Flags["type"])
	}
	if c.Flags["patch"] == "" {
		return errors.New("must specify --patch or --patch-file containing the contents of the patch")
	}
	switch c.Flags["subresource"] {
	case "", "scale":
		return nil
	case "status", "resize":
		return errors.New(`rollplay does not model this --subresource of "kubectl patch": controllers and kubelets write the status`)
	}
	return NoScale(api.Key{})
}

// ErrReplicas is kubectl's answer to a number of replicas that no workload can have.
var ErrReplicas = errors.New("The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0")

// checkScale reads the numbers of kubectl scale before its objects (scale.go:Validate).
func checkScale(c *Command) error {
	if n := c.Int("replicas", -1); n < 0 || n > math.MaxInt32 { // a larger number has no place in the server, either
		return ErrReplicas
	} else if c.Int("current-replicas", -1) < -1 {
		return errors.New("The --current-replicas must specify an integer of -1 or greater")
	}
	return nil
}

// warningForce is what kubectl says before it does not wait for a pod.
const warningForce = "Warning: Immediate deletion does not wait for confirmation that the running resource has been " +
	"terminated. The resource may continue to run on the cluster indefinitely."

// checkDelete reads the flags that say how to delete. Grace is the period, -1 for the pod's own; Flags["cascade"] is one of three words.
func checkDelete(c *Command) error {
	cascade := c.Flags["cascade"]
	if on, err := strconv.ParseBool(cascade); err == nil {
		c.Flags["cascade"] = map[bool]string{true: "background", false: "orphan"}[on]
		c.Warnings = append(c.Warnings, fmt.Sprintf("warning: --cascade=%s is deprecated (boolean value) and can be replaced with "+
			"--cascade=%s.", cascade, c.Flags["cascade"]))
	}
	if !slices.Contains([]string{"", "background", "foreground", "orphan"}, c.Flags["cascade"]) {
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

// checkAutoscale reads the flags of kubectl autoscale before anything else of the line (autoscale.go:Validate).
func checkAutoscale(c *Command) error {
	low, high, percent := c.Int("min", -1), c.Int("max", -1), c.Int("cpu-percent", -1)
	if c.Flags["cpu-percent"] != "" {
		c.Warnings = append(c.Warnings, "Flag --cpu-percent has been deprecated, Use --cpu with percentage or resource quantity "+
			"format (e.g., '70%' for utilization or '500m' for milliCPU).")
	}
	switch {
	case high < 1:
		return fmt.Errorf("--max=MAXPODS is required and must be at least 1, max: %d", high)
	case high < low:
		return fmt.Errorf("--max=MAXPODS must be larger or equal to --min=MINPODS, max: %d, min: %d", high, low)
	case c.Flags["cpu"] == "":
		return nil
	case percent > 0:
		return errors.New("--cpu-percent and --cpu are mutually exclusive")
	}
	_, err := CPUTarget(c.Flags["cpu"])
	return err
}

// CPUTarget reads 70% or 500m. A number alone is one of thousandths of a core (autoscale.go:parseResourceInput).
func CPUTarget(text string) (target api.MetricTarget, err error) {
	text = strings.TrimSpace(text)
	if percent, ok := strings.CutSuffix(text, "%"); ok {
		n, err := strconv.ParseInt(percent, 10, 32)
		if err != nil || n < 0 {
			return target, errors.New("invalid percentage value: " + percent)
		}
		return api.MetricTarget{Type: api.UtilizationTarget, AverageUtilization: api.Ptr(int32(n))}, nil
	}
	if text == "" {
		return target, errors.New("empty input")
	}
	if _, err := strconv.ParseFloat(text, 64); err == nil {
		text += "m"
	}
	q, err := api.ParseQuantity(text)
	if err != nil {
		return target, errors.New("invalid resource cpu value: " + text)
	}
	return api.MetricTarget{Type: "AverageValue", AverageValue: &q}, nil
}

// Context is the name of kubectl's first context here, and of its cluster and user. Server is where the cluster is: nowhere.
const Context, Server = "rollplay", "https://rollplay.invalid"

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
