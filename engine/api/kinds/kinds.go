// Package kinds is the table of the kinds of objects. An entry has everything about a kind but its Go type
// and its behaviour: names, version, where it may be used, and in which lists it appears. Every list of kinds is a query of this table.
//
// A kind with an entry and a type can be applied, listed, watched, patched, described and deleted, because the API server and kubectl
// treat objects alike. Facts that only one layer uses are in that layer, in a table keyed by kind or a switch over types whose default
// serves the kinds without an entry: defaults (decode), validation (validate), columns (print), descriptions (describe).
package kinds

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// Kind is the entry of a kind.
type Kind struct {
	Name    api.Kind
	Group   string // of the API; empty for the core group
	Version string // of the group
	Plural  string // as in kubectl get deployments
	Short   string // as in kubectl get deploy; empty if there is none

	New        func() api.Object // returns an empty object; nil for events, which are records
	Cluster    bool              // objects have no namespace
	Internal   bool              // only controllers create objects: a manifest is left out
	Dependent  bool              // objects may have owners, with which the garbage collector deletes them
	Inert      bool              // objects are stored, and nothing here looks at them
	Acts       bool              // of an inert kind: a real cluster would do something with an object
	Routes     bool              // of an inert kind: requests to Services come through its objects, see package traffic
	Revisions  bool              // kubectl rollout works, and the page draws the pods
	Generation int               // the first minor version of Kubernetes that counts changes of the spec; Never
	Most       int               // how many objects a cluster may have; 0 if the kind has no limit of its own
	Zeros      []string          // numbers that the status has from the start; nil if there is no status then

	// Ranks in lists that have an order of their own; 0 for kinds that the list does not have.
	InAll     int // kubectl get all
	InPalette int // the page's palette
	InTables  int // the page's tables

	empty api.Object // what New returned when the kind came into the table
}

// Never is the Generation of a kind whose objects have none.
const Never = 1 << 30

// Stored says whether the kind has objects.
func (k *Kind) Stored() bool { return k.New != nil }

// Applied says whether people create objects of the kind.
func (k *Kind) Applied() bool { return k.Stored() && !k.Internal }

// HasTemplate says whether objects of the kind make pods of a template.
func (k *Kind) HasTemplate() bool { return is[api.Workload](k) }

// Scales says whether objects of the kind have a number of replicas.
func (k *Kind) Scales() bool { return is[api.Scalable](k) }

func is[T any](k *Kind) bool {
	_, ok := k.empty.(T)
	return ok
}

// Singular returns the name in lower case.
func (k *Kind) Singular() string { return strings.ToLower(string(k.Name)) }

// APIVersion returns group and version as manifests have them: apps/v1, v1.
func (k *Kind) APIVersion() string { return strings.TrimPrefix(k.Group+"/"+k.Version, "/") }

// Resource returns the plural with the group, as error texts have it: deployments.apps, pods.
func (k *Kind) Resource() string { return strings.TrimSuffix(k.Plural+"."+k.Group, ".") }

// GroupKind returns the name with the group: ReplicaSet.apps, Pod.
func (k *Kind) GroupKind() string { return strings.TrimSuffix(string(k.Name)+"."+k.Group, ".") }

// Word returns a short word for the plural. The short name of nodes would be read as an answer.
func (k *Kind) Word() string {
	if k.Short == "" || k.Short == "no" || k.Short == "po" {
		return k.Plural
	}
	return k.Short
}

// EmptyStatus returns the status of an object to which nothing has happened yet, nil for a kind that has none then.
func (k *Kind) EmptyStatus() map[string]any {
	if k.Zeros == nil {
		return nil
	}
	status := map[string]any{}
	for _, name := range k.Zeros {
		status[name] = float64(0)
	}
	return status
}

var byName = map[api.Kind]*Kind{}

func init() {
	for _, k := range table {
		k.known()
	}
}

func (k *Kind) known() {
	byName[k.Name] = k
	if k.Stored() {
		k.empty = k.New()
	}
}

// Add adds a kind to the table, behind the others. It is for programs and tests that bring types of their own, before they start a run.
func Add(k *Kind) {
	table = append(table, k)
	k.known()
}

// All returns every kind of the table, in the order in which kinds are offered.
func All() []*Kind { return table }

// Find returns the entry of a kind, nil if the table has none.
func Find(name api.Kind) *Kind { return byName[name] }

// Of returns the entry of a kind. For a kind that the table does not have it returns one with the names that Kubernetes would guess.
func Of(name api.Kind) *Kind {
	if k := byName[name]; k != nil {
		return k
	}
	return &Kind{Name: name, Version: "v1", Plural: strings.ToLower(string(name)) + "s"}
}

// Where returns the kinds for which something holds, such as (*Kind).Stored, in the order of the table.
func Where(holds func(*Kind) bool) (names []api.Kind) {
	for _, k := range table {
		if holds(k) {
			names = append(names, k.Name)
		}
	}
	return names
}

// Stored returns the kinds that have objects.
func Stored() []api.Kind { return Where((*Kind).Stored) }

// By returns the kinds that have a rank, in its order.
func By(rank func(*Kind) int) []api.Kind {
	names := Where(func(k *Kind) bool { return rank(k) > 0 })
	slices.SortStableFunc(names, func(a, b api.Kind) int { return rank(Of(a)) - rank(Of(b)) })
	return names
}
