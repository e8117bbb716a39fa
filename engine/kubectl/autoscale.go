package kubectl

import (
	"cmp"
	"errors"
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/api/validate"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/print"
)

// autoscale creates a HorizontalPodAutoscaler of the version autoscaling/v2 for each object.
func (k *Kubectl) autoscale(c *command) error {
	return k.each(c, func(target api.Object) (string, error) {
		h, what := c.newAutoscaler(target.Key()), "created"
		if c.Dry == line.DryClient {
			c.draft = c.asSent(h)
		} else {
			what = "autoscaled"
			if err := k.addAutoscaler(c, h); err != nil {
				return "", err
			}
		}
		err := c.checkOutput()
		if err != nil && c.Dry == line.NoDryRun {
			err = kinds.AlreadyExists(h.Key())
		}
		return c.saidUnless(c.secondTry(err), h.Key(), what)
	})
}

// newAutoscaler returns the autoscaler that the checked flags describe. Without a metric the server chooses one (HPA-12).
func (c *command) newAutoscaler(target api.Key) *api.HorizontalPodAutoscaler {
	h := &api.HorizontalPodAutoscaler{}
	h.Namespace, h.Name = target.Namespace, cmp.Or(c.Flags["name"], target.Name)
	h.Spec.MaxReplicas = int32(c.Int("max", 0))
	h.Spec.ScaleTargetRef = api.CrossVersionObjectReference{Kind: string(target.Kind), Name: target.Name, APIVersion: kinds.Of(target.Kind).APIVersion()}
	if low := c.Int("min", -1); low > 0 {
		h.Spec.MinReplicas = api.Ptr(int32(low))
	}
	cpu := c.Flags["cpu"]
	if c.Int("cpu-percent", -1) > 0 {
		cpu = c.Flags["cpu-percent"] + "%"
	}
	if cpu != "" {
		use, _ := line.CPUTarget(cpu)
		h.Spec.Metrics = []api.MetricSpec{{Type: api.ResourceMetric, Resource: &api.ResourceMetricSource{Name: "cpu", Target: use}}}
	}
	return h
}

// asSent returns an autoscaler as kubectl sends it: without its namespace, unless that was given.
func (c *command) asSent(h *api.HorizontalPodAutoscaler) map[string]any {
	tree := api.Fields(print.ObjectTree(h))
	if metadata := tree.Object("metadata"); c.Flags["namespace"] == "" {
		delete(metadata, "namespace")
	}
	tree["status"] = map[string]any{"currentMetrics": nil, "desiredReplicas": float64(0)}
	return tree
}

// addAutoscaler creates an autoscaler, unless it has a metric that is not simulated.
func (k *Kubectl) addAutoscaler(c *command, h *api.HorizontalPodAutoscaler) error {
	decode.Default(h)
	if wrong := validate.Object(h); len(wrong) > 0 && wrong[0].NotSimulated() {
		return fmt.Errorf("HorizontalPodAutoscaler %q is left out: %s: %s", h.Name, wrong[0].Field, wrong[0].Detail)
	}
	err := k.add(c, h, "created")
	if _, server := err.(*api.StatusError); server {
		return c.secondTry(err)
	}
	return err
}

// secondTry returns what comes of autoscaling/v1, which kubectl tries after a failure: an error of its own for a target in percent
// of cpu, and else that v1 does not have it (autoscale.go:canCreateHPAV1).
func (c *command) secondTry(err error) error {
	if err != nil && c.Flags["cpu"] == "" {
		return errors.New("failed to create autoscaling/v2 HPA and the configuration is incompatible with autoscaling/v1: empty input")
	}
	return err
}
