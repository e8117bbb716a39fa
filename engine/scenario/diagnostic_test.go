package scenario_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/rollplay/rollplay/engine/limits"
	"github.com/rollplay/rollplay/engine/scenario"
)

// wrong is a Deployment in the second document of a stream; its first line is line 5 of the text.
const wrong = `# a stream
apiVersion: v1
kind: Endpoints
---
apiVersion: apps/v1
kind: Deployment
metadata:
  name: web
spec:
  replicas: 3
  selector:
    matchLabels: {app: web}
  strategy:
    rollingUpdate:
      maxSurge: 1
  template:
    metadata:
      labels: {app: web}
    spec:
      containers:
      - name: web
        image: "nginx:1.27"
`

const spec = "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n"

// Every kind of problem has its line and column, counted in the whole text, and the API server's sentence.
func TestDiagnosticPositions(t *testing.T) {
	const yamlError = "error converting YAML to JSON: yaml: "
	edit := func(old, new string) string {
		if !strings.Contains(wrong, old) {
			t.Fatalf("no %q", old)
		}
		return strings.Replace(wrong, old, new, 1)
	}
	tests := []struct{ name, text, want string }{ // want: document, line:column-endColumn, field, message
		{"unknown field: its name", edit("replicas: 3", "replica: 3"),
			`2 10:3-10 spec.replica strict decoding error: unknown field "spec.replica" (did you mean "replicas"?)`},
		{"unknown field in a list", edit("image:", "imag:"), `2 22:9-13 spec.template.spec.containers[0].imag strict decoding error: ` +
			`unknown field "spec.template.spec.containers[0].imag" (did you mean "image"?)`},
		{"wrong type: the value", edit("replicas: 3", "replicas: three"),
			"2 10:13-18 spec.replicas json: cannot unmarshal string into Go struct field DeploymentSpec.spec.replicas of type int32"},
		{"YAML's booleans", edit("app: web", "app: on"), "2 12:24-26 spec.selector.matchLabels[app] json: cannot unmarshal bool into Go struct field " +
			"LabelSelector.spec.selector.matchLabels of type string (YAML reads on as true or false: write it in quotes)"},
		{"invalid value", edit("maxSurge: 1", "maxSurge: abc"), "2 15:17-20 spec.strategy.rollingUpdate.maxSurge " +
			`spec.strategy.rollingUpdate.maxSurge: Invalid value: "abc": a valid percent string must be a numeric string followed by an ending '%' ` +
			"(e.g. '1%',  or '93%', regex used for validation is '[0-9]+%')"},
		{"invalid value that was defaulted: around it", edit("replicas: 3", "minReadySeconds: 600"), "2 9:1-5 spec.progressDeadlineSeconds " +
			"spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds"},
		{"invalid object: its name", edit("{app: web}\n    spec", "{app: x}\n    spec"), "2 18:7-13 spec.template.metadata.labels " +
			"spec.template.metadata.labels: Invalid value: {\"app\":\"x\"}: `selector` does not match template `labels`"},
		{"the template's labels", edit("{app: web}\n    spec", "{app: web, b: \"c!\"}\n    spec"), "2 18:7-13 spec.template.labels " +
			`spec.template.labels: Invalid value: "c!": a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', ` +
			"and must start and end with an alphanumeric character (e.g. 'MyValue',  or 'my_value',  or '12345', regex used for validation is " +
			"'(([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9])?')"},
		{"missing field of an item: the item", edit("- name: web", "- tty: true"), "2 21:9-18 spec.template.spec.containers[0].name " +
			"spec.template.spec.containers[0].name: Required value"},
		{"quoted value", edit(`"nginx:1.27"`, `""`), "2 22:16-18 spec.template.spec.containers[0].image " +
			"spec.template.spec.containers[0].image: Required value"},
		{"missing selector", edit("  selector:\n    matchLabels: {app: web}\n", ""), "2 9:1-5 spec.selector spec.selector: Required value\n" +
			"2 16:7-13 spec.template.metadata.labels spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not match template `labels`"},
		{"a template's value", edit("replicas: 3", "replicas: {{ .Values.n }}"), `2 10:3-28  ` + yamlError +
			"line 10: invalid map key: map[interface {}]interface {}{\".Values.n\":interface {}(nil)} ({{ belongs to a template: paste what `helm template` renders)"},
		{"a template's condition", edit("  replicas: 3", "  {{- if .Values.n }}\n  replicas: 3"), `2 10:3-22  ` + yamlError +
			"line 10: did not find expected node content ({{ belongs to a template: paste what `helm template` renders)"},
		{"wrong version", edit("apps/v1", "extensions/v1beta1"), `2 5:13-31 apiVersion no matches for kind "Deployment" in version "extensions/v1beta1" (did you mean apps/v1 Deployment?)`},
		{"wrong kind", edit("Deployment", "deployment"), `2 6:7-17 kind no matches for kind "deployment" in version "apps/v1" (did you mean apps/v1 Deployment?)`},
		{"no such kind", edit("Deployment", "Rocket"), `2 6:7-13 kind no matches for kind "Rocket" in version "apps/v1"`},
		{"no apiVersion", "kind: Deployment\n", `1 1:1-17 apiVersion Object 'apiVersion' is missing in '{"kind":"Deployment"}'`},
		{"no apiVersion, 60 characters", "{kind: Deployment, metadata: {name: a23456789b123456}}", `1 1:1-55 apiVersion Object 'apiVersion' is missing in ` +
			`'{"kind":"Deployment","metadata":{"name":"a23456789b123456"}}'`},
		{"no apiVersion, 61 characters", "{kind: Deployment, metadata: {name: a23456789b1234567}}", `1 1:1-56 apiVersion Object 'apiVersion' is missing in ` +
			`'{"kind":"Deployment","metadata":{"name":"a23456789b1234567"}…'`},
		{"a kind that is no text", "apiVersion: apps/v1\nkind: 3\n", "1 2:7-8 kind kind must be a string"},
		{"no kind", "\napiVersion: apps/v1\n", `1 2:1-20 kind Object 'Kind' is missing in '{"apiVersion":"apps/v1"}'`},
		{"twice the same name", wrong + strings.Replace(wrong, "apiVersion: v1\nkind: Endpoints\n", "", 1), `3 28:9-12 metadata.name deployments.apps "web" already exists (document 2)`},
		{"generateName", edit("  name: web", "  generateName: web-"), "2 8:17-21 metadata.generateName from web-: cannot use generate name with apply"},
		{"an item of a List", "apiVersion: v1\nkind: List\nitems:\n- apiVersion: v1\n  kind: Pod\n  metadata: {name: p}\n  spec: {foo: 1}\n",
			`1 7:10-13 spec.foo strict decoding error: unknown field "spec.foo"`},
		{"items that are no list", "apiVersion: v1\nkind: List\nitems: 3\n", "1 3:8-9 items items must be a list of objects"},
		{"an item that is no object", "apiVersion: v1\nkind: List\nitems: [3]\n", "1 3:9-10 items[0] an item of a List must be a Kubernetes object"},
		{"a List without items", "apiVersion: v1\nkind: List\n", "1 1:1-15  no objects passed to apply: paste a Deployment, or anything else that kubectl apply would take"},
		{"not an object", "a text", "1 1:1-7  a document must be a Kubernetes object: fields such as apiVersion, kind, metadata and spec, one a line"},
		{"empty", "", "1 1:1-2  no objects passed to apply: paste a Deployment, or anything else that kubectl apply would take"},
		{"comments only", "# nothing\n---\n# here\n", "1 1:1-10  no objects passed to apply: paste a Deployment, or anything else that kubectl apply would take"},
		{"nothing that is simulated", "apiVersion: v1\nkind: Endpoints\n", "1 1:1-15  no objects passed to apply: none of the objects can be simulated; add a Deployment"},

		{"YAML, scanner", edit("replicas: 3", "replicas: 3: 4"), "2 10:3-17  " + yamlError + "line 10: mapping values are not allowed in this context"},
		{"YAML, grammar", edit("        image", "       image"), "2 22:8-27  " + yamlError + "line 22: did not find expected key"},
		{"YAML, first line", "a: b: c\n", "1 1:1-8  " + yamlError + "line 1: mapping values are not allowed in this context"},
		{"YAML, tab", edit("  replicas", "\treplicas"), "2 10:2-13  " + yamlError + "line 10: found character that cannot start any token"},
		{"YAML, key twice", edit("replicas: 3", "replicas: 3\n  replicas: 4"), `2 11:3-14  ` + yamlError + `line 11: key "replicas" already set in map`},
		{"YAML, alias", edit("replicas: 3", "replicas: *n"), "2 10:3-15  " + yamlError + "line 10: unknown anchor 'n' referenced"},

		{"Scenario, unknown field", spec + "  timelin: []\n---\n" + webManifest, `1 4:3-10 spec.timelin strict decoding error: unknown field "spec.timelin" (did you mean "timeline"?)`},
		{"Scenario, duration", spec + "  timeline:\n  - at: 10 s\n    run: x\n", `1 5:9-13 spec.timeline[0].at spec.timeline[0].at: Invalid value: "10 s": ` +
			"a duration is a number with a unit: 500ms, 10s, 1m30s, 2h"},
		{"Scenario, number", spec + "  timeline:\n  - {at: 10, run: x}\n", "1 5:10-12 spec.timeline[0].at spec.timeline[0].at: Invalid value: 10: " +
			"a duration needs a unit: 500ms, 10s, 1m30s, 2h"},
		{"Scenario, negative", spec + "  duration: -1s\n", `1 4:13-16 spec.duration spec.duration: Invalid value: "-1s": must be greater than or equal to 0`},
		{"Scenario, more than a day", spec + "  duration: 25h\n", `1 4:13-16 spec.duration spec.duration: Invalid value: "25h": must not be more than 24h`},
		{"Scenario, neither", spec + "  timeline:\n  - at: 1s\n", "1 5:5-11 spec.timeline[0].run spec.timeline[0]: Required value: one of `run`, `apply` and `do` must be set"},
		{"Scenario, both", spec + "  timeline:\n  - {at: 1s, run: a, apply: b}\n", "1 5:22-27 spec.timeline[0].apply spec.timeline[0].apply: Forbidden: may not be specified when `run` is set"},
		{"Scenario, do beside run", spec + "  timeline:\n  - at: 1s\n    run: a\n    do: crash pod/x\n", "1 7:5-7 spec.timeline[0].do spec.timeline[0].do: Forbidden: may not be specified when `run` is set"},
		{"Scenario, do beside apply", spec + "  timeline:\n  - {at: 1s, do: a, apply: b}\n", "1 5:14-16 spec.timeline[0].do spec.timeline[0].do: Forbidden: may not be specified when `apply` is set"},
		{"Scenario, do without a verb", spec + "  timeline:\n  - {at: 1s, do: ' '}\n", "1 5:18-21 spec.timeline[0].do spec.timeline[0].do: Required value"},
		{"Scenario, do of two lines", spec + "  timeline:\n  - {at: 1s, do: \"a\\nb\"}\n", `1 5:18-23 spec.timeline[0].do spec.timeline[0].do: Invalid value: "a\nb": must be one line; write one entry for each command`},
		{"Scenario, image", spec + "  images:\n  - match: a\n    ready: maybe\n", `1 6:12-17 spec.images[0].ready spec.images[0].ready: Invalid value: "maybe": ` +
			"a duration is a number with a unit: 500ms, 10s, 1m30s, 2h; a range of two: 1s..3s; or never"},
		{"Scenario, no match", spec + "  images:\n  - pull: fails\n", "1 5:5-16 spec.images[0].match spec.images[0].match: Required value"},
		{"Scenario, node", spec + "  nodes: [{name: A}]\n", `1 4:18-19 spec.nodes[0].name spec.nodes[0].name: Invalid value: "A": a lowercase RFC 1123 subdomain must consist of ` +
			`lower case alphanumeric characters, '-' or '.', and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is ` +
			`'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`},
		{"Scenario, nodes", spec + "  nodes: {count: -1, cpu: 4x}\n", "1 4:18-20 spec.nodes.count spec.nodes.count: Invalid value: -1: must be a whole number from 0 to 5000\n" +
			`1 4:27-29 spec.nodes.cpu spec.nodes.cpu: Invalid value: "4x": must be a quantity: 4, 500m, 8Gi`},
		{"Scenario, node groups", spec + "  nodeGroups:\n  - {name: a, min: 3, max: 2}\n  - {max: 0, name: b}\n  - {name: a, max: 4000, cpu: 4x}\n  - {name: c, max: 4000, size: 2}\n  - {max: 1, boot: 45}\n  - {name: d}\n",
			"1 5:20-21 spec.nodeGroups[0].min spec.nodeGroups[0].min: Invalid value: 3: must be less than or equal to `max`\n" +
				"1 6:11-12 spec.nodeGroups[1].max spec.nodeGroups[1].max: Invalid value: 0: must be a whole number from 1 to 5000\n" +
				"1 7:12-13 spec.nodeGroups[2].name spec.nodeGroups[2].name: Duplicate value: \"a\"\n" +
				"1 7:31-33 spec.nodeGroups[2].cpu spec.nodeGroups[2].cpu: Invalid value: \"4x\": must be a quantity: 4, 500m, 8Gi\n" +
				"1 8:20-24 spec.nodeGroups[3].max rollplay simulates at most 5000 nodes; up to here the groups may have 8001\n" +
				"1 8:26-30 spec.nodeGroups[3].size strict decoding error: unknown field \"spec.nodeGroups[3].size\"\n" +
				"1 9:5-23 spec.nodeGroups[4].name spec.nodeGroups[4].name: Required value: name or generateName is required\n" +
				"1 9:11-12 spec.nodeGroups[4].max rollplay simulates at most 5000 nodes; up to here the groups may have 8002\n" +
				"1 9:20-22 spec.nodeGroups[4].boot spec.nodeGroups[4].boot: Invalid value: 45: a duration needs a unit: 500ms, 10s, 1m30s, 2h\n" +
				"1 10:5-14 spec.nodeGroups[5].max spec.nodeGroups[5].max: Required value"},
		{"Scenario, one node twice", spec + "  nodes: [{name: a}, {name: a}]\n", `1 4:29-30 spec.nodes[1].name spec.nodes[1].name: Duplicate value: "a"`},
		{"Scenario, nodes without names", spec + "  nodes: [{cpu: 1}, {cpu: 1}]\n", "1 4:11-30 spec.nodes[0].name spec.nodes[0].name: Required value: name or generateName is required\n" +
			"1 4:21-30 spec.nodes[1].name spec.nodes[1].name: Required value: name or generateName is required"},
		{"Scenario, exit code", spec + "  images: [{match: a, crash: 1s, exitCode: 256}]\n", "1 4:44-47 spec.images[0].exitCode spec.images[0].exitCode: Invalid value: 256: must be a whole number from 0 to 255"},
		{"Scenario, exit code without a crash", spec + "  images: [{match: a, exitCode: 0}]\n", "1 4:33-34 spec.images[0].exitCode spec.images[0].exitCode: Invalid value: 0: may only be set together with `crash`"},
		{"Scenario, commands that bring nothing", spec + "  timeline: [{at: 1s, run: get po}, {at: 1s, do: kill node/node-1}]\n", "1 1:1-30  no objects passed to apply: paste a Deployment, or anything else that kubectl apply would take"},
		{"Scenario, draws", spec + "  draws: random\n", `1 4:10-16 spec.draws spec.draws: Invalid value: "random": must be ordered ` +
			"(each draw takes the next number of the seed, the default) or keyed (each depends on the workload, revision and pod it is for)"},
		{"Scenario, version", strings.Replace(spec, "v1alpha1", "v2", 1), `1 1:13-24 apiVersion no matches for kind "Scenario" in version "rollplay/v2" (did you mean rollplay/v1alpha1 Scenario?)`},
		{"Scenario twice", spec + "---\n" + spec, "2 6:7-15 kind a text has one Scenario; the first is document 1"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s, diagnostics := scenario.Parse(test.text)
			if s != nil {
				t.Error("got a scenario")
			}
			var lines []string
			for _, d := range diagnostics {
				if !d.Warning {
					lines = append(lines, fmt.Sprintf("%d %d:%d-%d %s %s", d.Document, d.Line, d.Column, d.EndColumn, d.Field, d.Message))
				}
			}
			if got := strings.Join(lines, "\n"); got != test.want {
				t.Errorf("got\n%s\nwant\n%s", got, test.want)
			}
		})
	}
}

