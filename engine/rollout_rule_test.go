package engine

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/scenarios"
)

// ruleScenario is a Deployment web, or a bare ReplicaSet, of nginx:1 whose containers start 300 ms after a pull of 1 s and
// stop after 3 s, with a timeline of lines "5s: kubectl …".
func ruleScenario(kind string, replicas int, spec string, timeline ...string) string {
	var b strings.Builder
	b.WriteString("apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec:\n  images:\n  - {match: \"*\", pull: 1s, start: 300ms, stop: 3s}\n  timeline:\n")
	for _, line := range timeline {
		at, run, _ := strings.Cut(line, ": ")
		fmt.Fprintf(&b, "  - {at: %s, run: %q}\n", at, run)
	}
	fmt.Fprintf(&b, "---\napiVersion: apps/v1\nkind: %s\nmetadata: {name: web}\nspec:\n  replicas: %d\n%s", kind, replicas, spec)
	b.WriteString("  selector: {matchLabels: {app: web}}\n  template:\n    metadata: {labels: {app: web}}\n    spec:\n      containers: [{name: web, image: \"nginx:1\"}]\n")
	return b.String()
}

// ruleSets returns the ReplicaSets at the end of a run, oldest first.
func ruleSets(run *Run) (sets []*api.ReplicaSet) {
	for o := range run.world.server.Store.Table(api.KindReplicaSet).All() {
		sets = append(sets, o.(*api.ReplicaSet))
	}
	return sets
}

// ruleDeployment returns the Deployment at the end of a run.
func ruleDeployment(run *Run) *api.Deployment {
	return run.world.server.Store.Get(api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}).(*api.Deployment)
}

// TestAnnotationBefore is D-42: an annotation set before the new image ends up on the old revision, too; set
// afterwards, it does not.
func TestAnnotationBefore(t *testing.T) {
	const image, cause = "kubectl set image deployment/web web=nginx:2", "kubectl annotate deployment/web kubernetes.io/change-cause=second"
	for name, tt := range map[string]struct{ first, then, want string }{
		"before": {cause, image, "[second second]"},
		"after":  {image, cause, "[ second]"},
	} {
		run := mustRun(t, ruleScenario("Deployment", 2, "", "5s: "+tt.first, "10s: "+tt.then))
		var causes []string
		for _, rs := range ruleSets(run) {
			causes = append(causes, rs.Annotations[api.ChangeCauseAnnotation])
		}
		if got := fmt.Sprint(causes); got != tt.want {
			t.Errorf("%s: the revisions are labelled %s, want %s", name, got, tt.want)
		}
	}
}

// TestUndoTakesTheOldOne is D-43: revisions 1 and 2, undone: the first ReplicaSet is revision 3 and remembers 1.
func TestUndoTakesTheOldOne(t *testing.T) {
	run := mustRun(t, ruleScenario("Deployment", 2, "", "5s: kubectl set image deployment/web web=nginx:2", "30s: kubectl rollout undo deployment/web"))
	var got []string
	for _, rs := range ruleSets(run) {
		got = append(got, rs.Annotations[api.RevisionAnnotation]+" was "+rs.Annotations[api.RevisionHistoryAnnotation])
	}
	if !slices.Equal(got, []string{"3 was 1", "2 was "}) || ruleDeployment(run).Annotations[api.RevisionAnnotation] != "3" {
		t.Errorf("revisions are %q, the Deployment's %s", got, ruleDeployment(run).Annotations[api.RevisionAnnotation])
	}
}

