package validate_test

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/validate"
)

// db is a StatefulSet that the tests change by replacing words.
const db = `
apiVersion: apps/v1
kind: StatefulSet
metadata: {name: db}
spec:
  replicas: 3
  serviceName: db
  selector: {matchLabels: {app: db}}
  updateStrategy: {}
  template:
    metadata: {labels: {app: db}}
    spec:
      containers:
      - name: db
        image: postgres:17
        volumeMounts: [{name: data, mountPath: /data}]
  volumeClaimTemplates:
  - metadata: {name: data}
    spec: {accessModes: [ReadWriteOnce], resources: {requests: {storage: 1Gi}}}
`

// agent is a DaemonSet that the tests change by replacing words.
const agent = `
apiVersion: apps/v1
kind: DaemonSet
metadata: {name: agent}
spec:
  selector: {matchLabels: {app: agent}}
  updateStrategy: {}
  template:
    metadata: {labels: {app: agent}}
    spec:
      containers: [{name: agent, image: "agent:1"}]
`

// budget is a PodDisruptionBudget that the tests change by replacing words.
const budget = `
apiVersion: policy/v1
kind: PodDisruptionBudget
metadata: {name: web}
spec: {minAvailable: 2, selector: {matchLabels: {app: web}}}
`

// readable decodes a manifest that must be readable.
func readable[T api.Object](t *testing.T, kind api.Kind, text string) T {
	t.Helper()
	o, issues := decodeYAML(t, kind, text)
	if len(issues) > 0 {
		t.Fatalf("issues: %v", issues)
	}
	return o.(T)
}

// TestValidateStatefulSet holds the sentences of S-3.
func TestValidateStatefulSet(t *testing.T) {
	const strategy, rolling = "updateStrategy: {}", "spec.updateStrategy.rollingUpdate"
	tests := []struct {
		rule  string
		edits []string
		want  []string
	}{
		{"S-3", nil, nil},
		{"S-3", []string{strategy, "updateStrategy: {type: Recreate}"},
			[]string{`spec.updateStrategy: Invalid value: {"Type":"Recreate","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`}},
		{"S-3", []string{strategy, "updateStrategy: {type: OnDelete, rollingUpdate: {partition: 1}}"},
			[]string{rolling + `: Invalid value: {"Partition":1,"MaxUnavailable":null}: only allowed for updateStrategy 'RollingUpdate'`}},
		{"S-3", []string{strategy, "updateStrategy: {type: OnDelete}"}, nil},
		{"S-3", []string{strategy, "updateStrategy: {rollingUpdate: {maxUnavailable: 0}}"}, []string{rolling + ".maxUnavailable: Invalid value: 0: cannot be 0"}},
		{"S-3", []string{strategy, "updateStrategy: {rollingUpdate: {maxUnavailable: 0%}}"}, []string{rolling + `.maxUnavailable: Invalid value: "0%": cannot be 0`}},
		{"S-3", []string{strategy, "updateStrategy: {rollingUpdate: {maxUnavailable: 200%}}"},
			[]string{rolling + `.maxUnavailable: Invalid value: "200%": must not be greater than 100%`}},
		{"S-3", []string{strategy, "updateStrategy: {rollingUpdate: {partition: -1}}"},
			[]string{rolling + ".partition: Invalid value: -1: must be greater than or equal to 0"}},
		{"S-3", []string{"serviceName: db", "podManagementPolicy: X"},
			[]string{`spec.podManagementPolicy: Invalid value: "X": must be 'OrderedReady' or 'Parallel'`}},
		{"D-15", []string{"  selector: {matchLabels: {app: db}}\n", ""}, []string{"spec.selector: Required value",
			"spec.template.metadata.labels: Invalid value: {\"app\":\"db\"}: `selector` does not match template `labels`"}},
		{"D-15", []string{"{matchLabels: {app: db}}", "{}"}, []string{"spec.selector: Invalid value: {}: empty selector is invalid for statefulset"}},
		{"D-15", []string{"labels: {app: db}}", "labels: {app: other}}"},
			[]string{"spec.template.metadata.labels: Invalid value: {\"app\":\"other\"}: `selector` does not match template `labels`"}},
		{"D-19", []string{"containers:", "restartPolicy: Never\n      containers:"},
			[]string{`spec.template.spec.restartPolicy: Unsupported value: "Never": supported values: "Always"`}},
		{"D-19", []string{"containers:", "activeDeadlineSeconds: 5\n      containers:"},
			[]string{"spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in StatefulSet is not Supported"}},
		{"S-5: the controller sets the host name itself", []string{"containers:", "hostname: Not_Valid\n      containers:"}, nil},
		{"S-42: a claim takes the place of a volume", []string{"containers:", "volumes: [{name: data, hostPath: {}}]\n      containers:"}, nil},
		{"S-42", []string{"accessModes: [ReadWriteOnce], ", ""}, []string{"spec.volumeClaimTemplates[0].spec.accessModes: Required value: at least 1 access mode is required"}},
		{"S-42", []string{", resources: {requests: {storage: 1Gi}}", ""}, []string{"spec.volumeClaimTemplates[0].spec.resources[storage]: Required value"}},
		{"S-42", []string{"serviceName: db", "persistentVolumeClaimRetentionPolicy: {whenScaled: Keep}"},
			[]string{`spec.persistentVolumeClaimRetentionPolicy.whenScaled: Unsupported value: "Keep": supported values: "Retain", "Delete"`}},
	}
	for _, test := range tests {
		t.Run(test.rule, func(t *testing.T) {
			wantErrors(t, validate.Object(readable[*api.StatefulSet](t, api.KindStatefulSet, edit(t, db, test.edits...))), test.want...)
		})
	}
}

