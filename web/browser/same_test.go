package browser_test

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/rollplay/rollplay/scenarios"
)

// allPictures compares all scenarios, which takes some minutes: go test ./web/browser -run TestSamePicture -args -pictures
var allPictures = flag.Bool("pictures", false, "compare the player and the program for all scenarios")

// pictured are scenarios of each kind of workload, with a budget, an autoscaler, states of a millisecond, questions, a long wait and numbers that
// change more often than the picture's.
var pictured = []string{"first-rollout", "recreate", "drain", "sts-rolling", "ds-surge", "hpa-rollout", "rollover", "zero-replicas", "client-limit"}

// besidePlayer is a page of the playground on which testdata/same.js compares its chart with the player.
func besidePlayer(t *testing.T, name string) *tab {
	t.Helper()
	script, err := os.ReadFile(filepath.Join("testdata", "same.js"))
	if err != nil {
		t.Fatal(err)
	}
	p := start(t)
	p.do("size the window", chromedp.EmulateViewport(730, 430, chromedp.EmulateScale(4))) // four pixels for each, so that each line has a whole one
	p.before(noteDrawn)
	player, err := os.ReadFile(filepath.Join("..", "shell", "player.js")) // the playground itself has no player
	if err != nil {
		t.Fatal(err)
	}
	p.before(string(player))
	p.before(string(script))
	p.visit(built.base + "#s=" + name)
	p.waitStarted()
	p.waitComputed()
	p.pause()
	p.press(element("transport-more") + `.querySelector("summary")`)
	p.press(element("revisions"))
	return p
}

// TestSamePicture: at 20 moments of a scenario the player draws the lines and bands of the program's chart, up to two pixels, and has its
// numbers, its caption and its time.
func TestSamePicture(t *testing.T) {
	t.Parallel()
	names := pictured
	if *allPictures {
		names = scenarios.Names()
	}
	p := besidePlayer(t, names[0])
	for _, name := range names {
		eval[bool](p, fmt.Sprintf("(location.hash = %s, true)", quote("#s="+name)))
		p.wait("the scenario", "rollplay.getText() === "+quote(scenarios.Text(name)))
		p.waitComputed()
		p.pause()
		bad := eval[[]string](p, fmt.Sprintf(`same.moments(%s, "en", 20)`, quote(name)))
		for _, complaint := range bad[:min(len(bad), 5)] {
			t.Errorf("%s %s", name, complaint)
		}
	}
}

// TestSamePictureTeeth: a picture with a fault is noticed.
func TestSamePictureTeeth(t *testing.T) {
	t.Parallel()
	p := besidePlayer(t, "first-rollout")
	if bad := eval[[]string](p, `same.moments("first-rollout", "en", 4)`); len(bad) > 0 {
		t.Fatalf("without a fault: %q", bad)
	}
	for _, fault := range eval[[]string](p, "same.faults") {
		bad := eval[[]string](p, fmt.Sprintf(`same.moments("first-rollout", "en", 4, %s)`, quote(fault)))
		if len(bad) == 0 {
			t.Errorf("%s is not noticed", fault)
		}
		t.Logf("%s: %q", fault, bad)
	}
}