// TestRecreate is D-58 and D-59: the old pods go, the last of them has stopped, and only then is there a new ReplicaSet, at
// its full size.
func TestRecreate(t *testing.T) {
	run := mustRun(t, ruleScenario("Deployment", 3, "  strategy: {type: Recreate}\n", "10s: kubectl set image deployment/web web=nginx:2"))
	var down, lastStop, lastPod, created, up int64
	for i := range run.Len() {
		r := run.Record(i)
		switch {
		case r.T < 10_000:
		case r.Reason == "ScalingReplicaSet" && strings.HasSuffix(r.Message, "from 3 to 0"):
			down = r.T
		case strings.HasPrefix(r.Object, "Pod/") && strings.HasPrefix(r.What, "its containers have stopped"):
			lastStop = r.T
		case strings.HasPrefix(r.Object, "Pod/") && strings.HasPrefix(r.What, "removed"):
			lastPod = r.T
		case strings.HasPrefix(r.What, "ReplicaSet created with 3 replicas"):
			created = r.T
		case r.Reason == "ScalingReplicaSet" && strings.HasSuffix(r.Message, "from 0 to 3"):
			up = r.T
		}
	}
	// A pod that has Succeeded no longer runs (recreate.go:oldPodsRunning), so its relist is not waited for; the ReplicaSet's status tells.
	if down == 0 || lastStop < down+3000 || created != lastStop+2 || up != created || lastPod <= created {
		t.Errorf("scaled down at %d ms, the last pod stopped at %d and gone at %d, the new ReplicaSet created at %d and scaled at %d", down, lastStop, lastPod, created, up)
	}
}

// TestScaledInTheMiddle is D-75: a scaling in the middle of a rollout is shared out, and the rollout continues.
func TestScaledInTheMiddle(t *testing.T) {
	run := mustRun(t, ruleScenario("Deployment", 10, "", "10s: kubectl set image deployment/web web=nginx:2", "11s: kubectl scale deployment/web --replicas=15"))
	var shared []string
	for i := range run.Len() {
		if r := run.Record(i); r.Reason == "ScalingReplicaSet" && r.T >= 11_000 && r.T < 11_050 {
			words := strings.Fields(r.Message)
			shared = append(shared, strings.Join(words[len(words)-4:], " "))
		}
	}
	if len(shared) < 2 || !slices.Equal(shared[:2], []string{"from 8 to 12", "from 5 to 7"}) {
		t.Errorf("scaled %q, want 8 to 12 and 5 to 7 first", shared)
	}
	frames := run.Frames("Deployment/default/web")
	if f := frames[len(frames)-1]; f.Updated != 15 || f.Total != 15 || f.Available != 15 {
		t.Errorf("at the end: %+v", f)
	}
}

// TestDeploymentEvents is D-81: the reasons and the beginnings of all that the Deployment controller ever says; a deadline,
// a pause and the end of a rollout are not among them.
func TestDeploymentEvents(t *testing.T) {
	allowed := map[string][]string{
		"ScalingReplicaSet":                  {"Scaled up replica set ", "Scaled down replica set "},
		"ReplicaSetCreateError":              {"Failed to create new replica set "},
		"SelectingAll":                       {"This deployment is selecting all pods."},
		"DeploymentRollback":                 {"Rolled back deployment "},
		"DeploymentRollbackRevisionNotFound": {"Unable to find "},
		"DeploymentRollbackTemplateUnchanged": {
			"The rollback revision contains the same template as current deployment "},
	}
	texts := []string{ruleScenario("Deployment", 2, "  progressDeadlineSeconds: 3\n", "5s: kubectl set image deployment/web web=nginx:2",
		"6s: kubectl rollout pause deployment/web", "20s: kubectl rollout resume deployment/web")}
	for _, name := range scenarios.Names() {
		texts = append(texts, scenarios.Text(name))
	}
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(archive.Files[0].Data))
	}
	for _, text := range texts {
		run := mustRun(t, text)
		for i := range run.Len() {
			r := run.Record(i)
			if r.Kind == Event && r.Actor == "deployment-controller" && !slices.ContainsFunc(allowed[r.Reason], func(begin string) bool { return strings.HasPrefix(r.Message, begin) }) {
				t.Errorf("at %d ms: %s %s", r.T, r.Reason, r.Message)
			}
		}
	}
}

