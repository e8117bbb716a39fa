package kubectl_test

import (
	"strings"
	"testing"
)

// TestManifestAsGiven: what a manifest has is taken as it is where nothing is stored.
func TestManifestAsGiven(t *testing.T) {
	scenario := sheetScenario()
	const (
		nameless = "apiVersion: apps/v1\nkind: ReplicaSet\nmetadata: {labels: {a: b}}\nspec: {replicas: 6, selector: {matchLabels: {a: b}}}\nEOF"
		budget   = "apiVersion: policy/v1\nkind: PodDisruptionBudget\nmetadata:\n  name: NAME\n  annotations:\n" +
			"    kubectl.kubernetes.io/last-applied-configuration: '{}'\nspec: {minAvailable: 5}\nEOF"
		wrong = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, annotations: {a: b}}\nspec: {strategy: {rollingUpdate: {maxSurge: 1.5}}}\nEOF"
	)
	named := strings.Replace(nameless, "labels: {a: b}", "name: new", 1)
	generated := strings.Replace(nameless, "labels: {a: b}", "generateName: web-", 1)
	for line, want := range map[string]string{
		"scale --replicas=2 -n other -f - <<EOF\n" + named:                    `replicasets.apps "new" not found`,
		"rollout pause -f - <<EOF\n" + generated:                              `replicasets.apps "" pausing is not supported`,
		"rollout restart -f - <<EOF\n" + nameless:                             `replicasets.apps "" restarting is not supported`,
		"delete -f - <<EOF\n" + generated:                                     "cannot use generate name with apply",
		"scale --replicas=0 --dry-run=client -o name -f - <<EOF\n" + nameless: "replicaset.apps/<unknown>",
		"scale --replicas=0 --dry-run=server -f - <<EOF\n" + nameless:         "metadata.name: Required value",
		"scale --replicas=9 --dry-run=client -o yaml -f - <<EOF\n" + wrong:    "  annotations:\n    a: b\n",
		"diff -f - <<EOF\n" + budget:                                          "+    kubectl.kubernetes.io/last-applied-configuration: '{}'",
	} {
		if got := answerAt(t, scenario, line).Text(); !strings.Contains(got, want) {
			t.Errorf("$ %s\ngot  %s\nwant %s", line, got, want)
		}
	}
	set := "apiVersion: apps/v1\nfoo: 1\nkind: StatefulSet\nmetadata: {name: db}\nspec: {replicas: 2, serviceName: db, revisionHistoryLimit: -1, " +
		"selector: {matchLabels: {app: db}}, template: {metadata: {labels: {app: db}}, spec: {containers: [{name: db, image: \"postgres:17\"}]}}}\nEOF"
	lines := "patch sts db -p '{\"spec\":{\"revisionHistoryLimit\":-1}}' && diff -f - <<EOF\n" + set
	if got := answerAt(t, scenario, lines).Text(); !strings.Contains(got, "revisionHistoryLimit: a negative value") {
		t.Errorf("of an object that stays as it is, diff says %q", got)
	}
}
