package replicaset

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/sim"
)

// expectationsTimeout is how long a ReplicaSet waits to see what it did, in ms.
const expectationsTimeout = 5 * 60 * 1000

// expectation is what a ReplicaSet has done and not seen yet in the cache.
type expectation struct {
	since   sim.Time
	add     int             // pods created and not seen
	victims map[string]bool // names of pods deleted and not seen to go
}

// satisfied says whether the cache shows everything that the ReplicaSet did, so that it may act again.
func (c *Controller) satisfied(key api.Key) bool {
	e := c.expectations[key]
	return e == nil || e.add <= 0 && len(e.victims) == 0 || c.client.Now()-e.since > expectationsTimeout
}

func (c *Controller) expectCreations(key api.Key, n int) {
	c.expectations[key] = &expectation{since: c.client.Now(), add: n}
}

func (c *Controller) expectDeletions(key api.Key, pods []*api.Pod) {
	victims := make(map[string]bool, len(pods))
	for _, pod := range pods {
		victims[pod.Name] = true
	}
	c.expectations[key] = &expectation{since: c.client.Now(), victims: victims}
}

func (c *Controller) creationObserved(key api.Key) {
	if e := c.expectations[key]; e != nil {
		e.add--
	}
}

func (c *Controller) deletionObserved(key api.Key, pod string) {
	if e := c.expectations[key]; e != nil {
		delete(e.victims, pod)
	}
}
