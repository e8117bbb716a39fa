package main

import "strings"

// knownDifferences are those that are left as they are, each with its reason. A test fails when one does not occur any
// more.
var knownDifferences = []struct {
	name, reason string
	is           func(*difference) bool
}{
	{
		name: "quota-given-back-early",
		reason: "the engine's quota keeps one sum for admission and controller, so charging a pod also gives back, some " +
			"events earlier, what pods used that have just gone",
		is: func(d *difference) bool {
			return actorOf(d.Where) == "replicaset-controller syncs" && d.What == "actions" &&
				strings.Contains(d.Theirs, "exceeded quota") &&
				strings.Count(d.Ours, "create Pod") > strings.Count(d.Theirs, "create Pod")
		},
	},
	{
		name: "removed-despite-finalizer",
		reason: "the engine's API server removes an object at its second deletion, though a finalizer still holds it; the " +
			"real one waits for the finalizer",
		is: func(d *difference) bool {
			return d.What == "actions" && strings.Count(d.Ours, "delete ReplicaSet") > strings.Count(d.Theirs, "delete ReplicaSet")
		},
	},
	{
		name: "adopted-twice",
		reason: "the engine's API server lets a second owner adopt what another one has adopted since the cache was read; " +
			"the real one refuses two references with controller: true",
		is: func(d *difference) bool {
			return d.What == "actions" && strings.Contains(d.Theirs, "Only one reference can have Controller set to true")
		},
	},
}

// knownDifference returns the name of the known difference that this is, "" if it is none.
func knownDifference(d *difference) string {
	for _, k := range knownDifferences {
		if k.is(d) {
			return k.name
		}
	}
	return ""
}
