package kubectl

import (
	"fmt"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/apiserver"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/kubectl/read"
	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/engine/sim"
)

const web = `{"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"web"},"spec":{"replicas":3,` +
	`"selector":{"matchLabels":{"app":"web"}},"template":{"metadata":{"labels":{"app":"web"}},` +
	`"spec":{"containers":[{"name":"web","image":"nginx:1"},{"name":"log","image":"fluent:1"}]}}}}`

type world struct {
	t *testing.T
	s *apiserver.Server
	k *Kubectl
}

func newWorld(t *testing.T) *world {
	s := apiserver.New(&sim.Kernel{}, 1)
	w := &world{t, s, New(s)}
	w.k.Load = []scenario.Load{{Of: api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}, CPU: 100}}
	if a := w.apply(web); a.Output != "deployment.apps/web created" {
		t.Fatalf("apply: %+v", a)
	}
	return w
}

// said is an answer in one text.
type said struct {
	Output string
	Failed bool
}

func saidBy(r *read.Reading) said { return said{r.Text(), r.Failed} }

// answer carries out a line.
func (w *world) answer(text string) said { return saidBy(w.k.Run(line.Parse(text))) }

func (w *world) apply(text string) said {
	w.t.Helper()
	o, issues := decode.JSON(api.KindDeployment, []byte(text))
	if len(issues) > 0 {
		w.t.Fatalf("decode: %v", issues)
	}
	decode.Default(o)
	return saidBy(w.k.Apply([]scenario.Manifest{{Object: o, JSON: []byte(text)}}))
}

func (w *world) deployment() *api.Deployment {
	return w.s.Store.Get(api.Key{Kind: api.KindDeployment, Namespace: "default", Name: "web"}).(*api.Deployment)
}

// TestAnswers is what commands print, one after the other in one cluster (K-30 to K-37).
func TestAnswers(t *testing.T) {
	w := newWorld(t)
	applied := "Warning: resource deployments/web was previously managed with 'kubectl apply'. Rolling back will not update the " +
		"kubectl.kubernetes.io/last-applied-configuration annotation, which may cause unexpected behavior on future 'kubectl apply' " +
		"operations. Consider using 'kubectl apply' with your previous configuration file instead.\n"
	for _, tt := range []struct{ line, want string }{
		{"kubectl set image deployment/web web=nginx:2", "deployment.apps/web image updated"},
		{"set image deploy web web=nginx:2", ""},
		{"set image deployment/web nope=nginx:2", `error: unable to find container named "nope"`},
		{"set image deployment/web *=busybox", "deployment.apps/web image updated"},
		{"set image deployment/web", "error: at least one image update is required"},
		{"scale deployment/web --replicas=5", "deployment.apps/web scaled"},
		{"scale --replicas 5 deploy web", "deployment.apps/web scaled"},
		{"scale deploy/web --replicas=-1", "error: The --replicas=COUNT flag is required, and COUNT must be greater than or equal to 0"},
		{"scale deploy/web --replicas=3 --current-replicas=9", "error: Expected replicas to be 9, was 5"},
		{"rollout restart deploy/web", "deployment.apps/web restarted"},
		{"rollout restart deploy/web", "error: failed to create patch for web: if restart has already been triggered within the past second, " +
			"please wait before attempting to trigger another"},
		{"rollout pause deploy/web", "deployment.apps/web paused"},
		{"rollout pause deploy/web", `error: deployments.apps "web" is already paused`},
		{"rollout undo deploy/web", applied + `error: no rollout history found for deployment "web"`},
		{"rollout restart deploy/web", `error: deployments.apps "web" can't restart paused deployment (run rollout resume first)`},
		{"rollout resume deploy/web", "deployment.apps/web resumed"},
		{"rollout resume deploy/web", `error: deployments.apps "web" is not paused`},
		{"rollout undo deploy/web --to-revision=7", applied + "error: unable to find specified revision 7 in history"},
		{`annotate deploy/web kubernetes.io/change-cause="second try"`, "deployment.apps/web annotated"},
		{"annotate deploy/web kubernetes.io/change-cause=third", "deployment.apps/web annotated"},
		{"annotate deploy/web team=red", "deployment.apps/web annotated"},
		{"annotate deploy/web team=blue", "error: --overwrite is false but found the following declared annotation(s): 'team' already has a value (red)"},
		{"-n default scale deploy/web --replicas=5", "deployment.apps/web scaled"},
		{"kubectl --namespace=shop scale deploy/web --replicas=5", `Error from server (NotFound): namespaces "shop" not found`},
		{"scale deploy/nope --replicas=1", `Error from server (NotFound): deployments.apps "nope" not found`},
		{"scale gadget/web --replicas=1", `error: the server doesn't have a resource type "gadget"`},
		{"scale deploy/web --replicas=1 --timeout=1m", "error: rollplay does not model the flag --timeout of \"kubectl scale\": kubectl scale --help lists its flags"},
		{"scale deploy/web --replcas=1", "error: unknown flag: --replcas\nSee 'kubectl scale --help' for usage.\nDid you mean --replicas?"},
		{"set image deploy/web 'web=x", "error: a closing ' is missing"},
		{"delete deploy web", `deployment.apps "web" deleted from default namespace`},
	} {
		if got := w.answer(tt.line); got.Output != tt.want || got.Failed != strings.Contains(strings.ToLower(tt.want), "error") {
			t.Errorf("%s\n got %q (failed: %t)\nwant %q", tt.line, got.Output, got.Failed, tt.want)
		}
	}
	if got := w.answer("exec pod/a"); !got.Failed || !strings.Contains(got.Output, `rollplay does not model "kubectl exec"`) {
		t.Errorf("a verb that is not modelled must be named: %q", got.Output)
	}
}

