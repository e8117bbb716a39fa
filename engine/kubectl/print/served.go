package print

import (
	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// Served returns an object as -o yaml and -o json show it: with the fields that the API server fills in and that nothing here reads.
func Served(o api.Object) map[string]any {
	tree := ObjectTree(o)
	f := api.Fields(tree)
	if o.Meta().Terminating() {
		fill(f.Object("metadata"), "deletionGracePeriodSeconds", float64(0))
	}
	spec, status := f.Object("spec"), f.Object("status")
	switch o := o.(type) {
	case *api.ControllerRevision:
		fillContainers(f.Object("data").Object("spec").Object("template").Object("spec"))
	case *api.Pod:
		fillContainers(spec)
		fillRequests(spec)
		fill(spec, "enableServiceLinks", true)
		if status == nil {
			status = api.Fields{"phase": "Pending"}
			tree["status"] = map[string]any(status)
		}
		fill(status, "qosClass", QOSClass(o.Spec))
		for _, c := range status.Items("conditions") {
			fill(c, "lastProbeTime", nil)
		}
		fillClaims(spec, o)
		fillAccount(spec, o)
		fillStates(status)
		fillPodStatus(status, o)
		fillTolerations(spec, o)
	case *api.Node:
		fillNode(tree, o)
	case *api.ResourceQuota:
		fill(tree, "spec", map[string]any{})
	case *api.PodDisruptionBudget:
		fill(tree, "spec", map[string]any{})
		for _, c := range status.Items("conditions") {
			fill(c, "message", "")
			fill(c, "observedGeneration", float64(o.Status.ObservedGeneration))
		}
	default:
		fillContainers(spec.Object("template").Object("spec"))
		fillContainers(spec.Object("jobTemplate").Object("spec").Object("template").Object("spec"))
		for _, claim := range spec.Items("volumeClaimTemplates") {
			fill(claim, "apiVersion", "v1")
			fill(claim, "kind", "PersistentVolumeClaim")
			fill(claim, "status", map[string]any{"phase": "Pending"})
		}
	}
	if status := kinds.Of(o.Key().Kind).EmptyStatus(); status != nil && tree["status"] == nil {
		tree["status"] = status
	}
	if o.Key().Kind == api.KindHorizontalPodAutoscaler {
		fill(f.Object("status"), "currentMetrics", nil)
	}
	return tree
}

func fill(tree map[string]any, field string, value any) {
	if _, ok := tree[field]; !ok && tree != nil {
		tree[field] = value
	}
}

// fillClaims adds the volumes that a pod has from its StatefulSet: what its containers mount and its spec does not have (S-42).
func fillClaims(spec api.Fields, pod *api.Pod) {
	var claims []any
	own, _ := spec["volumes"].([]any)
	have := map[string]bool{}
	for _, v := range spec.Items("volumes") {
		have[v.Text("name")] = true
	}
	for _, c := range spec.Items("containers") {
		for _, m := range c.Items("volumeMounts") {
			if name := m.Text("name"); !have[name] {
				have[name] = true
				claims = append(claims, map[string]any{"name": name, "persistentVolumeClaim": map[string]any{"claimName": name + "-" + pod.Name}})
			}
		}
	}
	if claims != nil {
		spec["volumes"] = append(claims, own...)
	}
}

// fillStates fills in what a container's status always has.
func fillStates(status api.Fields) {
	for _, c := range ContainerStatuses(status) {
		fill(c, "imageID", "")
		fill(c, "lastState", map[string]any{})
		for _, state := range []string{"state", "lastState"} {
			fill(c.Object(state).Object("terminated"), "exitCode", float64(0))
		}
	}
}

// ContainerStatuses lists the statuses of a pod's containers, those that initialise first.
func ContainerStatuses(status api.Fields) []api.Fields {
	return append(status.Items("initContainerStatuses"), status.Items("containerStatuses")...)
}

func fillContainers(spec api.Fields) {
	for _, c := range api.ContainersOf(spec) {
		fill(c, "resources", map[string]any{})
		for _, env := range c.Items("env") {
			if ref := env.Object("valueFrom").Object("resourceFieldRef"); len(ref) > 0 {
				fill(ref, "divisor", "0")
			}
		}
	}
}

// fillRequests requests what a container of a pod has a limit of, and no request (core/v1/defaults.go:SetDefaults_Pod).
func fillRequests(spec api.Fields) {
	for _, c := range api.ContainersOf(spec) {
		resources := c.Object("resources")
		for name, limit := range resources.Object("limits") {
			fill(resources, "requests", map[string]any{})
			fill(resources.Object("requests"), name, limit)
		}
	}
}

// fillTolerations adds what the admission plugin DefaultTolerationSeconds adds to every pod.
func fillTolerations(tree map[string]any, pod *api.Pod) {
	list, _ := tree["tolerations"].([]any)
	for _, t := range pod.Tolerations()[len(pod.Spec.Tolerations):] {
		list = append(list, map[string]any{"effect": t.Effect, "key": t.Key, "operator": t.Operator, "tolerationSeconds": float64(*t.TolerationSeconds)})
	}
	if list != nil {
		tree["tolerations"] = list
	}
}

func fillNode(tree map[string]any, node *api.Node) {
	fill(tree, "spec", map[string]any{})
	fill(tree, "status", map[string]any{})
	status := api.Fields(tree).Object("status")
	info, port := nodeInfo(node), float64(10250)
	if len(node.Status.Conditions) > 0 {
		status["addresses"] = []any{map[string]any{"type": "InternalIP", "address": api.NodeIP(node.Name)}, map[string]any{"type": "Hostname", "address": node.Name}}
	} else { // of a dry run: no kubelet has reported
		for field := range info {
			info[field] = ""
		}
		port = 0
	}
	status["nodeInfo"] = info
	status["daemonEndpoints"] = map[string]any{"kubeletEndpoint": map[string]any{"Port": port}}
	for i, c := range status.Items("conditions") {
		delete(c, "lastUpdateTime")
		c["lastHeartbeatTime"] = TimeText(Heartbeat(&node.Status.Conditions[i]))
	}
}

// Heartbeat returns when the kubelet last reported a condition.
func Heartbeat(c *api.Condition) api.Time { return max(c.LastUpdateTime, c.LastTransitionTime) }

// TimeText prints a moment in RFC 3339.
func TimeText(t api.Time) string {
	text, _ := t.MarshalText() // which never fails
	return string(text)
}
