package picture

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
)

// TestPosters checks the posters of every scenario that ships.
func TestPosters(t *testing.T) {
	for _, name := range scenarios.Names() {
		t.Run(name, func(t *testing.T) {
			p, again := posterOf(t, name), posterOf(t, name)
			for _, theme := range []Theme{Light, Dark} {
				for _, tag := range lang.Tags() {
					l := lang.Lang(tag)
					svg := p.SVG(theme, l)
					if len(svg) > 15_000 {
						t.Errorf("%s: %d bytes", Themes[theme], len(svg))
					}
					if !bytes.Equal(svg, again.SVG(theme, l)) {
						t.Errorf("%s: made a second time, it is another", Themes[theme])
					}
					checkSVG(t, p, l, svg)
				}
			}
			if bytes.Equal(p.SVG(Light, lang.English), p.SVG(Dark, lang.English)) {
				t.Error("light and dark are the same")
			}
		})
	}
}

func posterOf(t testing.TB, name string) *Picture {
	t.Helper()
	return New(play(t, engine.Recording{Scenario: scenarios.Text(name)}), "", Telling)
}

func play(t testing.TB, rec engine.Recording) *engine.Run {
	t.Helper()
	run, diagnostics := engine.Start(rec)
	if run == nil {
		t.Fatal(diagnostics)
	}
	return run.Finish()
}

// checkSVG parses a poster, and checks the texts of the picture and its description.
func checkSVG(t *testing.T, p *Picture, l lang.Lang, svg []byte) {
	t.Helper()
	texts := map[string][]string{} // by element
	var element string
	for d := xml.NewDecoder(bytes.NewReader(svg)); ; {
		token, err := d.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		switch token := token.(type) {
		case xml.StartElement:
			element = token.Name.Local
			if !slices.Contains([]string{"svg", "title", "desc", "path", "text"}, element) {
				t.Errorf("there is an element <%s>", element)
			}
			for _, a := range token.Attr {
				if a.Name.Local == "style" || strings.HasPrefix(a.Name.Local, "on") || strings.Contains(a.Value, "url(") || strings.Contains(a.Value, "NaN") {
					t.Errorf("<%s> has %s=%q", element, a.Name.Local, a.Value)
				}
			}
		case xml.CharData:
			texts[element] = append(texts[element], string(token))
		case xml.EndElement:
			element = ""
		}
	}
	f, title := p.moment(), l.In(p.Title)
	if got := texts["title"]; len(got) != 1 || got[0] != title {
		t.Errorf("<title> is %q, want %q", got, title)
	}
	want := []string{p.sentence(l), p.bounds(l)}
	for _, c := range p.commands {
		want = append(want, c.Line)
	}
	for _, part := range want {
		if !strings.Contains(strings.Join(texts["desc"], ""), part) {
			t.Errorf("<desc> is %q, want %q in it", texts["desc"], part)
		}
	}
	words := map[string][2]string{"en": {"total", "available"}, "zh": {"总数", "可用"}}[string(l)]
	for _, part := range []string{title, fmt.Sprintf("%s %d", words[0], f.Total), fmt.Sprintf("%s %d", words[1], f.Available)} {
		if !slices.Contains(texts["text"], part) {
			t.Errorf("%q is not written in %q", part, texts["text"])
		}
	}
}

// TestPosterOfTheFirstRollout: the poster shows the numbers that the scenario's lesson tells.
func TestPosterOfTheFirstRollout(t *testing.T) {
	p := posterOf(t, "first-rollout")
	if want := "At 13.3 s: 10 desired, 13 pods, 8 available, 5 more terminating. The bounds are at most 13 pods (10 + 3 surge), at least 8 available (10 − 2)."; !strings.Contains(p.Description(lang.English), want) {
		t.Errorf("the description is %q", p.Description(lang.English))
	}
	svg := string(p.SVG(Light, lang.English))
	for _, want := range []string{">at most 13 = 10 + 3 (25% of 10 = 2.5 ↑)<", ">at least 8 = 10 − 2 (25% of 10 = 2.5 ↓)<", ">set image nginx:1.19.1<", ">total 13<", ">available 8<", ">desired 10<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the poster lacks %q", want)
		}
	}
}

func TestTelling(t *testing.T) {
	command := func(at int64) []chart.Mark { return []chart.Mark{{T: at}} }
	frame := func(at int64, desired, total, available, terminating int) engine.Frame {
		return engine.Frame{T: at, Desired: desired, Total: total, Available: available, Terminating: terminating}
	}
	start := frame(0, 10, 0, 0, 0) // everything is missing, which teaches nothing
	rest := frame(5, 10, 10, 10, 0)
	tests := []struct {
		name     string
		frames   []engine.Frame
		commands []chart.Mark
		want     int
	}{
		{"without commands, all frames count", []engine.Frame{start, rest}, nil, 0},
		{"the start of a Deployment does not", []engine.Frame{start, rest, frame(10, 10, 13, 10, 0)}, command(10), 2},
		{"missing and extra pods add up", []engine.Frame{start, rest, frame(10, 10, 13, 10, 0), frame(11, 10, 12, 8, 0)}, command(10), 3},
		{"terminating pods too", []engine.Frame{start, rest, frame(10, 10, 13, 8, 0), frame(11, 10, 12, 9, 3)}, command(10), 3},
		{"of equals the first", []engine.Frame{start, rest, frame(10, 10, 13, 8, 0), frame(11, 10, 13, 8, 0)}, command(10), 2},
		{"nothing after the command", []engine.Frame{start, rest}, command(10), 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := telling(tt.frames, tt.commands); got != tt.want {
				t.Errorf("got frame %d, want %d", got, tt.want)
			}
		})
	}
}

