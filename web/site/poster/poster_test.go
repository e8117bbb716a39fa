package poster

import (
	"bytes"
	"image/color"
	"image/png"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/must"
)

// TestPreviews checks the PNG of every scenario that ships.
func TestPreviews(t *testing.T) {
	for _, name := range scenarios.Names() {
		t.Run(name, func(t *testing.T) { checkPNG(t, posterOf(t, name), picture.Light) })
	}
}

func posterOf(t testing.TB, name string) *picture.Picture {
	t.Helper()
	p, err := New(name, scenarios.Text(name))
	if err != nil {
		t.Fatal(err)
	}
	return p
}

func checkPNG(t *testing.T, p *picture.Picture, theme picture.Theme) {
	t.Helper()
	raw, err := PNG(p, theme)
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
		if !seen[nrgbaOf(theme.Of(name))] {
			t.Errorf("nothing in the PNG has the colour --%s", name)
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
			t.Errorf("%s: got a poster: %s", name, p.Description(lang.English))
		}
	}
}

func TestColor(t *testing.T) {
	if got := nrgbaOf(picture.Color{RGB: "#e69f00", Percent: 16}); got != (color.NRGBA{230, 159, 0, 40}) {
		t.Errorf("got %v", got)
	}
	var err error
	func() {
		defer must.Caught(&err)
		nrgbaOf(picture.Color{RGB: "red"})
	}()
	if err == nil {
		t.Error("red: got no error")
	}
}

// BenchmarkPosters makes all posters, as each build does.
func BenchmarkPosters(b *testing.B) {
	for b.Loop() {
		for _, name := range scenarios.Names() {
			p := posterOf(b, name)
			if _, err := PNG(p, picture.Light); err != nil {
				b.Fatal(err)
			}
			p.SVG(picture.Light, lang.English)
			p.SVG(picture.Dark, lang.English)
		}
	}
}

// TestThumbs: the small pictures stay small, and no two lessons have the same.
func TestThumbs(t *testing.T) {
	whose := map[string]string{}
	for _, name := range scenarios.Names() {
		all := posterOf(t, name).Thumb()
		_, shapes, found := strings.Cut(string(all), "</desc>") // the words before it differ
		if other := whose[shapes]; !found || other != "" {
			t.Errorf("%s looks like %s", name, other)
		}
		if whose[shapes] = name; len(all) > 6000 {
			t.Errorf("%s has %d bytes", name, len(all))
		}
	}
}
