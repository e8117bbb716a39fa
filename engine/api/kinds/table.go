package kinds

import (
	_ "embed" // the table
	"slices"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/limits"
)

// table lists the kinds in the order in which they are offered.
var table = []*Kind{
	{Name: api.KindDeployment, Group: "apps", Version: "v1", Plural: "deployments", Short: "deploy", New: object[api.Deployment],
		Revisions: true, Zeros: []string{}, InAll: 5, InPalette: 1, InTables: 1},
	{Name: api.KindReplicaSet, Group: "apps", Version: "v1", Plural: "replicasets", Short: "rs", New: object[api.ReplicaSet],
		Dependent: true, Zeros: []string{"replicas"}, InAll: 6, InPalette: 4, InTables: 2},
	{Name: api.KindStatefulSet, Group: "apps", Version: "v1", Plural: "statefulsets", Short: "sts", New: object[api.StatefulSet],
		Revisions: true, Zeros: []string{"availableReplicas", "replicas"}, InAll: 7, InPalette: 2, InTables: 3},
	{Name: api.KindDaemonSet, Group: "apps", Version: "v1", Plural: "daemonsets", Short: "ds", New: object[api.DaemonSet],
		Revisions: true, InAll: 4, InPalette: 3, InTables: 4,
		Zeros: []string{"currentNumberScheduled", "desiredNumberScheduled", "numberMisscheduled", "numberReady"}},
	{Name: api.KindPod, Version: "v1", Plural: "pods", Short: "po", New: object[api.Pod],
		Dependent: true, InAll: 1, InPalette: 8, InTables: 11},
	{Name: api.KindNode, Version: "v1", Plural: "nodes", Short: "no", New: object[api.Node],
		Cluster: true, Most: limits.Nodes, Generation: Never, InPalette: 7, InTables: 8},
	{Name: api.KindPodDisruptionBudget, Group: "policy", Version: "v1", Plural: "poddisruptionbudgets", Short: "pdb",
		New: object[api.PodDisruptionBudget], Most: limits.Budgets, InPalette: 5, InTables: 6,
		Zeros: []string{"currentHealthy", "desiredHealthy", "disruptionsAllowed", "expectedPods"}},
	{Name: api.KindHorizontalPodAutoscaler, Group: "autoscaling", Version: "v2", Plural: "horizontalpodautoscalers", Short: "hpa",
		New: object[api.HorizontalPodAutoscaler], Most: limits.Scalers, Generation: 37, InAll: 8, InPalette: 6, InTables: 7, // HPA-1
		Zeros: []string{"desiredReplicas"}},
	{Name: api.KindResourceQuota, Version: "v1", Plural: "resourcequotas", Short: "quota", New: object[api.ResourceQuota],
		Most: limits.Quotas, Generation: Never, Zeros: []string{}},
	{Name: api.KindService, Version: "v1", Plural: "services", Short: "svc", New: object[api.Service], Most: limits.Services,
		Generation: Never, InAll: 3, InTables: 9},
	{Name: api.KindEndpointSlice, Group: "discovery.k8s.io", Version: "v1", Plural: "endpointslices", New: object[api.EndpointSlice],
		Internal: true, Dependent: true, InTables: 10},
	{Name: api.KindControllerRevision, Group: "apps", Version: "v1", Plural: "controllerrevisions", New: object[api.ControllerRevision],
		Internal: true, Dependent: true, Generation: Never, InTables: 5},
	{Name: api.KindPersistentVolumeClaim, Version: "v1", Plural: "persistentvolumeclaims", Short: "pvc",
		New: object[api.PersistentVolumeClaim], Internal: true, Dependent: true, Generation: Never},
	{Name: api.KindEvent, Version: "v1", Plural: "events", Short: "ev"},
}

// object returns a new object of a type.
func object[T any, P interface {
	*T
	api.Object
}]() api.Object {
	return P(new(T))
}

//go:embed stored.txt
var storedKinds string

func init() {
	for text := range strings.Lines(storedKinds) {
		words := strings.Fields(text)
		if words[0] == "#" {
			continue
		}
		has := func(word string) bool { return slices.Contains(words[4:], word) }
		k := &Kind{Name: api.Kind(words[1]), Plural: words[2], Short: strings.Trim(words[3], "-"), Most: limits.Stored, Generation: Never,
			Inert: true, Acts: has("acts"), Routes: has("routes"), Cluster: has("cluster"),
			New: func() api.Object { return &api.Stored{Kind: api.Kind(words[1])} }}
		if k.Group, k.Version, _ = strings.Cut(words[0], "/"); k.Version == "" {
			k.Group, k.Version = "", k.Group
		}
		if has("counts") {
			k.Generation = 0
		}
		if has("replicas") {
			k.Zeros = []string{"replicas"}
		}
		for _, word := range words[4:] {
			if rank, in := strings.CutPrefix(word, "all="); in {
				k.InAll, _ = strconv.Atoi(rank)
			}
		}
		Add(k)
	}
}
