package poster

import (
	"bytes"
	"image"
	"image/png"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/app/lang"
	"github.com/rollplay/rollplay/app/picture"
	"github.com/rollplay/rollplay/scenarios"
)

// dark counts the pixels of a part of a picture that have the colour of text.
func dark(t *testing.T, raw []byte, part image.Rectangle) (n int) {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(raw))
	if err != nil {
		t.Fatal(err)
	}
	if size := img.Bounds().Size(); size != image.Pt(picture.Width*sharpness, picture.Height*sharpness) {
		t.Errorf("the picture has %v pixels", size)
	}
	text := nrgbaOf(picture.Light.Of("text"))
	for y := part.Min.Y; y < part.Max.Y; y++ {
		for x := part.Min.X; x < part.Max.X; x++ {
			if r, g, b, _ := img.At(x, y).RGBA(); uint8(r>>8) == text.R && uint8(g>>8) == text.G && uint8(b>>8) == text.B {
				n++
			}
		}
	}
	return n
}

// TestWithWords: pictures have their English words, in fonts that have all their characters. Every fifth scenario is enough, because each
// takes a tenth of a second.
func TestWithWords(t *testing.T) {
	title := image.Rect(0, 0, picture.Width*sharpness, 32*sharpness)
	for i, name := range scenarios.Names() {
		if i%5 > 0 {
			continue
		}
		p := posterOf(t, name)
		raw, err := WithWords(p, picture.Light, lang.English, nil)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if n := dark(t, raw, title); n < 20*len(p.Title.En) {
			t.Errorf("%s: its title has %d pixels", name, n)
		}
	}
}

// TestWithWordsOfAnotherFont: a character that the font lacks is an error, and so is a file that is no font.
func TestWithWordsOfAnotherFont(t *testing.T) {
	p := posterOf(t, "first-rollout")
	for wrong, own := range map[string][]byte{"the font has no '第': name one that has it with -font": nil, "the font cannot be read": []byte("no font")} {
		if _, err := WithWords(p, picture.Light, lang.Chinese, own); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("the error is %v, want %s", err, wrong)
		}
	}
}
