package validate_test

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
)

const (
	percentWrong = "a valid percent string must be a numeric string followed by an ending '%' (e.g. '1%',  or '93%', " +
		"regex used for validation is '[0-9]+%')"
	subdomainWrong = "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
		"and must start and end with an alphanumeric character (e.g. 'example.com', regex used for validation is " +
		`'[a-z0-9]([-a-z0-9]*[a-z0-9])?(\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*')`
	bothZero = "may not be 0 when `maxSurge` is 0"
)

// rolling returns a Deployment with two bounds.
func rolling(t *testing.T, maxUnavailable, maxSurge string) *api.Deployment {
	t.Helper()
	return deployment(t, edit(t, web, "type: RollingUpdate",
		"rollingUpdate: {maxUnavailable: "+maxUnavailable+", maxSurge: "+maxSurge+"}"))
}

// The sentences of D-8 to D-12.
func TestValidateRollingUpdate(t *testing.T) {
	const unavailable, surge = "spec.strategy.rollingUpdate.maxUnavailable: Invalid value: ", "spec.strategy.rollingUpdate.maxSurge: Invalid value: "
	tests := []struct {
		rule, maxUnavailable, maxSurge string
		want                           []string
	}{
		{"D-8", "0", "0", []string{unavailable + "0: " + bothZero}},
		{"D-8", "0%", "0", []string{unavailable + `"0%": ` + bothZero}},
		{"D-8", "0", "0%", []string{unavailable + "0: " + bothZero}},
		{"D-8", "0%", "0%", []string{unavailable + `"0%": ` + bothZero}},
		{"D-8", "0", "1", nil},
		{"D-8", "1", "0", nil},
		{"D-9", "100%", "0", nil},
		{"D-9", "101%", "0", []string{unavailable + `"101%": must not be greater than 100%`}},
		{"D-9", "10", "0", nil},
		{"D-9", "99999999999999999999%", "0", []string{unavailable + `"99999999999999999999%": must not be greater than 100%`}},
		{"D-10", "0", "300%", nil},
		{"D-11", "-1", "1", []string{unavailable + "-1: must be greater than or equal to 0"}},
		{"D-11", "1", "-1", []string{surge + "-1: must be greater than or equal to 0"}},
		{"D-12", "1", "abc", []string{surge + `"abc": ` + percentWrong}},
		{"D-12", "1", `"25"`, []string{surge + `"25": ` + percentWrong}},
		{"D-12", `"25"`, "0", []string{unavailable + `"25": ` + percentWrong}},
		{"D-12", "1", `"-5%"`, []string{surge + `"-5%": ` + percentWrong}},
		{"D-12", "1", `"%"`, []string{surge + `"%": ` + percentWrong}},
		{"D-12", "x", "0", []string{unavailable + `"x": ` + percentWrong, unavailable + `"x": ` + bothZero}},
	}
	for _, test := range tests {
		t.Run(test.rule+" "+test.maxUnavailable+" "+test.maxSurge, func(t *testing.T) {
			wantErrors(t, validate.Object(rolling(t, test.maxUnavailable, test.maxSurge)), test.want...)
		})
	}
}

