package poster

import (
	"bytes"
	"encoding/xml"
	"errors"
	"fmt"
	"image/color"
	"image/png"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app"
	"github.com/rollplay/rollplay/app/chart"
	"github.com/rollplay/rollplay/engine"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/site/pack"
)

// themes reads the colours of the page.
func themes(t testing.TB) (light, dark Theme) {
	t.Helper()
	root, err := pack.Root()
	if err != nil {
		t.Fatal(err)
	}
	if light, dark, err = ReadThemes(root); err != nil {
		t.Fatal(err)
	}
	return light, dark
}

// TestPosters checks the posters of every scenario that ships.
func TestPosters(t *testing.T) {
	light, dark := themes(t)
	for _, name := range scenarios.Names() {
		t.Run(name, func(t *testing.T) {
			p, again := posterOf(t, name), posterOf(t, name)
			for _, theme := range []Theme{light, dark} {
				for _, lang := range app.Langs() {
					svg := p.SVG(theme, lang)
					if len(svg) > Ceiling {
						t.Errorf("%s: %d bytes, the ceiling is %d", theme.Name, len(svg), Ceiling)
					}
					if !bytes.Equal(svg, again.SVG(theme, lang)) {
						t.Errorf("%s: made a second time, it is another", theme.Name)
					}
					checkSVG(t, p, lang, svg)
				}
			}
			if bytes.Equal(p.SVG(light, "en"), p.SVG(dark, "en")) {
				t.Error("light and dark are the same")
			}
			checkPNG(t, p, light)
		})
	}
}

func posterOf(t testing.TB, name string) *Poster {
	t.Helper()
	p, err := New(name, scenarios.Text(name))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// checkSVG parses a poster, and checks the texts of the picture and its description.
func checkSVG(t *testing.T, p *Poster, lang string, svg []byte) {
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
	f, title := p.moment(), p.Title.In(lang)
	if got := texts["title"]; len(got) != 1 || got[0] != title {
		t.Errorf("<title> is %q, want %q", got, title)
	}
	want := []string{p.sentence(lang), p.bounds(lang)}
	for _, c := range p.commands {
		want = append(want, c.Command)
	}
	for _, part := range want {
		if !strings.Contains(strings.Join(texts["desc"], ""), part) {
			t.Errorf("<desc> is %q, want %q in it", texts["desc"], part)
		}
	}
	words := map[string][2]string{"en": {"total", "available"}, "zh": {"总数", "可用"}}[lang]
	for _, part := range []string{title, fmt.Sprintf("%s %d", words[0], f.Total), fmt.Sprintf("%s %d", words[1], f.Available)} {
		if !slices.Contains(texts["text"], part) {
			t.Errorf("%q is not written in %q", part, texts["text"])
		}
	}
}

func checkPNG(t *testing.T, p *Poster, theme Theme) {
	t.Helper()
	raw, err := p.PNG(theme)
	if err != nil {
		t.Fatal(err)
	}
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if b := img.Bounds(); b.Dx() != PreviewWidth || b.Dy() != PreviewHeight {
		t.Errorf("the PNG is %v", b)
	}
	seen := map[color.NRGBA]bool{}
	for y := range PreviewHeight {
		for x := range PreviewWidth {
			seen[color.NRGBAModel.Convert(img.At(x, y)).(color.NRGBA)] = true
		}
	}
	for _, name := range []string{"card", "c-available", "c-total", "accent", "text"} {
		if !seen[theme.color(name)] {
			t.Errorf("nothing in the PNG has the colour --%s", name)
		}
	}
}

// TestPosterOfTheFirstRollout: the poster shows the numbers that the scenario's lesson tells.
func TestPosterOfTheFirstRollout(t *testing.T) {
	light, _ := themes(t)
	p := posterOf(t, "first-rollout")
	if want := "At 13.1 s: 10 desired, 13 pods, 8 available, 5 more terminating. The bounds are at most 13 pods (10 + 3 surge), at least 8 available (10 − 2)."; !strings.Contains(p.Description("en"), want) {
		t.Errorf("the description is %q", p.Description("en"))
	}
	svg := string(p.SVG(light, "en"))
	for _, want := range []string{">at most 13 = 10 + 3 (25 % of 10 = 2.5 ↑)<", ">at least 8 = 10 − 2 (25 % of 10 = 2.5 ↓)<", ">set image nginx:1.19.1<", ">total 13<", ">available 8<", ">desired 10<"} {
		if !strings.Contains(svg, want) {
			t.Errorf("the poster lacks %q", want)
		}
	}
}

// TestPosterNeedsSomethingToShow: a scenario that cannot be drawn stops the build.
func TestPosterNeedsSomethingToShow(t *testing.T) {
	for name, text := range map[string]string{
		"broken":      "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: web, nonsense: 1}\n",
		"no workload": "apiVersion: v1\nkind: Node\nmetadata: {name: alone}\n",
	} {
		if p, err := New(name, text); err == nil {
			t.Errorf("%s: got a poster of %s", name, p.workload)
		}
	}
}

func TestTelling(t *testing.T) {
	command := func(at int64) []engine.Record { return []engine.Record{{Kind: engine.Input, T: at}} }
	frame := func(at int64, desired, total, available, terminating int) engine.Frame {
		return engine.Frame{T: at, Desired: desired, Total: total, Available: available, Terminating: terminating}
	}
	start := frame(0, 10, 0, 0, 0) // everything is missing, which teaches nothing
	rest := frame(5, 10, 10, 10, 0)
	tests := []struct {
		name     string
		frames   []engine.Frame
		commands []engine.Record
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

func TestParseColor(t *testing.T) {
	for s, want := range map[string]color.NRGBA{
		"#d55e00": {0xd5, 0x5e, 0, 255}, "rgb(230 159 0 / 16%)": {230, 159, 0, 40},
	} {
		if got, err := parseColor(s); err != nil || got != want {
			t.Errorf("%s: got %v, %v, want %v", s, got, err, want)
		}
	}
	if _, err := parseColor("red"); err == nil {
		t.Error("red: got no error")
	}
}

// BenchmarkPosters makes all posters, as each build does.
func BenchmarkPosters(b *testing.B) {
	light, dark := themes(b)
	for b.Loop() {
		for _, name := range scenarios.Names() {
			p := posterOf(b, name)
			if _, err := p.PNG(light); err != nil {
				b.Fatal(err)
			}
			p.SVG(light, "en")
			p.SVG(dark, "en")
		}
	}
}

// TestEscape: a text can neither leave its element nor hide what follows.
func TestEscape(t *testing.T) {
	if got, want := escape("<b> \u202egnp.exe\x1b & 滚动"), `&lt;b&gt; \u202egnp.exe\x1b &amp; 滚动`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
