package validate

import (
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/limits"
)

// Warning is what the API server says about a field of an object that it takes.
type Warning struct{ Field, Detail string }

// String returns the warning as the API server words it: the field is the subject of a detail that says what it is.
func (w Warning) String() string {
	if strings.HasPrefix(w.Detail, "is ") {
		return w.Field + " " + w.Detail
	}
	return w.Field + ": " + w.Detail
}

// Warnings returns what the API server warns of in an object, at most limits.Problems of them, or in how it differs from a stored one,
// which is nil for a new object.
//
// Simplified: of its warnings only those about names of pods, labels of nodes that are out of use, fractions of bytes, variables and
// ports that are declared twice, fields of Services that are ignored, terms about pods without a selector, a negative grace period and a
// history without end (S-4).
func Warnings(o, stored api.Object) (list []Warning) {
	if stored == nil {
		list = nameWarning(o)
	}
	w, isWorkload := o.(api.Workload)
	switch pod, isPod := o.(*api.Pod); {
	case isPod && stored == nil:
		list = append(list, podWarnings("spec", pod.Spec)...)
	case isWorkload && (stored == nil || !api.SpecEqual(o, stored)):
		list = append(list, podWarnings("spec.template.spec", w.Template().Spec)...)
	}
	if s, ok := o.(*api.StatefulSet); ok {
		list = append(list, claimWarnings(s.Spec.VolumeClaimTemplates, stored != nil)...)
		if s.Spec.RevisionHistoryLimit != nil && *s.Spec.RevisionHistoryLimit < 0 {
			list = append(list, Warning{"spec.revisionHistoryLimit", "a negative value retains all historical revisions; a value >= 0 is recommended"})
		}
	}
	if s, ok := o.(*api.Service); ok {
		list = append(list, serviceWarnings(&s.Spec)...)
	}
	return list[:min(len(list), limits.Problems)]
}

// serviceWarnings warns of fields of a Service that nobody reads (api/service/warnings.go:GetWarningsForService).
func serviceWarnings(s *api.ServiceSpec) (list []Warning) {
	warn := func(is bool, field, detail string) {
		if is {
			list = append(list, Warning{"spec." + field, detail})
		}
	}
	headless, other := s.ClusterIP == api.HeadlessIP, s.Type == api.ExternalName
	warn(headless && s.LoadBalancerIP != "", "loadBalancerIP", "is ignored for headless services")
	warn(headless && len(s.ExternalIPs) > 0, "externalIPs", "is ignored for headless services")
	warn(headless && s.SessionAffinity != "None", "SessionAffinity", "is ignored for headless services")
	warn(!headless && !other && len(s.ExternalIPs) > 0, "externalIPs", "is deprecated and may no longer be implemented in some clusters")
	warn(other && len(s.ExternalIPs) > 0, "externalIPs", `is ignored when spec.type is "ExternalName"`)
	warn(!other && s.ExternalName != "", "externalName", `is ignored when spec.type is not "ExternalName"`)
	warn(api.Given(s.TrafficDistribution) == api.PreferClose, "trafficDistribution", `"PreferClose" is deprecated; use "PreferSameZone"`)
	return list
}

// nameWarning warns of a name that cannot be that of a host.
func nameWarning(o api.Object) []Warning {
	of := map[api.Kind]string{api.KindPod: "the Pod's hostname", api.KindDeployment: "Pod names and hostnames",
		api.KindReplicaSet: "Pod names and hostnames"}[o.Key().Kind]
	wrong := checkLabelName(o.Meta().Name)
	if of == "" || len(wrong) == 0 {
		return nil
	}
	return []Warning{{"metadata.name", "this is used in " + of + ", which can result in surprising behavior; a DNS label is recommended: [" +
		strings.Join(wrong, " ") + "]"}}
}

// newLabels are the labels of nodes that have taken the place of others (api/node/util.go:deprecatedNodeLabels).
var newLabels = map[string]string{
	"beta.kubernetes.io/arch":                  `deprecated since v1.14; use "kubernetes.io/arch" instead`,
	"beta.kubernetes.io/os":                    `deprecated since v1.14; use "kubernetes.io/os" instead`,
	"beta.kubernetes.io/instance-type":         `deprecated since v1.17; use "node.kubernetes.io/instance-type" instead`,
	"failure-domain.beta.kubernetes.io/region": `deprecated since v1.17; use "topology.kubernetes.io/region" instead`,
	"failure-domain.beta.kubernetes.io/zone":   `deprecated since v1.17; use "topology.kubernetes.io/zone" instead`,
	"node-role.kubernetes.io/master":           `use "node-role.kubernetes.io/control-plane" instead`,
}

// podWarnings returns those about a pod (api/pod/warnings.go).
func podWarnings(field string, s *api.PodSpec) (list []Warning) {
	for _, label := range slices.Sorted(maps.Keys(s.NodeSelector)) {
		if says := newLabels[label]; says != "" {
			list = append(list, Warning{field + ".nodeSelector[" + label + "]", says})
		}
	}
	for at, c := range eachContainer(field, s) {
		list = append(list, fractions(at, c)...)
		list = append(list, hiddenVariables(at, c)...)
	}
	list = append(list, portWarnings(field, s)...)
	list = append(list, selectsNone(field, s.Tree())...)
	if s.TerminationGracePeriodSeconds < 0 && field != "spec" { // in a pod it is 1 by now
		list = append(list, Warning{field + ".terminationGracePeriodSeconds", "must be >= 0; negative values are invalid and will be treated as 1"})
	}
	return list
}