// A kind that is not simulated is a warning, at the kind.
func TestDiagnosticWarning(t *testing.T) {
	s, diagnostics := scenario.Parse(wrong)
	want := scenario.Diagnostic{Document: 1, Line: 3, Column: 7, EndColumn: 16, Field: "kind", Message: "Endpoints is left out: its kind is not simulated", Warning: true, Inert: true}
	if s == nil || len(diagnostics) != 1 || diagnostics[0] != want {
		t.Errorf("got %+v, want %+v", diagnostics, want)
	}
}

// TestNotModelled: what decides about a rollout and is not modelled is a warning at its field, in everything that reads a text.
func TestNotModelled(t *testing.T) {
	const decides = `apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec:
      schedulerName: other
      schedulingGates: [{name: example.com/go}]
      resourceClaims: [{name: gpu, resourceClaimName: gpu}]
      containers: [{name: web, image: "web:1"}]
      volumes:
      - {name: tmp, emptyDir: {}}
      - {name: data, persistentVolumeClaim: {claimName: data}}
---
apiVersion: v1
kind: LimitRange
metadata: {name: most}
spec: {limits: [{type: Container, max: {cpu: 1}}]}
`
	for text, want := range map[string]string{
		decides: "9 spec.template.spec.schedulerName, 10 spec.template.spec.schedulingGates, 11 spec.template.spec.resourceClaims, " +
			"15 spec.template.spec.volumes[1].persistentVolumeClaim, 18 kind",
		strings.Replace(decides, "spec:\n", "spec:\n  strategy: {type: Recreate}\n", 1): "10 spec.template.spec.schedulerName, " +
			"11 spec.template.spec.schedulingGates, 12 spec.template.spec.resourceClaims, 19 kind", // the old pods are gone before the new ones come
		strings.NewReplacer("other", "default-scheduler", "Container,", "PersistentVolumeClaim,").Replace(decides): "10 spec.template.spec.schedulingGates, " +
			"11 spec.template.spec.resourceClaims, 15 spec.template.spec.volumes[1].persistentVolumeClaim, inert",
	} {
		var got []string
		_, diagnostics := scenario.Parse(text)
		for _, d := range diagnostics {
			switch {
			case d.Inert:
				got = append(got, "inert")
			case d.Warning:
				got = append(got, fmt.Sprint(d.Line, " ", d.Field))
			}
		}
		if list := strings.Join(got, ", "); list != want {
			t.Errorf("got %s, want %s", list, want)
		}
	}
}

