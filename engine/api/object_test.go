package api

import "testing"

// TestCopy: whatever is changed in a copy stays in the copy, also in lists and maps of the metadata, the spec and the status. Pod
// templates are shared.
func TestCopy(t *testing.T) {
	template := PodTemplateSpec{Labels: map[string]string{"app": "web"}}
	set := &StatefulSet{ObjectMeta: ObjectMeta{Name: "a", Labels: map[string]string{"a": "1"}, Finalizers: []string{"x"}},
		Spec:   StatefulSetSpec{Template: template, VolumeClaimTemplates: []PersistentVolumeClaim{{ObjectMeta: ObjectMeta{Name: "data"}}}},
		Status: StatefulSetStatus{Conditions: []Condition{{Type: "A"}}}}
	c := Copy(set)
	c.Name, c.Labels["a"], c.Finalizers[0] = "b", "2", "y"
	c.Spec.VolumeClaimTemplates[0].Name, c.Status.Conditions[0].Type = "other", "B"
	if set.Name != "a" || set.Labels["a"] != "1" || set.Finalizers[0] != "x" || set.Spec.VolumeClaimTemplates[0].Name != "data" ||
		set.Status.Conditions[0].Type != "A" {
		t.Errorf("a change of the copy changed the original: %+v", set)
	}
	if !SameMap(c.Spec.Template.Labels, template.Labels) {
		t.Error("the copy has a template of its own")
	}
	budget := &PodDisruptionBudget{Status: PodDisruptionBudgetStatus{DisruptedPods: map[string]Time{"p": 1}}}
	if Copy(Object(budget)).(*PodDisruptionBudget).Status.DisruptedPods["p"] = 2; budget.Status.DisruptedPods["p"] != 1 {
		t.Error("the copy shares a map of its status")
	}
}

// TestEqual: specs and statuses are equal as the API server sees them, and each of their fields counts.
func TestEqual(t *testing.T) {
	one, two := int32(1), int32(1)
	for name, c := range map[string]struct {
		a, b         Object
		spec, status bool
	}{
		"nil and empty maps": {&PodDisruptionBudget{}, &PodDisruptionBudget{Status: PodDisruptionBudgetStatus{DisruptedPods: map[string]Time{}}}, true, true},
		"a map's value": {&PodDisruptionBudget{Status: PodDisruptionBudgetStatus{DisruptedPods: map[string]Time{"p": 1}}},
			&PodDisruptionBudget{Status: PodDisruptionBudgetStatus{DisruptedPods: map[string]Time{"p": 2}}}, true, false},
		"nil and empty lists": {&Node{}, &Node{Spec: NodeSpec{Taints: []Taint{}}}, true, true},
		"one more in a list":  {&Node{}, &Node{Spec: NodeSpec{Taints: []Taint{{Key: "a"}}}}, false, true},
		"equal amounts": {&ResourceQuota{Spec: ResourceQuotaSpec{Hard: map[string]Quantity{"memory": MustQuantity("1Gi")}}},
			&ResourceQuota{Spec: ResourceQuotaSpec{Hard: map[string]Quantity{"memory": MustQuantity("1024Mi")}}}, true, true},
		"what pointers lead to":   {&Deployment{Spec: DeploymentSpec{Replicas: &one}}, &Deployment{Spec: DeploymentSpec{Replicas: &two}}, true, true},
		"nil and zero":            {&Deployment{}, &Deployment{Spec: DeploymentSpec{Replicas: new(int32)}}, false, true},
		"a field beside the spec": {&DaemonSet{TemplateGeneration: 1}, &DaemonSet{TemplateGeneration: 2}, false, true},
		"the node of a pod":       {&Pod{}, &Pod{NodeName: "a"}, false, true},
		"a condition":             {&Pod{}, &Pod{Status: PodStatus{Conditions: []Condition{{Type: "Ready"}}}}, true, false},
		"the metadata":            {&Pod{}, &Pod{ObjectMeta: ObjectMeta{Name: "a"}}, true, true},
		"no status":               {&ControllerRevision{Revision: 1}, &ControllerRevision{Revision: 2}, false, true},
		"any fields": {&PersistentVolumeClaim{Spec: Fields{"a": map[string]any{"b": int64(1)}}},
			&PersistentVolumeClaim{Spec: Fields{"a": map[string]any{"b": int64(2)}}}, false, true},
	} {
		if spec, status := SpecEqual(c.a, c.b), StatusEqual(c.a, c.b); spec != c.spec || status != c.status {
			t.Errorf("%s: specs are equal: %t, statuses: %t; want %t and %t", name, spec, status, c.spec, c.status)
		}
	}
}

// TestTitle checks the name of an object for people, and what they may write for it.
func TestTitle(t *testing.T) {
	web := Key{Kind: KindDeployment, Namespace: "shop", Name: "web"}
	for key, want := range map[Key]string{
		web: "deployment/web -n shop",
		{Kind: KindDeployment, Namespace: "default", Name: "web"}: "deployment/web",
		{Kind: KindNode, Name: "node-1"}:                          "node/node-1",
	} {
		if key.Title() != want || !key.IsNamed(want) {
			t.Errorf("%v: got %s, want %s", key, key.Title(), want)
		}
	}
	for text, want := range map[string]bool{"web": true, "Deployment/web": true, "deployment/shop/web": true, "web -n shop": true,
		"web -n default": false, "Web": false, "shop/web": false, "statefulset/web": false, "": false} {
		if web.IsNamed(text) != want {
			t.Errorf("%q names %s: %v", text, web, !want)
		}
	}
}
