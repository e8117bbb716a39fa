package browser_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	_ "image/png" // of the pictures in the folder
	"os"
	"path/filepath"
	"slices"
	"testing"

	"golang.org/x/image/draw"
)

// mainStates are the ten states of the page that people see most, each from an empty profile.
var mainStates = []struct {
	name, path string
	reach      func(p *tab)
}{
	{"home", "", nil},
	{"playing", "", func(p *tab) { p.click("start-show"); p.seek(13_000) }},
	{"broken", "#s=first-rollout", func(p *tab) { p.breakIt(1) }},
	{"stuck", "#s=bad-image", func(p *tab) { p.seek(50_000) }},
	{"asked", "#s=rollover", func(p *tab) { p.seek(p.state().End * 3 / 5) }},
	{"answered", "#s=rollover", func(p *tab) {
		p.seek(p.state().End * 3 / 5)
		p.wait("the question", `document.querySelector(".bet .button")`)
		p.clickOn("an answer", `document.querySelector(".bet .button")`)
		p.wait("how it went", `document.querySelector(".lesson-told").textContent !== ""`)
		p.pause()
	}},
	{"compared", "#s=first-rollout", func(p *tab) {
		p.click("numbers")
		p.wait("the answer", `document.querySelector('[data-act="numbers-answer"]:not([hidden])')`)
	}},
	{"gallery", "scenarios/", nil},
	{"embed", "embed/?panels=pods,controls#s=first-rollout", func(p *tab) {
		p.press(`document.getElementById("start")`)
		p.wait("the program", `window.rollplay?.state()?.done && document.getElementById("loader").hidden`)
		p.wait("the question", `document.querySelector(".bet:not([hidden])") && !document.querySelector(".veil").hidden`)
	}},
	{"presented", "#s=rollover", func(p *tab) {
		p.seek(p.state().End * 3 / 5)
		p.keys("p")
		p.wait("the presenter's view", element("presenter"))
	}},
}

// breakIt presses the n-th way to break the workload, and goes to the end.
func (p *tab) breakIt(n int) {
	p.t.Helper()
	p.toEnd()
	p.clickOn("the menu", element("break")+".querySelector('summary')")
	p.clickOn("a way to break it", fmt.Sprintf(`document.querySelectorAll('[data-act="break-it"]')[%d]`, n))
	p.waitState("s.commands > 0 && s.done")
	p.toEnd()
}

// solid lists the buttons in sight that are filled with the accent: there is one at most, so that it is plain what comes next.
const solid = `(() => {
	const probe = document.body.appendChild(document.createElement("i"));
	probe.style.background = "var(--accent)";
	const accent = getComputedStyle(probe).backgroundColor;
	probe.remove();
	const within = document.querySelector("dialog[open]") ?? document;
	return [...within.querySelectorAll("button, a")].filter((b) => {
		const r = b.getBoundingClientRect();
		return getComputedStyle(b).backgroundColor === accent && b.contains(document.elementFromPoint(r.x + r.width / 2, r.y + r.height / 2));
	}).map((b) => b.dataset.act ?? b.textContent);
})()`

// covered lists the answers of a question on which something else lies.
const covered = `[...document.querySelectorAll(".bet .button")].filter((b) => {
	const r = b.getBoundingClientRect();
	return b.checkVisibility() && r.bottom < innerHeight && !b.contains(document.elementFromPoint(r.x + r.width / 2, r.bottom - 4));
}).map((b) => "covered: " + b.textContent)`

// spaced lists the texts with a space or a Western full stop inside a Chinese sentence.
const spaced = `(() => {
	const found = [], walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
	while (walk.nextNode()) if (/\p{sc=Han} \p{sc=Han}|\p{sc=Han}\. /u.test(walk.currentNode.data)) found.push("spaced: " + walk.currentNode.data);
	return found;
})()`

