package kinds

import (
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

// Absent says whether a word names a type that a cluster has and a simulation does not.
func Absent(word string) bool {
	return slices.Contains([]string{"endpoints", "ep", "lease", "leases"}, word)
}

// absent has the versions of the kinds that a cluster has and a simulation does not. With the table, it has all kinds of the versions
// of complete.
var (
	absent   = map[string]string{"Eviction": "policy/v1", "Binding": "v1", "Endpoints": "v1", "List": "v1", "PodTemplate": "v1"}
	complete = []string{"apps/v1", "policy/v1", "v1"}
)

// Typo says whether a name cannot be that of a kind, because all kinds of the version are known and it is not among them.
func Typo(version, name string) bool {
	return slices.Contains(complete, version) && versions()[name] != version
}

// Custom reports whether the group of a version is not defined by Kubernetes. It may have kinds of the same names: a Service of
// serving.knative.dev, a StatefulSet of apps.kruise.io.
func Custom(version string) bool {
	group, _, _ := strings.Cut(version, "/")
	return strings.Contains(group, ".") && !strings.HasSuffix(group, ".k8s.io")
}

// older are the versions in which servers accept a kind and do not store it.
var older = []string{"autoscaling/v1 HorizontalPodAutoscaler", "gateway.networking.k8s.io/v1beta1 HTTPRoute"}

// Older reports whether servers accept a kind in a version and store it in another one.
func Older(version string, kind api.Kind) bool {
	return slices.Contains(older, version+" "+string(kind))
}

// Gone reports whether no server has a version of a kind any more: the other beta versions of all kinds of the table are removed since 1.26.
func Gone(version string, kind api.Kind) bool {
	return Of(kind).Stored() && strings.Contains(version, "beta") && Of(kind).APIVersion() != version && !Older(version, kind) && !Custom(version)
}

// Nearest returns the version and the name of the kind that was probably meant by a name, "" if none is close.
func Nearest(name string) string {
	known := versions()
	if meant := api.Nearest(name, slices.Collect(maps.Keys(known))); meant != "" {
		return known[meant] + " " + meant
	}
	return ""
}

// versions returns the versions of all kinds that are known, simulated or not.
func versions() map[string]string {
	all := maps.Clone(absent)
	for _, k := range table {
		all[string(k.Name)] = k.APIVersion()
	}
	return all
}
