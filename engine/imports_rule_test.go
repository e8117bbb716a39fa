package engine_test

import (
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// layers gives every folder below engine its layer: a package imports only packages of lower layers. So controllers and the
// node's actors never import each other; they meet in the store.
var layers = map[string]int{
	"why": 0, "words": 0, "breath": -1, "limits": 0, "yamltext": 1, "api": 1, "api/kinds": 2, "api/validate": 3, "api/decode": 3,
	"sim": 4, "apiserver": 5, "pipe": 2,
	"controllers/history":    6, // shared by statefulset and daemon, as upstream's
	"controllers/deployment": 7, "controllers/replicaset": 7, "controllers/statefulset": 7, "controllers/daemon": 7,
	"controllers/disruption": 7, "controllers/autoscaler": 7, "controllers/garbage": 7, "controllers/nodelife": 7,
	"controllers/endpointslice": 7,
	"node/kubelet":              7, "node/scheduler": 7, "node/nodescaler": 7,
	"scenario":     8,
	"kubectl/line": 6, "kubectl/patch": 6, "kubectl/print": 7, "kubectl/explain": 8, "kubectl/events": 8, "kubectl/describe": 9, "kubectl/read": 10,
	"kubectl": 11,
	"frames":  12, "past": 13,
	"judge": 14, "diagnosis": 14, "traffic": 14, "forecast": 15,
	".":              15,
	"forecast/sweep": 16, "forecast/check": 17, "prove": 17, "traffic/measured": 17,
	"link": 16, "export": 16,
	"fidelity": 0, "scenario/schema": 0,
	"enginetest/draw": 0, "enginetest/cluster": 6, "enginetest/texts": 9, "enginetest": 16, "enginetest/runs": 16, // for tests
}

// watchers must not import these: they judge a run from outside, by what past shows.
var (
	watchers = []string{"judge", "diagnosis", "forecast", "traffic"}
	hidden   = []string{"sim", "apiserver"}
)

const module = "github.com/rollplay/rollplay"

// TestImportsPointOneWay holds the layers of DESIGN.md. A new package needs a line in the table.
func TestImportsPointOneWay(t *testing.T) {
	eachFile(t, func(name string, text []byte) {
		folder := path.Dir(name)
		layer, known := layers[folder]
		if !known {
			t.Errorf("%s: the folder has no layer in the table", name)
			return
		}
		file, err := parser.ParseFile(token.NewFileSet(), name, text, parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		for _, i := range file.Imports {
			imported, err := strconv.Unquote(i.Path.Value)
			if err != nil {
				t.Fatal(err)
			}
			inside, ours := strings.CutPrefix(imported, module+"/")
			below, isEngine := strings.CutPrefix(inside, "engine/")
			if inside == "engine" {
				below, isEngine = ".", true
			}
			switch {
			case !ours:
			case !isEngine:
				t.Errorf("%s imports %s, which is above the engine", name, inside)
			case layers[below] >= layer:
				t.Errorf("%s, of layer %d, imports %s, of layer %d", name, layer, below, layers[below])
			case slices.Contains(watchers, folder) && slices.Contains(hidden, below):
				t.Errorf("%s imports %s: it must watch from outside", name, below)
			}
		}
	})
}

// eachFile reads every Go file of this module below engine that is no test.
func eachFile(t *testing.T, see func(name string, text []byte)) {
	root := os.DirFS(".")
	err := fs.WalkDir(root, ".", func(name string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == "testdata" || d.Name() == "conformance") {
			return fs.SkipDir
		}
		if !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") {
			return nil
		}
		text, err := fs.ReadFile(root, name)
		if err == nil {
			see(name, text)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
