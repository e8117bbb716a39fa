package kubectl_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/kubectl/line"
)

// TestEveryVerbHasATranscript: each command of the table is typed in some transcript.
func TestEveryVerbHasATranscript(t *testing.T) {
	var all strings.Builder
	for _, pattern := range []string{"testdata/*.txtar", "testdata/transcripts/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatalf("no transcripts in %s: %v", pattern, err)
		}
		for _, file := range files {
			b, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			all.Write(b)
		}
	}
	for _, v := range line.Modelled() {
		if line := "kubectl " + v.Name; !strings.Contains(all.String(), line+" ") && !strings.Contains(all.String(), line+"\n") {
			t.Errorf("no transcript has kubectl %s", v.Name)
		}
	}
}
