package validate_test

import (
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
)

// What people get wrong in a container, in upstream's words and order.
func TestValidateContainer(t *testing.T) {
	const c = "spec.template.spec.containers[0]"
	const labelWrong = "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', and must start and end " +
		"with an alphanumeric character (e.g. 'my-name',  or '123-abc', regex used for validation is '[a-z0-9]([-a-z0-9]*[a-z0-9])?')"
	tests := []struct {
		name, field string // the field stands beside the image
		want        []string
	}{
		{"port range", "ports: [{containerPort: 70000}]", []string{c + ".ports[0].containerPort: Invalid value: 70000: must be between 1 and 65535, inclusive"}},
		{"port missing", "ports: [{name: http}]", []string{c + ".ports[0].containerPort: Required value"}},
		{"port protocol", "ports: [{containerPort: 80, protocol: HTTP}]",
			[]string{c + `.ports[0].protocol: Unsupported value: "HTTP": supported values: "SCTP", "TCP", "UDP"`}},
		{"port name", "ports: [{containerPort: 80, name: much-too-long-name}]",
			[]string{c + `.ports[0].name: Invalid value: "much-too-long-name": must be no more than 15 characters`}},
		{"port name twice", "ports: [{containerPort: 80, name: a}, {containerPort: 81, name: a}]", []string{c + `.ports[1].name: Duplicate value: "a"`}},
		{"host port twice", "ports: [{containerPort: 80, hostPort: 80}, {containerPort: 81, hostPort: 80}]",
			[]string{c + `.ports[1].hostPort: Duplicate value: "TCP//80"`}},
		{"pull policy", "imagePullPolicy: Sometimes",
			[]string{c + `.imagePullPolicy: Unsupported value: "Sometimes": supported values: "Always", "IfNotPresent", "Never"`}},
		{"env name", "env: [{name: A=B}]", []string{c + `.env[0].name: Invalid value: "A=B": a valid environment variable name must consist ` +
			"only of printable ASCII characters other than '='"}},
		{"env without name", "env: [{value: x}]", []string{c + ".env[0].name: Required value"}},
		{"env twice", "env: [{name: A, value: x, valueFrom: {fieldRef: {fieldPath: metadata.name}}}]",
			[]string{c + ".env[0].valueFrom: Invalid value: \"\": may not be specified when `value` is not empty"}},
		{"mount without volume", "volumeMounts: [{name: data, mountPath: /data}]", []string{c + `.volumeMounts[0].name: Not found: "data"`}},
		{"mount without path", "volumeMounts: [{name: tmp}]", []string{c + ".volumeMounts[0].mountPath: Required value"}},
		{"mount path twice", "volumeMounts: [{name: tmp, mountPath: /a}, {name: tmp, mountPath: /a}]",
			[]string{c + `.volumeMounts[1].mountPath: Invalid value: "/a": must be unique`}},
		{"probe negative", "readinessProbe: {tcpSocket: {port: 80}, periodSeconds: -1, failureThreshold: -2}", []string{
			c + ".readinessProbe.periodSeconds: Invalid value: -1: must be greater than or equal to 0",
			c + ".readinessProbe.failureThreshold: Invalid value: -2: must be greater than or equal to 0"}},
		{"probe without handler", "startupProbe: {periodSeconds: 1}", []string{c + ".startupProbe: Required value: must specify a handler type"}},
		{"probe with two handlers", "livenessProbe: {tcpSocket: {port: 80}, exec: {command: [a]}}",
			[]string{c + ".livenessProbe.tcpSocket: Forbidden: may not specify more than 1 handler type"}},
		{"probe port", "livenessProbe: {httpGet: {port: 0}}", []string{c + ".livenessProbe.httpGet.port: Invalid value: 0: must be between 1 and 65535, inclusive"}},
		{"readiness grace", "readinessProbe: {grpc: {port: 1}, terminationGracePeriodSeconds: 5}",
			[]string{c + ".readinessProbe.terminationGracePeriodSeconds: Invalid value: 5: must not be set for readinessProbes"}},
		{"sleep", "lifecycle: {preStop: {sleep: {seconds: 31}}}", []string{c + ".lifecycle.preStop.sleep: Invalid value: 31: " +
			"must be non-negative and less than terminationGracePeriodSeconds (30)"}},
		{"request over limit", "resources: {requests: {cpu: 1}, limits: {cpu: 100m}}",
			[]string{c + `.resources.requests: Invalid value: "1": must be less than or equal to cpu limit of 100m`}},
		{"negative request", "resources: {requests: {memory: -1Gi}}",
			[]string{c + `.resources.requests[memory]: Invalid value: "-1Gi": must be greater than or equal to 0`}},
		{"unknown resource", "resources: {limits: {cpus: 1}}", []string{
			c + `.resources.limits[cpus]: Invalid value: "cpus": must be a standard resource type or fully qualified`,
			c + `.resources.limits[cpus]: Invalid value: "cpus": must be a standard resource for containers`}},
		{"all is well", "ports: [{containerPort: 80}]", nil},
	}
	text := edit(t, web, "restartPolicy: Always", "volumes: [{name: tmp}]")
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			d := deployment(t, edit(t, text, "        image: nginx:1.27", "        image: nginx:1.27\n        "+test.field))
			wantErrors(t, validate.Object(d), test.want...)
		})
	}
	d := deployment(t, edit(t, text, "name: web\n        image", "name: Web\n        image"))
	wantErrors(t, validate.Object(d), c+`.name: Invalid value: "Web": `+labelWrong)
}

