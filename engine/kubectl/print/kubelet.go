package print

import (
	"cmp"
	"encoding/hex"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/api"
)

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
	fill(status, "observedGeneration", generation)
	for _, c := range status.Items("conditions") {
		if c.Text("reason") != "EvictionByEvictionAPI" { // which the API server sets
			fill(c, "observedGeneration", generation)
		}
	}
	fill(status, "startTime", TimeText(started))
	fillAddress(status, "hostIP", api.NodeIP(pod.NodeName))
	fillAddress(status, "podIP", pod.IP())
	fillContainerIDs(ContainerStatuses(status), pod)
}

// fillAddress adds an address and the list with it, if there is one.
func fillAddress(status api.Fields, field, address string) {
	if address != "" {
		fill(status, field, address)
		fill(status, field+"s", []any{map[string]any{"ip": address}})
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
		fill(c, "containerID", id)
		c["imageID"] = ImageID(c.Text("image"))
		fill(ended, "containerID", id)
		if c.Object("state").Object("waiting") == nil {
			id = containerID(pod, name, restart-1)
		}
		fill(last, "containerID", id)
	}
}

// tokenPath is where every container finds the token of its service account.
const tokenPath = "/var/run/secrets/kubernetes.io/serviceaccount"

// fillAccount adds what the admission plugins ServiceAccount and Priority add.
//
// Simplified: it appears when the pod is bound to a node. In a cluster a pod has it from its creation.
func fillAccount(spec api.Fields, pod *api.Pod) {
	if pod.NodeName == "" {
		return
	}
	fill(spec, "serviceAccountName", "default")
	fill(spec, "serviceAccount", spec["serviceAccountName"])
	fill(spec, "priority", float64(0))
	fill(spec, "preemptionPolicy", "PreemptLowerPriority")
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
	file := func(list ...any) []any { return list }
	spec["volumes"] = append(volumes, map[string]any{"name": token, "projected": map[string]any{"defaultMode": float64(420), "sources": []any{
		map[string]any{"serviceAccountToken": map[string]any{"expirationSeconds": float64(3607), "path": "token"}},
		map[string]any{"configMap": map[string]any{"name": "kube-root-ca.crt", "items": file(map[string]any{"key": "ca.crt", "path": "ca.crt"})}},
		map[string]any{"downwardAPI": map[string]any{"items": file(map[string]any{"path": "namespace",
			"fieldRef": map[string]any{"apiVersion": "v1", "fieldPath": "metadata.namespace"}})}},
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
