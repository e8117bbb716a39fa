package engine

import (
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/past"
	"github.com/rollplay/rollplay/scenarios"
)

// The numbers of this file were published, in articles about the Deployment controller, in the documentation of
// Kubernetes, or seen on a running control plane of v1.37.1 (D-50, D-69, D-73, T-1 to T-5). The engine must give them.

const web = "Deployment/default/web"

// letters names the ReplicaSets of a run a, b, c in the order of their creation.
func letters(run *Run) map[string]string {
	names := map[string]string{}
	for _, c := range run.world.server.Store.Log {
		if rs, ok := c.New.(*api.ReplicaSet); ok && names[rs.Name] == "" {
			names[rs.Name] = string(rune('a' + len(names)))
		}
	}
	return names
}

// steps lists the scalings from a moment on, those of one sync in one entry: "b 0-3, a 10-8".
func steps(run *Run, since int64) []string {
	names := letters(run)
	var out []string
	at := int64(-1)
	for i := range run.Len() {
		r := run.Record(i)
		if r.Reason != "ScalingReplicaSet" || r.T < since {
			continue
		}
		w := strings.Fields(r.Message) // Scaled up replica set web-5bf9f4b6c7 from 0 to 3
		step := names[w[4]] + " " + w[6] + "-" + w[8]
		if r.T == at {
			out[len(out)-1] += ", " + step
		} else {
			out = append(out, step)
		}
		at = r.T
	}
	return out
}

// frameAt is the last frame of Deployment web at or before a moment.
func frameAt(run *Run, t int64) Frame {
	frames := run.Frames(web)
	i := len(frames) - 1
	for frames[i].T > t {
		i--
	}
	return frames[i]
}

// storedDeployment is Deployment web as it was stored at the end, nil if it is gone.
func storedDeployment(run *Run) *api.Deployment {
	d, _ := run.world.server.Store.Get(api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}).(*api.Deployment)
	return d
}

// replicaSets returns the ReplicaSets that are left at the end, by letter.
func replicaSets(run *Run) map[string]*api.ReplicaSet {
	left := map[string]*api.ReplicaSet{}
	for name, letter := range letters(run) {
		key := api.Key{Kind: api.KindReplicaSet, Namespace: "default", Name: name}
		if rs, ok := run.world.server.Store.Get(key).(*api.ReplicaSet); ok {
			left[letter] = rs
		}
	}
	return left
}

