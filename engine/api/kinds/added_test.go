package kinds_test

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/kinds"
	"github.com/rollplay/rollplay/engine/enginetest"
	"github.com/rollplay/rollplay/engine/export"
	"github.com/rollplay/rollplay/engine/kubectl/line"
	"github.com/rollplay/rollplay/engine/past"
)

// widget is the type of a made-up kind.
type widget struct {
	api.ObjectMeta `json:"metadata"`
	Spec           api.Fields `json:"spec,omitempty"`
	Status         api.Fields `json:"status,omitempty"`
}

func (w *widget) Key() api.Key { return api.Key{Kind: "Widget", Namespace: w.Namespace, Name: w.Name} }

func init() {
	kinds.Add(&kinds.Kind{Name: "Widget", Group: "example.com", Version: "v2", Plural: "widgets", Short: "wd",
		New: func() api.Object { return &widget{} }})
}

const manifests = `
apiVersion: example.com/v2
kind: Widget
metadata: {name: red, labels: {app: web}}
spec: {size: 3, tags: [a, b]}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: web}
spec:
  replicas: 1
  selector: {matchLabels: {app: web}}
  template:
    metadata: {labels: {app: web}}
    spec: {containers: [{name: web, image: web:1}]}
`

// TestAddedKind: a kind with an entry in the table and a type, and no other line of code, can be applied, listed, watched, changed,
// described, waited for and deleted.
func TestAddedKind(t *testing.T) {
	c := enginetest.Start(t, manifests)
	blue := "apiVersion: example.com/v2\nkind: Widget\nmetadata: {name: blue}\nspec: {size: 1}\n"
	for _, step := range []struct{ at, line, want string }{
		{"1s", "kubectl apply -f - <<EOF\n" + blue + "EOF", "widget.example.com/blue created"},
		{"2s", "kubectl apply -f - <<EOF\n" + blue + "EOF", "widget.example.com/blue unchanged"},
		{"3s", "kubectl apply -f - <<EOF\n" + strings.Replace(blue, "size: 1", "size: 2", 1) + "EOF", "widget.example.com/blue configured"},
		{"4s", "kubectl get widgets", "NAME   AGE\nblue   3s\nred    4s"},
		{"4s", "kubectl get wd -l app=web -o name", "widget.example.com/red"},
		{"4s", "kubectl get widget red -o jsonpath='{.apiVersion} {.kind} {.spec.tags[1]} {.metadata.generation}'", "example.com/v2 Widget b 1"},
		{"4s", "kubectl get widgets.example.com/blue -o jsonpath='{.spec.size} {.metadata.generation}'", "2 2"},
		{"5s", "kubectl label wd red team=x", "widget.example.com/red labeled"},
		{"5s", "kubectl annotate wd/red note=y", "widget.example.com/red annotated"},
		{"6s", `kubectl patch widget red --type=merge -p '{"spec":{"size":4,"tags":null}}'`, "widget.example.com/red patched"},
		{"7s", `kubectl patch widget red --type=json -p '[{"op":"add","path":"/spec/shape","value":"round"}]'`, "widget.example.com/red patched"},
		{"8s", "kubectl get wd red -o custom-columns=SIZE:.spec.size,SHAPE:.spec.shape,TAGS:.spec.tags,G:.metadata.generation",
			"SIZE   SHAPE   TAGS     G\n4      round   <none>   3"},
		{"9s", "kubectl replace -f - <<EOF\n" + strings.Replace(blue, "size: 1", "size: 9", 1) + "EOF", "widget.example.com/blue replaced"},
		{"10s", "kubectl delete widget blue", `widget.example.com "blue" deleted from default namespace`},
		{"11s", "kubectl get widgets", "NAME   AGE\nred    11s"},
		{"12s", "kubectl api-resources --api-group=example.com",
			"NAME      SHORTNAMES   APIVERSION       NAMESPACED   KIND\nwidgets   wd           example.com/v2   true         Widget"},
	} {
		if got := c.At(step.at).Run(step.line); got != step.want {
			t.Errorf("%s: %s\ngot  %q\nwant %q", step.at, step.line, got, step.want)
		}
	}
	p := c.Result().Past()
	read := func(at int64, line string) string {
		reading, ok := p.Read(past.Parse(line), p.Find(at), at)
		if !ok {
			t.Fatalf("%s does not read", line)
		}
		return reading.Text()
	}
	for _, c := range []struct {
		at         int64
		line, want string
	}{
		{0, "kubectl get wd -w", "NAME   AGE\nred    0s\nblue   0s\nblue   2s\nred    5s\nred    5s\nred    6s\nred    7s\nblue   8s\nblue   9s"},
		{500, "kubectl wait --for=create widget/blue", "widget.example.com/blue condition met"},
		{4000, "kubectl wait --for=delete wd/blue", "widget.example.com/blue condition met"},
		{4000, "kubectl wait --for=jsonpath='{.spec.shape}'=round wd/red", "widget.example.com/red condition met"},
		{7000, "kubectl describe wd red", "Name:         red\nNamespace:    default\nLabels:       app=web\n              team=x\nAnnotations:  note: y\n" +
			"API Version:  example.com/v2\nKind:         Widget\nMetadata:\n  Creation Timestamp:  2026-01-01T00:00:00Z\n  Generation:          3\n" +
			"  Resource Version:    "},
		{7000, "kubectl get widgets missing", `Error from server (NotFound): widgets.example.com "missing" not found`},
		{7000, "kubectl rollout status wd/red", "error: no status viewer has been implemented for Widget.example.com"},
		{7000, "kubectl explain widget", "GROUP:      example.com\nKIND:       Widget\nVERSION:    v2\n\nDESCRIPTION:\n"},
	} {
		if got := read(c.at, c.line); !strings.HasPrefix(got, c.want) {
			t.Errorf("%d ms: %s\ngot  %s\nwant %s", c.at, c.line, got, c.want)
		}
	}
	if got, _ := line.FindKind("widgets.v2.example.com"); got != "Widget" {
		t.Errorf("widgets.v2.example.com is %q", got)
	}
	if _, got := line.Complete("kubectl get wi", "default", nil, nil); strings.Join(got, " ") != "widgets widget" {
		t.Errorf("kubectl get wi completes to %q", got)
	}
	if _, got := line.Complete("kubectl rollout status wi", "default", nil, nil); len(got) != 0 {
		t.Errorf("kubectl rollout status wi completes to %q", got)
	}
	again := enginetest.Start(t, export.Manifests(p, p.Find(12_000)))
	if got := again.At("1s").Run("kubectl get wd red -o jsonpath='{.spec}'"); got != `{"shape":"round","size":4}` {
		t.Errorf("the exported manifest has the spec %s", got)
	}
}