// Init containers share the names of the others, and only sidecars may have probes.
func TestValidateInitContainers(t *testing.T) {
	d := deployment(t, edit(t, web, "restartPolicy: Always", "initContainers:\n"+
		"      - {name: web, image: a, readinessProbe: {tcpSocket: {port: 1}}}\n"+
		"      - {name: sidecar, image: a, restartPolicy: Always, readinessProbe: {tcpSocket: {port: 1}}}"))
	wantErrors(t, validate.Object(d),
		`spec.template.spec.initContainers[0].name: Duplicate value: "web"`,
		"spec.template.spec.initContainers[0].readinessProbe: Forbidden: may not be set for init containers without restartPolicy=Always")
}

func TestValidateVolumes(t *testing.T) {
	d := deployment(t, edit(t, web, "restartPolicy: Always", "volumes:\n      - {name: a, secret: {}, emptyDir: {}}\n      - {configMap: {name: x}}\n"+
		"      - {name: b}\n      - {name: b}"))
	wantErrors(t, validate.Object(d),
		"spec.template.spec.volumes[0].secret: Forbidden: may not specify more than 1 volume type",
		"spec.template.spec.volumes[1].name: Required value",
		`spec.template.spec.volumes[3].name: Duplicate value: "b"`)
}

// Labels are named by their field, not by their key; the template's lack `metadata`, as upstream's do.
func TestValidateLabels(t *testing.T) {
	const key = "name part must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric " +
		"character (e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
	const value = "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', and must start and end " +
		"with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
		"'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"
	d := deployment(t, edit(t, web, "name: web", "name: web\n  labels: {/x: v}\n  annotations: {UPPER/x: v}",
		"labels: {app: web}", "labels: {app: web, \"a b\": x, ok: \"no!\"}"))
	wantErrors(t, validate.Object(d),
		`metadata.labels: Invalid value: "/x": prefix part must be non-empty`,
		`spec.template.labels: Invalid value: "a b": `+key,
		`spec.template.labels: Invalid value: "no!": `+value)
}

func TestValidateOtherKinds(t *testing.T) {
	tests := []struct {
		kind       api.Kind
		text, want string
	}{
		{api.KindPod, "metadata: {name: p}\nspec: {restartPolicy: Never}", "spec.containers: Required value"},
		{api.KindPod, "metadata: {name: p, annotations: {controller.kubernetes.io/pod-deletion-cost: \"+5\"}}\nspec: {containers: [{name: a, image: b}]}",
			`metadata.annotations[controller.kubernetes.io/pod-deletion-cost]: Invalid value: "+5": must be a 32bit integer`},
		{api.KindNode, "metadata: {name: m1}\nstatus: {allocatable: {cpu: -1}}",
			`status.allocatable[cpu]: Invalid value: "-1": must be greater than or equal to 0`},
		{api.KindResourceQuota, "metadata: {name: q}\nspec: {hard: {pods: -1}}",
			`spec.hard[pods]: Invalid value: "-1": must be greater than or equal to 0`},
	}
	for _, test := range tests {
		o, issues := decodeYAML(t, test.kind, test.text)
		if len(issues) > 0 {
			t.Fatal(issues)
		}
		wantErrors(t, validate.Object(o), test.want)
	}
}
