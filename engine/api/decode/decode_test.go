package decode

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
)

// "wrong type: json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32",
// and what else the API server says about what it cannot read. The sentences were compared with upstream's decoder.
func TestDecodeIssues(t *testing.T) {
	const image = "        image: nginx:1.27"
	const quantity = "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'"
	tests := []struct{ name, old, new, path, want string }{
		{"string for a number", "replicas: 3", "replicas: three", "spec.replicas",
			"json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"},
		{"fraction", "replicas: 3", "replicas: 1.5", "spec.replicas",
			"json: cannot unmarshal number 1.5 into Go struct field DeploymentSpec.spec.replicas of type int32"},
		{"overflow", "replicas: 3", "replicas: 3000000000", "spec.replicas",
			"json: cannot unmarshal number 3000000000 into Go struct field DeploymentSpec.spec.replicas of type int32"},
		{"bool for a number", "replicas: 3", "replicas: true", "spec.replicas",
			"json: cannot unmarshal bool into Go struct field DeploymentSpec.spec.replicas of type int32"},
		{"object for a number", "replicas: 3", "replicas: {}", "spec.replicas",
			"json: cannot unmarshal object into Go struct field DeploymentSpec.spec.replicas of type int32"},
		{"string for a bool", "replicas: 3", "paused: maybe", "spec.paused",
			"json: cannot unmarshal string into Go struct field DeploymentSpec.spec.paused of type bool"},
		{"number for a string", image, "        image: 5", "spec.template.spec.containers[0].image",
			"json: cannot unmarshal number into Go struct field Container.spec.template.spec.containers.image of type string"},
		{"number for a named string", image, "        imagePullPolicy: 5", "spec.template.spec.containers[0].imagePullPolicy",
			"json: cannot unmarshal number into Go struct field Container.spec.template.spec.containers.imagePullPolicy of type v1.PullPolicy"},
		{"string for a list", image, "        ports: http", "spec.template.spec.containers[0].ports",
			"json: cannot unmarshal string into Go struct field Container.spec.template.spec.containers.ports of type []v1.ContainerPort"},
		{"array for an object", "selector:\n    matchLabels: {app: web}", "selector: [app]", "spec.selector",
			"json: cannot unmarshal array into Go struct field DeploymentSpec.spec.selector of type v1.LabelSelector"},
		{"number for a label", "{app: web}", "{app: 5}", "spec.selector.matchLabels[app]",
			"json: cannot unmarshal number into Go struct field LabelSelector.spec.selector.matchLabels of type string"},
		{"string for a map", "{app: web}", "app", "spec.selector.matchLabels",
			"json: cannot unmarshal string into Go struct field LabelSelector.spec.selector.matchLabels of type map[string]string"},
		{"inlined struct", image, "        livenessProbe: {httpGet: {path: 5}}", "spec.template.spec.containers[0].livenessProbe.httpGet.path",
			"json: cannot unmarshal number into Go struct field HTTPGetAction.spec.template.spec.containers.livenessProbe.ProbeHandler.httpGet.path of type string"},
		{"bool for a bound", "type: RollingUpdate", "rollingUpdate: {maxSurge: true}", "spec.strategy.rollingUpdate.maxSurge",
			"json: cannot unmarshal bool into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32"},
		{"fraction for a bound", "type: RollingUpdate", "rollingUpdate: {maxSurge: 0.5}", "spec.strategy.rollingUpdate.maxSurge",
			"json: cannot unmarshal number 0.5 into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32"},
		{"quantity", image, "        resources: {limits: {cpu: lots}}", "spec.template.spec.containers[0].resources.limits[cpu]", quantity},
		{"quantity's suffix", image, "        resources: {limits: {cpu: 1mm}}", "spec.template.spec.containers[0].resources.limits[cpu]",
			"unable to parse quantity's suffix"},
		{"unknown field", "replicas: 3", "foo: 3", "spec.foo", `unknown field "spec.foo"`},
		{"unknown field in a list", "image: nginx", "imag: nginx", "spec.template.spec.containers[0].imag",
			`unknown field "spec.template.spec.containers[0].imag"`},
		{"wrong case", "replicas: 3", "Replicas: 3", "spec.Replicas", `unknown field "spec.Replicas"`},
		{"top level", "kind: Deployment", "kind: Deployment\nspecs: {}", "specs", `unknown field "specs"`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o, issues := decodeYAML(t, api.KindDeployment, edit(t, web, test.old, test.new))
			if o != nil || len(issues) != 1 {
				t.Fatalf("got %v and %v, want one issue", o, issues)
			}
			if issues[0].Path != test.path || issues[0].Message != test.want {
				t.Errorf("got  %s: %s\nwant %s: %s", issues[0].Path, issues[0].Message, test.path, test.want)
			}
		})
	}
}

