package line

import (
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// verb is the entry of a command of kubectl: the parser, the completion, the help and the documentation all use it.
type verb struct {
	name, brief string // "rollout undo", and what it does here in one line
	use         string // TYPE/NAME --to-revision=N
	flags       []flag
	on          func(*kinds.Kind) bool // says on which kinds it works; nil means all that have objects
	args        argStyle
	pairs       string // what its key=value words change, "" if it has none
	bulk        bool   // a type without a name means all its objects
	optional    bool   // it needs no object
	missing     string // what it answers if no object is named
	unsupported func(api.Key) error
	required    string               // a flag that must be there
	early       func(*Command) error // refuses flags before those that all verbs have are read
	check       func(*Command) error // refuses flags before the objects are read
	writes      bool                 // it changes the cluster, or opens the editor
	waits       bool                 // it ends when the cluster is as it should be
}

// argStyle is how the plain words behind a verb are read.
type argStyle uint8

const (
	resourceArgs argStyle = iota // TYPE/NAME, TYPE NAME, TYPE
	wordArgs                     // the verb reads them itself
	nodeArgs                     // names of nodes
)

// flag is an option of a verb.
type flag struct {
	name, short string
	brief       string
	takesValue  bool
	number      uint8    // the value is a whole number with this many bits
	duration    bool     // the value is 30s, 2m
	repeat      bool     // it may be given several times
	optional    string   // the value of a flag without one
	values      []string // the choices, if there are few
}

// unchanged is the value of --dry-run without one.
const unchanged = "unchanged"

// globalFlags are understood by every verb.
var globalFlags = []flag{
	{name: "namespace", short: "n", takesValue: true, brief: "the namespace; that of the context if it is not given"},
	{name: "help", short: "h", brief: "print how the command is used"},
}

const (
	oneOrMore    = "one or more resources must be specified as <resource> <name> or <resource>/<name>"
	noneRequired = "required resource not specified"
)

func nodes(k *kinds.Kind) bool       { return k.Name == api.KindNode }
func deployments(k *kinds.Kind) bool { return k.Name == api.KindDeployment }
func listed(*kinds.Kind) bool        { return true }

// kinds returns the kinds that the verb works on, in the order in which they are offered.
func (v *verb) kinds() []api.Kind {
	if v.on == nil {
		return kinds.Stored()
	}
	return kinds.Where(v.on)
}

// verbs is the table, in the order of the alphabet.
var verbs = []verb{
	{name: "annotate", brief: "set and remove annotations", use: "TYPE/NAME KEY=VALUE … KEY- …",
		pairs: "annotation", missing: oneOrMore, writes: true,
		flags: []flag{{name: "overwrite", brief: "change annotations that are there"}, allFlag, allNSFlag, selectorFlag, dryRunFlag, outputFlag, listFlag}},
	{name: "api-resources", brief: "list the types that are modelled", args: wordArgs,
		flags: []flag{
			{name: "output", short: "o", takesValue: true, values: []string{"name"}, brief: "the form of the answer"},
			{name: "namespaced", brief: "only types with a namespace; =false: only those without"},
			{name: "api-group", takesValue: true, brief: "only types of this group"},
			{name: "no-headers", brief: "no line with the names of the columns"},
		}},
	{name: "apply", brief: "create objects, or change them to what a manifest says", use: "-f - <<EOF", args: wordArgs,
		flags: []flag{filenameFlag, dryRunFlag, outputFlag}, writes: true},
	{name: "auth can-i", brief: "say that it is allowed: there are no roles here", use: "VERB TYPE", args: wordArgs, flags: []flag{allNSFlag}},
	{name: "autoscale", brief: "create a HorizontalPodAutoscaler for a workload", use: "TYPE/NAME --min=N --max=N --cpu=80%",
		on: (*kinds.Kind).Scales, unsupported: noAutoscale, required: "max", check: checkAutoscale,
		flags: []flag{
			{name: "min", takesValue: true, number: 32, brief: "the minimum number of pods; 1 by default"},
			{name: "max", takesValue: true, number: 32, brief: "the maximum number of pods; required"},
			{name: "cpu", takesValue: true, brief: "how much of the requested cpu the pods should use: 70%; 80% if it is not given"},
			{name: "cpu-percent", takesValue: true, number: 32, brief: "the same as --cpu, without the sign; deprecated"},
			{name: "name", takesValue: true, brief: "its name; that of the workload if it is not given"},
			dryRunFlag, outputFlag,
		}, writes: true},
	{name: "config current-context", brief: "print the name of the context", args: wordArgs},
	{name: "config get-contexts", brief: "print the context with its namespace", args: wordArgs,
		flags: []flag{{name: "output", short: "o", takesValue: true, values: []string{"name"}, brief: "the form of the answer"},
			{name: "no-headers", brief: "no line with the names of the columns"}}},
	{name: "config set-context", brief: "choose the namespace of the lines that follow", use: "--current --namespace=NAME", args: wordArgs,
		check: checkContext, flags: []flag{{name: "current", brief: "the current context, which is the only one"}}, writes: true},
	{name: "cordon", brief: "mark nodes as unschedulable", use: "NODE …", args: nodeArgs, on: nodes, unsupported: notNode,
		flags: []flag{selectorFlag, dryRunFlag}, writes: true},
	{name: "create", brief: "create the objects of a manifest", use: "-f - <<EOF", args: wordArgs,
		flags: []flag{filenameFlag, dryRunFlag, outputFlag}, writes: true},
	{name: "create deployment", brief: "create a Deployment", use: "NAME --image=IMAGE", args: wordArgs, required: "image",
		flags: []flag{
			{name: "image", takesValue: true, repeat: true, brief: "the image of its container; several make several containers"},
			{name: "replicas", short: "r", takesValue: true, number: 32, brief: "how many pods; 1 if it is not given"},
			{name: "port", takesValue: true, number: 32, brief: "the port that the container listens on"},
			dryRunFlag, outputFlag,
		}, writes: true},
	{name: "create poddisruptionbudget", brief: "create a PodDisruptionBudget", use: "NAME --selector=app=web --min-available=2",
		args: wordArgs, flags: []flag{
			{name: "selector", takesValue: true, brief: "the labels of its pods"},
			{name: "min-available", takesValue: true, brief: "the minimum number or percentage of available pods"},
			{name: "max-unavailable", takesValue: true, brief: "the maximum number or percentage of missing pods"},
			dryRunFlag, outputFlag,
		}, writes: true},
	{name: "create quota", brief: "create a ResourceQuota", use: "NAME --hard=pods=5,cpu=2", args: wordArgs,
		flags:  []flag{{name: "hard", takesValue: true, brief: "the limits: resource=amount,resource=amount"}, dryRunFlag, outputFlag},
		writes: true},
	{name: "delete", brief: "delete objects", use: "TYPE/NAME", early: checkDelete,
		flags: []flag{
			{name: "cascade", takesValue: true, optional: "background", values: []string{"background", "foreground", "orphan"},
				brief: "what happens to the objects that it owns"},
			{name: "grace-period", takesValue: true, number: 64, brief: "seconds that a pod has to stop"},
			{name: "force", brief: "do not wait until a pod has stopped"},
			{name: "now", brief: "the same as --grace-period=1"},
			{name: "ignore-not-found", brief: "a missing object is not an error"},
			{name: "wait", brief: "accepted and ignored: the command answers at once"},
			allFlag, allNSFlag, selectorFlag, filenameFlag, dryRunFlag, {name: "output", short: "o", takesValue: true, values: []string{"name"}, brief: "the form of the answer"},
		}, writes: true},
	{name: "describe", brief: "show objects in detail, with their events", use: "TYPE/NAME", bulk: true,
		flags: []flag{allNSFlag, selectorFlag, {name: "show-events", brief: "=false leaves the events out"}},
		missing: "You must specify the type of resource to describe. Use \"kubectl api-resources\" for a complete list of " +
			"supported resources."},
	{name: "diff", brief: "show what a manifest would change", use: "-f - <<EOF", args: wordArgs, flags: []flag{filenameFlag}, writes: true},
	{name: "drain", brief: "cordon nodes, and evict their pods as disruption budgets allow", use: "NODE …", args: nodeArgs,
		on: nodes, unsupported: notNode,
		flags: []flag{
			{name: "ignore-daemonsets", brief: "leave pods of DaemonSets where they are"},
			{name: "delete-emptydir-data", brief: "also pods with an emptyDir, whose data is lost"},
			{name: "force", brief: "also pods without a controller"},
			{name: "grace-period", takesValue: true, number: 64, brief: "seconds that a pod has to stop; its own if negative"},
			{name: "timeout", takesValue: true, duration: true, brief: "how long to wait: 30s, 2m; no limit by default"},
			{name: "pod-selector", takesValue: true, brief: "only pods with these labels"},
			{name: "disable-eviction", brief: "delete the pods: no disruption budget is asked"},
			{name: "skip-wait-for-delete-timeout", takesValue: true, number: 64,
				brief: "do not wait for pods that have been terminating for more seconds than this"},
			selectorFlag, dryRunFlag,
		}, writes: true},
	{name: "edit", brief: "open an object in the editor", use: "TYPE/NAME", on: (*kinds.Kind).Applied, writes: true},
	{name: "events", brief: "list events, the latest last", use: "--for TYPE/NAME", args: wordArgs,
		flags: []flag{
			{name: "for", takesValue: true, brief: "only those about an object: TYPE/NAME"},
			{name: "types", takesValue: true, brief: "only these types: Warning,Normal"},
			{name: "watch", short: "w", brief: "keep printing new events"},
			{name: "no-headers", brief: "no line with the names of the columns"}, allNSFlag,
		}},
	{name: "explain", brief: "explain what a field is for", use: "TYPE.FIELD.FIELD", args: wordArgs,
		flags: []flag{{name: "recursive", brief: "list the fields below it as well"}}},
	{name: "get", brief: "list objects", use: "TYPE or TYPE/NAME", bulk: true, check: checkGet, on: listed,
		flags: []flag{
			{name: "output", short: "o", takesValue: true, values: []string{"wide", "yaml", "json", "name", "jsonpath={.items[*].metadata.name}",
				"custom-columns=NAME:.metadata.name"}, brief: "the form of the answer"},
			{name: "watch", short: "w", brief: "keep printing a row for each change"},
			{name: "watch-only", brief: "a row for each change, without the list"},
			{name: "show-labels", brief: "a column with all labels"},
			{name: "no-headers", brief: "no line with the names of the columns"},
			{name: "ignore-not-found", brief: "a missing object is not an error"},
			{name: "show-kind", brief: "the types in front of the names"},
			{name: "sort-by", takesValue: true, brief: "a field to sort by: .metadata.creationTimestamp"},
			{name: "field-selector", takesValue: true, brief: "only objects with these fields: status.phase=Running"},
			{name: "label-columns", short: "L", takesValue: true, repeat: true, brief: "a column for each of these labels"},
			allNSFlag, selectorFlag,
		},
		missing: "Required resource not specified.\nUse \"kubectl explain <resource>\" for a detailed description of that " +
			"resource (e.g. kubectl explain pods)."},
	{name: "label", brief: "set and remove labels", use: "TYPE/NAME KEY=VALUE … KEY- …",
		pairs: "label", missing: oneOrMore, writes: true,
		flags: []flag{{name: "overwrite", brief: "change labels that are there"}, allFlag, allNSFlag, selectorFlag, dryRunFlag, outputFlag, listFlag}},
	{name: "patch", brief: "change fields of an object", use: "TYPE/NAME -p PATCH", on: (*kinds.Kind).Applied, check: checkPatch,
		flags: []flag{
			{name: "patch", short: "p", takesValue: true, brief: "the change, as JSON or YAML"},
			{name: "type", takesValue: true, values: []string{"strategic", "merge", "json"},
				brief: "how the change is read; strategic if it is not given"},
			dryRunFlag, outputFlag,
		}, writes: true},
	{name: "replace", brief: "replace objects by what a manifest says", use: "-f - <<EOF", args: wordArgs,
		flags: []flag{filenameFlag, dryRunFlag, outputFlag}, writes: true},
	{name: "rollout history", brief: "list the revisions of a workload", use: "TYPE/NAME", bulk: true, missing: noneRequired,
		on: (*kinds.Kind).RollsOut, unsupported: noHistoryViewer,
		flags: []flag{{name: "revision", takesValue: true, number: 64, brief: "show the template of this revision"}, selectorFlag}},
	{name: "rollout pause", brief: "stop rolling out", use: "TYPE/NAME", bulk: true, missing: noneRequired,
		on: deployments, unsupported: unsupported("pausing"), flags: []flag{selectorFlag, outputFlag}, writes: true},
	{name: "rollout restart", brief: "replace all pods", use: "TYPE/NAME", bulk: true, missing: noneRequired,
		on: (*kinds.Kind).RollsOut, unsupported: unsupported("restarting"), flags: []flag{selectorFlag, outputFlag}, writes: true},
	{name: "rollout resume", brief: "continue rolling out", use: "TYPE/NAME", bulk: true, missing: noneRequired,
		on: deployments, unsupported: unsupported("resuming"), flags: []flag{selectorFlag, outputFlag}, writes: true},
	{name: "rollout status", brief: "show the progress of a rollout", use: "TYPE/NAME", bulk: true, missing: noneRequired,
		on: (*kinds.Kind).RollsOut, unsupported: noStatusViewer, waits: true,
		flags: []flag{
			{name: "watch", short: "w", brief: "=false ends after one line"},
			{name: "revision", takesValue: true, number: 64, brief: "fail if another revision is rolled out"},
			{name: "timeout", takesValue: true, duration: true, brief: "how long to wait: 30s, 2m; no limit by default"},
			selectorFlag,
		}},
	{name: "rollout undo", brief: "roll back to an earlier revision", use: "TYPE/NAME", bulk: true,
		missing: noneRequired, on: (*kinds.Kind).RollsOut, unsupported: noRollbacker,
		flags: []flag{
			{name: "to-revision", takesValue: true, number: 64, brief: "the revision; the one before if it is not given"},
			{name: "dry-run", takesValue: true, optional: unchanged, values: []string{"none", "server"}, brief: dryRunFlag.brief},
			selectorFlag, outputFlag,
		}, writes: true},
	{name: "run", brief: "create a pod without a controller", use: "NAME --image=IMAGE", args: wordArgs, required: "image", early: checkRestart,
		flags: []flag{
			{name: "image", takesValue: true, brief: "the image of its container"},
			{name: "labels", short: "l", takesValue: true, brief: "its labels: a=b,c=d; run=NAME if they are not given"},
			{name: "env", takesValue: true, repeat: true, brief: "NAME=VALUE"},
			{name: "port", takesValue: true, brief: "the port that the container listens on"},
			{name: "restart", takesValue: true, values: []string{"Always", "OnFailure", "Never"}, brief: "what happens when its container ends"},
			dryRunFlag, outputFlag,
		}, writes: true},
	{name: "scale", brief: "set the number of replicas", use: "TYPE/NAME --replicas=N",
		on: (*kinds.Kind).Scales, unsupported: noScale, required: "replicas",
		flags: []flag{
			{name: "replicas", takesValue: true, number: 64, brief: "how many"},
			{name: "current-replicas", takesValue: true, number: 64, brief: "only if this is the present number"},
			recordFlag, allFlag, selectorFlag, dryRunFlag, outputFlag,
		}, writes: true},
	{name: "set env", brief: "set and remove environment variables of a template", use: "TYPE/NAME NAME=VALUE … NAME- …",
		pairs: "environment", missing: oneOrMore, on: (*kinds.Kind).HasTemplate,
		flags: []flag{
			{name: "env", short: "e", takesValue: true, repeat: true, brief: "NAME=VALUE"}, containers,
			{name: "overwrite", brief: "=false refuses to change variables that are there"},
			allFlag, selectorFlag, dryRunFlag, outputFlag, listFlag,
		}, writes: true},
	{name: "set image", brief: "change images of a template", use: "TYPE/NAME CONTAINER=IMAGE …",
		pairs: "image", on: (*kinds.Kind).HasTemplate,
		flags: []flag{recordFlag, allFlag, selectorFlag, dryRunFlag, outputFlag}, writes: true},
	{name: "set resources", brief: "change requests and limits of a template", use: "TYPE/NAME --limits=memory=1Gi",
		on: (*kinds.Kind).HasTemplate, flags: []flag{
			{name: "limits", takesValue: true, brief: "the most that a container may use: cpu=1,memory=1Gi"},
			{name: "requests", takesValue: true, brief: "what a container needs: cpu=100m,memory=256Mi"},
			containers, recordFlag, allFlag, selectorFlag, dryRunFlag, outputFlag,
		}, writes: true},
	{name: "taint", brief: "set and remove taints of nodes", use: "node NAME … KEY=VALUE:EFFECT … KEY:EFFECT- KEY- …", args: wordArgs,
		on: nodes, missing: "one or more resources must be specified as <resource> <name>",
		flags:  []flag{{name: "overwrite", brief: "change taints that are there"}, allFlag, selectorFlag, dryRunFlag, outputFlag},
		writes: true},
	{name: "uncordon", brief: "mark nodes as schedulable again", use: "NODE …", args: nodeArgs, on: nodes, unsupported: notNode,
		flags: []flag{selectorFlag, dryRunFlag}, writes: true},
	{name: "version", brief: "print the version that is played", args: wordArgs, flags: []flag{{name: "client", brief: "only that of kubectl"}}},
	{name: "wait", brief: "wait until objects meet a condition", use: "TYPE/NAME --for=condition=Available", check: checkWait, waits: true,
		flags: []flag{
			{name: "for", takesValue: true, repeat: true, brief: "what to wait for; in place of Available any condition, or path=value",
				values: []string{"condition=Available", "condition=Ready", "create", "delete", "jsonpath={.status.readyReplicas}"}},
			{name: "timeout", takesValue: true, duration: true, brief: "how long to wait: 2m; 30s by default, 0 checks once"},
			allFlag, allNSFlag, selectorFlag,
		}},
}

// aliases are other names of verbs.
var aliases = map[string]string{"create deploy": "create deployment", "create pdb": "create poddisruptionbudget",
	"create resourcequota": "create quota"}

// groups are the words that have further verbs behind them.
var groups = map[string]bool{"auth": true, "config": true, "create": true, "rollout": true, "set": true}

// findVerb returns the entry of a verb, nil if there is none.
func findVerb(name string) *verb {
	if alias := aliases[name]; alias != "" {
		name = alias
	}
	for i := range verbs {
		if verbs[i].name == name {
			return &verbs[i]
		}
	}
	return nil
}

// subcommands returns the words that may follow a group: undo, pause …
func subcommands(group string) (words []string) {
	for i := range verbs {
		if word, ok := strings.CutPrefix(verbs[i].name, group+" "); ok {
			words = append(words, word)
		}
	}
	return words
}

// Flags that several verbs have.
var (
	dryRunFlag = flag{name: "dry-run", takesValue: true, optional: unchanged, values: []string{"none", "client", "server"},
		brief: "print what would happen, and change nothing"}
	selectorFlag = flag{name: "selector", short: "l", takesValue: true,
		brief: "only objects with these labels: a=b,c!=d,e in (x,y),!f"}
	allFlag      = flag{name: "all", brief: "all objects of the type in the namespace"}
	allNSFlag    = flag{name: "all-namespaces", short: "A", brief: "objects of all namespaces"}
	filenameFlag = flag{name: "filename", short: "f", takesValue: true, values: []string{"-"},
		brief: "-, the manifest from standard input"}
	outputFlag = flag{name: "output", short: "o", takesValue: true, values: []string{"name", "yaml", "json"}, brief: "print the object instead"}
	listFlag   = flag{name: "list", brief: "list them, and change nothing"}
	recordFlag = flag{name: "record", brief: "keep the command line in the annotation kubernetes.io/change-cause"}
	containers = flag{name: "containers", short: "c", takesValue: true,
		brief: "only containers whose names match; * stands for any letters"}
)
