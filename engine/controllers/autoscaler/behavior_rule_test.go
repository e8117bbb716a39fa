package autoscaler

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/enginetest/cluster"
	"github.com/rollplay/rollplay/engine/sim"
)

// now is the moment of the looks in these tests, in ms.
const now = 1_000_000

// newLook is a look of an autoscaler with these bounds; behavior may be nil.
func newLook(t *testing.T, low, high int32, behavior *api.HorizontalPodAutoscalerBehavior) *look {
	hpa := &api.HorizontalPodAutoscaler{ObjectMeta: cluster.Meta("web"),
		Spec: api.HorizontalPodAutoscalerSpec{MinReplicas: &low, MaxReplicas: high, Behavior: behavior}}
	decode.Default(hpa)
	return &look{Controller: New(cluster.New(t).Server, nil), hpa: hpa, stored: hpa, memory: &memory{}, now: now}
}

// rules reads policies: "10% 60" is ten percent in a minute, "4 15" four pods in 15 s.
func rules(choice string, policies ...string) *api.HPAScalingRules {
	r := &api.HPAScalingRules{}
	if choice != "" {
		r.SelectPolicy = &choice
	}
	for _, text := range policies {
		p := api.HPAScalingPolicy{Type: api.PodsScalingPolicy}
		if _, err := fmt.Sscanf(text, "%d%% %d", &p.Value, &p.PeriodSeconds); err == nil {
			p.Type = "Percent"
		} else if _, err := fmt.Sscanf(text, "%d %d", &p.Value, &p.PeriodSeconds); err != nil {
			panic(text)
		}
		r.Policies = append(r.Policies, p)
	}
	return r
}

// TestPolicies is HPA-7: how many replicas the policies allow at most, and keep at least. Changes in the period of a policy count.
func TestPolicies(t *testing.T) {
	ago := func(change int32, ms sim.Time) []scaleEvent { return []scaleEvent{{change: change, at: now - ms}} }
	for _, tt := range []struct {
		name       string
		rules      *api.HPAScalingRules
		down       bool
		current    int32
		ups, downs []scaleEvent
		want       int32
	}{
		{"by default the double", rules(""), false, 10, nil, nil, 20},
		{"by default four more", rules(""), false, 3, nil, nil, 7},
		{"the smaller of both", rules(api.MinChangePolicy, "100% 15", "4 15"), false, 3, nil, nil, 6},
		{"disabled", rules(api.DisabledPolicy, "100% 15"), false, 3, nil, nil, 3},
		{"half is rounded up", rules("", "50% 15"), false, 3, nil, nil, 5},
		{"three have come in the period", rules("", "100% 60"), false, 6, ago(3, 10_000), nil, 6},
		{"three have just come in the period", rules("", "100% 60"), false, 6, ago(3, 59_999), nil, 6},
		{"three have come before", rules("", "100% 60"), false, 6, ago(3, 60_000), nil, 12},
		{"two have gone in the period", rules("", "100% 60"), false, 4, nil, ago(2, 5_000), 12},
		{"a tenth of 25 is rounded", rules("", "10% 60"), true, 25, nil, nil, 22},
		{"the greater loss", rules("", "10% 60", "4 60"), true, 25, nil, nil, 21},
		{"the smaller loss", rules(api.MinChangePolicy, "10% 60", "4 60"), true, 25, nil, nil, 22},
		{"none may go", rules(api.DisabledPolicy, "10% 60"), true, 25, nil, nil, 25},
		{"three have gone in the period", rules("", "10% 60"), true, 22, nil, ago(3, 10_000), 22},
	} {
		b := &api.HorizontalPodAutoscalerBehavior{ScaleUp: tt.rules}
		if tt.down {
			b = &api.HorizontalPodAutoscalerBehavior{ScaleDown: tt.rules}
		}
		l := newLook(t, 1, 100, b)
		l.memory.ups, l.memory.downs = tt.ups, tt.downs
		policies := l.hpa.Spec.Behavior.ScaleUp
		if tt.down {
			policies = l.hpa.Spec.Behavior.ScaleDown
		}
		if got := l.policies(policies, tt.current, tt.down); got != tt.want {
			t.Errorf("%s: %d, want %d", tt.name, got, tt.want)
		}
	}
}

