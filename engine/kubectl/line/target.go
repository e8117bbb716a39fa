package line

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// kindEvent is what `kubectl get events` is about. Events are no objects here, but records.
const KindEvent api.Kind = "Event"

// kindNames are the names under which kubectl knows a kind. Not every kind has a short one.
type KindNames struct {
	kind                    api.Kind
	singular, Plural, short string
	Group                   string // the API group, or for the core group nothing
}

// version is that of the API in which the kind is read and written.
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

// storedKinds are those that have objects.
var StoredKinds = []api.Kind{api.KindDeployment, api.KindReplicaSet, api.KindStatefulSet, api.KindDaemonSet, api.KindPod, api.KindNode,
	api.KindPodDisruptionBudget, api.KindHorizontalPodAutoscaler, api.KindResourceQuota, api.KindControllerRevision, api.KindPersistentVolumeClaim}

// manifestKinds are those that a person writes; only controllers make the others.
var manifestKinds = StoredKinds[:9]

// allKinds is what `all` stands for, in the order in which kubectl prints it.
var allKinds = []api.Kind{api.KindPod, api.KindDaemonSet, api.KindDeployment, api.KindReplicaSet, api.KindStatefulSet}

// otherKinds are the names of kinds that a cluster has and a simulation has not, in short and in long.
var otherKinds = strings.Fields("cm configmap configmaps job jobs cj " +
	"cronjob cronjobs svc service services ep endpoints ing ingress ingresses ns namespace namespaces secret secrets sa " +
	"serviceaccount serviceaccounts pv persistentvolume persistentvolumes rc replicationcontroller " +
	"replicationcontrollers limits limitrange limitranges netpol networkpolicy networkpolicies sc storageclass storageclasses " +
	"pc priorityclass priorityclasses crd customresourcedefinition customresourcedefinitions lease leases role roles " +
	"rolebinding rolebindings clusterrole clusterroles clusterrolebinding clusterrolebindings")

// findKind returns the kind that a word names: deploy, deployments.apps, deployments.v1.apps.
func FindKind(word string) (api.Kind, error) {
	name, group, qualified := strings.Cut(strings.ToLower(word), ".")
	for i := range kindTable {
		k := &kindTable[i]
		if name == "" || name != k.singular && name != k.Plural && name != k.short {
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

// namesOf returns the names of a kind of the table.
func NamesOf(kind api.Kind) *KindNames {
	for i := range kindTable {
		if kindTable[i].kind == kind {
			return &kindTable[i]
		}
	}
	panic("kubectl: no names for the kind " + string(kind))
}

// pluralList joins the names of kinds: deployments, replicasets and pods.
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

// errMixed is the answer to `get pod pod/web`; upstream's sentence has no closing bracket either.
var errMixed = errors.New("there is no need to specify a resource type as a separate argument when passing arguments in " +
	"resource/name form (e.g. 'kubectl get resource/<resource_name>' instead of 'kubectl get resource resource/<resource_name>'")

// takeResources reads what a verb is about: `type/name …`, `type name …` or `type,type`
// (cli-runtime pkg/resource/builder.go:ResourceTypeOrNameArgs).
func (c *Command) takeResources(words []string) error {
	if len(words) > 1 && strings.Contains(words[0], ",") {
		words = crossed(words)
	}
	slashes := 0
	for _, w := range words {
		if strings.Contains(w, "/") {
			slashes++
		}
	}
	var err error
	switch {
	case len(words) == 0:
	case slashes == len(words):
		err = c.takeTypeNames(words)
	case slashes > 0:
		err = errMixed
	default:
		err = c.takeTypeAndNames(words)
	}
	if err == nil {
		err = c.checkKinds()
	}
	if err != nil {
		return err
	}
	return c.checkSelection(slashes > 0)
}

// crossed makes `pod/a pod/b rs/a rs/b` of `pod,rs a b`.
func crossed(words []string) (out []string) {
	for kind := range strings.SplitSeq(words[0], ",") {
		for _, name := range words[1:] {
			out = append(out, kind+"/"+name)
		}
	}
	return out
}

func (c *Command) takeTypeNames(words []string) error {
	for _, w := range words {
		kind, name, _ := strings.Cut(w, "/")
		switch {
		case strings.Contains(name, "/"):
			return errors.New("arguments in resource/name form may not have more than one slash")
		case kind == "" || name == "" || strings.Contains(kind, ","):
			return errors.New("arguments in resource/name form must have a single resource and name")
		}
		k, err := FindKind(kind)
		if err != nil {
			return err
		}
		c.AddTarget(k, name)
	}
	return nil
}

func (c *Command) takeTypeAndNames(words []string) error {
	kinds, err := findKinds(words[0])
	if err != nil {
		return err
	}
	if len(words) == 1 {
		c.Kinds = kinds
		return nil
	}
	if len(kinds) > 1 { // all web
		return errors.New("you must specify only one resource")
	}
	for _, name := range words[1:] {
		c.AddTarget(kinds[0], name)
	}
	return nil
}

func (c *Command) AddTarget(kind api.Kind, name string) {
	c.Targets = append(c.Targets, api.Key{Kind: kind, Namespace: c.NamespaceOf(kind), Name: name})
}

func (c *Command) NamespaceOf(kind api.Kind) string {
	if kind == api.KindNode {
		return ""
	}
	return c.Namespace
}

// checkKinds refuses kinds that the verb does not work on.
func (c *Command) checkKinds() error {
	known := c.entry.kinds
	if known == nil {
		known = StoredKinds
	}
	for _, t := range c.Targets {
		if !slices.Contains(known, t.Kind) {
			if c.entry.unsupported != nil {
				return c.entry.unsupported(t)
			}
			return c.wrongKind(t.Kind, known)
		}
	}
	for _, k := range c.Kinds {
		if !slices.Contains(known, k) {
			return c.wrongKind(k, known)
		}
	}
	return nil
}

func (c *Command) wrongKind(kind api.Kind, known []api.Kind) error {
	return fmt.Errorf("rollplay models %q for %s, not for %s", "kubectl "+c.Verb, PluralList(known), NamesOf(kind).Plural)
}

// checkSelection refuses names together with a selector, types without names where the verb needs them, and nothing.
func (c *Command) checkSelection(slash bool) error {
	selects := c.All || c.Selector != nil
	switch {
	case selects && len(c.Targets) > 0 && slash:
		return errors.New("selectors and the all flag cannot be used when passing resource/name arguments")
	case selects && len(c.Targets) > 0:
		return errors.New("name cannot be provided when a selector is specified")
	case c.AllNamespaces && len(c.Targets) > 0 && c.Targets[0].Namespace != "":
		return errors.New("a resource cannot be retrieved by name across all namespaces")
	case len(c.Targets)+len(c.Kinds) == 0:
		return c.nothingNamed(selects)
	case len(c.Kinds) > 0 && !selects && !c.entry.bulk:
		return errors.New("resource(s) were provided, but no name was specified")
	}
	return nil
}

// nothingNamed is the answer to a verb without an object.
func (c *Command) nothingNamed(selects bool) error {
	switch {
	case c.entry.optional:
		return nil
	case c.entry.missing != "":
		return errors.New(c.entry.missing)
	case selects:
		return errors.New("at least one resource must be specified to use a selector")
	}
	return errors.New(`You must provide one or more resources by argument or filename.
Example resource specifications include:
   '-f rsrc.yaml'
   '--filename=rsrc.json'
   '<resource> <name>'
   '<resource>'`)
}
