package scenarios

import "slices"

// Chapter is a part of the path through the lessons. Its title is a message of the catalogue: chapter-basics.
type Chapter struct {
	ID      string
	Lessons []string
}

// chapters hold every scenario, in the order in which they are best read: each leads to the next.
var chapters = []Chapter{
	{"basics", []string{"deployment-to-pods", "first-rollout", "rounding", "template-fields", "configmap-no-roll", "same-tag",
		"recreate", "surge-100", "long-goodbye", "invalid-0-0", "fix-zero", "zero-downtime", "choose-surge",
		"recap-basics"}},
	{"time", []string{"slow-start", "three-replicas", "min-ready", "crash-loop", "liveness-kills", "flapping", "client-limit",
		"fix-crash-loop", "recap-time"}},
	{"stuck", []string{"bad-image", "deadline", "no-deadline", "wait-gives-up", "quota", "no-room", "anti-affinity", "crash-undo", "fix-image",
		"fix-quota", "fix-no-room", "fix-deadline", "recap-stuck"}},
	{"changes", []string{"scale-and-image", "proportional", "rollover", "pause-batch", "pause-halfway", "zero-replicas",
		"delete-in-the-middle", "deletion-cost", "hand-scaled-rs", "undo-twice", "undo-then-ci", "history-zero", "history-paused", "change-cause",
		"selector-immutable", "canary-two-deployments", "hpa-rollout", "ci-against-hpa", "recap-changes"}},
	{"sets", []string{"sts-rolling", "sts-min-ready", "sts-partition-canary", "sts-stuck", "sts-parallel", "sts-max-unavailable",
		"sts-on-delete", "ds-rolling", "ds-surge", "ds-surge-hostport", "ds-on-delete", "ds-undo", "fix-sts", "recap-sets"}},
	{"requests", []string{"stops-too-early", "listens-too-late", "grace-cuts", "ignores-sigterm", "nothing-ready", "healthy-too-late", "blue-green"}},
	{"nodes", []string{"pdb-not-rollout", "drain", "drain-blocked", "drain-under-load", "pdb-crashloop", "pdb-bare-pods", "node-dies", "fix-drain",
		"fix-release", "recap-nodes"}},
	{"appendix", []string{"published-2-delete", "published-3-scale-up", "published-4-scale-down", "published-5-scale-then-image",
		"published-6-shrink-then-image", "published-8-rollover"}},
}

// Core is the path of ten lessons for one hour. Chapters go deeper from there.
var Core = []string{"deployment-to-pods", "first-rollout", "rounding", "slow-start", "bad-image", "stops-too-early", "grace-cuts", "drain",
	"node-dies", "fix-release"}

// needs names the lessons that one takes for granted, besides the first two of the path.
var needs = map[string][]string{
	"three-replicas":               {"rounding", "slow-start"},
	"min-ready":                    {"slow-start"},
	"crash-loop":                   {"min-ready"},
	"liveness-kills":               {"slow-start"},
	"flapping":                     {"slow-start"},
	"no-deadline":                  {"deadline"},
	"no-room":                      {"rounding"},
	"anti-affinity":                {"no-room"},
	"crash-undo":                   {"crash-loop", "bad-image"},
	"listens-too-late":             {"slow-start"},
	"grace-cuts":                   {"stops-too-early"},
	"ignores-sigterm":              {"long-goodbye", "stops-too-early"},
	"healthy-too-late":             {"min-ready", "stops-too-early"},
	"nothing-ready":                {"recreate", "stops-too-early"},
	"blue-green":                   {"canary-two-deployments"},
	"drain-under-load":             {"drain", "stops-too-early"},
	"wait-gives-up":                {"deadline"},
	"proportional":                 {"bad-image"},
	"pause-halfway":                {"pause-batch", "deadline"},
	"hand-scaled-rs":               {"delete-in-the-middle"},
	"undo-then-ci":                 {"bad-image", "undo-twice"},
	"history-zero":                 {"undo-twice"},
	"history-paused":               {"history-zero", "pause-batch"},
	"change-cause":                 {"undo-twice"},
	"published-3-scale-up":         {"proportional"},
	"published-4-scale-down":       {"proportional"},
	"published-5-scale-then-image": {"scale-and-image"},
	"published-8-rollover":         {"rollover"},
	"ci-against-hpa":               {"hpa-rollout"},
	"sts-min-ready":                {"sts-rolling", "min-ready"},
	"sts-partition-canary":         {"sts-rolling"},
	"sts-stuck":                    {"sts-rolling"},
	"sts-parallel":                 {"sts-stuck"},
	"sts-max-unavailable":          {"sts-rolling", "sts-parallel"},
	"sts-on-delete":                {"sts-rolling"},
	"ds-surge":                     {"ds-rolling"},
	"ds-surge-hostport":            {"ds-surge"},
	"ds-on-delete":                 {"ds-rolling"},
	"ds-undo":                      {"ds-rolling"},
	"drain-blocked":                {"drain"},
	"pdb-crashloop":                {"drain-blocked"},
	"pdb-bare-pods":                {"drain-blocked"},
	"fix-release":                  {"bad-image", "drain"},
}

// aliases are names of scenarios that were joined with others. Links that have them still open.
var aliases = map[string]string{
	"published-1-update": "first-rollout",
	"published-7-undo":   "undo-twice",
}

// Chapters returns the parts of the path.
func Chapters() []Chapter { return slices.Clone(chapters) }

// Needs returns the lessons to see before one.
func Needs(name string) []string { return needs[name] }

// Aliases returns the former names of scenarios, and the names that they lead to.
func Aliases() map[string]string { return aliases }

// Current returns the present name of a scenario that had another one, and any other name unchanged.
func Current(name string) string {
	if now, ok := aliases[name]; ok {
		return now
	}
	return name
}

// inOrder lists all scenarios of the chapters.
func inOrder() []string {
	var all []string
	for _, c := range chapters {
		all = append(all, c.Lessons...)
	}
	return all
}
