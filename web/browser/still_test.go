package browser_test

import (
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rollplay/rollplay/web/site"
	"github.com/rollplay/rollplay/web/site/pack"
)

// TestStillEmbeds: a site of embeds without the program plays the pictures that it has, offers nothing else, and asks for nothing that it
// lacks.
func TestStillEmbeds(t *testing.T) {
	t.Parallel()
	root, err := pack.Root()
	if err != nil {
		t.Fatal(err)
	}
	o := pack.Options{Root: root, Speed: pack.Fast, Embed: []string{"drain"}, Still: true}
	alone, err := site.Build(o)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range alone.Files {
		if ext := filepath.Ext(f.Name); ext == ".wasm" || strings.HasPrefix(f.Name, "posters/") && !strings.HasPrefix(f.Name, "posters/drain") {
			t.Errorf("it has %s", f.Name)
		}
	}
	server := httptest.NewServer(under(prefix, alone.Handler()))
	t.Cleanup(server.Close)
	p := start(t)
	p.look(desktop, "light")
	p.visit(server.URL + prefix + "embed/#s=drain")
	p.press(`document.getElementById("start")`)
	p.wait("the motion", there(`[data-play="pause"]`)+" && "+playerCover+" > 1")
	p.press(`document.querySelector('[data-play="after"]')`)
	p.wait("a caption", `document.querySelector(".player-said").textContent !== ""`)
	p.checkLayout()
	p.screenshot(filepath.Join(t.ArtifactDir(), "still.png"))
	if !eval[bool](p, `document.getElementById("open").hidden && document.getElementById("loader-bar").hidden`) {
		t.Error("it links to a playground, or waits for a program")
	}
	p.visit(server.URL + prefix + "embed/?again#s=rounding")
	p.wait("why there is nothing", `document.getElementById("loader").dataset.state === "failed" || document.getElementById("app-wasm-loader-label").textContent.includes("rounding")`)

	o.Embed = []string{"no-such"}
	if _, err := site.Build(o); err == nil || !strings.Contains(err.Error(), "no-such") {
		t.Errorf("an unknown scenario: %v", err)
	}
}