// TestLimits is HPA-7: the desired number within the range and the speed, and which of them limits it.
func TestLimits(t *testing.T) {
	slow := &api.HorizontalPodAutoscalerBehavior{ScaleDown: rules("", "1 60")}
	usual := &api.HorizontalPodAutoscalerBehavior{}
	for _, tt := range []struct {
		name            string
		behavior        *api.HorizontalPodAutoscalerBehavior
		current, stable int32
		want            string
	}{
		{"no behavior", nil, 3, 6, "6 DesiredWithinRange"},
		{"four are always allowed", nil, 1, 5, "4 ScaleUpLimit"},
		{"else the double", nil, 3, 7, "6 ScaleUpLimit"},
		{"maxReplicas", nil, 8, 12, "10 TooManyReplicas"},
		{"maxReplicas are the double", nil, 5, 11, "10 TooManyReplicas"},
		{"all that may be", nil, 8, 10, "10 DesiredWithinRange"},
		{"minReplicas", nil, 8, 1, "2 TooFewReplicas"},
		{"all that must be", nil, 8, 2, "2 DesiredWithinRange"},
		{"a behavior, as many", usual, 5, 5, "5 DesiredWithinRange"},
		{"as fast as the policies allow", usual, 3, 7, "7 DesiredWithinRange"},
		{"faster", usual, 3, 8, "7 ScaleUpLimit"},
		{"more than maxReplicas", usual, 8, 12, "10 TooManyReplicas"},
		{"as many as both allow", usual, 5, 12, "10 TooManyReplicas"},
		{"fewer than minReplicas", usual, 4, 1, "2 TooFewReplicas"},
		{"one in a minute", slow, 6, 5, "5 DesiredWithinRange"},
		{"more in a minute", slow, 6, 3, "5 ScaleDownLimit"},
		{"as few as both allow", slow, 3, 1, "2 TooFewReplicas"},
	} {
		l := newLook(t, 2, 10, tt.behavior)
		n, reason, _ := l.limit(l.hpa.Spec.Behavior, tt.current, tt.stable)
		if got := fmt.Sprint(n, " ", reason); got != tt.want {
			t.Errorf("%s: %d to %d gives %s, want %s", tt.name, tt.current, tt.stable, got, tt.want)
		}
	}
}

// TestWindows is HPA-6: with windows of 60 s up and 300 s down the replicas stay between the lowest and the highest recommendation in them, and a
// recommendation that is in none of them makes place for the newest.
func TestWindows(t *testing.T) {
	for _, tt := range []struct {
		name              string
		up, down          int32 // the windows, in s
		current, computed int32
		before            []recommendation
		want              int32
		reason            string
		kept              int // recommendations
	}{
		{"the worked example", 60, 300, 5, 8, []recommendation{{4, now - 200_000}, {9, now - 40_000}}, 8, "ReadyForNewScale", 3},
		{"a lower one in the window", 60, 300, 5, 8, []recommendation{{4, now - 200_000}, {6, now - 40_000}}, 6, "ScaleUpStabilized", 3},
		{"just in the window", 60, 300, 5, 8, []recommendation{{1, now - 59_999}}, 5, "ScaleUpStabilized", 2},
		{"just out of it", 60, 300, 5, 8, []recommendation{{1, now - 60_000}}, 8, "ReadyForNewScale", 2},
		{"a higher one in the window down", 60, 300, 9, 2, []recommendation{{7, now - 299_999}}, 7, "ScaleDownStabilized", 2},
		{"just out of it", 60, 300, 9, 2, []recommendation{{7, now - 300_000}}, 2, "ReadyForNewScale", 2},
		{"forgotten", 60, 300, 9, 2, []recommendation{{7, now - 300_001}}, 2, "ReadyForNewScale", 1},
		{"out of the window down, but not of a longer one up", 600, 300, 9, 2, []recommendation{{7, now - 300_001}}, 2, "ReadyForNewScale", 2},
		{"a short window down", 0, 10, 9, 2, []recommendation{{7, now - 10_000}}, 2, "ReadyForNewScale", 2},
		{"as many as there are", 60, 300, 5, 5, []recommendation{{9, now - 40_000}}, 5, "ReadyForNewScale", 2},
	} {
		l := newLook(t, 1, 100, &api.HorizontalPodAutoscalerBehavior{
			ScaleUp: &api.HPAScalingRules{StabilizationWindowSeconds: &tt.up}, ScaleDown: &api.HPAScalingRules{StabilizationWindowSeconds: &tt.down}})
		l.memory.recommendations = tt.before
		got := l.normalize(tt.current, tt.computed)
		c := api.FindCondition(l.hpa.Status.Conditions, api.AbleToScale)
		if got != tt.want || c.Reason != tt.reason || len(l.memory.recommendations) != tt.kept {
			t.Errorf("%s: %d (%s), %d recommendations; want %d (%s), %d", tt.name, got, c.Reason, len(l.memory.recommendations), tt.want, tt.reason, tt.kept)
		}
		if said := l.why != nil; said != (got != tt.computed) {
			t.Errorf("%s: it says that the windows decide: %t", tt.name, said)
		}
		if c := api.FindCondition(l.hpa.Status.Conditions, api.ScalingLimited); c.Status != "False" {
			t.Errorf("%s: limited, because %s", tt.name, c.Reason)
		}
	}
}

