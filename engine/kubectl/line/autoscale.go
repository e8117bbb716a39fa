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