// The API server names one wrong value, the first unless a later one stops it; else all unknown fields.
func TestDecodeMessage(t *testing.T) {
	message := func(pairs ...string) string {
		_, issues := decodeYAML(t, api.KindDeployment, edit(t, web, pairs...))
		return Message(issues)
	}
	tests := []struct{ name, got, want string }{
		{"unknown fields", message("replicas: 3", "foo: 3", "image: nginx", "imag: nginx"),
			`strict decoding error: unknown field "spec.foo", unknown field "spec.template.spec.containers[0].imag"`},
		{"a wrong value hides them", message("replicas: 3", "foo: 3", "image: nginx:1.27", "image: 5"),
			"json: cannot unmarshal number into Go struct field Container.spec.template.spec.containers.image of type string"},
		{"a bound stops the decoder", message("replicas: 3", "paused: 1", "type: RollingUpdate", "rollingUpdate: {maxSurge: true}"),
			"json: cannot unmarshal bool into Go struct field RollingUpdateDeployment.spec.strategy.rollingUpdate.maxSurge of type int32"},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, test.got, test.want)
		}
	}
}

// What `kubectl get -o yaml` prints can be pasted: what the server owns is dropped.
func TestDecodeServerFields(t *testing.T) {
	d := deployment(t, edit(t, web, "name: web", `name: web
  namespace: shop
  uid: 11111111-2222
  resourceVersion: "42"
  generation: 7
  creationTimestamp: "2026-01-01T00:00:00Z"
  selfLink: /x
  managedFields: [{manager: kubectl, operation: Apply, fieldsV1: {"f:spec": {}}}]
  annotations: {deployment.kubernetes.io/revision: "3"}`)+
		"status: {replicas: 3, conditions: [{type: Available, status: \"True\"}], newField: 1}\n")
	if d.UID != "" || d.ResourceVersion != 0 || d.Generation != 0 || d.CreationTimestamp != 0 || d.Status.Replicas != 0 {
		t.Errorf("got %+v", d.ObjectMeta)
	}
	if d.Namespace != "shop" || d.Annotations[api.RevisionAnnotation] != "3" {
		t.Errorf("got %+v", d.ObjectMeta)
	}
	wantErrors(t, validate.Object(d))
}

// D-1 to D-7.
func TestDefaultDeployment(t *testing.T) {
	d := deployment(t, edit(t, web, "  replicas: 3\n", "", "  strategy:\n    type: RollingUpdate\n", ""))
	s := d.Spec
	if *s.Replicas != 1 || s.Strategy.Type != api.RollingUpdate || s.Strategy.RollingUpdate.MaxSurge.String() != "25%" ||
		s.Strategy.RollingUpdate.MaxUnavailable.String() != "25%" || *s.RevisionHistoryLimit != 10 ||
		*s.ProgressDeadlineSeconds != 600 || s.MinReadySeconds != 0 || s.Paused || d.Namespace != "default" {
		t.Errorf("got %+v", s)
	}
	if r := deployment(t, edit(t, web, "type: RollingUpdate", "type: Recreate")).Spec.Strategy.RollingUpdate; r != nil {
		t.Errorf("Recreate: got %+v, want no bounds", r)
	}
}

// Nodes and quotas keep what the simulation reads.
func TestDecodeNodeAndQuota(t *testing.T) {
	o, issues := decodeYAML(t, api.KindNode, "metadata: {name: m1}\nspec: {unschedulable: true, taints: [{key: a, effect: NoSchedule}]}\n"+
		"status: {capacity: {cpu: 4, memory: 8Gi}, nodeInfo: {}}")
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	n := o.(*api.Node)
	if n.Namespace != "" || !n.Spec.Unschedulable || n.Spec.Taints[0].Key != "a" || n.Status.Allocatable["memory"].String() != "8Gi" {
		t.Errorf("got %+v", n)
	}
	o, issues = decodeYAML(t, api.KindResourceQuota, "metadata: {name: q}\nspec: {hard: {pods: 4, requests.cpu: 1500m}}")
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	if q := o.(*api.ResourceQuota); q.Spec.Hard["requests.cpu"].Milli() != 1500 || q.Namespace != "default" {
		t.Errorf("got %+v", q)
	}
}

// TestDefaultClaims: what the server fills in of a claim template stays out of the one that was given.
func TestDefaultClaims(t *testing.T) {
	o, issues := decodeYAML(t, api.KindStatefulSet, `{metadata: {name: db}, spec: {volumeClaimTemplates: [{metadata: {name: data}}]}}`)
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	c := o.(*api.StatefulSet).Spec.VolumeClaimTemplates[0]
	if c.Spec["volumeMode"] != "Filesystem" || c.Status.Phase != "Pending" {
		t.Errorf("got %+v", c)
	}
	given := []api.PersistentVolumeClaim{{Spec: map[string]any{}}}
	if filled := defaultClaims(given); len(given[0].Spec) > 0 || filled[0].Spec["volumeMode"] != "Filesystem" {
		t.Errorf("got %v of %v", filled, given)
	}
}