// A command after the end of the scenario never happens. The first one is a warning, so that a long list of them does not count
// as many problems.
func TestDiagnosticLateCommand(t *testing.T) {
	text := spec + "  duration: 5s\n  timeline:\n  - {at: 5s, run: get po}\n  - {at: 9s, run: get rs}\n  - {at: 6s, run: get no}\n---\n" + webManifest
	s, diagnostics := scenario.Parse(text)
	if s == nil || len(diagnostics) != 1 || !diagnostics[0].Warning || len(s.Timeline) != 3 ||
		diagnostics[0].Message != "spec.timeline[1].at: it never happens, because the scenario ends before; give it a longer `duration`" {
		t.Errorf("got %+v", diagnostics)
	}
}

// Text that is made to hurt is refused, with a position, in bounded work: at most a hundred problems, no expansion of
// aliases to more than 4 MiB, no deep nesting.
func TestHostileText(t *testing.T) {
	const n = 1 << 20
	bomb := "a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n"
	for i := range 9 {
		bomb += fmt.Sprintf("a%d: &a%d [%s]\n", i+1, i+1, strings.Repeat(fmt.Sprintf("*a%d, ", i), 10))
	}
	tests := []struct{ name, text, want string }{
		{"too long", strings.Repeat("a", n+1), "the text has 1048577 bytes; at most 1048576 (1 MiB) are read"},
		{"brackets", strings.Repeat("[", n), "error converting YAML to JSON: yaml: line 1: exceeded max depth of 10000"},
		{"nesting", strings.Repeat("{a: ", 101) + strings.Repeat("}", 101), "the document is nested more than 100 levels deep"},
		{"documents", strings.Repeat("a\n---\n", n/6), "the text has 174762 documents; at most 500 are read"},
		{"aliases", bomb, "the document has more than 4194304 bytes with its aliases written out"},
		{"long aliases", "a: &a " + strings.Repeat("x", 1000) + "\nb: [" + strings.Repeat("*a , ", 10000) + "]\n",
			"the document has more than 4194304 bytes with its aliases written out"},
		{"an alias in itself", "a: &a [*a, *a]", "error converting YAML to JSON: yaml: line 1: anchor 'a' value contains itself"},
		{"one key", "{" + strings.Repeat("a: , ", 50000) + "}", `error converting YAML to JSON: yaml: line 1: key "a" already set in map`},
		{"containers", "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n  containers:\n" + strings.Repeat("  - {name: a}\n", 500),
			"spec.containers[0].image: Required value"},
		{"too many containers", "apiVersion: v1\nkind: Pod\nmetadata: {name: x}\nspec:\n  containers:\n" + strings.Repeat("  - {name: a}\n", 20000),
			"spec.containers: rollplay reads at most 500 entries here, not 20000"},
		{"as many documents as may be", strings.Repeat("a: 1\n---\n", limits.Documents-1) + "a: 1\n", "Object 'apiVersion' is missing in '{\"a\":1}'"},
		{"entries of a list", spec + "  captions:\n" + strings.Repeat("  - 3\n", 2*limits.Problems), "spec.captions[0]: Invalid value: 3: must be an object with the fields ask, at, text"},
		{"items", "apiVersion: v1\nkind: List\nitems:\n" + strings.Repeat("- {kind: Pod}\n", 20000), "Object 'apiVersion' is missing in '{\"kind\":\"Pod\"}'"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			start := time.Now()
			s, diagnostics := scenario.Parse(test.text)
			if s != nil || len(diagnostics) == 0 || len(diagnostics) > limits.Problems || diagnostics[0].Message != test.want {
				t.Errorf("got %d diagnostics, first %v, want %s", len(diagnostics), diagnostics[:min(1, len(diagnostics))], test.want)
			}
			if d := time.Since(start); d > 30*time.Second {
				t.Errorf("took %v", d)
			}
		})
	}
}
