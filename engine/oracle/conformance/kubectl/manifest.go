package kubectl

import (
	"fmt"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/rollplay/rollplay/engine/oracle/conformance/generate"
)

// fault is a change of a manifest that makes it wrong, unusual or just another one.
type fault struct{ path, value string }

// podFaults change the template of a workload.
var podFaults = []fault{
	{"spec.template.spec.containers.0.image", `""`}, {"spec.template.spec.containers.0.image", "nginx:9"},
	{"spec.template.spec.containers.0.name", "Bad_Name"}, {"spec.template.spec.containers.0.name", ""},
	{"spec.template.spec.containers.0.imagePullPolicy", "Foo"}, {"spec.template.spec.containers", "[]"},
	{"spec.template.spec.containers.0.resources", "{requests: {cpu: 2}, limits: {cpu: 1}}"},
	{"spec.template.spec.containers.0.resources", "{limits: {cpu: 1}}"}, {"spec.template.spec.containers.0.resources", "{limits: {cpu: x}}"},
	{"spec.template.spec.containers.0.readinessProbe", "{httpGet: {path: /}}"}, {"spec.template.spec.containers.0.readinessProbe", "{periodSeconds: 1}"},
	{"spec.template.spec.containers.0.ports", "[{containerPort: 0}]"}, {"spec.template.spec.containers.0.ports", "[{containerPort: 99999}]"},
	{"spec.template.spec.containers.0.env", "[{name: 1A=}]"}, {"spec.template.spec.containers.0.env", "[{name: A, value: 1}]"},
	{"spec.template.spec.containers.0.foo", "1"}, {"spec.template.spec.restartPolicy", "Never"},
	{"spec.template.spec.terminationGracePeriodSeconds", "-1"}, {"spec.template.spec.nodeSelector", "{a: b c}"},
	{"spec.template.metadata.labels", "{other: x}"}, {"spec.template.metadata.annotations", "{a: 1}"}, {"spec.template", ""},
}

// faults are those of each kind.
var faults = map[string][]fault{
	"": {{"apiVersion", "v9"}, {"apiVersion", ""}, {"kind", "Foo"}, {"kind", ""}, {"metadata.name", "Bad_Name"}, {"metadata.name", ""},
		{"metadata.namespace", "other"}, {"metadata.labels", "{a: b c}"}, {"metadata.labels", "{a: 1}"}, {"metadata.annotations", "{note: hello}"},
		{"foo", "1"}, {"spec.foo", "1"}, {"spec", ""}, {"metadata.generateName", "x-"}},
	"Deployment": append([]fault{{"spec.replicas", "-3"}, {"spec.replicas", "x"}, {"spec.replicas", "4"}, {"spec.selector", ""},
		{"spec.selector", "{matchLabels: {other: x}}"}, {"spec.strategy", "{type: Foo}"}, {"spec.strategy", "{type: Recreate, rollingUpdate: {maxSurge: 1}}"},
		{"spec.strategy", "{rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}"}, {"spec.strategy", "{rollingUpdate: {maxSurge: 150%, maxUnavailable: 150%}}"},
		{"spec.strategy", "{rollingUpdate: {maxSurge: 1.5}}"}, {"spec.minReadySeconds", "10"}, {"spec.minReadySeconds", "-1"},
		{"spec.progressDeadlineSeconds", "5"}, {"spec.revisionHistoryLimit", "-1"}}, podFaults...),
	"StatefulSet": append([]fault{{"spec.replicas", "-3"}, {"spec.replicas", "4"}, {"spec.serviceName", "other"}, {"spec.podManagementPolicy", "Foo"},
		{"spec.updateStrategy", "{rollingUpdate: {partition: -1}}"}, {"spec.updateStrategy", "{rollingUpdate: {partition: 1}}"},
		{"spec.updateStrategy", "{type: Foo}"}, {"spec.updateStrategy", "{type: OnDelete}"}}, podFaults...),
	"DaemonSet": append([]fault{{"spec.updateStrategy", "{rollingUpdate: {maxSurge: 0, maxUnavailable: 0}}"},
		{"spec.updateStrategy", "{rollingUpdate: {maxSurge: 1, maxUnavailable: 1}}"}, {"spec.updateStrategy", "{type: OnDelete}"},
		{"spec.minReadySeconds", "3"}}, podFaults...),
	"ReplicaSet": append([]fault{{"spec.replicas", "-3"}, {"spec.replicas", "2"}}, podFaults...),
	"PodDisruptionBudget": {{"spec.minAvailable", "1"}, {"spec.minAvailable", "-1"}, {"spec.maxUnavailable", "50%"}, {"spec.minAvailable", "x"},
		{"spec.selector", "{matchLabels: {a: b c}}"}, {"spec.unhealthyPodEvictionPolicy", "Foo"}, {"spec.unhealthyPodEvictionPolicy", "AlwaysAllow"}},
	"HorizontalPodAutoscaler": {{"spec.minReplicas", "0"}, {"spec.minReplicas", "20"}, {"spec.maxReplicas", "0"}, {"spec.maxReplicas", "7"},
		{"spec.scaleTargetRef", ""}, {"spec.scaleTargetRef.kind", `""`}},
	"ResourceQuota": {{"spec.hard", "{pods: x}"}, {"spec.hard", "{pods: 3}"}, {"spec.hard", "{foo: 1}"}, {"spec.hard", "{pods: -1}"}},
	"Node": {{"spec.taints", "[{key: a, effect: NoSchedule}]"}, {"spec.taints", "[{key: a, effect: Foo}]"}, {"spec.taints", "[{effect: NoSchedule}]"},
		{"spec.unschedulable", "true"}},
	"Service": {{"spec.type", "NodePort"}, {"spec.type", "LoadBalancer"}, {"spec.type", "ExternalName"}, {"spec.type", "Foo"}, {"spec.clusterIP", ""},
		{"spec.clusterIP", "None"}, {"spec.clusterIP", "10.96.1.1"}, {"spec.clusterIP", "1.2.3.4"}, {"spec.clusterIP", "x"}, {"spec.clusterIPs", ""},
		{"spec.clusterIPs", "[10.96.1.1]"}, {"spec.clusterIPs", "[None]"}, {"spec.clusterIPs", "[a, b, c]"}, {"spec.ports", ""}, {"spec.ports", "[{port: 80}]"},
		{"spec.ports", "[{port: 80, nodePort: 30080}]"}, {"spec.ports", "[{port: 80, nodePort: 80}]"}, {"spec.ports", "[{port: 80}, {port: 80, protocol: UDP}]"},
		{"spec.ports", "[{port: 53, name: a}, {port: 53, protocol: UDP, name: b}]"}, {"spec.ports", "[{port: 53, name: a, nodePort: 30053}, {port: 53, protocol: UDP, name: b}]"},
		{"spec.ports", "[{port: 1, name: a, nodePort: 30053}, {port: 2, name: b, nodePort: 30053}]"}, {"spec.selector", ""}, {"spec.selector", "{a: b c}"},
		{"spec.externalTrafficPolicy", "Local"}, {"spec.healthCheckNodePort", "31000"}, {"spec.healthCheckNodePort", "99"}, {"spec.ipFamilies", "[IPv6]"}, {"spec.ipFamilies", "[IPv4, IPv4]"},
		{"spec.ipFamilies", "[IPv4, IPv6]"}, {"spec.ipFamilyPolicy", "RequireDualStack"}, {"spec.ipFamilyPolicy", "PreferDualStack"}, {"spec.ipFamilyPolicy", "Foo"},
		{"spec.externalName", "a.example.com"}, {"spec.sessionAffinity", "ClientIP"}, {"spec.allocateLoadBalancerNodePorts", "false"}, {"spec.loadBalancerClass", "a/b"},
		{"spec.externalIPs", "[1.2.3.4]"}, {"spec.publishNotReadyAddresses", "true"}, {"spec.trafficDistribution", "PreferClose"}},
	"Pod": {{"spec.containers", "[]"}, {"spec.containers.0.image", "other:1"}, {"spec.restartPolicy", "Foo"}, {"spec.nodeName", "node-9"},
		{"spec.tolerations", "[{key: a, operator: Foo}]"}},
}

