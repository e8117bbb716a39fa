package link

import (
	"crypto/sha256"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine"
)

// Links are frozen: each file of testdata/links has a link that was given out once, and the JSON of what it opens to. A file
// that is there is never written again, whatever the encoder does now.
var add = flag.Bool("add", false, "write the golden links that are not there yet")

// frozen are the goldens, the scenarios that they name, and the dictionary, as they were when they were first committed. Add
// a line for a new file; no line ever changes.
var frozen = map[string]string{
	"compare-texts.txt":            "a44065c4aa6885ec",
	"compare.txt":                  "f0652a733b6c534a",
	"dictionary.txt":               "2a4f2bae0baadf49",
	"draft-alone.txt":              "393d4f02adf9678c",
	"draft.txt":                    "7d2470b3acc20791",
	"own-text-loop-theme.txt":      "fc051ad3b2e2988f",
	"own-text-raw.txt":             "da2fbba48c015647",
	"own-text-within-a-moment.txt": "8259ebe476978630",
	"own-text.txt":                 "0f3d02bbbbce1ff4",
	"preset-commands-cursor.txt":   "821c88f1e531092b",
	"preset.txt":                   "d21b717f6dc66027",
	"short-text.txt":               "57eee5a9014dc835",
	"first-rollout.yaml":           "88fbe0f71e5ca8ff",
}

// goldenPresets are the shipped scenarios as they were.
func goldenPresets(name string) string {
	text, err := os.ReadFile(filepath.Join("testdata", "presets", name+".yaml"))
	if err != nil {
		return ""
	}
	return string(text)
}

const ownText = `# Why does this never end?
apiVersion: apps/v1
kind: Deployment
metadata:
  name: checkout
  labels: {app: checkout, team: payments}
spec:
  replicas: 6
  strategy: {rollingUpdate: {maxSurge: 1, maxUnavailable: 0}}
  selector:
    matchLabels: {app: checkout}
  template:
    metadata:
      labels: {app: checkout}
    spec:
      containers:
      - name: server
        image: registry.example.com/shop/checkout:2.14.7 # größer als 2.14.6
        readinessProbe:
          httpGet: {path: /ready, port: 8080}
`

// goldens are what the files were made from.
func goldens() map[string]Link {
	first := Link{Preset: "first-rollout", Recording: engine.Recording{Scenario: goldenPresets("first-rollout")}}
	acted := first
	acted.Recording.Commands = someCommands
	acted.View = View{Still: true, T: 16200}
	own := Link{Recording: engine.Recording{Scenario: ownText, Commands: []engine.Command{
		{At: 10000, Run: "kubectl set image deployment/checkout server=registry.example.com/shop/checkout:2.15.0"},
		{At: 25001, Run: "scale deployment/checkout --replicas=8"},
		{At: 25001, Do: "crash pod/checkout-7d4f"},
		{At: 40000, Apply: strings.Replace(ownText, "replicas: 6", "replicas: 4", 1)},
	}}}
	looped := own
	looped.View = View{Still: true, T: 26000, Speed: 0.5, LoopA: 24000, LoopB: 31500, Tab: "timeline", Theme: "dark", Workload: "Deployment/default/checkout"}
	within := looped
	within.View = View{Still: true, T: 10000, Nth: 2}
	compared := acted
	compared.Other = engine.Recording{Scenario: first.Recording.Scenario, Commands: []engine.Command{someCommands[0], {At: 14000, Run: "kubectl scale deployment/nginx-deployment --replicas=12"}}}
	broken := own
	broken.Other = engine.Recording{Scenario: "# the other text\n" + ownText, Commands: own.Recording.Commands[:1]}
	draft := first
	draft.Draft = strings.Replace(draft.Recording.Scenario, "maxSurge: 25%", "maxSurge: many", 1)
	return map[string]Link{
		"preset": first, "preset-commands-cursor": acted, "own-text": own, "own-text-loop-theme": looped, "own-text-within-a-moment": within, "draft": draft, "compare": compared, "compare-texts": broken,
		"draft-alone": {Draft: "kind: Deployment\n  oops"},
		"short-text":  {Recording: engine.Recording{Scenario: "Ω≈ç√∫"}},
	}
}

// TestGoldenLinks: every link that was ever given out opens to the same.
func TestGoldenLinks(t *testing.T) {
	if *add {
		addGoldens(t)
	}
	files, err := filepath.Glob("testdata/links/*.txt")
	if err != nil || len(files) < len(goldens()) {
		t.Fatalf("%d golden links, %v", len(files), err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		fragment, want, _ := strings.Cut(string(text), "\n")
		l, err := Decode(fragment, goldenPresets)
		if err != nil {
			t.Errorf("%s: %v", file, err)
		}
		if got := show(t, l); got != want {
			t.Errorf("%s opens to\n%s\nwant\n%s", file, got, want)
		}
	}
}

func show(t *testing.T, l Link) string {
	t.Helper()
	b, err := json.MarshalIndent(l, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	return string(b) + "\n"
}

func addGoldens(t *testing.T) {
	for name, l := range goldens() {
		file := filepath.Join("testdata", "links", name+".txt")
		if _, err := os.Stat(file); err == nil {
			continue
		}
		if err := os.WriteFile(file, []byte("#"+encode(t, l)+"\n"+show(t, l)), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	// A text that is packed as it is, although it would be shorter deflated: older and other encoders may do that.
	l := Link{Recording: engine.Recording{Scenario: ownText}}
	b, err := body(&l)
	file := filepath.Join("testdata", "links", "own-text-raw.txt")
	if _, missing := os.Stat(file); missing != nil && err == nil {
		err = os.WriteFile(file, []byte("#"+pack(tagRaw, b)+"\n"+show(t, l)), 0o644)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// TestGoldensAreNeverRewritten: links are out in the world, so nothing that says how they open may change with the code.
func TestGoldensAreNeverRewritten(t *testing.T) {
	files := []string{"dictionary.txt"}
	for _, pattern := range []string{"testdata/links/*", "testdata/presets/*"} {
		more, err := filepath.Glob(pattern)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, more...)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := filepath.Base(file)
		switch got := fmt.Sprintf("%x", sha256.Sum256(text))[:16]; frozen[name] {
		case got:
		case "":
			t.Errorf("%s is new: freeze it with\n\t%q: %q,", file, name, got)
		default:
			t.Errorf("%s was changed: it is frozen. Fix the decoder, or add another file.", file)
		}
	}
	if len(files) != len(frozen) {
		t.Errorf("%d files, %d are frozen: none may go", len(files), len(frozen))
	}
}
