package print

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
)

// Served returns an object as -o yaml and -o json show it: with the fields that the API server fills in and that nothing here reads.
func Served(o api.Object) map[string]any {
	tree := ObjectTree(o)
	f := api.Fields(tree)
	if o.Meta().Terminating() {
		f.Object("metadata").SetAbsent("deletionGracePeriodSeconds", float64(0))
	}
	spec, status := f.Object("spec"), f.Object("status")
	switch o := o.(type) {
	case *api.ControllerRevision:
		fillContainers(f.Object("data").Object("spec").Object("template").Object("spec"))
	case *api.Pod:
		fillContainers(spec)
		fillOfPods(spec)
		spec.SetAbsent("enableServiceLinks", true)
		if status == nil {
			status = api.Fields{"phase": "Pending"}
			tree["status"] = map[string]any(status)
		}
		status.SetAbsent("qosClass", QOSClass(o.Spec))
		for _, c := range status.Items("conditions") {
			c.SetAbsent("lastProbeTime", nil)
		}
		fillClaims(spec, o)
		fillAccount(spec, o)
		fillStates(status)
		fillPodStatus(status, o)
		fillTolerations(spec, o)
	case *api.Node:
		fillNode(f, o)
	case *api.Service:
		if o.Spec.Type == api.ExternalName { // what it had as another type stays in the store
			delete(spec, "internalTrafficPolicy")
		}
	case *api.ResourceQuota:
		f.SetAbsent("spec", map[string]any{})
	case *api.PodDisruptionBudget:
		f.SetAbsent("spec", map[string]any{})
		for _, c := range status.Items("conditions") {
			c.SetAbsent("message", "")
			c.SetAbsent("observedGeneration", float64(o.Status.ObservedGeneration))
		}
	default:
		fillContainers(spec.Object("template").Object("spec"))
		fillContainers(spec.Object("jobTemplate").Object("spec").Object("template").Object("spec"))
		for _, claim := range spec.Items("volumeClaimTemplates") {
			claim.SetAbsent("apiVersion", "v1")
			claim.SetAbsent("kind", "PersistentVolumeClaim")
			claim.SetAbsent("status", map[string]any{"phase": "Pending"})
		}
	}
	if status := kinds.Of(o.Key().Kind).EmptyStatus(); status != nil && tree["status"] == nil {
		tree["status"] = status
	}
	if o.Key().Kind == api.KindHorizontalPodAutoscaler {
		f.Object("status").SetAbsent("currentMetrics", nil)
	}
	return tree
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
		c.SetAbsent("imageID", "")
		c.SetAbsent("lastState", map[string]any{})
		for _, state := range []string{"state", "lastState"} {
			ended := c.Object(state).Object("terminated")
			ended.SetAbsent("exitCode", float64(0))
			ended.SetAbsent("startedAt", nil) // unknown of a container that was lost
			ended.SetAbsent("finishedAt", nil)
		}
	}
}

// ContainerStatuses lists the statuses of a pod's containers, those that initialise first.
func ContainerStatuses(status api.Fields) []api.Fields {
	return append(status.Items("initContainerStatuses"), status.Items("containerStatuses")...)
}

func fillContainers(spec api.Fields) {
	for _, c := range api.ContainersOf(spec) {
		c.SetAbsent("resources", map[string]any{})
		for _, env := range c.Items("env") {
			if ref := env.Object("valueFrom").Object("resourceFieldRef"); len(ref) > 0 {
				ref.SetAbsent("divisor", "0")
			}
		}
	}
}

