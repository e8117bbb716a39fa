package engine

import (
	"fmt"
	"testing"

	"github.com/rollplay/rollplay/engine/enginetest/texts"
)

// TestApplyMerged: what is wrong with a manifest is told with the values that the merge gives, as the server tells it: they have the
// default bounds of the stored object. A new object has only its own.
func TestApplyMerged(t *testing.T) {
	const manifest = "apiVersion: apps/v1\nkind: %s\nmetadata: {name: %s}\nspec:\n  updateStrategy: {type: Foo}\n  selector: {matchLabels: {app: x}}\n" +
		"  template:\n    metadata: {labels: {app: x}}\n    spec: {containers: [{name: x, image: x}]}\n"
	for _, tt := range []struct{ kind, name, want string }{
		{"StatefulSet", "db", `Invalid value: {"Type":"Foo","RollingUpdate":{"Partition":0,"MaxUnavailable":1}}: must be 'RollingUpdate' or 'OnDelete'`},
		{"StatefulSet", "new", `Invalid value: {"Type":"Foo","RollingUpdate":null}: must be 'RollingUpdate' or 'OnDelete'`},
		{"DaemonSet", "agent", `Unsupported value: {"Type":"Foo","RollingUpdate":{"MaxUnavailable":1,"MaxSurge":0}}: supported values: "RollingUpdate", "OnDelete"`},
	} {
		for _, verb := range []string{"apply", "diff"} {
			command := verb + " -f - <<EOF\n" + fmt.Sprintf(manifest, tt.kind, tt.name) + "EOF"
			r := mustRun(t, texts.Sets("", "", "maxUnavailable: 1"), Command{At: 30_000, Run: command})
			record := r.Past().LastInput(r.Past().Find(30_000))
			got := r.Past().Transcript(record).Text()
			if want := "error: document 1, line 5: spec.updateStrategy: " + tt.want; got != want {
				t.Errorf("%s of %s/%s: %s, want %s", verb, tt.kind, tt.name, got, want)
			}
		}
	}
}
