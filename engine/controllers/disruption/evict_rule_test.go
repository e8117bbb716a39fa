package disruption_test

import (
	"errors"
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/sim"
)

var evictOptions = apiserver.EvictOptions{}

// setStatus changes a budget's status.
func (w *world) setStatus(name string, change func(*api.PodDisruptionBudgetStatus)) {
	w.T.Helper()
	b := api.Copy(w.get(name))
	change(&b.Status)
	w.UpdateStatus(b)
}

// TestEvictionOrder is P-11: the conditions in their order, with a budget that allows nothing unless a row says otherwise.
func TestEvictionOrder(t *testing.T) {
	always := api.Ptr(api.AlwaysAllow)
	tests := []struct {
		name    string
		phase   string
		ready   bool
		policy  *string
		second  bool // there is another budget
		change  func(*api.PodDisruptionBudgetStatus)
		want    api.Reason // of the refusal; "" with refused: a refusal without a reason
		refused bool
		spent   int32 // how much of the budget is used up
	}{
		{"(1) Pending", api.PodPending, false, nil, true, nil, "", false, 0},
		{"(1) Succeeded", api.PodSucceeded, false, nil, true, nil, "", false, 0},
		{"(1) Failed", api.PodFailed, false, nil, true, nil, "", false, 0},
		{"(2) two budgets", api.PodRunning, true, nil, true, nil, "", true, 0},
		{"(2) two budgets before AlwaysAllow", api.PodRunning, false, always, true, nil, "", true, 0},
		{"(3) not Ready, AlwaysAllow", api.PodRunning, false, always, false, nil, "", false, 0},
		{"(3) not Ready, others suffice", api.PodRunning, false, nil, false, func(s *api.PodDisruptionBudgetStatus) {
			s.CurrentHealthy, s.DesiredHealthy = 2, 2
		}, "", false, 0},
		{"(3) not Ready, others do not suffice", api.PodRunning, false, nil, false, func(s *api.PodDisruptionBudgetStatus) {
			s.CurrentHealthy, s.DesiredHealthy = 1, 2
		}, api.ReasonTooManyRequests, true, 0},
		{"(3) not Ready, none has to be healthy", api.PodRunning, false, nil, false, func(s *api.PodDisruptionBudgetStatus) {
			s.CurrentHealthy, s.DesiredHealthy = 2, 0
		}, api.ReasonTooManyRequests, true, 0},
		{"(3) not Ready, before the generation", api.PodRunning, false, nil, false, func(s *api.PodDisruptionBudgetStatus) {
			s.CurrentHealthy, s.DesiredHealthy, s.ObservedGeneration = 2, 2, 0
		}, "", false, 0},
		{"(4) Ready, AlwaysAllow does not matter", api.PodRunning, true, always, false, nil, api.ReasonTooManyRequests, true, 0},
		{"(4) the budget is not counted", api.PodRunning, true, nil, false, func(s *api.PodDisruptionBudgetStatus) {
			s.DisruptionsAllowed, s.ObservedGeneration = 1, 0
		}, api.ReasonTooManyRequests, true, 0},
		{"(4) a negative number", api.PodRunning, true, nil, false, func(s *api.PodDisruptionBudgetStatus) { s.DisruptionsAllowed = -1 },
			api.ReasonForbidden, true, 0},
		{"(4) too many disrupted pods", api.PodRunning, true, nil, false, func(s *api.PodDisruptionBudgetStatus) {
			s.DisruptionsAllowed, s.DisruptedPods = 1, map[string]api.Time{}
			for i := range 2001 {
				s.DisruptedPods[fmt.Sprint(i)] = 0
			}
		}, api.ReasonForbidden, true, 0},
		{"(5) allowed", api.PodRunning, true, nil, false, func(s *api.PodDisruptionBudgetStatus) { s.DisruptionsAllowed = 2 }, "", false, 1},
		{"(5) not Ready, allowed", api.PodRunning, false, nil, false, func(s *api.PodDisruptionBudgetStatus) {
			s.DisruptionsAllowed, s.CurrentHealthy, s.DesiredHealthy = 2, 2, 0
		}, "", false, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.pods(nil, "web", 1, tt.ready)
			w.SetPhase("web-0", tt.phase, tt.ready)
			w.budget("web", api.PodDisruptionBudgetSpec{MinAvailable: api.Int(3), UnhealthyPodEvictionPolicy: tt.policy})
			if tt.second {
				w.budget("other", minAvailable(api.Int(3)))
			}
			w.settle()
			if tt.change != nil {
				w.setStatus("web", tt.change)
			}
			before := w.get("web").Status.DisruptionsAllowed
			if before < 0 {
				before = 0
			}
			err := w.User.Evict(podKey("web-0"), evictOptions)
			var status *api.StatusError
			switch {
			case tt.refused && !errors.As(err, &status):
				t.Fatalf("evicted, err %v", err)
			case !tt.refused && err != nil:
				t.Fatal(err)
			case tt.refused && status.Reason != tt.want:
				t.Errorf("refused with %q %q, want %q", status.Reason, status.Message, tt.want)
			}
			pod := w.Pod("web-0")
			if gone := pod == nil || pod.Terminating(); gone == tt.refused {
				t.Errorf("the pod goes: %t", gone)
			}
			if spent := before - max(0, w.get("web").Status.DisruptionsAllowed); spent != tt.spent {
				t.Errorf("%d disruptions are used up, want %d", spent, tt.spent)
			}
		})
	}
}