// TestValidateChangesNothing: validation leaves out what the controller writes over (S-5, S-42), but not in the template.
func TestValidateChangesNothing(t *testing.T) {
	s := readable[*api.StatefulSet](t, api.KindStatefulSet, edit(t, db, "containers:", "hostname: a\n      containers:"))
	before := s.Spec.Template.Hash(nil)
	if wantErrors(t, validate.Object(s)); s.Spec.Template.Hash(nil) != before {
		t.Error("the validation has changed the template")
	}
	if tree := s.Spec.Template.Spec.Tree(); tree.Text("hostname") != "a" || len(tree.Items("volumes")) > 0 {
		t.Errorf("got %v", tree)
	}
}

// TestValidateStatefulSetNumbers: what must not be negative (S-3), and revisionHistoryLimit, which may (S-4). The pods are
// named after the set, so its name is a label.
func TestValidateStatefulSetNumbers(t *testing.T) {
	s := readable[*api.StatefulSet](t, api.KindStatefulSet, edit(t, db, "replicas: 3", "replicas: -1\n  minReadySeconds: -1\n  revisionHistoryLimit: -1",
		"serviceName: db", "serviceName: a.b\n  ordinals: {start: -1}", "name: db}", "name: a.b}"))
	wantErrors(t, validate.Object(s),
		`metadata.name: Invalid value: "a.b": must not contain dots`,
		"spec.replicas: Invalid value: -1: must be greater than or equal to 0",
		"spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0",
		"spec.ordinals.start: Invalid value: -1: must be greater than or equal to 0",
		`spec.serviceName: Invalid value: "a.b": must not contain dots`)
}

// TestValidateStatefulSetUpdate is S-4, field by field.
func TestValidateStatefulSetUpdate(t *testing.T) {
	old := readable[*api.StatefulSet](t, api.KindStatefulSet, db)
	const immutable = ": field is immutable"
	tests := []struct{ old, new, want string }{
		{"serviceName: db", "serviceName: Other", `spec.serviceName: Invalid value: "Other"` + immutable},
		{"serviceName: db", "serviceName: db\n  podManagementPolicy: Parallel", `spec.podManagementPolicy: Invalid value: "Parallel"` + immutable},
		{"storage: 1Gi", "storage: 2Gi", `spec.volumeClaimTemplates: Invalid value: [{"name":"data","Spec":{"AccessModes":["ReadWriteOnce"],` +
			`"Selector":null,"Resources":{"Limits":null,"Requests":{"storage":"2Gi"}},"VolumeName":"","StorageClassName":null,"VolumeMode":"Filesystem",` +
			`"DataSource":null,"DataSourceRef":null,"VolumeAttributesClassName":null},"Status":{"Phase":"Pending","AccessModes":null,"Capacity":null,` +
			`"Conditions":null,"AllocatedResources":null,"AllocatedResourceStatuses":null,"CurrentVolumeAttributesClassName":null,` +
			`"ModifyVolumeStatus":null,"HealthStatus":null}}]` + immutable},
		{"replicas: 3", "replicas: 5", ""},
		{"image: postgres:17", "image: postgres:18", ""},
		{"updateStrategy: {}", "updateStrategy: {type: OnDelete}", ""},
		{"replicas: 3", "minReadySeconds: 5\n  revisionHistoryLimit: -1", ""},
		{"replicas: 3", "ordinals: {start: 4}\n  persistentVolumeClaimRetentionPolicy: {whenScaled: Delete}", ""},
	}
	for _, test := range tests {
		var want []string
		if test.want != "" {
			want = []string{test.want}
		}
		wantErrors(t, validate.Update(readable[*api.StatefulSet](t, api.KindStatefulSet, edit(t, db, test.old, test.new)), old), want...)
	}
	s := readable[*api.StatefulSet](t, api.KindStatefulSet, edit(t, db, "{matchLabels: {app: db}}", "{matchLabels: {app: d2}}", "labels: {app: db}}", "labels: {app: d2}}"))
	wantErrors(t, validate.Update(s, old), `spec.selector: Invalid value: {"matchLabels":{"app":"d2"}}`+immutable)
}

