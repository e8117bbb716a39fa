package browser_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/chromedp"
)

// TestInputIsAimed: no test sends a click, a press or a touch to a place that it has looked up before; they all go through aim_test.go, which
// looks until the place stands still, and notices a miss.
func TestInputIsAimed(t *testing.T) {
	raw := regexp.MustCompile(`chromedp\.(MouseClickXY|MouseClickNode|Click)\b|MouseEventTypeMousePressed|TouchEventTypeTouchStart|"mousePressed"|"touchStart"`)
	files, err := filepath.Glob("*_test.go")
	if err != nil || len(files) == 0 {
		t.Fatalf("no files: %v", err)
	}
	aimed := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := raw.FindAllString(string(text), -1)
		switch file {
		case "aim_test.go":
			aimed = len(found)
		case "aimed_test.go": // the tests of that
		case "drag_test.go": // a benchmark, whose moves must not wait for frames
			if len(found) > 2 {
				t.Errorf("%s: %q", file, found)
			}
		default:
			if len(found) > 0 {
				t.Errorf("%s: %q", file, found)
			}
		}
	}
	if aimed == 0 {
		t.Error("aim_test.go sends nothing: the search finds nothing any more")
	}
}

// TestMissesAreNoticed: an element that moves away at the last moment is clicked where it is then, what has come into its place gets nothing,
// and input that never arrives is sent again.
func TestMissesAreNoticed(t *testing.T) {
	t.Parallel()
	for _, s := range []size{desktop, phone} {
		t.Run(s.name, func(t *testing.T) {
			p := start(t)
			p.look(s, "light")
			p.visit(`data:text/html,<meta name=viewport content="width=device-width"><button id=a style="display:block;width:150px;height:60px">a</button><button id=b style="display:block;width:150px;height:60px">b</button>`)
			eval[bool](p, `(window.got = [], addEventListener("click", (e) => got.push(e.target.id)), addEventListener("pointerdown", (e) => got.push("down " + e.target.id)), true)`)
			swap := func() { eval[bool](p, `(document.getElementById("a").before(document.getElementById("b")), true)`) }
			send, how := func(at at) { p.do("click", chromedp.MouseClickXY(at.X, at.Y)) }, "click"
			if s.phone {
				send, how = func(at at) { p.touch(input.DispatchTouchEventTypeTouchStart, at.X, at.Y); p.lift() }, "tap"
			}
			tries := 0
			p.into(how, middle("a", `document.getElementById("a")`), func(at at) {
				if tries++; tries == 1 {
					swap()
				}
				if tries != 2 {
					send(at)
				}
			}, nil)
			again.clicks.Add(int64(1 - tries)) // these are no complaints
			if got := strings.Join(eval[[]string](p, "got"), ", "); tries != 3 || got != "down a, a" {
				t.Errorf("after %d tries the page has got %q", tries, got)
			}
		})
	}
}