func TestSettledAndFrom(t *testing.T) {
	frames := []engine.Frame{{T: 0, Total: 0}, {T: 0, Total: 3}, {T: 5, Total: 4}, {T: 9, Total: 5}, {T: 9, Total: 6}}
	var got []int
	for _, f := range from(chart.Settle(frames, 1), 6) {
		got = append(got, f.Total)
	}
	if want := []int{4, 6}; !slices.Equal(got, want) {
		t.Errorf("got totals %v, want %v: what holds at 6 ms, and the last of 9 ms", got, want)
	}
}

func TestThin(t *testing.T) {
	line := []point{{0, 10}, {1, 10}, {2, 7}, {2, 5}, {2, 1}, {2, 4}, {3, 4}, {9, 4}}
	want := []point{{0, 10}, {2, 1}, {2, 4}, {9, 4}}
	if got := thin(line); !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

func TestTexts(t *testing.T) {
	for ms, want := range map[int64]string{0: "0 s", 13_078: "13.1 s", 15_000: "15 s", 119_900: "119.9 s", 125_000: "2:05"} {
		if got := chart.Seconds(ms); got != want {
			t.Errorf("seconds(%d) = %q, want %q", ms, got, want)
		}
	}
	for n, want := range map[int]string{5: "", 8: "set ima…", 14: "set image web", 10: "set image…"} {
		if got := chart.Shorten("set image web", n); got != want {
			t.Errorf("shorten to %d: got %q, want %q", n, got, want)
		}
	}
	if got := chart.Label(0, "registry.example/team/web:1@sha256:abc,nginx:1.27"); got != "web:1, nginx:1.27" {
		t.Errorf("Label: got %q", got)
	}
	for f, want := range map[float64]string{0: "0", .5: ".5", -.25: "-.25", 12: "12", 1.005e2: "100.5"} {
		if got := number(f); got != want {
			t.Errorf("number(%v) = %q, want %q", f, got, want)
		}
	}
}

func TestAxes(t *testing.T) {
	for top, want := range map[int][2]int{1: {2, 1}, 13: {15, 5}, 18: {20, 5}, 31: {40, 10}, 1000: {1200, 200}} {
		if got := chart.CountAxis(top, 6); int(got.Max) != want[0] || int(got.Step) != want[1] {
			t.Errorf("CountAxis(%d) = %v, want %v", top, got, want)
		}
	}
	for end, want := range map[int64]int64{1000: 1000, 18_000: 5000, 90_000: 15_000, 1_800_000: 300_000, 7_200_000: 600_000} {
		if got := timeStep(end); got != want {
			t.Errorf("timeStep(%d) = %d, want %d", end, got, want)
		}
	}
}

func TestDashes(t *testing.T) {
	d := dashes{pattern: []float64{3, 2}}
	var got []float64
	note := func(from, to float64) { got = append(got, from, to) }
	d.along(4, note) // 3 drawn, 1 of the gap
	d.along(5, note) // 1 of the gap, 3 drawn, 1 of the gap
	if want := []float64{0, 3, 1, 4}; !slices.Equal(got, want) {
		t.Errorf("got pieces %v, want %v", got, want)
	}
}

// TestColors: the table is that of the page.
func TestColors(t *testing.T) {
	css, err := os.ReadFile("../../web/src/colors.css")
	if err != nil {
		t.Fatal(err)
	}
	written := func(c Color) string {
		if c.Percent == 100 {
			return c.RGB
		}
		var r, g, b int
		if _, err := fmt.Sscanf(c.RGB, "#%02x%02x%02x", &r, &g, &b); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("rgb(%d %d %d / %d%%)", r, g, b, c.Percent)
	}
	for _, c := range colors {
		if want := fmt.Sprintf("  --%s: light-dark(%s, %s);\n", c.name, written(c.light), written(c.dark)); !strings.Contains(string(css), want) {
			t.Errorf("colors.css lacks %q", want)
		}
	}
}

// TestEscape: a text can neither leave its element nor hide what follows.
func TestEscape(t *testing.T) {
	if got, want := escape("<b> \u202egnp.exe\x1b & 滚动"), `&lt;b&gt; \u202egnp.exe\x1b &amp; 滚动`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
