package recorded

import (
	"errors"
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
)

// budgetKey names the only PodDisruptionBudget, which is over all pods.
var budgetKey = api.Key{Kind: api.KindPodDisruptionBudget, Namespace: namespace, Name: workload}

// setBudget makes the budget, or changes it.
func (c *cluster) setBudget(spec *PDBSpec) error {
	b := &api.PodDisruptionBudget{ObjectMeta: api.ObjectMeta{Name: workload, Namespace: namespace}}
	b.Spec = api.PodDisruptionBudgetSpec{MinAvailable: spec.MinAvailable, MaxUnavailable: spec.MaxUnavailable, Selector: selector()}
	if spec.UnhealthyPodEvictionPolicy != "" {
		b.Spec.UnhealthyPodEvictionPolicy = &spec.UnhealthyPodEvictionPolicy
	}
	stored, _ := c.server.Store.Get(budgetKey).(*api.PodDisruptionBudget)
	if stored == nil {
		_, err := c.user.Create(b, "created", nil)
		return err
	}
	changed := stored.Shallow()
	changed.Spec = b.Spec
	_, err := c.user.Update(changed, "changed", nil)
	return err
}

// hasBudget says whether there is a budget.
func (c *cluster) hasBudget() bool { return c.server.Store.Get(budgetKey) != nil }

// refusalText returns what the recordings note of a refused eviction: the code, what the server says, and the cause.
func refusalText(err error) string {
	var refused *api.StatusError
	switch {
	case err == nil:
		return ""
	case errors.As(err, &refused) && refused.Reason == api.ReasonTooManyRequests:
		return fmt.Sprintf("429 %s %s", refused.Message, refused.Cause)
	}
	return err.Error()
}

// budgetState returns what the recordings know of our budget, nil if there is none.
func budgetState(s *apiserver.Server) *Budget {
	b, ok := s.Store.Get(budgetKey).(*api.PodDisruptionBudget)
	if !ok {
		return nil
	}
	st := &b.Status
	state := &Budget{Generation: b.Generation, Observed: st.ObservedGeneration, Conditions: conditionStates(st.Conditions),
		Status: [4]int32{st.ExpectedPods, st.CurrentHealthy, st.DesiredHealthy, st.DisruptionsAllowed}, Disrupted: map[string]int64{}}
	for i := range state.Conditions {
		state.Conditions[i].Updated = 0 // they have no such time
	}
	for name, at := range st.DisruptedPods {
		state.Disrupted[name] = secondsOf(at)
	}
	return state
}

// budgets compares two budgets. Names of evicted pods are random: of these the moments are compared.
func (d *differ) budgets(want, got *Budget) {
	if want == nil || got == nil {
		if want != nil || got != nil {
			d.add("budget exists", want != nil, got != nil)
		}
		return
	}
	d.values("PodDisruptionBudget", [][3]any{
		{"generation", want.Generation, got.Generation}, {"observedGeneration", want.Observed, got.Observed},
		{"expected/healthy/desired/allowed", want.Status, got.Status},
		{"disrupted pods", fmt.Sprint(moments(want.Disrupted)), fmt.Sprint(moments(got.Disrupted))}})
	d.conditions("PodDisruptionBudget", want.Conditions, got.Conditions)
}

// moments counts what happened when.
func moments(disrupted map[string]int64) map[int64]int {
	count := map[int64]int{}
	for _, at := range disrupted {
		count[at]++
	}
	return count
}
