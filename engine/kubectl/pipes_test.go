package kubectl_test

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/past"
)

// TestPipesInTime: a program behind a pipe gets the lines when kubectl prints them; errors pass it by, and head ends kubectl.
func TestPipesInTime(t *testing.T) {
	scenario := sheetScenario()
	run, _ := engine.Start(engine.Recording{Scenario: scenario})
	run.AdvancePast(sheetAt, math.MaxInt)
	p := run.Past()
	for line, want := range map[string]string{
		"get pods | grep db-": "9500 db-0 1/1 Running 0 9s, 9500 db-1 1/1 Running 0 8s",
		"get pods --no-headers -A | grep -v frontend | sort -r | head -n 1":        "9500 default my-pod 1/1 Running 0 9s",
		"get pods nope db-0 | grep -c db":                                          `9500 ! Error from server (NotFound): pods "nope" not found, 9500 1`,
		"get pods -l app=frontend -w --no-headers -o name | head -n 3 | tail -n 1": "10002 pod/frontend-78467f585-mbwr4",
		"get pods -w | wc -l": "open",
		"get pods -w -l app=frontend --no-headers -o name | cut -d/ -f2 | head -n 3": "9500 frontend-777766c654-65vvd, 9500 frontend-777766c654-95pm8, 10002 frontend-78467f585-mbwr4",
		"echo $(kubectl get sts,rc -o name)":                                         "9500 statefulset.apps/db replicationcontroller/bar replicationcontroller/baz replicationcontroller/foo replicationcontroller/my-rc replicationcontroller/nginx",
		"get pods -o name | wc -l":                                                   "9500 7",
		"rollout status deployment/frontend --watch=false | grep -i SUCCESS":         `9500 deployment "frontend" successfully rolled out`,
	} {
		reading, ok := p.Read(past.Parse(line), p.Find(9500), 9500)
		if !ok {
			t.Errorf("$ %s does not read", line)
			continue
		}
		var lines []string
		for _, l := range reading.Lines {
			mark := ""
			if l.Stderr {
				mark = "! "
			}
			lines = append(lines, fmt.Sprint(l.T, " ", mark, strings.Join(strings.Fields(l.Text), " ")))
		}
		if reading.Open {
			lines = append(lines, "open")
		}
		if got := strings.Join(lines, ", "); got != want {
			t.Errorf("$ %s\ngot  %s\nwant %s", line, got, want)
		}
	}
	if got := answerAt(t, scenario, "delete pods -l app=db | sort -r | head -n 1").Text(); got != `pod "db-1" deleted from default namespace` {
		t.Errorf("a write behind a pipe answers %q", got)
	}
}

// TestBothSidesOfAPipe: a shell runs both, so each says what is wrong with it, and what the first does is done.
func TestBothSidesOfAPipe(t *testing.T) {
	scenario := sheetScenario()
	const line = "create configmap new other --from-literal=a=b --dry-run=client -o yaml | kubectl replace --dry-run=foo -f -"
	const want = "error: exactly one NAME is required, got 2\nSee 'kubectl create configmap -h' for help and examples\n" +
		`error: Invalid dry-run value (foo). Must be "none", "server", or "client".`
	if got := answerAt(t, scenario, line).Text(); got != want {
		t.Errorf("$ %s\ngot  %s\nwant %s", line, got, want)
	}
	run, _ := engine.Start(engine.Recording{Scenario: scenario, Commands: []engine.Command{{At: sheetAt, Run: "delete pod db-0 | kubectl apply --bogus"}}})
	run.AdvancePast(sheetAt, math.MaxInt)
	p := run.Past()
	got, _ := p.Read(past.Parse("get pod db-0 -o jsonpath={.metadata.deletionTimestamp}"), p.Find(sheetAt), sheetAt)
	if !strings.HasPrefix(got.Text(), "20") {
		t.Errorf("the pod that the first side deletes has the deletionTimestamp %q", got.Text())
	}
	for line, refused := range map[string]bool{"get pods | kubectl apply --bogus": false, "get pods | kubectl exec x": true, "apply --bogus": true} {
		if _, got := past.Parse(line).Refused(); got != refused {
			t.Errorf("$ %s: refused without a run is %t", line, got)
		}
	}
}

// TestPipedLists: a List without items is no error for delete, and of objects whose manifests are not read the answer names each.
func TestPipedLists(t *testing.T) {
	scenario := sheetScenario()
	const why = "is left out: its kind is not simulated"
	for line, want := range map[string]string{
		"get pdb -l no=one -o yaml | kubectl delete -f -":       "No resources found",
		"get pdb -l no=one -o yaml | kubectl create -f -":       "error: no objects passed to create",
		"get controllerrevisions -o yaml | kubectl delete -f -": `ControllerRevision "db-`,
	} {
		got := answerAt(t, scenario, line).Text()
		if !strings.Contains(got, want) || strings.Contains(got, why) != strings.Contains(line, "revisions") {
			t.Errorf("$ %s\ngot  %s\nwant %s", line, got, want)
		}
	}
}