// TestMainStates looks at the ten states in three windows, two colour schemes and two languages: nothing is cut, one button at most is
// solid, and axe has no complaint. A contact sheet of them is kept, where each stands beside the same state of the page as it was before
// the verdict and the row of actions (testdata/before).
func TestMainStates(t *testing.T) {
	source := axe(t)
	folder := t.ArtifactDir()
	t.Run("states", func(t *testing.T) {
		for i, state := range mainStates {
			for k, lang := range []string{"en", "zh"} {
				t.Run(state.name+" "+lang, func(t *testing.T) {
					t.Parallel()
					p := audited{start(t), source}
					p.look(windows[0], "light")
					p.before(noteDrawn)
					p.before(`localStorage.setItem("rollplay/lang", ` + quote(lang) + `)`) // as a visit before has left it
					p.visit(built.base + inLanguage(state.path, lang))
					if state.name == "gallery" {
						p.wait("the filter", `!document.getElementById("filter").hidden`)
					} else if state.name != "embed" {
						p.waitStarted()
						p.waitComputed()
						p.pause()
					}
					if state.reach != nil {
						state.reach(p.tab)
					}
					if shown := eval[string](p.tab, "document.documentElement.lang"); shown != lang {
						t.Errorf("the page is in %s", shown)
					}
					sizes, themes := []size{windows[0], windows[1], windows[5]}, []string{"light", "dark"}
					for _, w := range sizes {
						for _, theme := range themes {
							p.lookAt(state.name, folder, lang, w, theme)
						}
					}
					p.lookAt(state.name, folder, lang, sizes[(i+k)%3], themes[k])
					eval[bool](p.tab, p.axe+"; "+unstuck)
					p.check(sizes[(i+k)%3].name+" "+themes[k], "html")
				})
			}
		}
	})
	if !t.Failed() {
		contactSheet(t, folder)
	}
}

// inLanguage is an address in a language.
func inLanguage(path, lang string) string {
	switch {
	case path == "scenarios/" && lang == "zh":
		return "scenarios/zh/"
	case path == "scenarios/", path == "":
		return path
	}
	return path + "&lang=" + lang
}

// lookAt checks a state in a window.
func (p audited) lookAt(state, folder, lang string, w size, theme string) {
	p.t.Helper()
	p.look(w, theme)
	p.prefer(theme)
	p.wait("the window to be drawn", fmt.Sprintf("innerWidth === %d", w.width))
	eval[bool](p.tab, "(scrollTo(0, 0), true)") // as it comes, not as the press before left it
	eval[bool](p.tab, `new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))`)
	for _, complaint := range slices.Concat(eval[[]string](p.tab, lookForCut), eval[[]string](p.tab, covered), eval[[]string](p.tab, spaced)) {
		p.t.Errorf("%s %s: %s", w.name, theme, complaint)
	}
	if all := eval[[]string](p.tab, solid); len(all) > 1 {
		p.t.Errorf("%s %s: %q are solid", w.name, theme, all)
	}
	p.screenshot(filepath.Join(folder, fmt.Sprintf("%s-%s-%s-%s.png", state, lang, w.name, theme)))
}

// contactSheet draws the states in English at 1440×789, small, four in a row: before and now.
func contactSheet(t *testing.T, folder string) {
	t.Helper()
	const width, height, gap, inRow = 480, 263, 6, 4
	var all []image.Image
	for _, state := range mainStates {
		all = append(all, pictureIn(t, filepath.Join("testdata", "before", state.name+".jpg")),
			pictureIn(t, filepath.Join(folder, state.name+"-en-"+windows[0].name+"-light.png")))
	}
	rows := (len(all) + inRow - 1) / inRow
	sheet := image.NewRGBA(image.Rect(0, 0, inRow*(width+gap), rows*(height+gap)))
	draw.Draw(sheet, sheet.Bounds(), image.NewUniform(color.Gray{96}), image.Point{}, draw.Src)
	for i, picture := range all {
		x, y := i%inRow*(width+gap), i/inRow*(height+gap)
		draw.CatmullRom.Scale(sheet, image.Rect(x, y, x+width, y+height), picture, picture.Bounds(), draw.Src, nil)
	}
	var b bytes.Buffer
	if err := jpeg.Encode(&b, sheet, &jpeg.Options{Quality: 80}); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(folder, "contact-sheet.jpg")
	if err := os.WriteFile(file, b.Bytes(), 0o644); err != nil {
		t.Fatal(err)
	}
	t.Logf("the contact sheet has %d pictures in %d kB: %s", len(all), b.Len()/1000, file)
}

// pictureIn is the picture in a file.
func pictureIn(t *testing.T, file string) image.Image {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, _, err := image.Decode(f)
	if err != nil {
		t.Fatalf("%s: %v", file, err)
	}
	return m
}