// eachContainer yields the containers of a spec and where they are, those that initialise first.
func eachContainer(field string, s *api.PodSpec) iter.Seq2[string, api.Fields] {
	return func(yield func(string, api.Fields) bool) {
		for _, name := range []string{"initContainers", "containers"} {
			for i, c := range api.Fields(s.Tree()).Items(name) {
				if !yield(item(field+"."+name, i), c) {
					return
				}
			}
		}
	}
}

// fractions warns of parts of bytes: 128m, for which somebody meant 128M.
func fractions(at string, c api.Fields) (list []Warning) {
	for _, name := range []string{"memory", "ephemeral-storage"} {
		for _, what := range []string{"limits", "requests"} {
			if q, _ := c.Object("resources").Object(what)[name].(api.Quantity); !q.IsWhole() {
				list = append(list, fraction(at+".resources."+what+"["+name+"]", q))
			}
		}
	}
	return list
}

func fraction(field string, q api.Quantity) Warning {
	return Warning{field, fmt.Sprintf("fractional byte value %q is invalid, must be an integer", q)}
}

// claimWarnings are those about sizes. In what it says of a changed set, the API server names the spec as Go does.
func claimWarnings(claims []api.PersistentVolumeClaim, changed bool) (list []Warning) {
	for i := range claims {
		field := item("spec.volumeClaimTemplates", i)
		if changed {
			field += ".Spec"
		}
		q, err := api.ParseQuantity(claims[i].Spec.Object("resources").Object("requests").Text("storage"))
		if err == nil && !q.IsWhole() {
			list = append(list, fraction(field+".resources.requests[storage]", q))
		}
	}
	return list
}

// hiddenVariables warns of variables that take the place of one with the same name, and do not refer to it.
func hiddenVariables(at string, c api.Fields) (list []Warning) {
	seen := map[string]bool{}
	for i, e := range c.Items("env") {
		name, ref := e.Text("name"), "$("+e.Text("name")+")"
		if value := e.Text("value"); seen[name] && (e["valueFrom"] != nil || value == ref || !strings.Contains(value, ref)) {
			list = append(list, Warning{item(at+".env", i), fmt.Sprintf("hides previous definition of %q, which may be dropped when using apply", name)})
		}
		seen[name] = true
	}
	return list
}

// declared is an entry of a container's ports.
type declared struct {
	at, name, ip string
	host         int64
}

// selectsNone warns of what should be near or far from pods, and has no selector of them.
func selectsNone(field string, spec api.Fields) (list []Warning) {
	check := func(at string, term api.Fields) {
		if term.Object("labelSelector") == nil {
			list = append(list, Warning{at + ".labelSelector", "a null labelSelector results in matching no pod"})
		}
	}
	for i, c := range spec.Items("topologySpreadConstraints") {
		check(item(field+".topologySpreadConstraints", i), c)
	}
	for _, name := range []string{"podAffinity", "podAntiAffinity"} {
		at, pods := field+".affinity."+name, spec.Object("affinity").Object(name)
		for i, term := range pods.Items(requiredTerms[1:]) {
			check(item(at+requiredTerms, i), term)
		}
		for i, weighted := range pods.Items(preferredTerms[1:]) {
			check(item(at+preferredTerms, i)+".podAffinityTerm", weighted.Object("podAffinityTerm"))
		}
	}
	return list
}

// portWarnings warns of ports that are declared twice, and then of names that two ports have.
func portWarnings(field string, s *api.PodSpec) (list []Warning) {
	ports, names := map[string][]declared{}, map[string]string{}
	var twice []Warning
	for at, c := range eachContainer(field, s) {
		for i, p := range c.Items("ports") {
			port := declared{item(at+".ports", i), p.Text("name"), p.Text("hostIP"), p.Number("hostPort")}
			key := fmt.Sprint(p.Number("containerPort"), "/", p.Text("protocol"))
			for _, other := range ports[key][:min(len(ports[key]), limits.Problems)] {
				if how := port.repeats(other); how != "" {
					list = append(list, Warning{port.at, how + " port definition with " + other.at})
				}
			}
			ports[key] = append(ports[key], port)
			if other := names[port.name]; other != "" {
				twice = append(twice, Warning{port.at, fmt.Sprintf("duplicate port name %q with %s, services and probes that select ports by name will use %s",
					port.name, other, other)})
			} else if port.name != "" {
				names[port.name] = port.at
			}
		}
	}
	return append(list, twice...)
}

// repeats says how a port stands in the way of another with the same number; "" if it does not.
func (p declared) repeats(other declared) string {
	switch {
	case p.ip == other.ip && p.host == other.host:
		return "duplicate"
	case p.host == 0 || other.host == 0:
		return "overlapping"
	case p.host == other.host && (p.ip == "") != (other.ip == ""):
		return "dangerously ambiguous"
	}
	return ""
}
