package kubectl

import (
	"encoding/json"
	"fmt"

	"github.com/rollplay/rollplay/engine/api"
)

// Manifest is one object of `kubectl apply`: as it was decoded, defaulted and validated, and the JSON that it was read from.
type Manifest struct {
	Object api.Object
	JSON   []byte
}

// Apply creates or changes objects as `kubectl apply -f` does (K-35): what a manifest said before and says no longer is
// removed, what it says is set, everything else stays as it is in the cluster.
func (k *Kubectl) Apply(manifests []Manifest) Answer {
	var a Answer
	for _, m := range manifests {
		line, err := k.applyOne(m)
		if err != nil {
			line, a.Failed = errorText(err), true
		}
		if a.Output != "" {
			a.Output += "\n"
		}
		a.Output += line
	}
	return a
}

func (k *Kubectl) applyOne(m Manifest) (string, error) {
	key := m.Object.Key()
	stored, err := k.client.Get(key)
	if api.IsReason(err, api.ReasonNotFound) {
		o := m.Object.Copy()
		o.Meta().SetAnnotation(api.LastAppliedAnnotation, string(m.JSON)+"\n")
		if _, err := k.client.Create(o, "applied", nil); err != nil {
			return "", err
		}
		return resourceName(key) + " created", nil
	}
	if err != nil {
		return "", err
	}
	merged, err := mergeManifest(m, stored)
	if err != nil {
		return "", err
	}
	changed, err := k.store(merged, "applied")
	if err != nil {
		return "", err
	}
	if !changed {
		return resourceName(key) + " unchanged", nil
	}
	return resourceName(key) + " configured", nil
}

// mergeManifest does the three-way merge of what was last applied, what is applied now, and what is stored.
func mergeManifest(m Manifest, stored api.Object) (api.Object, error) {
	var last, now map[string]any
	if text := stored.Meta().Annotations[api.LastAppliedAnnotation]; text != "" {
		if err := json.Unmarshal([]byte(text), &last); err != nil {
			return nil, fmt.Errorf("the last-applied-configuration annotation of %s is no JSON: %w", resourceName(stored.Key()), err)
		}
	}
	if err := json.Unmarshal(m.JSON, &now); err != nil {
		return nil, err
	}
	live, err := api.Tree(stored)
	if err != nil {
		return nil, err
	}
	delete(now, "status")
	merged := mergeMaps(last, now, live)
	dropNode(merged, stored)
	text, err := json.Marshal(merged)
	if err != nil {
		return nil, err
	}
	o, issues := api.Decode(stored.Key().Kind, text)
	if len(issues) > 0 {
		return nil, &api.StatusError{Reason: api.ReasonBadRequest, Message: api.DecodeMessage(issues)}
	}
	api.Default(o)
	keepServerFields(o.Meta(), stored.Meta())
	keepNode(o, stored)
	o.Meta().SetAnnotation(api.LastAppliedAnnotation, string(m.JSON)+"\n")
	return o, nil
}

// dropNode takes the node that a pod was bound to out of its spec: here it stands beside the spec (see api.Pod).
func dropNode(merged map[string]any, stored api.Object) {
	pod, ok := stored.(*api.Pod)
	if spec, _ := merged["spec"].(map[string]any); ok && pod.Spec.NodeName == "" && spec["nodeName"] == pod.NodeName {
		delete(spec, "nodeName")
	}
}

// keepNode leaves a pod on the node that it was bound to.
func keepNode(o, stored api.Object) {
	if pod, ok := o.(*api.Pod); ok && pod.NodeName == "" {
		pod.NodeName = stored.(*api.Pod).NodeName
	}
}

// keepServerFields carries over what a manifest cannot change.
func keepServerFields(m, stored *api.ObjectMeta) {
	m.UID, m.ResourceVersion, m.Generation = stored.UID, stored.ResourceVersion, stored.Generation
	m.CreationTimestamp, m.DeletionTimestamp = stored.CreationTimestamp, stored.DeletionTimestamp
	m.DeletionGracePeriodSeconds = stored.DeletionGracePeriodSeconds
	m.OwnerReferences, m.Finalizers = stored.OwnerReferences, stored.Finalizers
}