// TestValidateDaemonSet holds the sentences of DS-2.
func TestValidateDaemonSet(t *testing.T) {
	const rolling = "spec.updateStrategy.rollingUpdate"
	bounds := func(unavailable, surge string) []string {
		return []string{"updateStrategy: {}", "updateStrategy: {rollingUpdate: {maxUnavailable: " + unavailable + ", maxSurge: " + surge + "}}"}
	}
	both := rolling + ".maxSurge: Invalid value: 1: may not be set when maxUnavailable is non-zero"
	none := rolling + ".maxUnavailable: Required value: cannot be 0 when maxSurge is 0"
	tests := []struct {
		rule  string
		edits []string
		want  []string
	}{
		{"DS-1", nil, nil},
		{"DS-2", bounds("1", "1"), []string{both}},
		{"DS-2", []string{"updateStrategy: {}", "updateStrategy: {rollingUpdate: {maxSurge: 1}}"}, []string{both}},
		{"DS-2", bounds("0", "1"), nil},
		{"DS-2", bounds("0", "0%"), []string{none}},
		{"DS-2", bounds("0", "200%"), []string{rolling + `.maxSurge: Invalid value: "200%": must not be greater than 100%`}},
		{"DS-2", bounds("101%", "0"), []string{rolling + `.maxUnavailable: Invalid value: "101%": must not be greater than 100%`}},
		{"DS-2", bounds("-1", "0"), []string{rolling + ".maxUnavailable: Invalid value: -1: must be greater than or equal to 0"}},
		{"DS-2", bounds("x", "0"), []string{rolling + `.maxUnavailable: Invalid value: "x": ` + percentWrong, none}},
		{"DS-2", []string{"updateStrategy: {}", "updateStrategy: {type: X}"},
			[]string{`spec.updateStrategy: Unsupported value: {"Type":"X","RollingUpdate":null}: supported values: "RollingUpdate", "OnDelete"`}},
		{"DS-2", []string{"updateStrategy: {}", "updateStrategy: {type: OnDelete, rollingUpdate: {maxSurge: 9}}"}, nil},
		{"D-15", []string{"{matchLabels: {app: agent}}", "{}"}, []string{"spec.selector: Invalid value: {}: empty selector is invalid for daemonset"}},
		{"D-15", []string{"labels: {app: agent}}", "labels: {app: other}}"},
			[]string{"spec.template.metadata.labels: Invalid value: {\"app\":\"other\"}: `selector` does not match template `labels`"}},
		{"D-18", []string{"updateStrategy: {}", "minReadySeconds: -1\n  revisionHistoryLimit: -1"}, []string{
			"spec.minReadySeconds: Invalid value: -1: must be greater than or equal to 0",
			"spec.revisionHistoryLimit: Invalid value: -1: must be greater than or equal to 0"}},
		{"D-19", []string{"containers:", "activeDeadlineSeconds: 5\n      containers:"},
			[]string{"spec.template.spec.activeDeadlineSeconds: Forbidden: activeDeadlineSeconds in DaemonSet is not Supported"}},
	}
	for _, test := range tests {
		t.Run(test.rule+" "+strings.Join(test.edits, " "), func(t *testing.T) {
			wantErrors(t, validate.Object(readable[*api.DaemonSet](t, api.KindDaemonSet, edit(t, agent, test.edits...))), test.want...)
		})
	}
	old := readable[*api.DaemonSet](t, api.KindDaemonSet, agent)
	changed := readable[*api.DaemonSet](t, api.KindDaemonSet, edit(t, agent, "{matchLabels: {app: agent}}", "{matchLabels: {app: a2}}",
		"labels: {app: agent}}", "labels: {app: a2}}"))
	wantErrors(t, validate.Update(changed, old), `spec.selector: Invalid value: {"matchLabels":{"app":"a2"}}: field is immutable`) // D-16
}