// TestHighestRecently: without a behavior the highest recommendation of five minutes counts, and it is said if it is not the newest (HPA-6).
func TestHighestRecently(t *testing.T) {
	for _, tt := range []struct {
		before recommendation
		want   int32
		said   bool
	}{{recommendation{7, now - 300_000}, 7, true}, {recommendation{7, now - 300_001}, 2, false}, {recommendation{1, now}, 2, false}} {
		l := newLook(t, 1, 100, nil)
		l.memory.recommendations = []recommendation{tt.before}
		if got := l.stabilizeDown(2); got != tt.want || (l.why != nil) != tt.said {
			t.Errorf("%+v: %d, said: %t; want %d, %t", tt.before, got, l.why != nil, tt.want, tt.said)
		}
	}
}

// TestRemember: a change is kept as long as the period of any policy, and then makes place for another one (HPA-7).
func TestRemember(t *testing.T) {
	b := &api.HorizontalPodAutoscalerBehavior{ScaleUp: rules("", "1 15", "1 60"), ScaleDown: rules("", "1 15")}
	for _, tt := range []struct {
		age           sim.Time
		before, after int32
		want          string // ups, downs
	}{
		{60_000, 3, 5, "[{9 940000 false} {2 1000000 false}] []"},
		{60_001, 3, 5, "[{2 1000000 false}] []"},
		{60_001, 5, 2, "[{9 939999 false}] [{3 1000000 false}]"},
	} {
		m := &memory{ups: []scaleEvent{{change: 9, at: now - tt.age}}}
		m.remember(b, tt.before, tt.after, now)
		if got := fmt.Sprint(m.ups, " ", m.downs); got != tt.want {
			t.Errorf("%d to %d, %d ms after another change: %s, want %s", tt.before, tt.after, tt.age, got, tt.want)
		}
	}
}

