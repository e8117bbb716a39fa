package print

import (
	"github.com/rollplay/rollplay/engine/api"
)

// Group is the objects of a type that one table shows.
type Group struct {
	Kind    api.Kind
	Objects []api.Object // also events
}

// Flat returns the objects of all groups.
func Flat(groups []Group) (objects []api.Object) {
	for _, g := range groups {
		objects = append(objects, g.Objects...)
	}
	return objects
}

// KubernetesVersion is the version that is played: kubectl, the API server and the kubelets have the same.
const KubernetesVersion = "v1.37.1"

// QOSClass says how a pod fares when its node runs out of something (component-helpers/scheduling/corev1/qos:GetPodQOS).
func QOSClass(spec *api.PodSpec) string {
	guaranteed, requests := true, false
	for _, containers := range [...][]api.Container{spec.InitContainers, spec.Containers} {
		for i := range containers {
			r := &containers[i].Resources
			for _, name := range [...]string{"cpu", "memory"} {
				request, _ := r.Request(name)
				limit := r.Limits[name]
				requests = requests || !request.IsZero() || !limit.IsZero()
				guaranteed = guaranteed && !limit.IsZero() && request.Cmp(limit) == 0
			}
		}
	}
	switch {
	case !requests:
		return "BestEffort"
	case guaranteed:
		return "Guaranteed"
	}
	return "Burstable"
}