// TestBadCommandsChangeNothing: what is refused leaves no trace in the cluster.
func TestBadCommandsChangeNothing(t *testing.T) {
	w := newWorld(t)
	before := len(w.s.Store.Log)
	for _, line := range []string{"", "kubectl", "scale", "scale deploy/web", "rollout", "set image deploy/web web=", "delete", "apply -f -"} {
		if a := w.answer(line); !a.Failed || a.Output == "" {
			t.Errorf("%q must be refused with a reason: %+v", line, a)
		}
	}
	if n := len(w.s.Store.Log) - before; n != 0 {
		t.Errorf("%d changes", n)
	}
}

// TestApply is kubectl's three-way merge (K-35).
func TestApply(t *testing.T) {
	w := newWorld(t)
	if a := w.apply(web); a.Output != "deployment.apps/web unchanged" {
		t.Errorf("the same manifest again: %+v", a)
	}
	w.answer("scale deploy/web --replicas=7")
	w.answer("rollout restart deploy/web")

	withoutReplicas := strings.Replace(web, `"replicas":3,`, "", 1)
	w.apply(withoutReplicas)
	if got := *w.deployment().Spec.Replicas; got != 1 {
		t.Errorf("replicas that were given and are no more fall back to the default: %d, want 1", got)
	}
	w.answer("scale deploy/web --replicas=7")
	w.apply(strings.Replace(withoutReplicas, "nginx:1", "nginx:2", 1))
	d := w.deployment()
	if got := *d.Spec.Replicas; got != 7 {
		t.Errorf("replicas that were never given stay: %d, want 7", got)
	}
	if got := d.Spec.Template.Spec.Containers[0].Image; got != "nginx:2" {
		t.Errorf("image is %s", got)
	}
	if len(d.Spec.Template.Annotations) != 1 {
		t.Errorf("the restart's annotation must stay: %v", d.Spec.Template.Annotations)
	}
	recreate := strings.Replace(withoutReplicas, `"selector"`, `"strategy":{"type":"Recreate"},"selector"`, 1)
	if a := w.apply(recreate); a.Output != "deployment.apps/web configured" {
		t.Errorf("D-13: a manifest that only switches the type must apply: %+v", a)
	}
	if w.deployment().Spec.Strategy.RollingUpdate != nil {
		t.Error("D-13: the defaulted rollingUpdate must be dropped")
	}
	a := w.apply(strings.ReplaceAll(withoutReplicas, `"app":"web"`, `"app":"other"`))
	want := `The Deployment "web" is invalid: spec.selector: Invalid value: {"matchLabels":{"app":"other"}}: field is immutable`
	if a.Output != want || !a.Failed {
		t.Errorf("D-16: %+v", a)
	}
}

// TestApplyToBoundPod: a bare pod can be applied again after the scheduler has bound it, and stays on its node (K-35).
func TestApplyToBoundPod(t *testing.T) {
	s := apiserver.New(&sim.Kernel{}, 1)
	k := New(s)
	const text = `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"web"},"spec":{"containers":[{"name":"web","image":"nginx:1"}]}}`
	apply := func(text string) said {
		o, issues := decode.JSON(api.KindPod, []byte(text))
		if len(issues) > 0 {
			t.Fatalf("decode: %v", issues)
		}
		return saidBy(k.Apply([]scenario.Manifest{{Object: o, JSON: []byte(text)}}))
	}
	key := api.Key{Kind: api.KindPod, Namespace: "default", Name: "web"}
	apply(text)
	if err := s.Client("default-scheduler").Bind(key, "node-1", "bound", nil); err != nil {
		t.Fatal(err)
	}
	if a := apply(text); a.Output != "pod/web unchanged" || a.Failed {
		t.Errorf("the same manifest again: %+v", a)
	}
	if a := apply(strings.Replace(text, `"name":"web"}`, `"name":"web","labels":{"tier":"front"}}`, 1)); a.Output != "pod/web configured" {
		t.Errorf("a manifest with one more label: %+v", a)
	}
	pod := s.Store.Get(key).(*api.Pod)
	if pod.NodeName != "node-1" || pod.Spec.NodeName != "" || pod.Labels["tier"] != "front" {
		t.Errorf("node %q, spec.nodeName %q, labels %v", pod.NodeName, pod.Spec.NodeName, pod.Labels)
	}
}