// revisions are the numbers that rollout history would list.
func revisions(run *Run) []int {
	var out []int
	for _, rs := range replicaSets(run) {
		n, _ := strconv.Atoi(rs.Annotations[api.RevisionAnnotation])
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// published runs a shipped scenario, perhaps with commands of its own.
func published(t *testing.T, name string, commands ...Command) *Run {
	t.Helper()
	text := scenarios.Text(name)
	if text == "" {
		t.Fatalf("no scenario %s", name)
	}
	return mustRun(t, text, commands...)
}

// golden runs the scenario of a txtar file of testdata.
func golden(t *testing.T, name string) *Run {
	t.Helper()
	archive, err := txtar.ParseFile(filepath.Join("testdata", name+".txtar"))
	if err != nil {
		t.Fatal(err)
	}
	return mustRun(t, string(archive.Files[0].Data))
}

func wantSteps(t *testing.T, got []string, want ...string) {
	t.Helper()
	if len(got) < len(want) || !slices.Equal(got[:len(want)], want) {
		t.Errorf("the scalings are\n got %q\nwant %q", got, want)
	}
}

// wantComplete asserts that the run ends with n pods, all available and of the present template.
func wantComplete(t *testing.T, run *Run, replicas int) {
	t.Helper()
	frames := run.Frames(web)
	if f := frames[len(frames)-1]; f.Desired != replicas || f.Total != replicas || f.Updated != replicas || f.Available != replicas || f.Terminating != 0 {
		t.Errorf("at the end: %+v, want %d", f, replicas)
	}
}

// wantBounds asserts that no frame from a moment on has sizes that add up to more than upper, or fewer available pods
// than lower.
func wantBounds(t *testing.T, run *Run, since int64, upper, lower int) {
	t.Helper()
	for _, f := range run.Frames(web) {
		if f.T >= since && (f.Upper != upper || f.Lower != lower || sizes(&f) > upper || f.Available < lower) {
			t.Errorf("at %d ms: sizes %d, %d available, bounds %d and %d, want %d and %d", f.T, sizes(&f), f.Available, f.Upper, f.Lower, upper, lower)
			return
		}
	}
}

// "RollingUpdateStrategy: 25% max unavailable, 25% max surge": ten replicas give 13 and 8, the first steps are 3 new, 8
// old, 5 new (D-50a to D-50c), and one sync takes the first two (GC-1 to GC-4, GC-27).
func TestPublished1(t *testing.T) {
	run := golden(t, "published-1")
	wantSteps(t, steps(run, 10_000), "b 0-3, a 10-8", "b 3-5", "a 8-7", "b 5-6", "a 7-6", "b 6-7", "a 6-5", "b 7-8", "a 5-4", "b 8-9", "a 4-3", "b 9-10",
		"a 3-2", "a 2-1", "a 1-0")
	wantBounds(t, run, 10_000, 13, 8)
	wantComplete(t, run, 10)
}

// A Deployment that is deleted in mid-rollout is gone at once; nothing is scaled to 0 (A-9, GC-28).
func TestPublished2(t *testing.T) {
	run := published(t, "published-2-delete")
	if got := steps(run, 12_000); len(got) > 0 {
		t.Errorf("something is scaled after the deletion: %q", got)
	}
	gone := map[api.Kind][]int64{}
	for _, c := range run.world.server.Store.Log {
		if c.New == nil {
			gone[c.Old.Key().Kind] = append(gone[c.Old.Key().Kind], c.At)
		}
	}
	if got := gone[api.KindDeployment]; !slices.Equal(got, []int64{12_000}) {
		t.Errorf("the Deployment is gone at %v", got)
	}
	if got := gone[api.KindReplicaSet]; !slices.Equal(got, []int64{12_001, 12_001}) {
		t.Errorf("the ReplicaSets are gone at %v", got)
	}
	pods := gone[api.KindPod]
	if before := slices.IndexFunc(pods, func(at int64) bool { return at > 12_002 }); len(pods)-before < 10 || slices.Max(pods) > 17_000 {
		t.Errorf("pods are gone at %v", pods)
	}
	for _, kind := range []api.Kind{api.KindDeployment, api.KindReplicaSet, api.KindPod} {
		if left := run.Past().Objects(kind, run.Len()-1); len(left) > 0 {
			t.Errorf("left: %+v", left)
		}
	}
}

// 15 to 20 at the sizes 10 and 7: "13 and 9, leftover 3" make 16 and 9 (D-73, GC-29).
func TestPublished3(t *testing.T) {
	run := published(t, "published-3-scale-up")
	wantSteps(t, steps(run, 10_000), "b 0-4, a 15-12", "b 4-7", "a 12-10", "a 10-16, b 7-9", "a 16-13", "b 9-12")
	wantBounds(t, run, 13_000, 25, 15)
	wantComplete(t, run, 20)
}

// As published, it continues with 15/9 and 15/10. That takes that no new pod is available when the command is given: here
// the two that were are deleted together with it. Then 25 - 15 - 9 = 1 may go, and one may come (D-53, D-75).
func TestPublished3WithoutNewPods(t *testing.T) {
	at := int64(11_506)
	base := published(t, "published-3-scale-up")
	remove := "kubectl delete pod"
	for _, pod := range base.Past().Pods(base.Past().Find(at-1), base.Past().At(base.Past().Find(at-1))) {
		if letters(base)[pod.Owner] == "b" && pod.State == past.PodAvailable {
			remove += " " + strings.TrimPrefix(pod.Key, "default/")
		}
	}
	run := published(t, "published-3-scale-up", Command{At: at, Run: remove})
	wantSteps(t, steps(run, at), "a 12-10", "a 10-16, b 7-9", "a 16-15", "b 9-10")
	wantComplete(t, run, 20)
}

// 15 to 4 at the sizes 9 and 9 makes 2 and 3 (D-73, GC-30).
func TestPublished4(t *testing.T) {
	run := published(t, "published-4-scale-down")
	wantSteps(t, steps(run, 10_000), "b 0-4, a 15-12", "b 4-7", "a 12-11", "b 7-8", "a 11-10", "b 8-9", "a 10-9", "a 9-2, b 9-3", "a 2-0", "b 3-4")
	wantBounds(t, run, 12_500, 5, 3)
	wantComplete(t, run, 4)
}

// A single ReplicaSet goes from 10 to 20 in one step; the image comes while the new pods start, with the bounds 25 and 15. The first
// sync takes 5 of the pods that are not available yet (D-70, D-53, GC-31).
func TestPublished5(t *testing.T) {
	run := published(t, "published-5-scale-then-image")
	wantSteps(t, steps(run, 10_000), "a 10-20", "b 0-5, a 20-15", "b 5-10")
	wantBounds(t, run, 10_510, 25, 15)
	wantComplete(t, run, 20)
}

// 25 to 4, and an image while 21 pods are terminating: the total is never above 5 (D-20, GC-32).
func TestPublished6(t *testing.T) {
	run := published(t, "published-6-shrink-then-image")
	wantSteps(t, steps(run, 10_000), "a 25-4", "b 0-1, a 4-3", "b 1-2", "a 3-2", "b 2-3", "a 2-1", "b 3-4", "a 1-0")
	wantBounds(t, run, 10_500, 5, 3)
	for _, f := range run.Frames(web) {
		if f.T >= 10_500 && f.Total > 5 {
			t.Errorf("at %d ms there are %d pods", f.T, f.Total)
		}
	}
	wantComplete(t, run, 4)
}

// Revisions 1, 2, 3, undo to 2: it becomes 4, and the history is 1, 3, 4 (D-43, GC-33).
func TestPublished7(t *testing.T) {
	run := golden(t, "published-7")
	if got := revisions(run); !slices.Equal(got, []int{1, 3, 4}) {
		t.Errorf("the history lists %v", got)
	}
	b := replicaSets(run)["b"]
	if b.Annotations[api.RevisionAnnotation] != "4" || b.Annotations[api.RevisionHistoryAnnotation] != "2" || *b.Spec.Replicas != 10 {
		t.Errorf("the second ReplicaSet: %v, size %d", b.Annotations, *b.Spec.Replicas)
	}
	if got := storedDeployment(run).Annotations[api.RevisionAnnotation]; got != "4" {
		t.Errorf("the Deployment has revision %s", got)
	}
	wantSteps(t, steps(run, 40_000), "b 0-3", "c 10-8", "b 3-5")
	wantBounds(t, run, 10_000, 13, 8)
	wantComplete(t, run, 10)
}

// A third image at 12 + 7 = 19, the limit: its ReplicaSet starts with 0; "7/7/3 -> 3", "12/12 -> 9", then 7 new (D-50j to D-50m, GC-34).
// Then "9 -> 8" and "8 -> 7", one for each new pod: the nodes pull its image one after the other (G-8).
func TestPublished8(t *testing.T) {
	run := published(t, "published-8-rollover")
	wantSteps(t, steps(run, 10_000), "b 0-4, a 15-12", "b 4-7", "b 7-3, a 12-9", "c 0-7", "a 9-8", "c 7-8", "a 8-7", "c 8-9")
	created := slices.ContainsFunc(run.Frames(web), func(f Frame) bool {
		return len(f.ReplicaSets) == 3 && f.ReplicaSets[0].Spec == 12 && f.ReplicaSets[1].Spec == 7 && f.ReplicaSets[2].Spec == 0
	})
	if f := frameAt(run, 11_505); !created || f.ReplicaSets[0].Available != 12 || f.ReplicaSets[1].Available != 3 {
		t.Errorf("the third ReplicaSet comes at %+v", f)
	}
	wantBounds(t, run, 10_000, 19, 12)
	wantComplete(t, run, 15)
}

// scenarioOf writes a scenario with Deployment web.
func scenarioOf(scenario, spec string) string {
	return "apiVersion: rollplay/v1alpha1\nkind: Scenario\nspec: {" + scenario + "}\n---\n" +
		"apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web}\nspec: {selector: {matchLabels: {app: web}}, " + spec + "}\n"
}

const (
	plainPod  = `template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "nginx:1"}]}}`
	probedPod = `template: {metadata: {labels: {app: web}}, spec: {containers: [{name: web, image: "nginx:1",
  readinessProbe: {httpGet: {path: /, port: 80}, initialDelaySeconds: 1, periodSeconds: 1}}]}}`
)

// A broken image stops by itself, with the default strategy at 3 + 1, 3 + 2 and 8 + 5, whichever way it is broken.
func TestBrokenImageRests(t *testing.T) {
	for _, broken := range []string{"pull: fails", "pull: 1s, ready: never", "pull: 1s, crash: 200ms"} {
		for _, tt := range []struct{ replicas, old, new int }{{1, 1, 1}, {3, 3, 1}, {4, 3, 2}, {10, 8, 5}} {
			pod, spec := probedPod, fmt.Sprintf("replicas: %d, ", tt.replicas)
			if strings.Contains(broken, "crash") {
				pod, spec = plainPod, spec+"minReadySeconds: 5, "
			}
			run := mustRun(t, scenarioOf(`duration: 2m, images: [{match: "nginx:2", `+broken+`}, {match: "*", pull: 1s, start: 300ms, stop: 1s}],
  timeline: [{at: 20s, run: kubectl set image deployment/web web=nginx:2}]`, spec+pod))
			f := frameAt(run, 100_000)
			if len(f.ReplicaSets) != 2 || f.ReplicaSets[0].Spec != tt.old || f.ReplicaSets[1].Spec != tt.new || f.Available != tt.old {
				t.Errorf("%s, %d replicas: rests at %+v, want %d old and %d new", broken, tt.replicas, f, tt.old, tt.new)
			}
		}
	}
}

// Proportional scaling of a rollout that is stuck at 8 and 5. "5 additional replicas are required: 3 are added to the old
// ReplicaSet and 2 to the new one" holds for the integers 3 and 2, as documented; 25% of 15 makes room for one more (D-73).
func TestProportionalScaling(t *testing.T) {
	for _, tt := range []struct {
		strategy string
		to       int
		want     []string
	}{
		{"maxSurge: 3, maxUnavailable: 2", 15, []string{"a 8-11, b 5-7"}},
		{"maxSurge: 25%, maxUnavailable: 25%", 15, []string{"a 8-12, b 5-7"}},
		{"maxSurge: 25%, maxUnavailable: 25%", 5, []string{"a 8-4, b 5-3"}},
		{"maxSurge: 25%, maxUnavailable: 25%", 0, []string{"a 8-0, b 5-0"}},
	} {
		run := mustRun(t, scenarioOf(fmt.Sprintf(`duration: 1m, images: [{match: "nginx:2", pull: fails}, {match: "*", pull: 1s, start: 300ms, stop: 1s}],
  timeline: [{at: 10s, run: kubectl set image deployment/web web=nginx:2}, {at: 20s, run: kubectl scale deployment/web --replicas=%d}]`, tt.to),
			"replicas: 10, strategy: {rollingUpdate: {"+tt.strategy+"}}, "+plainPod))
		wantSteps(t, steps(run, 20_000), tt.want...)
	}
}

// statusRow is what of a Deployment's status the recordings show.
func statusRow(d *api.Deployment) string {
	s := &d.Status
	row := fmt.Sprintf("r%d u%d rdy%d av%d un%d", s.Replicas, s.UpdatedReplicas, s.ReadyReplicas, s.AvailableReplicas, s.UnavailableReplicas)
	row += fmt.Sprintf(" rev%s obs%d", d.Annotations[api.RevisionAnnotation], s.ObservedGeneration)
	for _, kind := range []string{"Available", "Progressing", "ReplicaFailure"} {
		if c := api.FindCondition(s.Conditions, kind); c != nil {
			row += " " + kind[:1] + "=" + c.Status + "/" + c.Reason
		}
	}
	return row
}

// statusRows lists the stored statuses of Deployment web from a moment on, without repetitions.
func statusRows(run *Run, since int64) []string {
	var rows []string
	for _, c := range run.world.server.Store.Log {
		if d, ok := c.New.(*api.Deployment); ok && c.At >= since && c.Old != nil {
			rows = append(rows, statusRow(d))
		}
	}
	return slices.Compact(rows)
}

// setRows lists the stored changes of a ReplicaSet: spec st rdy | gen og, without repetitions.
func setRows(run *Run, letter string, since int64) []string {
	names := letters(run)
	var rows []string
	for _, c := range run.world.server.Store.Log {
		rs, ok := c.New.(*api.ReplicaSet)
		if ok && names[rs.Name] == letter && c.At >= since {
			rows = append(rows, fmt.Sprintf("%d %d %d | %d %d",
				*rs.Spec.Replicas, rs.Status.Replicas, rs.Status.ReadyReplicas, rs.Generation, rs.Status.ObservedGeneration))
		}
	}
	return slices.Compact(rows)
}

func wantRows(t *testing.T, what string, got, want []string) {
	t.Helper()
	for i := range max(len(got), len(want)) {
		if g, w := lineAt(got, i), lineAt(want, i); g != w {
			t.Errorf("%s, row %d:\n got %s\nwant %s\n all %s", what, i+1, g, w, strings.Join(got, "\n     "))
			return
		}
	}
}

// T-1: the rows of `kubectl get rs -w` with generation and observedGeneration, pods Ready 1-2 s after their start, for the
// sizes 10, 8, 7, 5, 4, 3, 2, 1, 0 and 3, 5, 6, 8, 9, 10. Each scaling gives three rows: the size, the
// observedGeneration, the pods.
func TestReplicaSetRows(t *testing.T) {
	run := mustRun(t, scenarioOf(`seed: 37, images: [{match: "*", pull: 200ms, start: 300ms, ready: 0s..8s, stop: 3s}],
  timeline: [{at: 20s, run: kubectl set image deployment/web web=nginx:2}]`, "replicas: 10, "+probedPod))
	wantRows(t, "old", setRows(run, "a", 20_000), []string{
		"8 10 10 | 2 1", "8 10 10 | 2 2", "8 8 8 | 2 2",
		"7 8 8 | 3 2", "7 8 8 | 3 3", "7 7 7 | 3 3",
		"5 7 7 | 4 3", "5 7 7 | 4 4", "5 5 5 | 4 4",
		"4 5 5 | 5 4", "4 5 5 | 5 5", "4 4 4 | 5 5",
		"3 4 4 | 6 5", "3 4 4 | 6 6", "3 3 3 | 6 6",
		"2 3 3 | 7 6", "2 3 3 | 7 7", "2 2 2 | 7 7",
		"1 2 2 | 8 7", "1 2 2 | 8 8", "1 1 1 | 8 8",
		"0 1 1 | 9 8", "0 1 1 | 9 9", "0 0 0 | 9 9",
	})
	// The recording has 3 0 0, 3 0 0, 3 3 0 before the 5: there the second sync of the Deployment came some ms later. Here a
	// sync takes no time, and it is the watch that brings the second one, after 1 ms.
	wantRows(t, "new", setRows(run, "b", 20_000), []string{
		"3 0 0 | 1 0", "5 0 0 | 2 0", "5 0 0 | 2 1", "5 3 0 | 2 2", "5 5 0 | 2 2", "5 5 1 | 2 2",
		"6 5 1 | 3 2", "6 5 1 | 3 3", "6 6 1 | 3 3", "6 6 3 | 3 3",
		"8 6 3 | 4 3", "8 6 3 | 4 4", "8 8 3 | 4 4", "8 8 4 | 4 4",
		"9 8 4 | 5 4", "9 8 4 | 5 5", "9 9 4 | 5 5", "9 9 5 | 5 5",
		"10 9 5 | 6 5", "10 9 5 | 6 6", "10 10 5 | 6 6",
		"10 10 6 | 6 6", "10 10 7 | 6 6", "10 10 8 | 6 6", "10 10 9 | 6 6", "10 10 10 | 6 6",
	})
	wantRows(t, "creation", setRows(run, "a", 0)[:3], []string{"10 0 0 | 1 0", "10 0 0 | 1 1", "10 10 0 | 1 1"})
}

// The published rows of the last steps, "2 3 3, 2 3 3, 2 2 2" and so on, have more of the last kind since 1.35: one for
// each batch of pods that are finally gone (terminatingReplicas; GC-5, R-24).
func TestRowsOfTerminatingPods(t *testing.T) {
	run := mustRun(t, scenarioOf(`images: [{match: "*", pull: 1s, start: 300ms, stop: 3s}],
  timeline: [{at: 10s, run: kubectl scale deployment/web --replicas=2}]`, "replicas: 3, "+plainPod))
	var rows []string
	for _, c := range run.world.server.Store.Log {
		if rs, ok := c.New.(*api.ReplicaSet); ok && c.At >= 10_000 {
			s := &rs.Status
			rows = append(rows, fmt.Sprintf("%d %d %d %d", *rs.Spec.Replicas, s.Replicas, s.ReadyReplicas, *s.TerminatingReplicas))
		}
	}
	wantRows(t, "3 to 2", rows, []string{"2 3 3 0", "2 3 3 0", "2 2 2 1", "2 2 2 0"})
}

// T-3: Recreate, three pods, 3 s to stop. The new ReplicaSet appears when the last old pod object is gone (D-59).
func TestRecreateRows(t *testing.T) {
	run := mustRun(t, scenarioOf(`seed: 1, images: [{match: "*", pull: 1s..3s, start: 300ms, stop: 3s}],
  timeline: [{at: 10s, run: kubectl set image deployment/web web=nginx:2}]`, "replicas: 3, strategy: {type: Recreate}, "+plainPod))
	wantSteps(t, steps(run, 0), "a 0-3", "a 3-0", "b 0-3")
	wantRows(t, "old", setRows(run, "a", 10_000), []string{"0 3 3 | 2 1", "0 3 3 | 2 2", "0 0 0 | 2 2"})
	wantRows(t, "new", setRows(run, "b", 0), []string{
		"3 0 0 | 1 0", "3 0 0 | 1 1", "3 3 0 | 1 1", "3 3 1 | 1 1", "3 3 2 | 1 1", "3 3 3 | 1 1"})
	for _, f := range run.Frames(web) {
		if len(f.ReplicaSets) > 0 && f.Updated > 0 && f.T > 10_000 && (f.T < 13_000 || f.Terminating > 0) {
			t.Errorf("new pods while old ones terminate: %+v", f)
			break
		}
	}
}

// D-69: the stored statuses of four pods that are created, updated and undone, one row for each.
func TestStatusRows(t *testing.T) {
	run := mustRun(t, scenarioOf(`nodes: {count: 4}, images: [{match: "*", pull: 1s..2s, start: 500ms, stop: 3s}],
  timeline: [{at: 10s, run: kubectl set image deployment/web web=nginx:2}, {at: 20s, run: kubectl rollout undo deployment/web}]`,
		"replicas: 4, "+plainPod))
	const (
		no, yes            = " A=False/MinimumReplicasUnavailable", " A=True/MinimumReplicasAvailable"
		created, available = " P=True/NewReplicaSetCreated", " P=True/NewReplicaSetAvailable"
		updated            = " P=True/ReplicaSetUpdated"
	)
	rows := statusRows(run, 0)
	from := func(word string) []string {
		return rows[slices.IndexFunc(rows, func(r string) bool { return strings.Contains(r, word) }):]
	}
	wantRows(t, "create", from("rev1")[:7], []string{
		"r0 u0 rdy0 av0 un0 rev1 obs0" + created,
		"r0 u0 rdy0 av0 un4 rev1 obs1" + no + created,
		"r4 u4 rdy0 av0 un4 rev1 obs1" + no + updated,
		"r4 u4 rdy1 av1 un3 rev1 obs1" + no + updated,
		"r4 u4 rdy2 av2 un2 rev1 obs1" + no + updated,
		"r4 u4 rdy3 av3 un1 rev1 obs1" + yes + updated,
		"r4 u4 rdy4 av4 un0 rev1 obs1" + yes + available,
	})
	// The recording goes from the first of these to r5 u1 and r4 u1: its next sync came after the pod was counted.
	wantRows(t, "update", from("rev2")[:5], []string{
		"r4 u4 rdy4 av4 un0 rev2 obs1" + yes + created,
		"r4 u0 rdy4 av4 un0 rev2 obs2" + yes + created,
		"r4 u0 rdy4 av4 un1 rev2 obs2" + yes + created,
		"r4 u1 rdy3 av3 un2 rev2 obs2" + yes + updated,
		"r5 u2 rdy3 av3 un2 rev2 obs2" + yes + updated,
	})
	undo := from("rev3")
	wantRows(t, "end of the update", rows[len(rows)-len(undo)-1:][:1], []string{"r4 u4 rdy4 av4 un0 rev2 obs2" + yes + available})
	// T-9: the first status that knows the new template has 0 updated pods, and Progressing is the old one still (D-68).
	wantRows(t, "undo", undo[:4], []string{
		"r4 u4 rdy4 av4 un0 rev3 obs2" + yes + available,
		"r4 u0 rdy4 av4 un1 rev3 obs3" + yes + available,
		"r4 u0 rdy4 av4 un0 rev3 obs3" + yes + available,
		"r5 u1 rdy4 av4 un1 rev3 obs3" + yes + updated,
	})
	wantRows(t, "end", rows[len(rows)-1:], []string{"r4 u4 rdy4 av4 un0 rev3 obs3" + yes + available})
}

// moments lists when something happens whose record contains a text; a reconcile as a whole is not meant.
func moments(run *Run, text string) (at []int64) {
	for i := range run.Len() {
		if r := run.Record(i); r.Kind != Reconcile && strings.Contains(run.recordText(i, &r), text) {
			at = append(at, r.T)
		}
	}
	return at
}

func wantMoments(t *testing.T, run *Run, text string, want ...int64) {
	t.Helper()
	if got := moments(run, text); !slices.Equal(got, want) {
		t.Errorf("%q happens at %v ms, want %v", text, got, want)
	}
}

// conditionRows lists the changes of a condition of Deployment web: status, reason, and the seconds of its two times.
func conditionRows(run *Run, kind string) []string {
	var rows []string
	for _, c := range run.world.server.Store.Log {
		d, ok := c.New.(*api.Deployment)
		if !ok {
			continue
		}
		if x := api.FindCondition(d.Status.Conditions, kind); x != nil {
			rows = append(rows, fmt.Sprintf("%s %s %d %d", x.Status, x.Reason, x.LastUpdateTime.Milli()/1000, x.LastTransitionTime.Milli()/1000))
		} else if len(rows) > 0 {
			rows = append(rows, "none")
		}
	}
	return slices.Compact(rows)
}

// T-4: a deadline of 6 s is reported 7 s after the last progress; "undo" goes 2 to 0 and 3 to 4 within a second.
func TestProgressDeadline(t *testing.T) {
	run := golden(t, "deadline")
	wantMoments(t, run, "no progress within the deadline", 17_000)
	rows := statusRows(run, 17_000)
	wantRows(t, "deadline", rows[:1], []string{"r5 u2 rdy3 av3 un2 rev2 obs2 A=True/MinimumReplicasAvailable P=False/ProgressDeadlineExceeded"})
	wantSteps(t, steps(run, 10_000), "b 0-1, a 4-3", "b 1-2", "b 2-0", "a 3-4")
	if got := steps(run, 21_000); len(got) > 0 {
		t.Errorf("the undo takes more than a second: %q", got)
	}
	a := replicaSets(run)["a"]
	if a.Annotations[api.RevisionAnnotation] != "3" || a.Annotations[api.RevisionHistoryAnnotation] != "1" {
		t.Errorf("the first ReplicaSet has %v", a.Annotations)
	}
	wantRows(t, "Progressing", conditionRows(run, "Progressing"), []string{
		"True NewReplicaSetCreated 0 0", "True ReplicaSetUpdated 0 0", "True ReplicaSetUpdated 1 0", "True NewReplicaSetAvailable 3 0",
		"True NewReplicaSetCreated 10 0", "True ReplicaSetUpdated 10 0", "False ProgressDeadlineExceeded 17 17",
		"True ReplicaSetUpdated 20 20", "True NewReplicaSetAvailable 22 20"})

	wantMoments(t, golden(t, "broken-image"), "no progress within the deadline", 16_000)
}

// T-5: a quota of 4 pods for 6.
func TestQuota(t *testing.T) {
	run := golden(t, "quota")
	if got := moments(run, "SuccessfulCreate"); !slices.Equal(got, []int64{2, 2, 2, 2, 43_447, 43_447}) {
		t.Errorf("pods are created at %v", got)
	}
	refused := moments(run, "FailedCreate: Error creating: pods \"web-")
	if len(refused) < 10 || refused[0] != 2 || refused[1] != 2 || refused[2] == 2 {
		t.Errorf("the refusals are at %v", refused)
	}
	for i := 2; i < len(refused); i++ {
		if refused[i] == refused[i-1] {
			t.Errorf("two refusals in one retry, at %d", refused[i])
		}
	}
	const text = `pods "web-7fff9b7f6c-m4v6h" is forbidden: exceeded quota: four, requested: pods=1, used: pods=4, limited: pods=4`
	messages := map[string]bool{}
	for _, c := range run.world.server.Store.Log {
		switch o := c.New.(type) {
		case *api.Deployment:
			if x := api.FindCondition(o.Status.Conditions, "ReplicaFailure"); x != nil {
				messages["Deployment "+x.Reason+": "+x.Message] = true
			}
		case *api.ReplicaSet:
			if x := api.FindCondition(o.Status.Conditions, "ReplicaFailure"); x != nil {
				messages["ReplicaSet "+x.Reason+": "+x.Message] = true
			}
		}
	}
	if len(messages) != 2 || !messages["Deployment FailedCreate: "+text] || !messages["ReplicaSet FailedCreate: "+text] {
		t.Errorf("ReplicaFailure says %v", messages)
	}
	wantRows(t, "ReplicaFailure", conditionRows(run, "ReplicaFailure"), []string{"True FailedCreate 0 0", "none"})
	wantRows(t, "at rest", statusRows(run, 11_000)[:1], []string{"r4 u4 rdy4 av4 un2 rev1 obs1 A=False/MinimumReplicasUnavailable P=False/ProgressDeadlineExceeded R=True/FailedCreate"})
	wantComplete(t, run, 6)
}

// "A Deployment created paused gets no RS at all" (D-25); the clock restarts on resume (D-24).
func TestPaused(t *testing.T) {
	run := golden(t, "paused")
	if f := frameAt(run, 2000); len(f.ReplicaSets) != 0 || f.Total != 0 {
		t.Errorf("before it is resumed: %+v", f)
	}
	wantRows(t, "paused", statusRows(run, 2)[:1], []string{"r0 u0 rdy0 av0 un0 rev obs1 A=False/MinimumReplicasUnavailable P=Unknown/DeploymentPaused"})
	wantSteps(t, steps(run, 0), "a 0-2", "a 2-3", "b 0-1", "a 3-2", "b 1-2")
	for _, at := range []int64{12_000, 15_999} {
		if f := frameAt(run, at); len(f.ReplicaSets) != 1 {
			t.Errorf("paused, at %d: %+v", at, f)
		}
	}
	rows := conditionRows(run, "Progressing")
	for _, want := range []string{"Unknown DeploymentPaused 0 0", "Unknown DeploymentResumed 2 0", "Unknown DeploymentPaused 10 10", "Unknown DeploymentResumed 16 10"} {
		if !slices.Contains(rows, want) {
			t.Errorf("Progressing is never %q: %q", want, rows)
		}
	}
	wantComplete(t, run, 3)
}

// D-27: the size is right, its annotation is not, and no image is rolled out until the number changes.
func TestWedged(t *testing.T) {
	run := golden(t, "wedged")
	if f := frameAt(run, 19_999); len(f.ReplicaSets) != 1 || f.Updated != 0 || f.ReplicaSets[0].Spec != 2 {
		t.Errorf("before it is healed: %+v", f)
	}
	wantSteps(t, steps(run, 5000), "a 2-3", "b 0-1")
	wantComplete(t, run, 3)
}

// D-56, D-43: what is kept of the history.
func TestHistoryLimit(t *testing.T) {
	none := golden(t, "history-none")
	if got := revisions(none); !slices.Equal(got, []int{2}) {
		t.Errorf("limit 0 keeps %v", got)
	}
	if r := none.Record(none.Past().Find(10_000)); !r.Failed || !strings.HasSuffix(r.What, "\nerror: no rollout history found for deployment \"web\"") {
		t.Errorf("undo says %q", r.What)
	}
	two := golden(t, "history-two")
	if got := revisions(two); !slices.Equal(got, []int{2, 4, 5}) {
		t.Errorf("limit 2 keeps %v", got)
	}
	if c := replicaSets(two)["c"]; c.Annotations[api.RevisionAnnotation] != "5" || c.Annotations[api.RevisionHistoryAnnotation] != "3" {
		t.Errorf("the third ReplicaSet has %v", c.Annotations)
	}
	if r := two.Record(two.Past().Find(25_000)); !r.Failed || !strings.HasSuffix(r.What, "\nerror: unable to find specified revision 1 in history") {
		t.Errorf("undo says %q", r.What)
	}
}

// pods that are Ready at 1.7 s and 4.8 s are available 10 s after the seconds 1 and 4.
func TestMinReadySeconds(t *testing.T) {
	run := golden(t, "min-ready")
	if got := moments(run, "ready 2, available 1, terminating"); len(got) == 0 || got[0] != 11_000 {
		t.Errorf("the first is available at %v", got)
	}
	if got := moments(run, "ready 2, available 2, terminating"); len(got) == 0 || got[0] != 14_000 {
		t.Errorf("both are available at %v", got)
	}
	wantBounds(t, run, 20_000, 3, 2)
	wantComplete(t, run, 2)
}

// A crash loop is hidden by minReadySeconds and lets an image through without (G-13); the waits are 0, 10, 20 (G-11), from the end of the
// container, which shows at the next relist, and up to half of that more (G-14, G-15).
func TestCrashLoop(t *testing.T) {
	run := golden(t, "crash-loop")
	frames := run.Frames(web)
	if f := frames[len(frames)-1]; sizes(&f) != 3 || f.ReplicaSets[0].Available != 2 || f.Available != 2 {
		t.Errorf("rests at %+v, want 2 and 1", f)
	}
	crashed := moments(run, "container exited")
	var started []int64
	for i := range run.Len() {
		r := run.Record(i)
		if r.What == "container started" && strings.Contains(r.Object, "web-74b595855d") {
			started = append(started, r.T)
		}
	}
	if len(crashed) != 4 || len(started) != 4 {
		t.Fatalf("starts %v, exits %v", started, crashed)
	}
	for i, wait := range []int64{0, 10_000, 20_000} {
		if got := started[i+1] - crashed[i] - 300; got < wait-1000 || got > wait+wait/2+1000 || i == 0 && got != 0 {
			t.Errorf("restart %d waits %d ms, want %d to %d", i+1, got, wait, wait+wait/2)
		}
	}
	without := mustRun(t, strings.Replace(run.Recording().Scenario, "minReadySeconds: 5", "minReadySeconds: 0", 1))
	if fs := without.Frames(web); len(fs) == 0 || fs[len(fs)-1].ReplicaSets[0].Spec != 0 {
		t.Error("without minReadySeconds the broken image must get through")
	}
}

// G-21, G-22: the two relists after the start are within the delay of 5 s and reset the ticker; so the probe fails one period after the second, and
// succeeds one period later, at most 2 + 2*10 s after the start.
func TestSlowStart(t *testing.T) {
	run := golden(t, "slow-start")
	started := moments(run, "container started // ")
	if len(started) != 1 {
		t.Fatalf("starts at %v", started)
	}
	wantMoments(t, run, "Readiness probe failed", relistOf(started[0], 11_738)+11_000)
	wantMoments(t, run, "container ready", relistOf(started[0], 11_738)+21_000)
}

// relistOf returns when a kubelet that lists its containers at one moment, and every second, lists them after another one (G-14).
func relistOf(after, one int64) int64 { return after + 1000 - (after-one+1_000_000)%1000 }

// G-30a, G-30c: a process that stops in 40 s and has 5 is gone at the relist after 5; the replacement does not wait.
func TestSlowStop(t *testing.T) {
	run := golden(t, "slow-stop")
	killed := moments(run, "Killing: Stopping container")
	if len(killed) != 1 {
		t.Fatalf("kills at %v", killed)
	}
	wantMoments(t, run, "removed: its containers have stopped", relistOf(killed[0]+5000, 11_738))
	wantComplete(t, run, 1)
}

// H-10: the retry of a conflict comes 5 ms later, and what was done stays.
func TestConflict(t *testing.T) {
	run := golden(t, "conflict")
	wantMoments(t, run, `tries again in 5 ms: Operation cannot be fulfilled on deployments.apps "web": the object has been modified; `+
		"please apply your changes to the latest version and try again", 1)
	wantMoments(t, run, "ReplicaSet created", 1)
	wantMoments(t, run, "looks again in 600 s", 6)
}

// D-41: a taken name counts as a collision of hashes, and the next hash is another one.
func TestHashCollision(t *testing.T) {
	run := golden(t, "collision")
	d := storedDeployment(run)
	if d.Status.CollisionCount == nil || *d.Status.CollisionCount != 1 {
		t.Errorf("collisionCount is %v", d.Status.CollisionCount)
	}
	wantMoments(t, run, `tries again in 5 ms: replicasets.apps "web-74b595855d" already exists`, 5001)
	if f := frameAt(run, 60_000); len(f.ReplicaSets) != 2 || f.ReplicaSets[1].Name == "web-74b595855d" || f.Updated != 1 {
		t.Errorf("at the end: %+v", f)
	}
	if stranger := run.world.server.Store.Get(api.Key{Kind: api.KindReplicaSet, Namespace: "default", Name: "web-74b595855d"}); stranger.Meta().ControllerOf() != nil {
		t.Error("the Deployment has taken the other ReplicaSet")
	}
}

// a ReplicaSet that was left behind is adopted by the next Deployment that selects it; no pod moves.
func TestAdoption(t *testing.T) {
	run := golden(t, "adopted")
	wantMoments(t, run, "adopted by web", 8001)
	if got := moments(run, "pod created"); len(got) != 2 || got[1] > 1000 || len(moments(run, "pod deleted")) > 0 {
		t.Errorf("pods are created at %v", got)
	}
	wantRows(t, "adopted", conditionRows(run, "Progressing")[4:], []string{"True FoundNewReplicaSet 8 8", "True NewReplicaSetAvailable 8 8"})
	wantComplete(t, run, 2)
}
