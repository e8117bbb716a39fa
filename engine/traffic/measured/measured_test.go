package measured

import "testing"

// TestCompleteMeasurements: of the measurements that name all that decides, the model contains the figure.
func TestCompleteMeasurements(t *testing.T) {
	complete := 0
	for i := range All {
		m := &All[i]
		r, err := m.Model(Seeds)
		if err != nil {
			t.Fatal(err, m.Scenario())
		}
		t.Logf("%-40.40s %d of %d published %q, %d to %d of %d here; %s", m.Source, m.Failed, m.All, m.Found.En, r.Lowest, r.Highest, r.All, m.Did.En)
		if m.Complete() {
			complete++
			if !r.Contains(m) {
				t.Errorf("%s %s", m.Source, m.Did.En)
			}
		}
	}
	if complete < 3 {
		t.Errorf("%d measurements are complete", complete)
	}
}

// TestRangesCanMiss: a model that is wrong in one point does not contain the figure. So the range is not too wide to judge.
func TestRangesCanMiss(t *testing.T) {
	for i, wrong := range []setup{
		{Traffic: "rate: 56, takes: 170ms"},                                               // clients that do not wait for answers
		{Traffic: "users: 15, pause: 100ms, takes: 170ms, timeout: 0s"},                   // pods that refuse at once after their end
		{Traffic: "users: 15, pause: 100ms, takes: 170ms, via: ingress-nginx"},            // a proxy that tries other pods
		{Traffic: "users: 15, pause: 100ms, takes: 170ms", PreStop: 5, Stop: "1s"},        // a hook
		{Traffic: "users: 15, pause: 100ms, takes: 170ms, via: load-balancer, delay: 9s"}, // proxies that learn much later
	} {
		m := All[0]
		m.Workload.Traffic, m.Workload.PreStop, m.Workload.Stop = wrong.Traffic, wrong.PreStop, wrong.Stop
		r, err := m.Model(Seeds)
		if err != nil {
			t.Fatal(err)
		}
		t.Logf("%d: %v", i, r)
		if r.Contains(&m) {
			t.Errorf("%d: %s has %d to %d failures", i, wrong.Traffic, r.Lowest, r.Highest)
		}
	}
}
