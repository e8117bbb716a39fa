package disruption

import (
	"fmt"
	"maps"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
	"github.com/rollplay/rollplay/engine/why"
)

// updateStatus writes how many disruptions the budget allows, if that or anything else of the status has changed (P-6). Of 7
// healthy pods, 4 of which must stay, 3 may be evicted; with 3 healthy pods it allows 0, not 3 - 4. A budget without a bound
// expects no pods and so allows nothing, although 7 - 0 is 7.
func (c *Controller) updateStatus(b *api.PodDisruptionBudget, e *expectation, healthy int32, disrupted map[string]api.Time) error {
	allowed := max(0, healthy-e.healthy)
	if e.pods <= 0 {
		allowed = 0
	}
	why := whyAllowed(e, healthy, allowed)
	s := &b.Status
	if s.CurrentHealthy == healthy && s.DesiredHealthy == e.healthy && s.ExpectedPods == e.pods && s.DisruptionsAllowed == allowed &&
		maps.Equal(s.DisruptedPods, disrupted) && b.ConditionsUpToDate() {
		c.loop.Idle("the status is up to date", why)
		return nil
	}
	updated := api.Shallow(b)
	updated.Status = api.PodDisruptionBudgetStatus{ObservedGeneration: b.Generation, DisruptedPods: disrupted,
		DisruptionsAllowed: allowed, CurrentHealthy: healthy, DesiredHealthy: e.healthy, ExpectedPods: e.pods, Conditions: s.Conditions}
	updated.Status.SetDisruptionAllowed(c.client.Timestamp())
	_, err := c.client.UpdateStatus(updated, statusText(&updated.Status), why)
	return err
}

// whyAllowed is the sum of disruptionsAllowed.
func whyAllowed(e *expectation, healthy, allowed int32) *sim.Explain {
	if e.pods <= 0 {
		return why.Note("P-6", disruptionGo+"updatePdbStatus", "no pods are expected, so nothing is allowed")
	}
	return why.Sum("P-6", disruptionGo+"updatePdbStatus", "max(0, currentHealthy - desiredHealthy)", allowed, healthy, e.healthy)
}

// statusText describes a status for its record.
func statusText(s *api.PodDisruptionBudgetStatus) string {
	return fmt.Sprintf("status: %d pods expected, %d healthy, %d desired, %d disruptions allowed",
		s.ExpectedPods, s.CurrentHealthy, s.DesiredHealthy, s.DisruptionsAllowed)
}

// failSafe makes a budget whose sync failed allow nothing; the other numbers stay (P-7).
func (c *Controller) failSafe(b *api.PodDisruptionBudget, failure error) error {
	reason := why.Note("P-7", disruptionGo+"failSafe", failure.Error())
	c.loop.Branch("cannot count: allows nothing", reason)
	c.loop.Idle("it already allows nothing: "+failure.Error(), reason)
	updated := api.Shallow(b)
	updated.Status.DisruptionsAllowed = 0
	updated.Status.SetCondition(api.Condition{Type: api.DisruptionAllowed, Status: "False", Reason: api.SyncFailed,
		Message: failure.Error()}, c.client.Timestamp())
	_, err := c.client.UpdateStatus(updated, "status: the sync failed, 0 disruptions allowed", reason)
	return err
}

var whyGone = why.Rule("P-2", disruptionGo+"sync")
