package past_test

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/engine/enginetest/runs"
	"github.com/rollplay/rollplay/engine/enginetest/texts"
	"github.com/rollplay/rollplay/engine/past"
)

// TestNamespace: kubectl's current namespace is that of the manifest, and from a config set-context on the one it names; a
// question about an earlier moment is answered as it was then.
func TestNamespace(t *testing.T) {
	shop := strings.Replace(texts.World(texts.Quick, "replicas: 2", "image: web:1"), "metadata: {name: web", "metadata: {namespace: shop, name: web", 1)
	r := runs.Of(t, shop, engine.Command{At: 10_000, Run: "kubectl config set-context --current --namespace=default"},
		engine.Command{At: 20_000, Run: "kubectl config set-context --current --namespace=shop --bad"})
	for _, tt := range []struct {
		at        int64
		namespace string
		says      string
	}{
		{9_000, "shop", "web    2/2"},
		{10_000, "default", "No resources found in default namespace."},
		{20_000, "default", "No resources found in default namespace."},
	} {
		record := r.Past().Find(tt.at)
		answer, _ := r.Past().Read(past.Parse("kubectl get deployments"), record, tt.at)
		if got := r.Past().Namespace(record); got != tt.namespace || !strings.Contains(answer.Text(), tt.says) {
			t.Errorf("at %d ms: namespace %s, %s", tt.at, got, answer.Text())
		}
		if _, found := r.Past().Complete("kubectl scale deployment ", record); (len(found) == 1) != (tt.namespace == "shop") {
			t.Errorf("at %d ms: completions %v", tt.at, found)
		}
	}
}
