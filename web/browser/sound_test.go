package browser_test

import (
	"strings"
	"testing"
)

// fakeAudio notes the tones that a page would play.
const fakeAudio = `
	window.tones = [];
	window.AudioContext = class { currentTime = 0; destination = {}; close() { window.silent = true; } };
	window.GainNode = class { gain = { setTargetAtTime() {} }; connect(to) { return to; } };
	window.OscillatorNode = class {
		constructor(audio, { type, frequency }) { tones.push([type, Math.round(frequency)]); }
		connect(to) { return to; }
		start() {}
		stop() {}
	};`

// TestSound: nothing is heard until somebody asks for it; then a run that plays has tones for its counts and a click for its command.
func TestSound(t *testing.T) {
	t.Parallel()
	p := start(t)
	p.look(desktop, "light")
	p.before(noteDrawn)
	p.before(fakeAudio)
	p.visit(built.base + "#s=choose-surge")
	p.waitStarted()
	p.waitComputed()
	p.pause()
	p.seek(19_500)
	p.click("play")
	p.waitState("s.t === 20000 && !s.playing") // it stops at the next caption
	if n := eval[int](p, "tones.length"); n != 0 {
		t.Fatalf("%d tones although nobody asked", n)
	}
	p.click("page-menu")
	p.click("sound")
	p.wait("what it says", `document.querySelector('[data-act="status"]').textContent.startsWith("Sound is on")`)
	const both = `["sine", "square"].every((want) => tones.some(([type]) => type === want))`
	p.seek(19_500)
	p.click("play")
	p.waitState("s.t === 20000 && !s.playing")
	p.click("play")
	p.wait("a click, and tones of both lines", both+` && tones.some(([type, hz]) => type === "sine" && hz >= 440) && tones.some(([type, hz]) => type === "sine" && hz < 440)`)
	p.pause()
	p.click("page-menu")
	p.click("sound")
	p.wait("the end", `window.silent && document.querySelector('[data-act="status"]').textContent.startsWith("Sound is off")`)
	if text := eval[string](p, `document.querySelector('[data-act="sound"]').textContent`); !strings.HasPrefix(text, "Sound of a run") {
		t.Errorf("the menu says %q", text)
	}
}