// The sentences of D-13 to D-19, and the names around them.
func TestValidateDeployment(t *testing.T) {
	const container = "spec.template.spec.containers[0]"
	tests := []struct {
		rule  string
		edits []string
		want  []string
	}{
		{"D-13", []string{"type: RollingUpdate", "{type: Recreate, rollingUpdate: {maxSurge: 1}}"},
			[]string{"spec.strategy.rollingUpdate: Forbidden: may not be specified when strategy `type` is 'Recreate'"}},
		{"D-13 alone", []string{"type: RollingUpdate", "type: Recreate"}, nil},
		{"D-14", []string{"type: RollingUpdate", "type: Foo"},
			[]string{`spec.strategy: Unsupported value: {"Type":"Foo","RollingUpdate":null}: supported values: "Recreate", "RollingUpdate"`}},
		{"D-14 with bounds", []string{"type: RollingUpdate", "{type: Foo, rollingUpdate: {maxUnavailable: 1}}"},
			[]string{`spec.strategy: Unsupported value: {"Type":"Foo","RollingUpdate":{"MaxUnavailable":1,"MaxSurge":0}}: supported values: "Recreate", "RollingUpdate"`}},
		{"D-15 missing", []string{"selector:\n    matchLabels: {app: web}", "paused: false"}, []string{"spec.selector: Required value",
			"spec.template.metadata.labels: Invalid value: {\"app\":\"web\"}: `selector` does not match template `labels`"}},
		{"D-15 empty", []string{"\n    matchLabels: {app: web}", " {}"},
			[]string{"spec.selector: Invalid value: {}: empty selector is invalid for deployment"}},
		{"D-15 other", []string{"labels: {app: web}", "labels: {app: other}"},
			[]string{"spec.template.metadata.labels: Invalid value: {\"app\":\"other\"}: `selector` does not match template `labels`"}},
		{"D-15 none", []string{"labels: {app: web}", "annotations: {a: b}"},
			[]string{"spec.template.metadata.labels: Invalid value: null: `selector` does not match template `labels`"}},
		{"D-17", []string{"replicas: 3", "minReadySeconds: 600"},
			[]string{"spec.progressDeadlineSeconds: Invalid value: 600: must be greater than minReadySeconds"}},
		{"D-17 zero", []string{"replicas: 3", "progressDeadlineSeconds: 0"},
			[]string{"spec.progressDeadlineSeconds: Invalid value: 0: must be greater than minReadySeconds"}},
		{"D-18 replicas", []string{"replicas: 3", "replicas: -1"},
			[]string{"spec.replicas: Invalid value: -1: must be greater than or equal to 0"}},
		{"D-18 minReadySeconds", []string{"replicas: 3", "minReadySeconds: -1"},
			[]string{"spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0"}},
		{"D-18 revisionHistoryLimit", []string{"replicas: 3", "revisionHistoryLimit: -1"},
			[]string{"spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0"}},
		{"D-18 revisionHistoryLimit 0", []string{"replicas: 3", "revisionHistoryLimit: 0"}, nil},
		{"D-18 progressDeadlineSeconds", []string{"replicas: 3", "progressDeadlineSeconds: -1"},
			[]string{"spec.progressDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0",
				"spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds"}},
		{"D-19 no containers", []string{"containers:\n      - name: web\n        image: nginx:1.27", "containers: []"},
			[]string{"spec.template.spec.containers: Required value"}},
		{"D-19 no name", []string{"- name: web\n        image", "- image"}, []string{container + ".name: Required value"}},
		{"D-19 no image", []string{"        image: nginx:1.27\n", ""}, []string{container + ".image: Required value"}},
		{"D-19 restartPolicy", []string{"restartPolicy: Always", "restartPolicy: Never"},
			[]string{`spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"`}},
		{"D-19 unknown restartPolicy", []string{"restartPolicy: Always", "restartPolicy: Foo"}, []string{
			`spec.template.spec.restartPolicy: Unsupported value: "Foo": supported values: "Always", "OnFailure", "Never"`,
			`spec.template.spec.restartPolicy: Unsupported value: "Foo": supported values: "Always"`}},
		{"D-19 metadata.name", []string{"name: web", "name: Web_1"}, []string{`metadata.name: Invalid value: "Web_1": ` + subdomainWrong}},
		{"D-19 no metadata.name", []string{"name: web", "labels: {}"}, []string{"metadata.name: Required value: name or generateName is required"}},
		{"D-19 liveness", []string{"        image: nginx:1.27", "        image: x\n        livenessProbe: {httpGet: {port: 80}, successThreshold: 2}"},
			[]string{container + ".livenessProbe.successThreshold: Invalid value: 2: must be 1"}},
		{"D-19 startup", []string{"        image: nginx:1.27", "        image: x\n        startupProbe: {httpGet: {port: 80}, successThreshold: 2}"},
			[]string{container + ".startupProbe.successThreshold: Invalid value: 2: must be 1"}},
		{"D-19 readiness", []string{"        image: nginx:1.27", "        image: x\n        readinessProbe: {httpGet: {port: 80}, successThreshold: 2}"}, nil},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			wantErrors(t, validate.Object(deployment(t, edit(t, web, test.edits...))), test.want...)
		})
	}
}

// "update changes the selector: field is immutable (value = the new selector)" (D-16).
func TestValidateDeploymentUpdate(t *testing.T) {
	old := deployment(t, web)
	d := deployment(t, edit(t, web, "{app: web}", "{app: w2}", "{app: web}", "{app: w2}"))
	wantErrors(t, validate.Update(d, old), `spec.selector: Invalid value: {"matchLabels":{"app":"w2"}}: field is immutable`)
	wantErrors(t, validate.Update(deployment(t, edit(t, web, "replicas: 3", "replicas: 5")), old))

	bad := deployment(t, edit(t, web, "nginx:1.27", `""`))
	wantErrors(t, validate.Update(bad, old), "spec.template.spec.containers[0].image: Required value")
	wantErrors(t, validate.Update(deployment(t, edit(t, web, "name: web", "name: w2")), old), `metadata.name: Invalid value: "w2": field is immutable`)
}

