package poster

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
)

// Theme holds the colours of a theme by their names in colors.css, without the dashes: "c-total".
type Theme struct {
	Name   string // light or dark
	colors map[string]color.NRGBA
}

// color returns a colour of the theme. A name that colors.css does not have is a bug.
func (t Theme) color(name string) color.NRGBA {
	c, ok := t.colors[name]
	if !ok {
		panic("poster: colors.css has no --" + name)
	}
	return c
}

// pair matches a colour with its two themes, which is how colors.css writes every colour.
var pair = regexp.MustCompile(`--([a-z0-9-]+): light-dark\((#[0-9a-f]{6}|rgb\([^)]*\)), (#[0-9a-f]{6}|rgb\([^)]*\))\)`)

// ReadThemes reads the colours of the page, so that posters have the same.
func ReadThemes(root string) (light, dark Theme, err error) {
	css, err := os.ReadFile(filepath.Join(root, "web", "src", "colors.css"))
	if err != nil {
		return light, dark, err
	}
	light, dark = Theme{"light", map[string]color.NRGBA{}}, Theme{"dark", map[string]color.NRGBA{}}
	for _, m := range pair.FindAllStringSubmatch(string(css), -1) {
		for i, t := range []Theme{light, dark} {
			if t.colors[m[1]], err = parseColor(m[2+i]); err != nil {
				return light, dark, fmt.Errorf("colors.css: --%s: %w", m[1], err)
			}
		}
	}
	return light, dark, nil
}

// parseColor reads #d55e00 and rgb(230 159 0 / 16%).
func parseColor(s string) (color.NRGBA, error) {
	if hex, ok := strings.CutPrefix(s, "#"); ok {
		n, err := strconv.ParseUint(hex, 16, 32)
		return color.NRGBA{uint8(n >> 16), uint8(n >> 8), uint8(n), 255}, err
	}
	var r, g, b uint8
	var percent int
	if _, err := fmt.Sscanf(s, "rgb(%d %d %d / %d%%)", &r, &g, &b, &percent); err != nil {
		return color.NRGBA{}, fmt.Errorf("%q: %w", s, err)
	}
	return color.NRGBA{r, g, b, uint8(percent * 255 / 100)}, nil
}