// TestWatchedRows is R-24: the rows that a watch of a bare ReplicaSet shows, DESIRED CURRENT READY, one for each stored
// change.
func TestWatchedRows(t *testing.T) {
	run := mustRun(t, ruleScenario("ReplicaSet", 3, "", "10s: kubectl scale rs/web --replicas=2", "20s: kubectl scale rs/web --replicas=5", "30s: kubectl delete rs/web"))
	rows := map[int64][]string{} // by the ten seconds that they fall into
	for _, c := range run.world.server.Store.Log {
		if rs, ok := c.Object().(*api.ReplicaSet); ok {
			rows[c.At/10_000] = append(rows[c.At/10_000], fmt.Sprintf("%d %d %d", *rs.Spec.Replicas, rs.Status.Replicas, rs.Status.ReadyReplicas))
		}
	}
	for i, want := range [][]string{
		{"3 0 0", "3 0 0", "3 3 0"}, // then one for each observed change of readiness
		{"2 3 3", "2 3 3", "2 2 2", "2 2 2"},
		{"5 2 2", "5 2 2", "5 5 2"},
		{"5 5 5"},
	} {
		got := rows[int64(i)]
		if i == 0 || i == 2 {
			got = got[:min(len(got), len(want))]
		}
		if !slices.Equal(got, want) {
			t.Errorf("from %d s: %q, want %q", 10*i, rows[int64(i)], want)
		}
	}
}

// TestQuotaInRollout is G-51 and R-21: the refusal in the events of the ReplicaSet, the same text in its condition and in
// that of the Deployment, and in the end the deadline; the quota is full.
func TestQuotaInRollout(t *testing.T) {
	text := ruleScenario("Deployment", 6, "  progressDeadlineSeconds: 10\n") +
		"---\napiVersion: v1\nkind: ResourceQuota\nmetadata: {name: q}\nspec: {hard: {pods: 4}}\n"
	// The quota must be there first.
	scenario, objects, _ := strings.Cut(text, "---\n")
	deployment, quota, _ := strings.Cut(objects, "---\n")
	run := mustRun(t, scenario+"---\n"+quota+"---\n"+deployment)
	first := ""
	for i := range run.Len() {
		if r := run.Record(i); r.Reason == "FailedCreate" && first == "" {
			first = strings.TrimPrefix(r.Message, "Error creating: ")
		}
	}
	if !strings.HasSuffix(first, "is forbidden: exceeded quota: q, requested: pods=1, used: pods=4, limited: pods=4") {
		t.Errorf("the first refusal is %q", first)
	}
	for what, conditions := range map[string][]api.Condition{"ReplicaSet": ruleSets(run)[0].Status.Conditions, "Deployment": ruleDeployment(run).Status.Conditions} {
		if c := api.FindCondition(conditions, "ReplicaFailure"); c == nil || c.Reason != "FailedCreate" || c.Message != first {
			t.Errorf("the %s's condition is %+v, want the message %q", what, c, first)
		}
	}
	if c := api.FindCondition(ruleDeployment(run).Status.Conditions, "Progressing"); c.Reason != "ProgressDeadlineExceeded" {
		t.Errorf("Progressing is %+v", c)
	}
	q := run.world.server.Store.Get(api.Key{Kind: api.KindResourceQuota, Namespace: "default", Name: "q"}).(*api.ResourceQuota)
	if used, hard := q.Status.Used["pods"], q.Status.Hard["pods"]; used.String()+"/"+hard.String() != "4/4" {
		t.Errorf("used is %s of %s, want 4/4", used, hard)
	}
}

// TestSecondWriteConflicts is H-10: the sync that notes the revision of a new ReplicaSet cannot write the counts as well;
// it tries again after 5 ms (H-5), and what it did stays.
func TestSecondWriteConflicts(t *testing.T) {
	run := mustRun(t, ruleScenario("Deployment", 2, ""))
	for i := range run.Len() {
		r := run.Record(i)
		if r.Actor == "deployment-controller" && strings.HasPrefix(r.What, "tries again in 5 ms: Operation cannot be fulfilled on deployments.apps \"web\"") {
			if ruleSets(run)[0].Annotations[api.RevisionAnnotation] != "1" {
				t.Error("what the sync did is not there")
			}
			return
		}
	}
	t.Error("no sync met a conflict")
}
