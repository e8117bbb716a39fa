package scenarios_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/engine/scenario"
	"github.com/rollplay/rollplay/scenarios"
)

var update = flag.Bool("update", false, "rewrite the index")

// TestIndex: the index, and what the page starts with, is what the files say.
func TestIndex(t *testing.T) {
	var b strings.Builder
	for _, name := range scenarios.Names() {
		sc, _ := scenario.Parse(scenarios.Text(name))
		if sc == nil {
			t.Fatalf("%s is not a scenario", name)
		}
		var asks []string
		for _, c := range sc.Captions {
			if c.Ask != nil {
				asks = append(asks, strconv.FormatInt(c.At, 10))
			}
		}
		fmt.Fprintf(&b, "%s\t%d\t%s\t%s\t%s\n", name, len(sc.Captions), sc.Title.In("en"), sc.Title.In("zh"), strings.Join(asks, " "))
	}
	if *update {
		if err := os.WriteFile("index.txt", []byte(b.String()), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	if got := b.String(); got != scenarios.Index {
		t.Errorf("index.txt does not say what the scenarios say: run make golden. It should be:\n%s", got)
	}
	if scenarios.First != scenarios.Text(scenarios.FirstName) {
		t.Errorf("First is not the text of %s", scenarios.FirstName)
	}
}

// TestOrder: the order lists every file once, or a lesson would be missing from the gallery.
func TestOrder(t *testing.T) {
	files, err := filepath.Glob("*.yaml")
	if err != nil {
		t.Fatal(err)
	}
	listed := scenarios.Names()
	slices.Sort(listed)
	var names []string
	for _, f := range files {
		names = append(names, strings.TrimSuffix(f, ".yaml"))
	}
	slices.Sort(names)
	if !slices.Equal(listed, names) {
		t.Errorf("the order lists %q, the files are %q", listed, names)
	}
}
