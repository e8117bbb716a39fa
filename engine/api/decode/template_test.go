package decode

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
)

// templateOf returns the template of web with words replaced.
func templateOf(t *testing.T, pairs ...string) *api.PodTemplateSpec {
	t.Helper()
	return &deployment(t, edit(t, web, pairs...)).Spec.Template
}

// specText returns the text of a template's spec.
func specText(t *api.PodTemplateSpec) string {
	b, err := json.Marshal(t.Spec)
	if err != nil {
		panic(err)
	}
	return string(b)
}

// Templates that mean the same are equal; writing a default out is no change (A-11, D-32).
func TestTemplateEqual(t *testing.T) {
	const image = "        image: nginx:1.27"
	tests := []struct {
		name       string
		a, b       string // beside the image
		wantEqual  bool
		wantSpells bool // the texts are equal too
	}{
		{"default policy", "", "imagePullPolicy: IfNotPresent", true, true},
		{"other policy", "", "imagePullPolicy: Always", false, false},
		{"default messages", "", "terminationMessagePath: /dev/termination-log\n        terminationMessagePolicy: File", true, true},
		{"default protocol", "ports: [{containerPort: 80}]", "ports: [{containerPort: 80, protocol: TCP}]", true, true},
		{"default probe", "livenessProbe: {httpGet: {port: 80}}", "livenessProbe: {httpGet: {port: 80, path: /, scheme: HTTP}, timeoutSeconds: 1, " +
			"periodSeconds: 10, successThreshold: 1, failureThreshold: 3, initialDelaySeconds: 0}", true, true},
		{"empty list", "", "env: []", true, true},
		{"empty resources", "", "resources: {limits: {}}", true, true},
		{"zero scalar", "", "tty: false", true, true},
		{"zero behind a pointer", "", "securityContext: {privileged: false}", false, false},
		{"empty struct behind a pointer", "", "securityContext: {}", false, false},
		{"null", "", "securityContext: null", true, true},
		{"quantity by value", "resources: {limits: {cpu: 1, memory: 1Gi}}", "resources: {limits: {cpu: 1000m, memory: 1024Mi}}", true, true},
		{"quantity in another format", "resources: {limits: {memory: 1Ki}}", "resources: {limits: {memory: 1024}}", true, false},
		{"other quantity", "resources: {limits: {cpu: 1}}", "resources: {limits: {cpu: 1001m}}", false, false},
		{"order of keys", "ports: [{name: a, containerPort: 80}]", "ports: [{containerPort: 80, name: a}]", true, true},
		{"order of items", "args: [a, b]", "args: [b, a]", false, false},
		{"what is not simulated", "", "workingDir: /x", false, false},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			a := templateOf(t, image, image+"\n        "+test.a)
			b := templateOf(t, image, image+"\n        "+test.b)
			if got := a.Equal(b); got != test.wantEqual {
				t.Errorf("equal: got %v\n%s\n%s", got, specText(a), specText(b))
			}
			if got := a.Hash(nil) == b.Hash(nil); got != test.wantEqual {
				t.Errorf("equal hash: got %v", got)
			}
			if got := specText(a) == specText(b); got != test.wantSpells {
				t.Errorf("equal text: got %v\n%s\n%s", got, specText(a), specText(b))
			}
		})
	}
}

// "after removing the label pod-template-hash on both sides" (D-32).
func TestTemplateEqualIgnoreHash(t *testing.T) {
	a := templateOf(t)
	b := a.WithLabel(api.PodTemplateHashLabel, "5bbdfb5879")
	c := b.WithLabel("tier", "front")
	if _, ok := a.Labels[api.PodTemplateHashLabel]; ok {
		t.Error("WithLabel changed its template")
	}
	if a.Equal(&b) || !a.EqualIgnoreHash(&b) || !b.EqualIgnoreHash(a) || a.EqualIgnoreHash(&c) || c.EqualIgnoreHash(a) {
		t.Error("the hash label must be ignored, and nothing else")
	}
	if d := b.WithoutLabel(api.PodTemplateHashLabel); !d.Equal(a) || len(b.Labels) != 2 {
		t.Error("WithoutLabel must remove the label from a copy")
	}
	if d := a.WithAnnotation(api.RestartedAtAnnotation, "now"); d.EqualIgnoreHash(a) || len(a.Annotations) != 0 {
		t.Error("WithAnnotation must change a copy")
	}
}

// "it must be a pure function of (template, collisionCount) with that look".
func TestHash(t *testing.T) {
	a := templateOf(t)
	seen := map[string]string{}
	withLabel, withAnnotation := a.WithLabel("x", ""), a.WithAnnotation("x", "")
	other := templateOf(t, "nginx:1.27", "nginx:1.28")
	for name, hash := range map[string]string{
		"plain": a.Hash(nil), "first collision": a.Hash(api.Ptr[int32](0)), "second collision": a.Hash(api.Ptr[int32](1)),
		"label": withLabel.Hash(nil), "annotation": withAnnotation.Hash(nil), "image": other.Hash(nil),
	} {
		if strings.Trim(hash, "456789bcdf") != "" || len(hash) > 10 || hash == "" {
			t.Errorf("%s: got %q", name, hash)
		}
		if seen[hash] != "" {
			t.Errorf("%s and %s share %s", name, seen[hash], hash)
		}
		seen[hash] = name
	}
	hashed := a.WithLabel(api.PodTemplateHashLabel, "x")
	if hashed.Hash(nil) != a.Hash(nil) {
		t.Error("the hash depends on its own label")
	}
	// A link made today must always show the same names.
	if got := a.Hash(nil); got != "cdd9575fd" {
		t.Errorf("hash of web: got %s, want cdd9575fd", got)
	}
}

