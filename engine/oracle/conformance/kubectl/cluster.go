package kubectl

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/kubectl/events"
	"github.com/rollplay/rollplay/engine/kubectl/print"
	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
	"github.com/rollplay/rollplay/engine/oracle/conformance/realserver"
)

// Cluster is a run of the engine at a moment, and its objects as kubectl reads them there.
type Cluster struct {
	Scenario string
	At       int64 // a virtual ms at which nothing happens
	run      *engine.Run
	items    []json.RawMessage
	objects  []*object
}

// NewCluster plays a scenario up to a quiet moment.
func NewCluster(scenario string, at int64) (*Cluster, error) {
	run, diagnostics := engine.Start(engine.Recording{Scenario: scenario})
	if run == nil {
		return nil, fmt.Errorf("the scenario is not valid: %v", diagnostics)
	}
	run.Finish()
	c := &Cluster{Scenario: scenario, At: quiet(run, at), run: run}
	var err error
	if c.items, err = itemsOf(run, c.At); err != nil {
		return nil, err
	}
	for _, item := range c.items {
		o := &object{}
		if err := json.Unmarshal(item, &o.tree); err != nil {
			return nil, err
		}
		c.objects = append(c.objects, o)
	}
	return c, nil
}

// quiet returns the first ms from a moment on that has no record, nor has its neighbours. If the run ends before, the moment is halved.
func quiet(run *engine.Run, at int64) int64 {
	p := run.Past()
	for from := at; from > 0; from /= 2 {
		for at := from; at+1000 <= p.Now(); at += 5 {
			if p.Find(at+1) == p.Find(at-2) {
				return at
			}
		}
	}
	return 0
}

// itemsOf prints all objects of a run at a moment, as -o json does.
func itemsOf(run *engine.Run, at int64) (items []json.RawMessage, err error) {
	p := run.Past()
	record := p.Find(at)
	add := func(o api.Object) {
		if text, wrong := json.Marshal(print.Served(o)); wrong == nil {
			items = append(items, text)
		} else {
			err = wrong
		}
	}
	for _, kind := range kinds.Stored() {
		for _, o := range p.Objects(kind, record) {
			add(o)
		}
	}
	for _, e := range events.Sent(p.Records()[:record+1]) {
		add(e)
	}
	return items, err
}

// Now is the cluster's moment as its objects write it.
func (c *Cluster) Now() time.Time {
	return time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC).Add(time.Duration(c.At) * time.Millisecond)
}

// any draws an object of one of the kinds, or of any kind; first the kind, so that a Deployment is as likely as its pods.
func (c *Cluster) any(g generate.Random, kinds []string) *object {
	byKind := map[string][]*object{}
	for _, o := range c.objects {
		if k := o.kind(); (kinds == nil && k != "Event" && k != "ReplicationController" && k != "CronJob") || slices.Contains(kinds, k) {
			byKind[k] = append(byKind[k], o)
		}
	}
	if len(byKind) == 0 { // an object that the cluster has not
		kind := "Deployment"
		if len(kinds) > 0 {
			kind = generate.Pick(g, kinds...)
		}
		return &object{tree: map[string]any{"kind": kind, "metadata": map[string]any{"name": "gone"}}}
	}
	list := byKind[generate.Pick(g, slices.Sorted(maps.Keys(byKind))...)]
	return generate.Pick(g, list...)
}

// names are what people call a kind.
type names struct{ plural, short string }

var namesOf = map[string]names{
	"Deployment": {"deployments", "deploy"}, "ReplicaSet": {"replicasets", "rs"}, "StatefulSet": {"statefulsets", "sts"},
	"DaemonSet": {"daemonsets", "ds"}, "Pod": {"pods", "po"}, "Node": {"nodes", "no"},
	"PodDisruptionBudget": {"poddisruptionbudgets", "pdb"}, "HorizontalPodAutoscaler": {"horizontalpodautoscalers", "hpa"},
	"ResourceQuota": {"resourcequotas", "quota"}, "ControllerRevision": {"controllerrevisions", "controllerrevision"},
	"PersistentVolumeClaim": {"persistentvolumeclaims", "pvc"}, "ReplicationController": {"replicationcontrollers", "rc"},
	"CronJob": {"cronjobs", "cj"}, "Service": {"services", "svc"}, "EndpointSlice": {"endpointslices", "endpointslice"},
}

// kindsOf reads the kinds of an alternative: names, or a word for several.
func kindsOf(list string) (kinds []string) {
	for word := range strings.SplitSeq(list, ",") {
		switch word {
		case "rolled":
			kinds = append(kinds, "Deployment", "StatefulSet", "DaemonSet")
		case "scaled":
			kinds = append(kinds, "Deployment", "StatefulSet", "ReplicaSet")
		case "apps":
			kinds = append(kinds, "Deployment", "StatefulSet", "DaemonSet", "ReplicaSet")
		case "pod":
			kinds = append(kinds, "Pod")
		case "node":
			kinds = append(kinds, "Node")
		default:
			kinds = append(kinds, word)
		}
	}
	return kinds
}

// object is a tree that kubectl has printed.
type object struct{ tree map[string]any }

func (o *object) kind() string { return fmt.Sprint(o.tree["kind"]) }
func (o *object) name() string { return fmt.Sprint(at(o.tree, "metadata", "name")) }

func (o *object) key() string {
	namespace, _ := at(o.tree, "metadata", "namespace").(string)
	return realserver.Key(o.kind(), namespace, o.name())
}

func (o *object) labels() map[string]string {
	labels := map[string]string{}
	for _, path := range [][]string{{"spec", "selector", "matchLabels"}, {"metadata", "labels"}} {
		m, _ := at(o.tree, path...).(map[string]any)
		for k, v := range m {
			labels[k] = fmt.Sprint(v)
		}
	}
	return labels
}

// label returns the key of a label, or one that nothing has.
func (o *object) label() string {
	for _, key := range slices.Sorted(maps.Keys(o.labels())) {
		return key
	}
	return "app"
}

// container returns a field of the first container.
func (o *object) container(field string) string {
	containers, ok := at(o.tree, "spec", "template", "spec", "containers").([]any)
	if !ok {
		containers, _ = at(o.tree, "spec", "containers").([]any)
	}
	if len(containers) == 0 {
		return "none"
	}
	return fmt.Sprint(at(containers[0], field))
}

// at returns what stands at a path of a tree.
func at(tree any, path ...string) any {
	for _, step := range path {
		m, _ := tree.(map[string]any)
		tree = m[step]
	}
	return tree
}
