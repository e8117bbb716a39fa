package api

import (
	"strings"
	"testing"
)

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

// TestCheckImage checks names of images that people write. The judge of the kubelet compares it with the real one's parser.
func TestCheckImage(t *testing.T) {
	digest := "sha256:" + strings.Repeat("0a", 32)
	for image, want := range map[string]string{
		"nginx": "", "nginx:1.19": "", "registry.example:5000/a/b_c@" + digest: "", "Registry/a": "",
		"a:1@" + digest[:70]:            "invalid checksum digest length",
		"a@" + strings.ToUpper(digest):  "invalid reference format: repository name (library/a@SHA256) must be lowercase",
		"a:1@md5" + digest[6:]:          "unsupported digest algorithm",
		"a:1@SHA256" + digest[6:]:       "invalid checksum digest format",
		"Nginx":                         "invalid reference format: repository name (library/Nginx) must be lowercase",
		"A_b/c":                         "repository name must be lowercase",
		"ko://a.b/c":                    "invalid reference format",
		"a:1:2":                         "invalid reference format",
		"":                              "invalid reference format",
		digest[7:]:                      "invalid repository name (" + digest[7:] + "), cannot specify 64-byte hexadecimal strings",
		strings.Repeat("a/", 128):       "invalid reference format",
		strings.Repeat("a/", 128) + "a": "repository name must not be more than 255 characters",
	} {
		if got := CheckImage(image); (got == nil) != (want == "") || got != nil && got.Error() != want {
			t.Errorf("%s: got %v, want %s", image, got, want)
		}
	}
}

// TestSplitImage checks the parts of an image, and its name with the registry that it means.
func TestSplitImage(t *testing.T) {
	for image, want := range map[string]Image{"web": {Name: "web"}, "h:5000/a/web": {Name: "h:5000/a/web"}, "h:5000/web:1@sha256:2": {"h:5000/web", "1", "sha256:2"}} {
		if got := SplitImage(image); got != want || got.Base() != "web" {
			t.Errorf("%s: got %+v and %s, want %+v", image, got, got.Base(), want)
		}
	}
	for image, want := range map[string]string{"nginx:1": "docker.io/library/nginx:1", "acme/web": "docker.io/acme/web", "docker.io/web": "docker.io/library/web",
		"index.docker.io/a/b": "docker.io/a/b", "localhost/web": "localhost/web", "h:1/web": "h:1/web", "H/web": "H/web"} {
		if got := FullImage(image); got != want {
			t.Errorf("%s: got %s, want %s", image, got, want)
		}
	}
}