// K-33: `*` is all containers; the error is kubectl's.
func TestWithImage(t *testing.T) {
	a := templateOf(t, "restartPolicy: Always", "initContainers: [{name: init, image: busybox}]")
	tests := []struct {
		container, image string
		changed          bool
		images, wrong    string
	}{
		{"web", "nginx:1.28", true, "busybox nginx:1.28", ""},
		{"init", "alpine:3", true, "alpine:3 nginx:1.27", ""},
		{"*", "x:1", true, "x:1 x:1", ""},
		{"web", "nginx:1.27", false, "busybox nginx:1.27", ""},
		{"x", "nginx", false, "busybox nginx:1.27", `unable to find container named "x"`},
	}
	for _, test := range tests {
		b, err := a.WithImage(test.container, test.image)
		changed, wrong := b.Spec != a.Spec, ""
		if err != nil {
			wrong = err.Error()
		}
		images := b.Spec.InitContainers[0].Image + " " + b.Spec.Containers[0].Image
		if changed != test.changed || images != test.images || wrong != test.wrong {
			t.Errorf("%s=%s: got %v %s %s, want %v %s %s", test.container, test.image, changed, images, wrong, test.changed, test.images, test.wrong)
		}
		if b.Equal(a) == test.changed {
			t.Errorf("%s=%s: equal: got %v", test.container, test.image, b.Equal(a))
		}
		if got := b.Spec.Containers[0].ImagePullPolicy; got != "IfNotPresent" {
			t.Errorf("%s=%s: pull policy: got %s", test.container, test.image, got)
		}
	}
}

// What the schema does not look into may be anything: kubectl get prints managedFields of a claim template, too.
func TestTemplateAnyValue(t *testing.T) {
	for _, claim := range []string{"{managedFields: [{fieldsV1: {\"f:spec\": {}}}]}", "{creationTimestamp: [1]}", "{creationTimestamp: {a: null}}"} {
		volume := "volumes: [{name: a, ephemeral: {volumeClaimTemplate: {metadata: " + claim + "}}}]"
		if text := specText(templateOf(t, "restartPolicy: Always", volume)); !strings.Contains(text, `"volumeClaimTemplate":{"metadata":{"`) {
			t.Errorf("%s is not in %s", claim, text)
		}
	}
}

// A template survives being written and read: nothing is lost, nothing is added.
func TestTemplateJSON(t *testing.T) {
	a := templateOf(t, "      labels: {app: web}", "      labels: {app: web}\n      annotations: {a: <b>&}\n      finalizers: [example.com/x]",
		"restartPolicy: Always", "hostAliases: [{ip: 1.2.3.4, hostnames: [a]}]")
	b, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	again, err := Template(b)
	if err != nil {
		t.Fatal(err)
	}
	if c, err := json.Marshal(again); !again.Equal(a) || err != nil || string(c) != string(b) {
		t.Errorf("got  %s (%v)\nwant %s", c, err, b)
	}
	if _, err := Template([]byte(`{"spec":{"foo":1}}`)); err == nil || err.Error() != `strict decoding error: unknown field "spec.foo"` {
		t.Errorf("unknown field: got %v", err)
	}
}

// "imagePullPolicy Always if tag is latest or absent, else IfNotPresent".
func TestPullPolicy(t *testing.T) {
	tests := map[string]string{
		"nginx": "Always", "nginx:latest": "Always", "nginx:1.27": "IfNotPresent", "r.example.com:5000/a/b": "Always",
		"r.example.com:5000/a/b:1": "IfNotPresent", "nginx@sha256:0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a": "IfNotPresent",
		"nginx:latest@sha256:0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a0a": "Always", "nginx:latest@sha256:0123": "IfNotPresent",
		"": "IfNotPresent", "Nginx": "IfNotPresent", "Host/nginx": "Always", "nginx:": "IfNotPresent",
	}
	for image, want := range tests {
		if got := pullPolicy(image); got != want {
			t.Errorf("%q: got %s, want %s", image, got, want)
		}
	}
}

// What the simulation reads of a container (G-20, G-30a, G-31).
func TestContainerView(t *testing.T) {
	c := templateOf(t, "        image: nginx:1.27", `        image: nginx:1.27
        resources: {limits: {cpu: 200m, memory: 1Gi}, requests: {cpu: 100m}}
        readinessProbe: {exec: {command: [cat]}, initialDelaySeconds: 5}
        startupProbe: {grpc: {port: 1}, terminationGracePeriodSeconds: 7}
        lifecycle: {preStop: {exec: {command: [/bin/sh, -c, "sleep 5"]}}}`).Spec.Containers[0]
	p := c.ReadinessProbe
	if p.Kind != "exec" || p.InitialDelaySeconds != 5 || p.PeriodSeconds != 10 || p.TimeoutSeconds != 1 || p.FailureThreshold != 3 || p.SuccessThreshold != 1 {
		t.Errorf("readiness: got %+v", p)
	}
	if c.StartupProbe.Kind != "grpc" || *c.StartupProbe.TerminationGracePeriodSeconds != 7 || c.LivenessProbe != nil {
		t.Errorf("startup: got %+v, liveness: got %+v", c.StartupProbe, c.LivenessProbe)
	}
	if c.Lifecycle.PreStop.SleepSeconds != 5 {
		t.Errorf("preStop: got %+v", c.Lifecycle.PreStop)
	}
	cpu, _ := c.Resources.Request("cpu")
	memory, _ := c.Resources.Request("memory")
	if _, ok := c.Resources.Request("pods"); ok || cpu.Milli() != 100 || memory.String() != "1Gi" {
		t.Errorf("requests: got %v and %v", cpu, memory)
	}
}
