package print

import "github.com/rollplay/rollplay/engine/api"

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
