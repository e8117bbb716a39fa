package kinds

import (
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/limits"
)

// storedKinds are the kinds that are stored and not simulated, one a line: version, name, plural, short name (- if there is none), and
// words. "cluster": objects have no namespace. "counts": changes of the spec are counted. "acts": a controller of a real cluster would do
// something with an object. "routes": objects name Services, and only the model of their requests reads them.
const storedKinds = `
v1 ConfigMap configmaps cm
v1 Secret secrets -
v1 Namespace namespaces ns cluster
v1 ServiceAccount serviceaccounts sa
v1 LimitRange limitranges limits acts
v1 PersistentVolume persistentvolumes pv cluster acts
batch/v1 Job jobs - counts acts
batch/v1 CronJob cronjobs cj counts acts
networking.k8s.io/v1 Ingress ingresses ing counts routes
networking.k8s.io/v1 IngressClass ingressclasses - cluster counts
networking.k8s.io/v1 NetworkPolicy networkpolicies netpol counts acts
storage.k8s.io/v1 StorageClass storageclasses sc cluster
scheduling.k8s.io/v1 PriorityClass priorityclasses pc cluster counts acts
rbac.authorization.k8s.io/v1 Role roles -
rbac.authorization.k8s.io/v1 RoleBinding rolebindings -
rbac.authorization.k8s.io/v1 ClusterRole clusterroles - cluster
rbac.authorization.k8s.io/v1 ClusterRoleBinding clusterrolebindings - cluster
apiextensions.k8s.io/v1 CustomResourceDefinition customresourcedefinitions crd cluster counts acts
gateway.networking.k8s.io/v1 HTTPRoute httproutes - counts routes`

func init() {
	for text := range strings.Lines(strings.TrimSpace(storedKinds)) {
		words := strings.Fields(text)
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
		Add(k)
	}
}
