package kubectl

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/api"
	"github.com/rollplay/rollplay/engine/api/decode"
	"github.com/rollplay/rollplay/engine/scenario"
)

// TestReadFollowsTheStore: what is read in the cluster as it is now comes by namespace and name, not by creation.
func TestReadFollowsTheStore(t *testing.T) {
	w := newWorld(t)
	client := w.s.Client("test")
	for _, name := range []string{"zz", "aa"} {
		pod := objectOf(t, api.KindPod, `{"apiVersion":"v1","kind":"Pod","metadata":{"name":"`+name+`"},"spec":{"containers":[{"name":"c","image":"i"}]}}`)
		if _, err := client.Create(pod, "created", nil); err != nil {
			t.Fatal(err)
		}
	}
	want := "NAME   READY   STATUS    RESTARTS   AGE\naa     0/1     Pending   0          0s\nzz     0/1     Pending   0          0s"
	if a := w.answer("kubectl get pods"); a.Failed || a.Output != want {
		t.Errorf("got %q", a.Output)
	}
	if a := w.answer("get pods aa nope"); !a.Failed || !strings.HasSuffix(a.Output, `Error from server (NotFound): pods "nope" not found`) {
		t.Errorf("got %+v", a)
	}
}

// TestTemplateGenerationIsTheServers: a manifest that was printed with the annotation that shows templateGeneration is
// applied without it, and the count continues.
func TestTemplateGenerationIsTheServers(t *testing.T) {
	w := newWorld(t)
	text := `{"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"agent","annotations":{"deprecated.daemonset.template.generation":"7"}},` +
		`"spec":{"selector":{"matchLabels":{"app":"a"}},"template":{"metadata":{"labels":{"app":"a"}},"spec":{"containers":[{"name":"a","image":"a:1"}]}}}}`
	w.k.Apply([]scenario.Manifest{{Object: objectOf(t, api.KindDaemonSet, text), JSON: []byte(text)}})
	for i, line := range []string{"set image ds/agent a=a:2", `patch ds agent -p '{"spec":{"minReadySeconds":1}}'`, "set image ds/agent a=a:2", "set image ds/agent a=a:3"} {
		if a := w.answer(line); a.Failed {
			t.Fatal(a.Output)
		}
		d := w.s.Store.Get(api.Key{Kind: api.KindDaemonSet, Namespace: "default", Name: "agent"}).(*api.DaemonSet)
		want := []int64{2, 2, 2, 3}[i]
		if _, shown := d.Annotations[api.TemplateGenerationAnnotation]; d.TemplateGeneration != want || shown {
			t.Errorf("%s: templateGeneration %d, want %d; annotations %v", line, d.TemplateGeneration, want, d.Annotations)
		}
	}
}

// objectOf reads an object of the namespace default.
func objectOf(t *testing.T, kind api.Kind, text string) api.Object {
	t.Helper()
	o, issues := decode.JSON(kind, []byte(text))
	if len(issues) > 0 {
		t.Fatal(issues)
	}
	o.Meta().Namespace = "default"
	return o
}
