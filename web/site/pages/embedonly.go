package pages

import (
	"fmt"
	"slices"

	"github.com/rollplay/rollplay/scenarios"
	"github.com/rollplay/rollplay/web/must"
	"github.com/rollplay/rollplay/web/site/pack"
)

// embedsAlone makes a site of embeds: their page, the pictures of some scenarios and, unless only the pictures play, the program.
func embedsAlone(o pack.Options, p *pack.Program) ([]pack.File, *Missing) {
	style := must.Have(pack.Style(o, "pages.css"))
	missing := &Missing{must.Have(pack.Template(o, "404.html")), style.Name}
	files := []pack.File{style, missing.file(o)}
	all := readPresets()
	for _, name := range o.Embed {
		i := slices.IndexFunc(all, func(p preset) bool { return p.Name == name })
		if i < 0 {
			must.Do(fmt.Errorf("there is no scenario %s; there are %v", name, scenarios.Names()))
		}
		files = append(files, all[i].posters()...)
	}
	files = append(files, buildEmbed(o, p, files)...)
	if !o.Still {
		files = append(append(files, p.Bundles...), p.Wasm, p.Boot, buildTexts())
	}
	return files, missing
}