// "Validation like D-15/D-18/D-19; selector immutable; spec.replicas default 1".
func TestValidateReplicaSet(t *testing.T) {
	text := edit(t, web, "Deployment", "ReplicaSet", "  replicas: 3\n", "", "  strategy:\n    type: RollingUpdate\n", "")
	read := func(text string) *api.ReplicaSet {
		o, issues := decodeYAML(t, api.KindReplicaSet, text)
		if len(issues) > 0 {
			t.Fatal(issues)
		}
		return o.(*api.ReplicaSet)
	}
	old := read(text)
	if got := *old.Spec.Replicas; got != 1 {
		t.Errorf("replicas: got %d, want 1", got)
	}
	wantErrors(t, validate.Object(old))
	wantErrors(t, validate.Object(read(edit(t, text, "spec:", "spec:\n  replicas: -1\n  minReadySeconds: -2", "Always", "Never"))),
		"spec.replicas: Invalid value: -1: must be greater than or equal to 0",
		"spec.minReadySeconds: Invalid value: -2: must be greater than or equal to 0",
		`spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"`)
	changed := read(edit(t, text, "{app: web}", "{app: w2}", "{app: web}", "{app: w2}"))
	wantErrors(t, validate.Update(changed, old), `spec.selector: Invalid value: {"matchLabels":{"app":"w2"}}: field is immutable`)
}

// The two forms of A-14: the server's envelope and kubectl's.
func TestFieldErrorsMessage(t *testing.T) {
	one := validate.Object(deployment(t, edit(t, web, "replicas: 3", "replicas: -1")))
	two := validate.Object(deployment(t, edit(t, web, "replicas: 3", "progressDeadlineSeconds: -1")))
	const first = "spec.progressDeadlineSeconds: Invalid value: -1: must be greater than or equal to 0"
	const second = "spec.progressDeadlineSeconds: Invalid value: -1: must be greater than minReadySeconds"
	tests := []struct{ name, got, want string }{
		{"server, one", one.Message(api.KindDeployment, "web"),
			`Deployment.apps "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`},
		{"server, two", two.Message(api.KindDeployment, "web"), `Deployment.apps "web" is invalid: [` + first + ", " + second + "]"},
		{"kubectl, one", one.KubectlMessage(api.KindDeployment, "web"),
			`The Deployment "web" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`},
		{"kubectl, two", two.KubectlMessage(api.KindDeployment, "web"), "The Deployment \"web\" is invalid: \n* " + first + "\n* " + second},
		{"core group", one.Message(api.KindPod, "p"), `Pod "p" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`},
		{"twice the same", append(one, one...).Message(api.KindReplicaSet, "r"),
			`ReplicaSet.apps "r" is invalid: spec.replicas: Invalid value: -1: must be greater than or equal to 0`},
	}
	for _, test := range tests {
		if test.got != test.want {
			t.Errorf("%s:\ngot  %s\nwant %s", test.name, test.got, test.want)
		}
	}
}

// A selector that cannot be read is reported for itself and hides the template's errors.
func TestValidateSelector(t *testing.T) {
	const key = "(e.g. 'MyName',  or 'my.name',  or '123-abc', regex used for validation is '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]')"
	d := deployment(t, edit(t, web, "matchLabels: {app: web}", "matchExpressions: [{key: a_, operator: In}, {key: b, operator: Foo}, "+
		"{key: c, operator: Exists, values: [x]}]"))
	errs := validate.Object(d)
	wantErrors(t, errs[:len(errs)-1],
		"spec.selector.matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'",
		`spec.selector.matchExpressions[0].key: Invalid value: "a_": name part must consist of alphanumeric characters, '-', '_' or '.', `+
			"and must start and end with an alphanumeric character "+key,
		`spec.selector.matchExpressions[1].operator: Invalid value: "Foo": not a valid selector operator`,
		"spec.selector.matchExpressions[2].values: Forbidden: may not be specified when `operator` is 'Exists' or 'DoesNotExist'")
	if last := errs[len(errs)-1].Error(); !strings.HasSuffix(last, ": invalid label selector") {
		t.Errorf("last error: got %q", last)
	}
}