// notManifests are here-documents that hold no object, or several.
var notManifests = []string{"foo\n", "a: [\n", "\n", "- a\n", "kind: Deployment\n", "apiVersion: apps/v1\n", "{}\n", "a: b\n\tc: d\n", "42\n"}

// manifest draws one: that of an object, or of a new one like it, with up to three faults.
func (d *drawing) manifest(o *object) string {
	if d.Chance(5) {
		return generate.Pick(d.Random, notManifests...)
	}
	tree := manifestOf(o)
	if d.Chance(40) {
		set(tree, []string{"metadata", "name"}, "brandnew")
	}
	for range generate.Pick(d.Random, 0, 1, 1, 1, 2, 3) {
		list := faults[o.kind()]
		if d.Chance(25) {
			list = faults[""]
		}
		f := generate.Pick(d.Random, list...)
		var value any
		if err := yaml.Unmarshal([]byte(f.value), &value); err != nil {
			panic("kubectl: the fault " + f.value + ": " + err.Error())
		}
		set(tree, strings.Split(f.path, "."), value)
	}
	if at(tree, "metadata", "name") == nil { // the server would make a random name
		set(tree, []string{"metadata", "generateName"}, nil)
	}
	return textOfTree(tree)
}

// manifested draws what a manifest is about.
func (d *drawing) manifested() *object {
	return d.cluster.any(d.Random, []string{"Deployment", "Deployment", "StatefulSet", "DaemonSet", "PodDisruptionBudget",
		"HorizontalPodAutoscaler", "ResourceQuota", "Node", "Pod", "ReplicaSet", "Service", "Service"})
}

func textOfTree(tree map[string]any) string {
	text, err := yaml.Marshal(tree)
	if err != nil {
		panic("kubectl: a manifest cannot be printed: " + err.Error())
	}
	return string(text)
}

// manifestOf returns what a person would write to make an object.
func manifestOf(o *object) map[string]any {
	metadata := map[string]any{"name": o.name()}
	for _, field := range []string{"labels", "annotations"} {
		if v := at(o.tree, "metadata", field); v != nil {
			metadata[field] = v
		}
	}
	tree := clone(map[string]any{"apiVersion": o.tree["apiVersion"], "kind": o.kind(), "metadata": metadata, "spec": o.tree["spec"]}).(map[string]any)
	set(tree, []string{"metadata", "annotations", "deprecated.daemonset.template.generation"}, nil) // the server writes it
	return tree
}

func clone(tree any) any {
	switch v := tree.(type) {
	case map[string]any:
		out := map[string]any{}
		for k, e := range v {
			out[k] = clone(e)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, e := range v {
			out[i] = clone(e)
		}
		return out
	}
	return tree
}

// set puts a value at a path; nil takes away what is there. Where the path leads nowhere, nothing changes.
func set(tree any, path []string, value any) {
	switch v := tree.(type) {
	case map[string]any:
		switch {
		case len(path) > 1:
			set(v[path[0]], path[1:], value)
		case value == nil:
			delete(v, path[0])
		default:
			v[path[0]] = value
		}
	case []any:
		var i int
		if n, err := fmt.Sscan(path[0], &i); n == 1 && err == nil && i < len(v) && len(path) > 1 {
			set(v[i], path[1:], value)
		}
	}
}