// TestValidateDisruptionBudget holds the sentences of P-1.
func TestValidateDisruptionBudget(t *testing.T) {
	tests := []struct {
		edits []string
		want  []string
	}{
		{nil, nil},
		{[]string{"minAvailable: 2, ", ""}, nil},
		{[]string{"minAvailable: 2", "minAvailable: 100%"}, nil},
		{[]string{"minAvailable: 2", "minAvailable: 1, maxUnavailable: 1"}, []string{`spec: Invalid value: {"MinAvailable":1,"Selector":{"matchLabels":{"app":"web"}},` +
			`"MaxUnavailable":1,"UnhealthyPodEvictionPolicy":null}: minAvailable and maxUnavailable cannot be both set`}},
		{[]string{"minAvailable: 2", "minAvailable: -1"}, []string{"spec.minAvailable: Invalid value: -1: must be greater than or equal to 0"}},
		{[]string{"minAvailable: 2", "maxUnavailable: 101%"}, []string{`spec.maxUnavailable: Invalid value: "101%": must not be greater than 100%`}},
		{[]string{"minAvailable: 2", "maxUnavailable: few"}, []string{`spec.maxUnavailable: Invalid value: "few": ` + percentWrong}},
		{[]string{"minAvailable: 2", "minAvailable: 2, unhealthyPodEvictionPolicy: Never"},
			[]string{`spec.unhealthyPodEvictionPolicy: Unsupported value: "Never": supported values: "AlwaysAllow", "IfHealthyBudget"`}},
		{[]string{"name: web}", "name: Web_1}"}, nil},
		{[]string{"name: web}", "name: a/b}"}, []string{`metadata.name: Invalid value: "a/b": may not contain '/'`}},
	}
	for _, test := range tests {
		wantErrors(t, validate.Object(readable[*api.PodDisruptionBudget](t, api.KindPodDisruptionBudget, edit(t, budget, test.edits...))), test.want...)
	}
}