// TestGuesses is HPA-4: what pods count for that are not ready or have no metric, by the table of sum.replicas and more. Each pod requests 100m.
func TestGuesses(t *testing.T) {
	for _, tt := range []struct {
		current, target int32
		pods            int
		use             int64
		unready         int
		missing         int
		want            string
	}{
		{2, 50, 2, 56, 0, 0, "3 HPA-3 3 = ceil(2 readyPods * 56 utilization / 50 target)"},
		{25, 50, 25, 110, 0, 0, "56 HPA-3 ceil(110 / 50 * 25) in floating point"},
		{3, 50, 2, 80, 1, 0, "3 HPA-4 53% of a target of 50%: 1 not ready count as 0%; that is within the tolerance"},
		{3, 50, 2, 50, 1, 0, "3 HPA-5 50% of a target of 50%: that is within the tolerance"},
		{4, 50, 3, 20, 0, 1, "4 HPA-4 4 = ceil(4 pods * 40 utilization / 50 target)1 without a metric count as 100%; "},
		{5, 50, 3, 40, 0, 2, "5 HPA-4 64% of a target of 50%: 2 without a metric count as 100%; that would reverse the direction"},
		{3, 50, 2, 150, 0, 1, "6 HPA-4 6 = ceil(3 pods * 100 utilization / 50 target)1 without a metric count as 0%; "},
		{4, 50, 2, 150, 1, 1, "6 HPA-4 6 = ceil(4 pods * 75 utilization / 50 target)1 without a metric count as 0%; 1 not ready count as 0%; "},
		{3, 200, 2, 20, 0, 1, "2 HPA-4 2 = ceil(3 pods * 80 utilization / 200 target)1 without a metric count as 200%; "},
		{3, 50, 2, 50, 0, 1, "3 HPA-4 50% of a target of 50%: that is within the tolerance"},
		{2, 50, 4, 30, 0, 1, "2 HPA-4 44% of a target of 50%: 1 without a metric count as 100%; that would reverse the direction"},
		{8, 50, 2, 150, 0, 1, "8 HPA-4 100% of a target of 50%: 1 without a metric count as 0%; that would reverse the direction"},
		{6, 50, 2, 150, 0, 1, "6 HPA-4 6 = ceil(3 pods * 100 utilization / 50 target)1 without a metric count as 0%; "},
		{5, 50, 4, 30, 0, 1, "5 HPA-4 5 = ceil(5 pods * 44 utilization / 50 target)1 without a metric count as 100%; "},
	} {
		s := &sum{current: tt.current, target: tt.target, tolerance: tolerance{defaultTolerance, defaultTolerance}, groups: groups{ready: tt.pods},
			used: map[string]int64{}, requests: map[string]int64{}}
		for i := range tt.pods + tt.unready + tt.missing {
			name := fmt.Sprint("web-", i)
			s.requests[name] = 100
			switch {
			case i < tt.pods:
				s.used[name] = tt.use
			case i < tt.pods+tt.unready:
				s.groups.unready = append(s.groups.unready, name)
			default:
				s.groups.missing = append(s.groups.missing, name)
			}
		}
		n, why := s.replicas(int32(tt.use))
		text := why.String()
		if why.Formula == "currentReplicas" {
			text = ""
		}
		if got := fmt.Sprint(n, " ", why.Rule, " ", text+why.Note); got != tt.want {
			t.Errorf("%d at %d%%, %d not ready, %d without a metric:\n got %s\nwant %s", tt.pods, tt.use, tt.unready, tt.missing, got, tt.want)
		}
	}
	if percent, raw, err := utilizationOf(map[string]int64{"a": 90, "b": 110, "gone": 7}, map[string]int64{"a": 300, "b": 300, "c": 300}); percent != 33 || raw != 100 || err != nil {
		t.Errorf("90m and 110m of 300m each are %d%%, %dm a pod (%v)", percent, raw, err)
	}
	for ratio, want := range map[float64]bool{0.9: true, 0.8999: false, 1.1: true, 1.1001: false} {
		if got := (tolerance{defaultTolerance, defaultTolerance}).within(ratio); got != want {
			t.Errorf("a ratio of %g is within the tolerance: %t", ratio, got)
		}
	}
}

// TestUnready is HPA-2: from when on the cpu of a pod counts that was started at 10 s.
func TestUnready(t *testing.T) {
	for _, tt := range []struct {
		name        string
		ready       string
		since       sim.Time
		sample, now sim.Time
		want        bool
	}{
		{"not Ready yet", "False", 10_000, 45_000, 50_000, true},
		{"the window begins before it was Ready", "True", 12_000, 41_999, 50_000, true},
		{"the window begins when it was Ready", "True", 12_000, 42_000, 50_000, false},
		{"the last ms in which the window matters", "True", 12_000, 0, 309_999, true},
		{"five minutes after its start", "True", 12_000, 0, 310_000, false},
		{"was never Ready", "False", 39_000, 0, 400_000, true},
		{"is Ready no more", "False", 40_000, 0, 400_000, false},
		{"no condition", "", 0, 45_000, 50_000, true},
	} {
		pod := &api.Pod{Status: api.PodStatus{Conditions: []api.Condition{{Type: "PodScheduled", Status: "True", LastTransitionTime: api.TimeAt(10_000)}}}}
		if tt.ready != "" {
			pod.Status.Conditions = append(pod.Status.Conditions, api.Condition{Type: "Ready", Status: tt.ready, LastTransitionTime: api.TimeAt(tt.since)})
		}
		if got := unready(pod, PodMetric{At: tt.sample, Window: 30_000}, tt.now); got != tt.want {
			t.Errorf("%s: it does not count: %t, want %t", tt.name, got, tt.want)
		}
	}
}
