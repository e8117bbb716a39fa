package kubectl

import (
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/scenario"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/validate"
)

// checkAutoscale reads the flags of kubectl autoscale before anything else of the line (autoscale.go:Validate).
func checkAutoscale(c *command) error {
	low, err := c.int32Flag("min")
	if err != nil {
		return err
	}
	high, err := c.int32Flag("max")
	if err != nil {
		return err
	}
	percent, err := c.int32Flag("cpu-percent")
	if err != nil {
		return err
	}
	if c.flags["cpu-percent"] != "" {
		c.warnings = append(c.warnings, "Flag --cpu-percent has been deprecated, Use --cpu with percentage or resource quantity "+
			"format (e.g., '70%' for utilization or '500m' for milliCPU).")
	}
	switch {
	case c.flags["max"] == "":
		return errors.New(`required flag(s) "max" not set`)
	case high < 1:
		return fmt.Errorf("--max=MAXPODS is required and must be at least 1, max: %d", high)
	case high < low:
		return fmt.Errorf("--max=MAXPODS must be larger or equal to --min=MINPODS, max: %d, min: %d", high, low)
	case c.flags["cpu"] == "":
		return nil
	case percent > 0:
		return errors.New("--cpu-percent and --cpu are mutually exclusive")
	}
	_, err = cpuTarget(c.flags["cpu"])
	return err
}

// int32Flag reads a number that upstream keeps in 32 bits; -1 if it is not given.
func (c *command) int32Flag(name string) (int64, error) {
	text, given := c.flags[name]
	if !given {
		return -1, nil
	}
	n, err := strconv.ParseInt(text, 10, 32)
	if err != nil {
		return 0, fmt.Errorf("invalid argument %q for %q flag: %w", text, "--"+name, err)
	}
	return n, nil
}

// cpuTarget reads 70% or 500m. A number alone is one of thousandths of a core (autoscale.go:parseResourceInput).
func cpuTarget(text string) (target api.MetricTarget, err error) {
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

// autoscale creates a HorizontalPodAutoscaler of the version autoscaling/v2 for each object.
//
// Simplified: one that nothing here could measure is not created, as in a manifest: see scenario.WithoutLoad.
func (k *Kubectl) autoscale(c *command) (string, error) {
	return k.each(c, func(target api.Key) (string, error) {
		if _, err := k.client.Get(target); err != nil {
			return "", err
		}
		h, err := c.newAutoscaler(target)
		if err != nil {
			return "", err
		}
		if c.dry == dryClient {
			return c.said(h.Key(), "created"), nil
		}
		if err := k.addAutoscaler(c, h); err != nil {
			return "", err
		}
		return c.said(h.Key(), "autoscaled"), nil
	})
}

// newAutoscaler returns the autoscaler that the flags ask for. Without a metric the server chooses one (HPA-12).
func (c *command) newAutoscaler(target api.Key) (*api.HorizontalPodAutoscaler, error) {
	h := &api.HorizontalPodAutoscaler{}
	h.Namespace, h.Name = target.Namespace, target.Name
	if name := c.flags["name"]; name != "" {
		h.Name = name
	}
	high, _ := c.int32Flag("max") // the numbers are checked
	h.Spec.MaxReplicas = int32(high)
	h.Spec.ScaleTargetRef = api.CrossVersionObjectReference{Kind: string(target.Kind), Name: target.Name, APIVersion: apiVersion(target.Kind)}
	if low, _ := c.int32Flag("min"); low > 0 {
		h.Spec.MinReplicas = api.Ptr(int32(low))
	}
	cpu := c.flags["cpu"]
	if percent, _ := c.int32Flag("cpu-percent"); percent > 0 {
		cpu = c.flags["cpu-percent"] + "%"
	}
	if cpu != "" {
		use, err := cpuTarget(cpu)
		if err != nil {
			return nil, err
		}
		h.Spec.Metrics = []api.MetricSpec{{Type: api.ResourceMetric, Resource: &api.ResourceMetricSource{Name: "cpu", Target: use}}}
	}
	decode.Default(h)
	return h, nil
}

// addAutoscaler creates an autoscaler, if something here can measure what it asks for. Where the server says no, kubectl
// tries once more with autoscaling/v1, and answers with what comes of that: the same no for a target in percent of cpu, and
// else that v1 does not have it (autoscale.go:canCreateHPAV1).
func (k *Kubectl) addAutoscaler(c *command, h *api.HorizontalPodAutoscaler) error {
	if wrong := validate.Object(h); len(wrong) > 0 && wrong[0].NotSimulated() {
		return fmt.Errorf("HorizontalPodAutoscaler %q is left out: %s: %s", h.Name, wrong[0].Field, wrong[0].Detail)
	}
	err := k.add(c, h, "created")
	if _, server := err.(*api.StatusError); server && c.flags["cpu"] == "" {
		return errors.New("failed to create autoscaling/v2 HPA and the configuration is incompatible with autoscaling/v1: empty input")
	}
	return err
}

// unmeasured refuses an autoscaler of something without a load.
func (k *Kubectl) unmeasured(o api.Object) error {
	h, ok := o.(*api.HorizontalPodAutoscaler)
	if !ok || k.Loaded == nil {
		return nil
	}
	if k.Loaded(h.Target()) {
		return nil
	}
	return fmt.Errorf("HorizontalPodAutoscaler %q is left out: %s", h.Name, scenario.WithoutLoad(h))
}

// noAutoscale is the answer about what has no number of pods.
func noAutoscale(key api.Key) error {
	return fmt.Errorf("cannot autoscale a %s: could not find scale subresource for %s in discovery information", key.Kind,
		resourceVersion(key.Kind))
}
