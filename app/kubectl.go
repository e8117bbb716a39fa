package app

import (
	"fmt"
	"strings"
)

// The lines that the controls run. Each can be pasted into a terminal.

func setImageLine(workload, container, image string) string {
	return fmt.Sprintf("kubectl set image %s %s=%s", target(workload), container, image) + inNamespace(workload)
}

func scaleLine(workload string, replicas int) string {
	return fmt.Sprintf("kubectl scale %s --replicas=%d", target(workload), replicas) + inNamespace(workload)
}

// partitionLine holds an update back from the pods below an ordinal.
func partitionLine(workload string, partition int) string {
	patch := fmt.Sprintf(`{"spec":{"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":%d}}}}`, partition)
	return fmt.Sprintf("kubectl patch %s -p '%s'", target(workload), patch) + inNamespace(workload)
}

// rolloutLine is for restart, pause, resume and undo.
func rolloutLine(workload, verb string) string {
	return fmt.Sprintf("kubectl rollout %s %s", verb, target(workload)) + inNamespace(workload)
}

func deletePodLine(namespace, pod string) string {
	return "kubectl delete pod " + pod + inNamespace("Pod/"+namespace+"/"+pod)
}

// target turns Deployment/default/web into deployment/web.
func target(workload string) string {
	return strings.ToLower(kindOf(workload)) + "/" + nameOf(workload)
}

func inNamespace(workload string) string {
	if ns := namespaceOf(workload); ns != "" && ns != "default" {
		return " -n " + ns
	}
	return ""
}

// A workload or object is written Kind/namespace/name, a node Kind/name.
func kindOf(object string) string { return part(object, 0) }
func nameOf(object string) string { return object[strings.LastIndexByte(object, '/')+1:] }

func namespaceOf(object string) string {
	if strings.Count(object, "/") < 2 {
		return ""
	}
	return part(object, 1)
}

func part(object string, i int) string {
	parts := strings.SplitN(object, "/", 3)
	if i >= len(parts) {
		return ""
	}
	return parts[i]
}

// suggestImage proposes another tag than the one that runs: the last number of it plus one.
func suggestImage(image string) string {
	end := len(image)
	for end > 0 && !digit(image[end-1]) {
		end--
	}
	start := end
	for start > 0 && digit(image[start-1]) {
		start--
	}
	colon := strings.LastIndexByte(image, ':')
	if colon < strings.LastIndexByte(image, '/') || start <= colon || start == end || end-start > 9 {
		if i := strings.LastIndexByte(image, '/'); colon <= i {
			return image + ":2"
		}
		return image + "-2"
	}
	n := 0
	for _, c := range image[start:end] {
		n = n*10 + int(c-'0')
	}
	return fmt.Sprintf("%s%d%s", image[:start], n+1, image[end:])
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
