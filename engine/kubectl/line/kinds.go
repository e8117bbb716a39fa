package line

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// KindEvent is what `kubectl get events` is about. Events are records here, not objects.
const KindEvent api.Kind = "Event"

// KindNames are the names under which kubectl knows a kind. Not every kind has a short one.
type KindNames struct {
	kind                    api.Kind
	singular, Plural, Short string
	Group                   string // the API group, or for the core group nothing
}

// Version is that of the API in which the kind is read and written.
func (k *KindNames) Version() string {
	if k.kind == api.KindHorizontalPodAutoscaler {
		return "v2"
	}
	return "v1"
}

// kindTable lists the kinds in the order in which they are offered.
var kindTable = []KindNames{
	{api.KindDeployment, "deployment", "deployments", "deploy", "apps"},
	{api.KindReplicaSet, "replicaset", "replicasets", "rs", "apps"},
	{api.KindStatefulSet, "statefulset", "statefulsets", "sts", "apps"},
	{api.KindDaemonSet, "daemonset", "daemonsets", "ds", "apps"},
	{api.KindPod, "pod", "pods", "po", ""},
	{api.KindNode, "node", "nodes", "no", ""},
	{api.KindPodDisruptionBudget, "poddisruptionbudget", "poddisruptionbudgets", "pdb", "policy"},
	{api.KindHorizontalPodAutoscaler, "horizontalpodautoscaler", "horizontalpodautoscalers", "hpa", "autoscaling"},
	{api.KindResourceQuota, "resourcequota", "resourcequotas", "quota", ""},
	{api.KindControllerRevision, "controllerrevision", "controllerrevisions", "", "apps"},
	{api.KindPersistentVolumeClaim, "persistentvolumeclaim", "persistentvolumeclaims", "pvc", ""},
	{KindEvent, "event", "events", "ev", ""},
}

// StoredKinds are those that have objects.
var StoredKinds = []api.Kind{api.KindDeployment, api.KindReplicaSet, api.KindStatefulSet, api.KindDaemonSet, api.KindPod, api.KindNode,
	api.KindPodDisruptionBudget, api.KindHorizontalPodAutoscaler, api.KindResourceQuota, api.KindControllerRevision, api.KindPersistentVolumeClaim}

// manifestKinds are those that a person writes; only controllers make the others.
var manifestKinds = StoredKinds[:9]

// allKinds is what `all` stands for, in the order in which kubectl prints it.
var allKinds = []api.Kind{api.KindPod, api.KindDaemonSet, api.KindDeployment, api.KindReplicaSet, api.KindStatefulSet,
	api.KindHorizontalPodAutoscaler}

// otherKinds are the names of kinds that a cluster has and a simulation has not, in short and in long.
var otherKinds = strings.Fields("cm configmap configmaps job jobs cj " +
	"cronjob cronjobs svc service services ep endpoints ing ingress ingresses ns namespace namespaces secret secrets sa " +
	"serviceaccount serviceaccounts pv persistentvolume persistentvolumes rc replicationcontroller " +
	"replicationcontrollers limits limitrange limitranges netpol networkpolicy networkpolicies sc storageclass storageclasses " +
	"pc priorityclass priorityclasses crd customresourcedefinition customresourcedefinitions lease leases role roles " +
	"rolebinding rolebindings clusterrole clusterroles clusterrolebinding clusterrolebindings")

// FindKind returns the kind that a word names: deploy, deployments.apps, deployments.v1.apps.
func FindKind(word string) (api.Kind, error) {
	name, group, qualified := strings.Cut(strings.ToLower(word), ".")
	for i := range kindTable {
		k := &kindTable[i]
		if name == "" || name != k.singular && name != k.Plural && word != k.Short { // short names are not found in capitals
			continue
		}
		if !qualified || group == k.Group || group == k.Version()+"."+k.Group || group == "v1" && k.Group == "" {
			return k.kind, nil
		}
		return "", fmt.Errorf("the server doesn't have a resource type %q in group %q", name, group)
	}
	if slices.Contains(otherKinds, name) {
		return "", fmt.Errorf("rollplay does not simulate %s; it simulates %s", word, PluralList(StoredKinds))
	}
	return "", fmt.Errorf("the server doesn't have a resource type %q", word)
}

// KindsByGroup lists all kinds by group and name.
func KindsByGroup() (kinds []api.Kind) {
	table := slices.Clone(kindTable)
	slices.SortFunc(table, func(a, b KindNames) int {
		return cmp.Or(strings.Compare(a.Group, b.Group), strings.Compare(a.Plural, b.Plural))
	})
	for i := range table {
		kinds = append(kinds, table[i].kind)
	}
	return kinds
}

// NamesOf returns the names of a kind of the table.
func NamesOf(kind api.Kind) *KindNames {
	for i := range kindTable {
		if kindTable[i].kind == kind {
			return &kindTable[i]
		}
	}
	panic("kubectl: no names for the kind " + string(kind))
}

// PluralList joins the names of kinds: deployments, replicasets and pods.
func PluralList(kinds []api.Kind) string {
	text := ""
	for i, k := range kinds {
		switch {
		case i > 0 && i == len(kinds)-1:
			text += " and "
		case i > 0:
			text += ", "
		}
		text += NamesOf(k).Plural
	}
	return text
}

// findKinds reads a list of types: rs,pods. `all` stands for several.
func findKinds(list string) (kinds []api.Kind, err error) {
	for word := range strings.SplitSeq(list, ",") {
		if strings.ToLower(word) == "all" {
			kinds = append(kinds, allKinds...)
			continue
		}
		kind, err := FindKind(word)
		if err != nil {
			return nil, err
		}
		if !slices.Contains(kinds, kind) {
			kinds = append(kinds, kind)
		}
	}
	return kinds, nil
}

// ResourceVersion names a resource as the API machinery does in errors.
func ResourceVersion(kind api.Kind) string {
	n := NamesOf(kind)
	return n.Group + "/" + n.Version() + ", Resource=" + n.Plural
}

// ResourceName returns what kubectl calls an object in its answers: deployment.apps/web.
func ResourceName(key api.Key) string {
	kind := strings.ToLower(string(key.Kind))
	if _, group, ok := strings.Cut(key.Kind.Resource(), "."); ok {
		kind += "." + group
	}
	return kind + "/" + key.Name
}

// APIVersion returns the group and the version of a kind.
func APIVersion(kind api.Kind) string {
	if names := NamesOf(kind); names.Group != "" {
		return names.Group + "/" + names.Version()
	}
	return "v1"
}

// PluralName names an object as kubectl wait does where it gives it up: deployments/web.
func PluralName(key api.Key) string { return NamesOf(key.Kind).Plural + "/" + key.Name }
