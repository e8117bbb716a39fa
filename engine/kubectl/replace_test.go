package kubectl

import (
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
)

// TestDiffGeneration: the generation of a Deployment follows its annotations, too, also where nothing is written; the copy of
// the manifest that apply would keep is none of them.
func TestDiffGeneration(t *testing.T) {
	w := newWorld(t)
	w.k.Manifests = func(text string, _ Merge) ([]scenario.Manifest, string) {
		manifests, _ := scenario.Read(text).Manifests()
		return manifests, ""
	}
	for _, tt := range []struct {
		line string
		want bool // the next generation
	}{
		{"diff -f - <<EOF\n" + web + "\nEOF", false},
		{"diff -f - <<EOF\n" + strings.Replace(web, `"replicas":3`, `"replicas":3,"paused":false`, 1) + "\nEOF", false},
		{"diff -f - <<EOF\n" + strings.Replace(web, `"name":"web"`, `"name":"web","annotations":{"a":"b"}`, 1) + "\nEOF", true},
		{"diff -f - <<EOF\n" + strings.Replace(web, `"replicas":3`, `"replicas":4`, 1) + "\nEOF", true},
		{"annotate deploy/web a=b --dry-run=server -o yaml", true},
		{"label deploy/web a=b --dry-run=server -o yaml", false},
	} {
		if a := w.answer(tt.line); strings.Contains(a.Output, "  generation: 2") != tt.want {
			t.Errorf("%s: the next generation is not %t:\n%s", tt.line, tt.want, a.Output)
		}
	}
	if g := w.deployment().Generation; g != 1 {
		t.Errorf("the stored generation is %d", g)
	}
}