// fillOfPods fills in what a pod has and its template has not (core/v1/defaults.go:SetDefaults_Pod): requests where there are limits, ports
// of the node in its network, and a second in place of a negative grace period.
func fillOfPods(spec api.Fields) {
	onNode, _ := spec["hostNetwork"].(bool)
	for _, c := range api.ContainersOf(spec) {
		resources := c.Object("resources")
		for name, limit := range resources.Object("limits") {
			resources.SetAbsent("requests", map[string]any{})
			resources.Object("requests").SetAbsent(name, limit)
		}
		for _, port := range c.Items("ports") {
			if onNode {
				port.SetAbsent("hostPort", port["containerPort"])
			}
		}
	}
	if spec.Number("terminationGracePeriodSeconds") < 0 {
		spec["terminationGracePeriodSeconds"] = float64(1)
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

func fillNode(f api.Fields, node *api.Node) {
	f.SetAbsent("spec", map[string]any{})
	status := f.Make("status")
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
		own := &node.Status.Conditions[i]
		c["lastHeartbeatTime"] = TimeText(max(own.LastUpdateTime, own.LastTransitionTime))
	}
}

// TimeText prints a moment in RFC 3339.
func TimeText(t api.Time) string {
	text, _ := t.MarshalText() // which never fails
	return string(text)
}

// What kubelets and admission fill in and nothing in the engine reads is computed from the object when it is printed (K-54, K-55), so it
// costs no memory, and it is the same in every replay.

// containerID names one run of a container.
func containerID(pod *api.Pod, name string, restart int) string {
	return "containerd://" + hex.EncodeToString(api.Digest(32, pod.UID, name, strconv.Itoa(restart)))
}

// ImageID is the name of an image in a registry, with its digest.
func ImageID(image string) string {
	parts := api.SplitImage(image)
	name := api.FullImage(parts.Name)
	return name + "@" + cmp.Or(parts.Digest, "sha256:"+hex.EncodeToString(api.Digest(32, name, parts.Tag)))
}

// fillPodStatus adds what a kubelet reports of every pod.
func fillPodStatus(status api.Fields, pod *api.Pod) {
	started := pod.StartTime()
	if started == 0 {
		return
	}
	generation := float64(max(1, pod.Status.ObservedGeneration))
	status.SetAbsent("observedGeneration", generation)
	for _, c := range status.Items("conditions") {
		if c.Text("reason") != "EvictionByEvictionAPI" { // which the API server sets
			c.SetAbsent("observedGeneration", generation)
		}
	}
	status.SetAbsent("startTime", TimeText(started))
	fillAddress(status, "hostIP", api.NodeIP(pod.NodeName))
	fillAddress(status, "podIP", pod.IP())
	fillContainerIDs(ContainerStatuses(status), pod)
}

// fillAddress adds an address and the list with it, if there is one.
func fillAddress(status api.Fields, field, address string) {
	if address != "" {
		status.SetAbsent(field, address)
		status.SetAbsent(field+"s", []any{map[string]any{"ip": address}})
	}
}

// fillContainerIDs adds the IDs of containers that have run, and of their last runs.
func fillContainerIDs(statuses []api.Fields, pod *api.Pod) {
	for _, c := range statuses {
		name, restart := c.Text("name"), int(c.Number("restartCount"))
		ended, last := c.Object("state").Object("terminated"), c.Object("lastState").Object("terminated")
		if c.Object("state").Object("waiting") != nil && last == nil {
			continue
		}
		id := containerID(pod, name, restart)
		c.SetAbsent("containerID", id)
		c["imageID"] = ImageID(c.Text("image"))
		ended.SetAbsent("containerID", id)
		if c.Object("state").Object("waiting") == nil {
			id = containerID(pod, name, restart-1)
		}
		last.SetAbsent("containerID", id)
	}
}

// tokenPath is where every container finds the token of its service account.
const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount"

// fillAccount adds what the admission plugins ServiceAccount and Priority add.
//
// Simplified: it appears when the pod is bound to a node or a kubelet has seen it. In a cluster a pod has it from its creation.
func fillAccount(spec api.Fields, pod *api.Pod) {
	if pod.StartTime() == 0 {
		return
	}
	spec.SetAbsent("serviceAccountName", "default")
	spec.SetAbsent("serviceAccount", spec["serviceAccountName"])
	spec.SetAbsent("priority", float64(0))
	spec.SetAbsent("preemptionPolicy", "PreemptLowerPriority")
	if spec["automountServiceAccountToken"] == false {
		return
	}
	token := "kube-api-access-" + hex.EncodeToString(api.Digest(3, "token", pod.UID))[:5]
	for _, c := range api.ContainersOf(spec) {
		mounts, _ := c["volumeMounts"].([]any)
		for _, m := range c.Items("volumeMounts") {
			if m.Text("mountPath") == tokenPath {
				return
			}
		}
		c["volumeMounts"] = append(mounts, map[string]any{"mountPath": tokenPath, "name": token, "readOnly": true})
	}
	volumes, _ := spec["volumes"].([]any)
	spec["volumes"] = append(volumes, map[string]any{"name": token, "projected": map[string]any{"defaultMode": float64(420), "sources": []any{
		map[string]any{"serviceAccountToken": map[string]any{"expirationSeconds": float64(3607), "path": "token"}},
		map[string]any{"configMap": map[string]any{"name": "kube-root-ca.crt", "items": []any{map[string]any{"key": "ca.crt", "path": "ca.crt"}}}},
		map[string]any{"downwardAPI": map[string]any{"items": []any{map[string]any{"path": "namespace",
			"fieldRef": map[string]any{"apiVersion": "v1", "fieldPath": "metadata.namespace"}}}}},
	}}})
}

// nodeInfo is what a node says about its system.
//
// Simplified: all nodes run the same system; architecture and operating system are those of their labels.
func nodeInfo(node *api.Node) map[string]any {
	uuid := func(of string) string {
		b := api.Digest(16, of, node.UID)
		return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
	}
	return map[string]any{
		"machineID": strings.ReplaceAll(uuid("machine"), "-", ""), "systemUUID": uuid("system"), "bootID": uuid("boot"),
		"kernelVersion": KernelVersion, "osImage": OSImage, "operatingSystem": cmp.Or(node.Labels["kubernetes.io/os"], "linux"),
		"architecture": Architecture(node), "containerRuntimeVersion": RuntimeVersion, "kubeletVersion": KubernetesVersion, "kubeProxyVersion": "",
	}
}

// Architecture is that of the node's label, if there is such a one: the label may have been changed.
func Architecture(node *api.Node) string {
	if arch := node.Labels["kubernetes.io/arch"]; strings.HasPrefix(arch, "arm") || arch == "ppc64le" || arch == "s390x" || arch == "riscv64" {
		return arch
	}
	return "amd64"
}

// The system of every node.
const (
	KernelVersion  = "6.12.48"
	OSImage        = "Debian GNU/Linux 13 (trixie)"
	RuntimeVersion = "containerd://2.1.4"
)

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