// TestRefusals is P-12: the texts of the causes and of the other rejections (P-11).
func TestRefusals(t *testing.T) {
	condition := func(status, reason, message string) []api.Condition {
		return []api.Condition{{Type: "DisruptionAllowed", Status: status, Reason: reason, Message: message}}
	}
	const would = "Cannot evict pod as it would violate the pod's disruption budget."
	tests := []struct {
		name                  string
		change                func(*api.PodDisruptionBudgetStatus)
		wantCause, wantAnswer string
		wantRetry             int32
	}{
		{"the sync has failed", func(s *api.PodDisruptionBudgetStatus) { s.Conditions = condition("False", "SyncFailed", "no scale") },
			"The disruption budget web does not allow evicting pods currently because it failed sync: no scale", would, 0},
		{"too few are healthy", func(s *api.PodDisruptionBudgetStatus) { s.CurrentHealthy, s.DesiredHealthy = 2, 2 },
			"The disruption budget web needs 2 healthy pods and has 2 currently", would, 0},
		{"another reason", func(s *api.PodDisruptionBudgetStatus) {
			s.CurrentHealthy, s.DesiredHealthy, s.Conditions = 3, 2, condition("False", "Because", "of this")
		}, "The disruption budget web does not allow evicting pods currently (Because): of this", would, 0},
		{"no reason", func(s *api.PodDisruptionBudgetStatus) { s.CurrentHealthy, s.DesiredHealthy = 3, 2 },
			"The disruption budget web does not allow evicting pods currently", would, 0},
		{"not counted yet", func(s *api.PodDisruptionBudgetStatus) { s.ObservedGeneration = 0 },
			"The disruption budget web is still being processed by the server.", would, 10},
		{"negative", func(s *api.PodDisruptionBudgetStatus) { s.DisruptionsAllowed = -1 },
			"The disruption budget web does not allow evicting pods currently: pdb disruptions allowed is negative",
			`poddisruptionbudget.policy "web" is forbidden: pdb disruptions allowed is negative`, 0},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w := newWorld(t)
			w.pods(nil, "web", 1, true)
			w.budget("web", minAvailable(api.Int(3)))
			w.settle()
			w.setStatus("web", tt.change)
			var refused *api.StatusError
			if err := w.User.Evict(podKey("web-0"), evictOptions); !errors.As(err, &refused) {
				t.Fatalf("not refused: %v", err)
			}
			if refused.Cause != tt.wantCause || refused.Message != tt.wantAnswer || refused.RetryAfterSeconds != tt.wantRetry {
				t.Errorf("refused: %+v", *refused)
			}
			last := w.Kernel.Trace.Records[len(w.Kernel.Trace.Records)-1]
			if last.Kind != sim.Decision || last.What != "not evicted: "+tt.wantCause {
				t.Errorf("the trace ends with %v %q", last.Kind, last.What)
			}
		})
	}
	w := newWorld(t)
	w.pods(nil, "web", 1, true)
	w.budget("a", minAvailable(api.Int(0)))
	w.budget("b", minAvailable(api.Int(0)))
	w.settle()
	const two = "This pod has more than one PodDisruptionBudget, which the eviction subresource does not support."
	if err := w.User.Evict(podKey("web-0"), evictOptions); err == nil || err.Error() != two {
		t.Errorf("two budgets: %v", err)
	}
	if err := w.User.Evict(podKey("nobody"), evictOptions); !api.IsReason(err, api.ReasonNotFound) {
		t.Errorf("no pod: %v", err)
	}
}

// TestGrantedEviction: it is subtracted at once, and the pod has DisruptionTarget and its grace period (P-11, P-13, A-8).
func TestGrantedEviction(t *testing.T) {
	w := newWorld(t)
	w.pods(w.deployment("web", 3), "web", 3, true)
	w.budget("web", minAvailable(api.Int(2)))
	w.settle()
	w.Until(5_700)
	if err := w.User.Evict(podKey("web-0"), apiserver.EvictOptions{DryRun: true}); err != nil || w.Pod("web-0").Terminating() {
		t.Errorf("a dry run: %v", err)
	}
	w.Must(w.User.Evict(podKey("web-0"), evictOptions))
	b := w.get("web")
	c := api.FindCondition(b.Status.Conditions, "DisruptionAllowed")
	if b.Status.DisruptionsAllowed != 0 || b.Status.DisruptedPods["web-0"] != api.TimeAt(5_700) || c.Status != "False" || c.Reason != "InsufficientPods" {
		t.Errorf("the budget is %+v", b.Status)
	}
	pod := w.Pod("web-0")
	want := api.Condition{Type: "DisruptionTarget", Status: "True", Reason: "EvictionByEvictionAPI", Message: "Eviction API: evicting", LastTransitionTime: api.TimeAt(5_700)}
	if c := api.FindCondition(pod.Status.Conditions, "DisruptionTarget"); c == nil || *c != want || pod.DeletionGracePeriodSeconds != 30 {
		t.Errorf("the pod is %+v, grace %d", c, pod.DeletionGracePeriodSeconds)
	}
	if err := w.User.Evict(podKey("web-1"), evictOptions); !api.IsReason(err, api.ReasonTooManyRequests) {
		t.Errorf("a second one in the same moment: %v", err)
	}
	if err := w.User.Evict(podKey("web-0"), evictOptions); err != nil {
		t.Errorf("the first once more: %v", err)
	}
	w.settle()
	if b = w.get("web"); numbers(b) != [4]int32{3, 2, 2, 0} || len(b.Status.DisruptedPods) != 0 {
		t.Errorf("counted again: %v, disrupted %v", numbers(b), b.Status.DisruptedPods)
	}
}
