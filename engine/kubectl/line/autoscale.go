package line

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// checkAutoscale reads the flags of kubectl autoscale before anything else of the line (autoscale.go:Validate).
func checkAutoscale(c *Command) error {
	low, err := c.Int32Flag("min")
	if err != nil {
		return err
	}
	high, err := c.Int32Flag("max")
	if err != nil {
		return err
	}
	percent, err := c.Int32Flag("cpu-percent")
	if err != nil {
		return err
	}
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
	_, err = CPUTarget(c.Flags["cpu"])
	return err
}

// Int32Flag reads a number that upstream keeps in 32 bits; -1 if it is not given.
func (c *Command) Int32Flag(name string) (int64, error) {
	text, given := c.Flags[name]
	if !given {
		return -1, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, c.misused(fmt.Errorf("invalid argument %q for %q flag: %w", text, "--"+name, err))
	}
	return n, nil
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
