// Package scenarios holds the scenarios that ship with rollplay, one YAML file each. Each is a lesson: a question, captions
// that guide through the run, and the numbers that the run must show.
package scenarios

import (
	"embed"
	"slices"
)

//go:embed *.yaml
var files embed.FS

// order lists every file in the order of the gallery, which is also the order of the lessons: each leads to the next.
var order = []string{
	// What limits a rollout.
	"first-rollout", "three-replicas", "rounding", "recreate", "surge-100", "invalid-0-0", "long-goodbye",
	// When a pod counts.
	"slow-start", "min-ready", "crash-loop", "flapping",
	// What stops a rollout.
	"bad-image", "deadline", "quota",
	// What happens during a rollout.
	"scale-and-image", "proportional", "rollover", "pause-batch", "zero-replicas", "delete-in-the-middle",
	// What history keeps, and what starts a rollout.
	"undo-twice", "history-zero", "change-cause", "configmap-no-roll", "selector-immutable", "canary-two-deployments",
	// Eight published cases, with their numbers.
	"published-1-update", "published-2-delete", "published-3-scale-up", "published-4-scale-down",
	"published-5-scale-then-image", "published-6-shrink-then-image", "published-7-undo", "published-8-rollover",
	// StatefulSets.
	"sts-rolling", "sts-partition-canary", "sts-stuck", "sts-parallel", "sts-max-unavailable",
	// DaemonSets.
	"ds-rolling", "ds-surge", "ds-surge-hostport", "ds-on-delete",
	// Nodes, and disruption budgets for draining them.
	"pdb-not-rollout", "drain", "drain-blocked", "pdb-crashloop", "node-dies",
	// Pods that fit on no node.
	"no-room", "anti-affinity",
	// Autoscaling.
	"hpa-rollout",
}

// First is the text of the first scenario, and Index what lists of scenarios show: a line for each, in the order of the gallery, with its
// name, the number of its captions, and its title in English and in Chinese, separated by tabs. The page in the browser starts with
// these two and loads the other texts when it has started; so nothing but Text may refer to all files.
//
// make golden rewrites the index.
var (
	//go:embed first-rollout.yaml
	First string
	//go:embed index.txt
	Index string
)

// Names lists the scenarios in the order of the gallery.
func Names() []string { return slices.Clone(order) }

// Text returns the text of a scenario, or "" if no scenario has that name.
func Text(name string) string {
	b, err := files.ReadFile(name + ".yaml")
	if err != nil {
		return ""
	}
	return string(b)
}
