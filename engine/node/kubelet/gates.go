package kubelet

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// Readiness gates: a pod whose containers are ready is Ready when others have set the condition of each gate (G-27). Which these are and how long
// they take is a model.

// GateActor sets the conditions of readiness gates, as the controller of a load balancer does.
const GateActor = "readiness-gates (model)"

// gateWait is the wait for the condition of aws-load-balancer-controller in ms: until the first health check of its target [X].
const gateWait = 15_000

const gateReason = "ReadinessGatesNotReady"

var whyGates = why.Rule("G-27", "pkg/kubelet/status/status_manager.go:NeedToReconcilePodReadiness")

// gated returns the condition Ready of a pod whose containers' is given, and whose gates have the conditions of a message
// (status/generate.go:GeneratePodReadyCondition).
func gated(containers api.Condition, message string) api.Condition {
	if containers.Status != "True" || message == "" {
		return containers
	}
	return api.Condition{Status: "False", Reason: gateReason, Message: message}
}

// gates says which of a pod's gates are not open with these conditions.
func (p *pod) gates(set []api.Condition) string {
	if len(p.told.spec.ReadinessGates) == 0 {
		return ""
	}
	var waits []string
	for _, c := range p.told.spec.Gates(set) {
		switch c.Status {
		case "True":
		case "":
			waits = append(waits, fmt.Sprintf("corresponding condition of pod readiness gate %q does not exist.", c.Type))
		default:
			waits = append(waits, fmt.Sprintf("the status of pod readiness gate %q is not \"True\", but %s", c.Type, c.Status))
		}
	}
	return strings.Join(waits, ", ")
}

// onGates syncs a pod whose condition Ready is not what its new status makes of its gates (kubelet.go:HandlePodReconcile). Upstream looks there for
// sidecars among the other containers, where it does not find them: a pod with both is synced after each of its statuses.
func (k *Kubelet) onGates(p *pod, set []api.Condition) {
	if len(p.told.spec.ReadinessGates) == 0 {
		return
	}
	p.told.gates = p.gates(set)
	is, containers := api.FindCondition(set, "Ready"), api.FindCondition(set, "ContainersReady")
	if is == nil || containers == nil {
		return
	}
	want := gated(*containers, p.told.gates)
	if is.Status != want.Status || is.Message != want.Message || slices.ContainsFunc(p.containers, func(c *container) bool { return c.sidecar }) {
		k.ask(p)
	}
}

// planGates schedules that the conditions of the gates are set, once the containers are ready for the first time.
func (k *Kubelet) planGates(p *pod) {
	if p.gatesAt != 0 || len(p.told.spec.ReadinessGates) == 0 || p.unready() != "" || !p.sandbox {
		return
	}
	p.gatesAt = never
	if wait := p.gateWait(); wait != nil {
		p.gatesAt = k.kernel.Now() + k.draw(p.containers[p.inits], "gate", wait)
		k.kernel.Schedule(sim.Event{At: p.gatesAt, To: k, Op: opGates, Key: p.key})
	}
}

// gateWait is what the first container's image says of the gates. Of those that it does not speak of, somebody sets AWS's.
func (p *pod) gateWait() *Range {
	wait := p.containers[p.inits].traits.Gate
	if wait == nil && slices.ContainsFunc(p.told.spec.ReadinessGates, api.ReadinessGate.IsBalancers) {
		return &Range{gateWait, gateWait}
	}
	return wait
}

// openGates sets the conditions of the gates.
func (k *Kubelet) openGates(p *pod) {
	o, err := k.client.Get(p.key)
	if err != nil || o.Meta().UID != p.uid || p.gatesAt != k.kernel.Now() {
		return
	}
	c := *o.(*api.Pod)
	c.Status.Conditions = slices.Clone(c.Status.Conditions)
	for _, g := range p.told.spec.ReadinessGates {
		if p.containers[p.inits].traits.Gate != nil || g.IsBalancers() {
			c.Status.Conditions = slices.DeleteFunc(c.Status.Conditions, func(c api.Condition) bool { return c.Type == g.ConditionType })
			set := api.Condition{Type: g.ConditionType, Status: "True", LastTransitionTime: k.client.Timestamp()}
			c.Status.Conditions = slices.Insert(c.Status.Conditions, 0, set) // as a strategic merge patch does
		}
	}
	gates := k.client.As(GateActor)
	gates.Must(gates.UpdateStatus(&c, "its readiness gates are set", nil))
}