// TestSeveral: where a command names several objects, kubectl continues with the others; set image finds all of them first.
func TestSeveral(t *testing.T) {
	w := newWorld(t)
	before := len(w.s.Store.Log)
	if a := w.answer("set image deploy web nope web=nginx:2"); !a.Failed || len(w.s.Store.Log) != before {
		t.Errorf("set image changed something: %+v", a)
	}
	a := w.answer("scale deploy nope web --replicas=7")
	want := "deployment.apps/web scaled\nError from server (NotFound): deployments.apps \"nope\" not found"
	if a.Output != want || !a.Failed || *w.deployment().Spec.Replicas != 7 {
		t.Errorf("got %+v with %d replicas, want %q and 7", a, *w.deployment().Spec.Replicas, want)
	}
}

func ExampleKubectl_Run() {
	s := apiserver.New(&sim.Kernel{}, 1)
	fmt.Println(New(s).Run(line.Parse("kubectl scale deployment/web --replicas=5")).Text())
	// Output: Error from server (NotFound): deployments.apps "web" not found
}

// TestDryRunOfAFullQuota: the server's dry run of a pod is refused where its creation would be, and charges nothing.
func TestDryRunOfAFullQuota(t *testing.T) {
	w := newWorld(t)
	w.answer("create quota two --hard=pods=2")
	const forbidden = `Error from server (Forbidden): pods "c" is forbidden: exceeded quota: two, requested: pods=1, used: pods=2, limited: pods=2`
	for _, tt := range []struct{ line, want string }{
		{"run a --image=a --dry-run=server", "pod/a created (server dry run)"},
		{"run a --image=a", "pod/a created"},
		{"run b --image=b", "pod/b created"},
		{"run c --image=c --dry-run=server", forbidden},
		{"run c --image=c", forbidden},
		{"run c --image=c --dry-run=client", "pod/c created (dry run)"},
	} {
		if a := w.answer(tt.line); a.Output != tt.want {
			t.Errorf("%s: %s, want %s", tt.line, a.Output, tt.want)
		}
	}
}

// TestTwoMistakes: of two mistakes in a line, and of a warning and a mistake, what kubectl finds first is said first.
func TestTwoMistakes(t *testing.T) {
	const warning = "warning: --cascade=false is deprecated (boolean value) and can be replaced with --cascade=orphan.\n"
	w := newWorld(t)
	for _, tt := range []struct{ line, want string }{
		{`create pdb a --selector="a b" --min-available=1 -o foo`, "error: " + noPrinter("foo").Error()},
		{"scale deploy/web --replicas=-1 -o foo", "error: " + noPrinter("foo").Error()},
		{`patch deploy/web --subresource=scale -p '{"spec":{"replicas":x}}' --dry-run=client`, "error: invalid JSON document"},
		{`patch deploy/web --type=merge -p '{"spec":{"replicas":x}}' --dry-run=client`, "error: Invalid JSON Patch"},
		{`patch deploy/web -p '{"spec":{"replicas":x}}'`, "Error from server (BadRequest): invalid JSON patch"},
		{`patch deploy/web --type=json -p '{"op":'`, "Error from server (BadRequest): invalid JSON patch"},
		{`patch deploy/web --type=json -p '{"op":' --dry-run=client`, "error: unexpected end of JSON input"},
		{`patch ds/none --subresource=scale -p '{"spec":{"replicas":2}}'`, "Error from server (NotFound): the server could not find the requested resource"},
		{"set env deploy/web A=1 deploy/web --dry-run=foo", "error: all resources must be specified before environment changes: deploy/web A=1 deploy/web"},
		{"set env deploy/web A=1 deploy/web --all -l a=b", "error: cannot set --all and --selector at the same time"},
		{"set resources deploy/none", `Error from server (NotFound): deployments.apps "none" not found`},
		{`create pdb a --selector="a b"`, "error: one of min-available or max-unavailable must be specified"},
		{`create pdb a --selector="a b" --min-available=1`,
			`error: couldn't parse the selector string "a b": unable to parse requirement: found 'b', expected: in, notin, =, ==, !=, gt, lt`},
		{"delete deploy/web --cascade=false --dry-run=foo", warning + `error: Invalid dry-run value (foo). Must be "none", "server", or "client".`},
		{"delete deploy/web --cascade=false --now --grace-period=3", warning + "error: --now and --grace-period cannot be specified together"},
	} {
		if a := w.answer(tt.line); a.Output != tt.want || !a.Failed {
			t.Errorf("%s: %+v, want %s", tt.line, a, tt.want)
		}
	}
}
