// Package command writes the kubectl lines that the controls run, and the names of objects in them.
package command

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/rollplay/rollplay/engine/past"
)

// The lines that the controls run. Each can be pasted into a terminal.

func SetImage(workload, container, image string) string {
	return fmt.Sprintf("kubectl set image %s %s=%s", Target(workload), container, image) + InNamespace(workload)
}

func Scale(workload string, replicas int) string {
	return fmt.Sprintf("kubectl scale %s --replicas=%d", Target(workload), replicas) + InNamespace(workload)
}

// SetPartition holds an update back from the pods below an ordinal.
func SetPartition(workload string, partition int) string {
	return Patch(workload, fmt.Sprintf(`{"spec":{"updateStrategy":{"type":"RollingUpdate","rollingUpdate":{"partition":%d}}}}`, partition))
}

// SetBound patches maxSurge or maxUnavailable: a percentage, or a number. A DaemonSet has its bounds in another place.
func SetBound(workload, bound, value string) string {
	strategy := "strategy"
	if Kind(workload) == "DaemonSet" {
		strategy = "updateStrategy"
	}
	if strings.HasSuffix(value, "%") {
		value = `"` + value + `"`
	}
	return Patch(workload, fmt.Sprintf(`{"spec":{"%s":{"rollingUpdate":{"%s":%s}}}}`, strategy, bound, value))
}

// SetMinReady patches how long a pod must be Ready to count as available.
func SetMinReady(workload string, seconds int) string {
	return Patch(workload, fmt.Sprintf(`{"spec":{"minReadySeconds":%d}}`, seconds))
}

// Patch is a strategic merge patch.
func Patch(workload, patch string) string {
	return fmt.Sprintf("kubectl patch %s -p '%s'", Target(workload), patch) + InNamespace(workload)
}

// Rollout is for restart, pause, resume and undo.
func Rollout(workload, verb string) string {
	return fmt.Sprintf("kubectl rollout %s %s", verb, Target(workload)) + InNamespace(workload)
}

// Drain empties a node.
func Drain(node string) string {
	return "kubectl drain " + node + " --ignore-daemonsets --delete-emptydir-data"
}

func DeletePod(namespace, pod string) string {
	return "kubectl delete pod " + pod + InNamespace("Pod/"+namespace+"/"+pod)
}

// Target turns Deployment/default/web into deployment/web.
func Target(workload string) string {
	return strings.ToLower(Kind(workload)) + "/" + Name(workload)
}

// InNamespace is the flag of a workload's namespace, "" for the default one.
func InNamespace(workload string) string { return past.ParseKey(workload).NamespaceFlag() }

// Kind is the kind of an object, which is written Kind/namespace/name, or Kind/name as a node.
func Kind(object string) string { return string(past.ParseKey(object).Kind) }

// Namespace is the namespace of an object, "" of a node.
func Namespace(object string) string { return past.ParseKey(object).Namespace }

// Name is the name of an object, also of a key without a kind.
func Name(object string) string { return object[strings.LastIndexByte(object, '/')+1:] }

// SuggestImage suggests another tag: with its last number increased by one.
func SuggestImage(image string) string {
	const digits = "0123456789"
	end := strings.LastIndexAny(image, digits) + 1
	start := len(strings.TrimRight(image[:end], digits))
	colon := strings.LastIndexByte(image, ':')
	if colon < strings.LastIndexByte(image, '/') || start <= colon || start == end || end-start > 9 {
		if i := strings.LastIndexByte(image, '/'); colon <= i {
			return image + ":2"
		}
		return image + "-2"
	}
	n, _ := strconv.Atoi(image[start:end])
	return fmt.Sprintf("%s%d%s", image[:start], n+1, image[end:])
}

// Short writes Deployment/default/web as kubectl does: deployment/web.
func Short(object string) string {
	if object == "" {
		return ""
	}
	return Target(object)
}

// KeyNamespace is the namespace of namespace/name, as pods and ReplicaSets are written.
func KeyNamespace(key string) string { return key[:max(0, strings.IndexByte(key, '/'))] }

// SplitImage parts an image into what stays and what a new version changes: the tag, or the digest. The first part ends with
// the sign between them.
func SplitImage(image string) (repository, tag string) {
	if i := strings.IndexByte(image, '@'); i >= 0 {
		return image[:i+1], image[i+1:]
	}
	if i := strings.LastIndexByte(image, ':'); i > strings.LastIndexByte(image, '/') {
		return image[:i+1], image[i+1:]
	}
	return image + ":", ""
}

// JoinImage is the image that somebody means who types a tag, a digest or a whole image in the place of a tag.
func JoinImage(image, typed string) string {
	name, _, _ := strings.Cut(image, "@")
	repository, _ := SplitImage(name)
	switch {
	case strings.HasPrefix(typed, "sha256:"):
		return strings.TrimSuffix(repository, ":") + "@" + typed
	case strings.ContainsAny(typed, ":/@"):
		return typed
	}
	return repository + typed
}

// IsBound says whether a value is a number, or a percentage.
func IsBound(value string) bool {
	n, err := strconv.Atoi(strings.TrimSuffix(value, "%"))
	return err == nil && n >= 0
}

// Stepped is the bound one step up or down: a pod, or five percent. It does not go below zero.
func Stepped(value string, by int) string {
	number, percent := strings.CutSuffix(value, "%")
	n, err := strconv.Atoi(number)
	if err != nil {
		return value
	}
	if percent {
		return strconv.Itoa(max(0, n+5*by)) + "%"
	}
	return strconv.Itoa(max(0, n+by))
}

// Brief names what a line does in a few words, as a branch is called: image 1.19.2, maxSurge 0, replicas 4, rollout undo.
func Brief(line string, apply bool) string {
	if apply {
		return "apply"
	}
	words := strings.Fields(strings.TrimPrefix(line, "kubectl "))
	verb := ""
	if len(words) > 0 {
		verb = words[0]
	}
	name := strings.Join(words[:min(len(words), 3)], " ")
	switch i := strings.LastIndexByte(line, '='); {
	case verb == "scale" && i >= 0:
		name = "replicas " + firstWord(line[i+1:])
	case verb == "set" && i >= 0 && len(words) > 1 && words[1] == "image":
		image := firstWord(line[i+1:])
		_, tag := SplitImage(image)
		name = "image " + cmp.Or(tag, image)
	case verb == "patch":
		if field, value := lastField(line); field != "" {
			name = field + " " + value
		}
	}
	if r := []rune(name); len(r) > briefMax {
		return string(r[:briefMax-1]) + "…"
	}
	return name
}

// briefMax bounds such a name.
const briefMax = 28

func firstWord(s string) string {
	word, _, _ := strings.Cut(s, " ")
	return word
}

// lastField is the innermost field of a patch that sets a single one, with its value.
func lastField(line string) (field, value string) {
	from, to := strings.IndexByte(line, '{'), strings.LastIndexByte(line, '}')
	if from < 0 || to < from {
		return "", ""
	}
	patch := strings.Trim(line[from:to], "{}")
	i := strings.LastIndexByte(patch, ':')
	if i < 0 || strings.Contains(patch, ",") {
		return "", ""
	}
	name := strings.TrimSpace(patch[:i])
	name = strings.Trim(name[strings.LastIndexAny(name, "{ ")+1:], `"`)
	return name, strings.Trim(strings.TrimSpace(patch[i+1:]), `"`)
}
