package scenario

import (
	"fmt"
	"slices"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/controllers/autoscaler"
)

// Load is the cpu that all ready pods of a workload use together, from a moment on.
type Load = autoscaler.Load

// load reads an entry of the load: {of: deployment/web, at: 60s, cpu: 2500m}. Without `of` it is about the workload of the
// entry before, without `at` it holds from the beginning.
func (r *specReader) load(path string, v any) {
	var l Load
	of, cpu := "", false
	if r.object(path, v, fields{
		"of": r.text(&of),
		"at": r.duration(&l.At),
		"cpu": func(p string, v any) {
			s, _ := word(v)
			q, err := api.ParseQuantity(s)
			if err != nil || q.Cmp(api.Quantity{}) < 0 {
				r.invalid(p, v, "must be a quantity of cpu: 2, 500m")
			}
			l.CPU, cpu = q.Milli(), true
		},
	}) == nil {
		return
	}
	before, ok := r.scenario.Load, true
	switch {
	case of != "":
		l.Of, ok = loadKey(of)
	case len(before) > 0:
		l.Of = before[len(before)-1].Of
	default:
		r.required(path + ".of")
	}
	if !ok {
		r.invalid(path+".of", of, "must be deployment/NAME, statefulset/NAME or replicaset/NAME, or with a namespace kind/NAMESPACE/NAME")
	}
	if !cpu {
		r.required(path + ".cpu")
	}
	r.scenario.Load = append(before, l)
}

// loadKey reads deployment/web or deployment/shop/web.
func loadKey(of string) (api.Key, bool) {
	kind, name, _ := strings.Cut(of, "/")
	scaled := kinds.Where(func(k *kinds.Kind) bool { return k.Scales() && k.Singular() == kind })
	if len(scaled) == 0 {
		return api.Key{}, false
	}
	key := keyOf(scaled[0], name)
	return key, key.Namespace != "" && key.Name != "" && !strings.Contains(key.Name, "/")
}

// unmeasured says what an autoscaler does whose metrics are not all known, "" for any other.
func unmeasured(h *api.HorizontalPodAutoscaler, loads []Load) string {
	of := func(resource string) bool {
		return slices.ContainsFunc(h.Spec.Metrics, func(m api.MetricSpec) bool { return m.Resource.Name == resource })
	}
	target := h.Target()
	loaded := slices.ContainsFunc(loads, func(l Load) bool { return l.Of == h.Target() })
	name := fmt.Sprintf("HorizontalPodAutoscaler %q ", h.Name)
	const bounded = "finds no metrics, and only keeps to minReplicas and maxReplicas; "
	switch target.Kind = api.Kind(strings.ToLower(string(target.Kind))); {
	case !of("cpu"):
		return name + bounded + "what memory pods use is not simulated"
	case !loaded:
		return name + bounded + fmt.Sprintf("a Scenario with `load: [{of: %s, cpu: 500m}]` has some", target)
	case of("memory"):
		return name + "does not scale down: what memory pods use is not simulated, and without one of its metrics it only scales up"
	}
	return ""
}
