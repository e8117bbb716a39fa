package realserver

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// resources are the names under which the registries keep kinds.
var resources = map[string]string{
	"Deployment": "deployments.apps", "ReplicaSet": "replicasets.apps", "StatefulSet": "statefulsets.apps",
	"DaemonSet": "daemonsets.apps", "ControllerRevision": "controllerrevisions.apps", "Pod": "pods", "Node": "nodes",
	"Event": "events", "PodDisruptionBudget": "poddisruptionbudgets.policy", "ResourceQuota": "resourcequotas",
	"HorizontalPodAutoscaler": "horizontalpodautoscalers.autoscaling", "PersistentVolumeClaim": "persistentvolumeclaims",
	"Namespace": "namespaces", "ReplicationController": "replicationcontrollers", "ConfigMap": "configmaps", "Secret": "secrets",
	"Job": "jobs.batch", "CronJob": "cronjobs.batch", "Service": "services", "EndpointSlice": "endpointslices.discovery.k8s.io",
}

// Key returns where an object is kept, by which both sides' objects are compared.
func Key(kind, namespace, name string) string {
	resource, ok := resources[kind]
	if !ok {
		panic("realserver: no resource for the kind " + kind)
	}
	return keyOf(resource, namespace, name)
}

// Load stores objects as they are, past the registries: through the codec once, as etcd would hold them.
func (m *Memory) Load(items []json.RawMessage) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	newest := m.version
	for _, item := range items {
		var o map[string]any
		if err := json.Unmarshal(item, &o); err != nil {
			return err
		}
		meta, _ := o["metadata"].(map[string]any)
		if version, err := strconv.ParseUint(fmt.Sprint(meta["resourceVersion"]), 10, 64); err == nil {
			m.version = version - 1 // that of the object, not of the last one
		}
		delete(meta, "resourceVersion")
		namespace, _ := meta["namespace"].(string)
		key := Key(fmt.Sprint(o["kind"]), namespace, fmt.Sprint(meta["name"]))
		text, err := stored(o)
		if err != nil {
			return fmt.Errorf("%s: %w", key, err)
		}
		m.write(key, text)
		newest = max(newest, m.version)
	}
	m.version = newest
	m.loaded()
	return nil
}

// Remove takes an object away, past the registries, if it is there.
func (m *Memory) Remove(key string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, ok := m.entries[key]; ok {
		m.write(key, nil)
		m.loaded()
	}
}

func stored(o map[string]any) ([]byte, error) {
	text, err := json.Marshal(o)
	if err != nil {
		return nil, err
	}
	version := fmt.Sprint(o["apiVersion"])
	group, _, named := strings.Cut(version, "/")
	if !named {
		group = ""
	}
	codec := codecOf(group)
	obj, _, err := codec.Decode(text, nil, nil)
	if err != nil {
		return nil, err
	}
	var b bytes.Buffer
	err = codec.Encode(obj, &b)
	return b.Bytes(), err
}
