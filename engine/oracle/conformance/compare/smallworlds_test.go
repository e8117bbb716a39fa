package compare

import (
	"fmt"
	"testing"
)

// TestSmallWorlds compares small rollouts, 0 to 4 replicas with all bounds out of {0, 1, 2, 25%, 50%, 100%}, each with
// several orders in which pods become ready. A test of the engine enumerates all orders; here upstream judges the decisions.
func TestSmallWorlds(t *testing.T) {
	amounts := []string{"0", "1", "2", `"25%"`, `"50%"`, `"100%"`}
	const orders = 3
	syncs := 0
	for replicas := range 5 {
		for _, surge := range amounts {
			for _, unavailable := range amounts {
				if surge == "0" && unavailable == "0" {
					continue // not valid
				}
				for seed := range orders {
					v := Scenario(t, smallWorld(seed, replicas, surge, unavailable))
					syncs += v.Syncs
					if v.Difference != nil {
						t.Errorf("%d replicas, surge %s, unavailable %s, seed %d: %s", replicas, surge, unavailable, seed, v.Difference)
					}
				}
			}
		}
	}
	t.Logf("%d syncs", syncs)
}

// smallWorld is a rollout that begins while some old pods are not ready yet.
func smallWorld(seed, replicas int, surge, unavailable string) string {
	return fmt.Sprintf(`
apiVersion: rollplay/v1alpha1
kind: Scenario
spec:
  seed: %d
  duration: 60s
  images:
  - {match: "*", pull: 0s, start: 100ms..4s, stop: 1s}
  timeline:
  - {at: %dms, run: kubectl set image deployment/web app=app:2}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: %d
  strategy: {rollingUpdate: {maxSurge: %s, maxUnavailable: %s}}
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      containers:
      - {name: app, image: "app:1"}
`, seed+1, 1000+2000*seed, replicas, surge, unavailable)
}
