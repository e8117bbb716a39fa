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
	if c.Flags["patch"] == "" {
		return errors.New("must specify --patch or --patch-file containing the contents of the patch")
	}
	if !slices.Contains([]string{"", "strategic", "merge", "json"}, strings.ToLower(c.Flags["type"])) {
		return fmt.Errorf("--type must be one of [json merge strategic], not %q", c.Flags["type"])
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

// checkDelete reads the flags that say how to delete. Grace is the period, -1 for the pod's own; Flags["cascade"] is one of three words.
func checkDelete(c *Command) error {
	cascade, given := c.Flags["cascade"]
	if on, err := strconv.ParseBool(cascade); err == nil {
		c.Flags["cascade"] = map[bool]string{true: "background", false: "orphan"}[on]
		c.Warnings = append(c.Warnings, fmt.Sprintf("warning: --cascade=%s is deprecated (boolean value) and can be replaced with "+
			"--cascade=%s.", cascade, c.Flags["cascade"]))
	}
	if given && !slices.Contains([]string{"background", "foreground", "orphan"}, c.Flags["cascade"]) {
		return fmt.Errorf(`invalid cascade value (%s). Must be "background", "foreground", or "orphan"`, cascade)
	}
	c.Grace = c.Int("grace-period", -1)
	switch now, force := c.On("now"), c.On("force"); {
	case now && c.Grace != -1:
		return errors.New("--now and --grace-period cannot be specified together")
	case force && (now || c.Grace > 0):
		return errors.New("--force and --grace-period greater than 0 cannot be specified together")
	case force:
		c.Grace = 0
		c.Warnings = append(c.Warnings, "Warning: Immediate deletion does not wait for confirmation that the running resource has been "+
			"terminated. The resource may continue to run on the cluster indefinitely.")
	case now, c.Grace == 0: // kubectl waits a second unless --force says not to
		c.Grace = 1
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
	n, bare := strconv.ParseFloat(text, 64)
	if bare == nil {
		text = fmt.Sprintf("%gm", n)
	}
	q, err := api.ParseQuantity(text)
	if err != nil && bare == nil {
		return target, err
	} else if err != nil {
		return target, errors.New("invalid resource cpu value: " + text)
	}
	return api.MetricTarget{Type: "AverageValue", AverageValue: &q}, nil
}

// checkSecret takes the word generic out of create secret generic NAME.
func checkSecret(c *Command) error {
	if len(c.plain) > 2 && !slices.Contains([]string{"generic", "docker-registry", "tls"}, c.plain[2]) {
		return fmt.Errorf("unknown command %q\nSee 'kubectl create secret -h' for help and examples", strings.Join(c.plain[2:], " "))
	} else if len(c.plain) < 3 || c.plain[2] != "generic" {
		return errors.New("rollplay models kubectl create secret generic NAME --from-literal=KEY=VALUE; give other secrets to kubectl apply -f - <<EOF")
	}
	c.plain = slices.Delete(c.plain, 2, 3)
	return nil
}

// checkRestart refuses a restart policy that there is not.
func checkRestart(c *Command) error {
	if policy := c.Flags["restart"]; policy != "" && policy != "Always" && policy != "OnFailure" && policy != "Never" {
		return fmt.Errorf("invalid restart policy: %s, valid values are: Always, OnFailure, Never", policy)
	}
	return nil
}

// checkGet refuses subresources but the status of an object, what -v does not log, and columns of labels where there is no table for them.
func checkGet(c *Command) error {
	sub, output, watches := c.Flags["subresource"], c.Flags["output"], c.On("watch") || c.On("watch-only")
	switch {
	case c.On("show-labels") && output != "" && output != "wide":
		return errors.New("--show-labels option cannot be used with " + output + " printer")
	case c.Flags["label-columns"] != "" && strings.HasPrefix(output, "custom-columns"):
		return errors.New("--label-columns option cannot be used with " + output + " printer")
	case sub != "" && len(c.plain) == 2 && !strings.Contains(c.plain[1], "/") && !watches:
		return errors.New("subresource cannot be used when bulk resources are specified")
	case sub == "scale":
		return errors.New(`rollplay does not model --subresource=scale of "kubectl get": kubectl get -o yaml shows the replicas`)
	case sub != "" && sub != "status":
		return NoScale(api.Key{})
	}
	logs := sub == "" && !watches && slices.Contains([]string{"", "wide", "json", "yaml"}, output)
	if v := c.Int("v", 0); v > 3 && (v != 6 || !logs) {
		return errors.New(`rollplay models -v=6 of "kubectl get", which prints the requests of a table, of -o json and of -o yaml`)
	}
	return nil
}

// checkLogs reads POD and POD CONTAINER.
func checkLogs(c *Command) error {
	words := c.plain[1:]
	switch {
	case len(words) == 0 && c.Flags["selector"] == "", len(words) > 2:
		return c.Usage(errors.New("expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\n" +
			"POD or TYPE/NAME is a required argument for the logs command"))
	case len(words) > 0 && c.Flags["selector"] != "":
		return c.Usage(errors.New("only a selector (-l) or a POD name is allowed"))
	case len(words) == 2 && c.Flags["container"] != "":
		return errors.New("only one of -c or an inline [CONTAINER] arg is allowed")
	case len(words) == 2:
		c.Flags["container"], c.plain = words[1], c.plain[:2]
	}
	if len(words) > 0 && !strings.Contains(words[0], "/") {
		c.plain = []string{"logs", "pod/" + words[0]}
	}
	return nil
}

// checkWait reads the flags of kubectl wait before anything else of the line.
func checkWait(c *Command) error {
	given, ok := c.Flags["for"]
	if !ok {
		return errors.New("unrecognized condition: []")
	}
	for text := range strings.SplitSeq(given, Separator) {
		condition, err := parseWaitCondition(text)
		if err != nil {
			return err
		}
		c.Conditions = append(c.Conditions, condition)
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