// TestValidateScheduling: what people get wrong about tolerations, affinity and spread constraints.
func TestValidateScheduling(t *testing.T) {
	const spec = "spec.template.spec."
	const tolerations, node = spec + "tolerations[0].", spec + "affinity.nodeAffinity.requiredDuringSchedulingIgnoredDuringExecution.nodeSelectorTerms"
	required := func(terms string) string {
		return "affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: " + terms + "}}}"
	}
	const constraint = spec + "topologySpreadConstraints[0]."
	spread := func(list string) string { return "topologySpreadConstraints: [" + list + "]" }
	anti := func(term string) string {
		return "affinity: {podAntiAffinity: {requiredDuringSchedulingIgnoredDuringExecution: [" + term + "]}}"
	}
	tests := []struct {
		field string
		want  []string
	}{
		{"tolerations: [{operator: Exists}, {key: a, value: b, effect: NoExecute, tolerationSeconds: 5}]", nil},
		{"tolerations: [{key: a, operator: Exist}]", []string{tolerations + `operator: Unsupported value: "Exist": supported values: "Equal", "Exists"`}},
		{"tolerations: [{effect: NoSchedule}]", []string{tolerations + `operator: Invalid value: "": operator must be Exists when ` +
			"`key` is empty, which means \"match all values and all keys\""}},
		{"tolerations: [{key: a, operator: Exists, value: b}]", []string{tolerations + `operator: Invalid value: "b": value must be empty when ` + "`operator` is 'Exists'"}},
		{"tolerations: [{key: a, effect: NoSchedule, tolerationSeconds: 5}]",
			[]string{tolerations + `effect: Invalid value: "NoSchedule": effect must be 'NoExecute' when ` + "`tolerationSeconds` is set"}},
		{"tolerations: [{key: a, effect: Never}]",
			[]string{tolerations + `effect: Unsupported value: "Never": supported values: "NoSchedule", "PreferNoSchedule", "NoExecute"`}},
		{required("[]"), []string{node + ": Required value: must have at least one node selector term"}},
		{required("[{matchExpressions: [{key: disk, operator: In}]}]"),
			[]string{node + "[0].matchExpressions[0].values: Required value: must be specified when `operator` is 'In' or 'NotIn'"}},
		{required("[{matchExpressions: [{key: disk, operator: in, values: [ssd]}]}]"),
			[]string{node + `[0].matchExpressions[0].operator: Invalid value: "in": not a valid selector operator`}},
		{required("[{matchFields: [{key: metadata.uid, operator: In, values: [x]}]}]"),
			[]string{node + `[0].matchFields[0].key: Invalid value: "metadata.uid": not a valid field selector key`}},
		{required("[{matchFields: [{key: metadata.name, operator: In, values: [a, b]}]}]"),
			[]string{node + "[0].matchFields[0].values: Required value: must be only one value when `operator` is 'In' or 'NotIn' for node field selector"}},
		{anti("{labelSelector: {matchLabels: {app: web}}, topologyKey: kubernetes.io/hostname}"), nil},
		{anti("{labelSelector: {matchExpressions: [{key: app, operator: Is}]}, topologyKey: zone}"),
			[]string{spec + "affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].labelSelector.matchExpressions[0]" +
				`.operator: Invalid value: "Is": not a valid selector operator`}},
		{anti("{topologyKey: zone, matchLabelKeys: [a]}"), []string{spec +
			"affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys: Forbidden: must not be specified when labelSelector is not set"}},
		{anti("{labelSelector: {}, topologyKey: zone, matchLabelKeys: [a], mismatchLabelKeys: [a]}"), []string{spec +
			`affinity.podAntiAffinity.requiredDuringSchedulingIgnoredDuringExecution[0].matchLabelKeys[0]: Invalid value: "a": exists in both matchLabelKeys and mismatchLabelKeys`}},
		{spread("{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: DoNotSchedule, minDomains: 2, nodeTaintsPolicy: Honor}, " +
			"{maxSkew: 1, topologyKey: zone, whenUnsatisfiable: ScheduleAnyway, labelSelector: {}, matchLabelKeys: [pod-template-hash]}"), nil},
		{spread("{maxSkew: 0, whenUnsatisfiable: Never}"), []string{constraint + "maxSkew: Invalid value: 0: must be greater than zero",
			constraint + "topologyKey: Required value: can not be empty",
			constraint + `whenUnsatisfiable: Unsupported value: "Never": supported values: "DoNotSchedule", "ScheduleAnyway"`}},
		{spread("{maxSkew: 1, topologyKey: a, whenUnsatisfiable: ScheduleAnyway, minDomains: 0}, {maxSkew: 2, topologyKey: a, whenUnsatisfiable: ScheduleAnyway}"),
			[]string{constraint + `{topologyKey, whenUnsatisfiable}: Duplicate value: "{a, ScheduleAnyway}"`, constraint + "minDomains: Invalid value: 0: must be greater than zero",
				constraint + "minDomains: Invalid value: 0: can only use minDomains if whenUnsatisfiable=DoNotSchedule, not ScheduleAnyway"}},
		{spread("{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule, nodeAffinityPolicy: Maybe, matchLabelKeys: [a b]}"),
			[]string{constraint + `nodeAffinityPolicy: Unsupported value: "Maybe": supported values: "Honor", "Ignore"`,
				constraint + "matchLabelKeys: Forbidden: must not be specified when labelSelector is not set"}},
		{spread("{maxSkew: 1, topologyKey: a, whenUnsatisfiable: DoNotSchedule, labelSelector: {matchExpressions: [{key: app, operator: Is}]}}"),
			[]string{constraint + `labelSelector.matchExpressions[0].operator: Invalid value: "Is": not a valid selector operator`}},
		{"affinity: {nodeAffinity: {preferredDuringSchedulingIgnoredDuringExecution: [{preference: {}}]}}", []string{spec +
			"affinity.nodeAffinity.preferredDuringSchedulingIgnoredDuringExecution[0].weight: Invalid value: 0: must be in the range 1-100"}},
	}
	for _, test := range tests {
		d := deployment(t, edit(t, web, "restartPolicy: Always", test.field))
		wantErrors(t, validate.Object(d), test.want...)
	}
}
